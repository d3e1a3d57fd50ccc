"""Services: what a vulnerability service on the network knows, asked through pip-audit."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tools.audit.locks import Pin

TIMEOUT_S = 600


class ServiceError(Exception):
    """The service could not be asked."""


def known(program: Path, pins: Iterable[Pin], *options: str) -> dict[Pin, list[str]]:
    """The ids of the advisories that affect each pin, whatever platform it is for.

    Args:
        program: pip-audit, from its own locked environment.
        pins: What to ask about.
        options: Further options of pip-audit, such as ``--vulnerability-service=osv``.

    Raises:
        ServiceError: pip-audit failed, or did not answer for every pin.
    """
    found: dict[Pin, list[str]] = {}
    for batch in _one_version_each(pins):
        for package in _asked(program, batch, options):
            if "skip_reason" in package:
                raise ServiceError(f"{package['name']}: {package['skip_reason']}")
            pin = Pin(package["name"].lower(), package["version"])
            found[pin] = sorted(each["id"] for each in package["vulns"])
        if missed := [str(pin) for pin in batch if pin not in found]:
            raise ServiceError(f"pip-audit gave no answer for {', '.join(missed)}")
    return found


def _one_version_each(pins: Iterable[Pin]) -> Iterator[list[Pin]]:
    """The pins in batches that name no package twice, which pip-audit refuses."""
    left = list(pins)
    while left:
        batch = {pin.name: pin for pin in left}
        yield list(batch.values())
        left = [pin for pin in left if batch[pin.name] != pin]


def _asked(program: Path, pins: Iterable[Pin], options: Iterable[str]) -> list[dict[str, Any]]:
    # Not the locks themselves: of those it leaves out what is for other platforms.
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("".join(f"{pin}\n" for pin in pins))
        file.flush()
        command = [program, "-r", file.name, "--no-deps", "--disable-pip", "--format=json"]
        try:
            done = subprocess.run(
                [*map(str, command), "--progress-spinner=off", *options],
                capture_output=True,
                text=True,
                timeout=TIMEOUT_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise ServiceError(f"pip-audit could not be run: {error}") from error
    try:
        packages: list[dict[str, Any]] = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError) as error:
        last = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        raise ServiceError(f"pip-audit failed: {last[0]}") from error
    return packages
