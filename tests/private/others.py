"""Another user of the machine, as far as there is one to be."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

NOBODY = 65534

posix_only = pytest.mark.skipif(os.name != "posix", reason="elsewhere folders inherit their rights")
needs_root = pytest.mark.skipif(
    os.name != "posix" or os.geteuid() != 0, reason="only root can act as another user"
)
needs_linux_root = pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0,
    reason="only root on Linux can mount a disk of its own",
)


def as_nobody(*command: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a program of the system as a user who owns nothing."""
    return subprocess.run(
        [str(part) for part in command],
        user=NOBODY, group=NOBODY, extra_groups=[], cwd="/",
        check=False, capture_output=True, text=True, timeout=60,
    )  # fmt: skip


def modes(root: Path) -> dict[str, int]:
    """The rights of everything below a folder, and of the folder."""
    found = {".": root.lstat().st_mode & 0o7777}
    for path in root.rglob("*"):
        found[path.relative_to(root).as_posix()] = path.lstat().st_mode & 0o7777
    return found


def contents(root: Path) -> dict[str, bytes | str]:
    """Everything below a folder, as it is: what a link says, what a file holds."""
    return {path.relative_to(root).as_posix(): _content(path) for path in sorted(root.rglob("*"))}


def _content(path: Path) -> bytes | str:
    if path.is_symlink():
        return f"-> {path.readlink()}"
    return path.read_bytes() if path.is_file() else f"{path.lstat().st_mode:o}"
