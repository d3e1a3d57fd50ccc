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
from plait.sources.git import run_git

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
    folder = Path(__file__).resolve().parent
    head = run_git(folder, "rev-parse", "HEAD")
    inside = run_git(folder, "ls-files", "--error-unmatch", Path(__file__).name)
    if head.code != 0 or inside.code != 0:
        return ""
    changed = run_git(folder, "status", "--porcelain", "--untracked-files=no").out.strip()
    return head.out.decode().strip() + (", with changes" if changed else "")


def machine() -> str:
    """The processor, how many of it, and the system."""
    model = platform.processor() or platform.machine()
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
