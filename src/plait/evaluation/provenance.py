"""Provenance: which code ran, on what machine, with which versions."""

from __future__ import annotations

import os
import platform
import shlex
import sys
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

import plait
from plait.sources.git import run_git, run_on_files

PACKAGES = ("tantivy", "tree-sitter", "PyStemmer", "ir-measures", "numpy")


def provenance() -> dict[str, object]:
    """What a reader needs to run the same again."""
    return {
        "commit": _commit(),
        "command": shlex.join(["plait", *sys.argv[1:]]),
        "machine": machine(),
        "versions": {
            "plait": plait.__version__,
            "python": platform.python_version(),
            **_packages(),
        },
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def _commit() -> str:
    """The commit of the checkout plait runs from; "" for an installed package."""
    here = Path(__file__).resolve()
    head = run_git(here.parent, "rev-parse", "--verify", "HEAD")
    inside = run_on_files(here.parent, "ls-files", "--error-unmatch", "--", str(here))
    if head.code != 0 or inside.code != 0:
        return ""
    changed = run_on_files(here.parent, "status", "--porcelain", "--untracked-files=no")
    return head.out.decode().strip() + (", with changes" if changed.out.strip() else "")


def machine() -> str:
    """The processor, how many of it, and the system."""
    model = platform.machine()  # platform.processor() would run a program
    described = Path("/proc/cpuinfo")
    if described.is_file():
        lines = described.read_text(encoding="utf-8").splitlines()
        named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
        model = named[0] if named else model
    return f"{os.cpu_count()} x {model}, {platform.system()} {platform.release()}"


def _packages() -> dict[str, str]:
    found = {}
    for package in PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found
