"""The user's own ignore file for git, which lies outside of every root by nature.

Its place is the user's to choose, in the user's own configuration. A repository cannot move it:
``core.excludesFile`` of a repository would have plait read any file, and wait for any pipe.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from plait.beneath import FLAGS
from plait.sources.git_config import config_value

FILE_BYTES = 1 << 20


def users_global_ignore() -> Path:
    """Where the user's own ignore file is: ``core.excludesFile``, or git's default place."""
    # Git's documented places; what a user's configuration includes is not looked at.
    home = os.environ.get("XDG_CONFIG_HOME")
    folder = (Path(home) if home else Path("~/.config").expanduser()) / "git"
    only = os.environ.get("GIT_CONFIG_GLOBAL")
    files = [Path(only)] if only else [Path("~/.gitconfig").expanduser(), folder / "config"]
    for file in files:
        chosen = config_value(os.fsdecode(users_file(file)), "core", "excludesfile")
        if chosen:
            return Path(chosen).expanduser()
    return folder / "ignore"


def users_file(file: Path) -> bytes:
    """The bytes of a file of the user's; none if it is missing, too large, or no regular file.

    It may be a link, as files in a home folder often are.
    """
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            return b""
        # Not to wait if a pipe takes its place meanwhile.
        with os.fdopen(os.open(file, FLAGS | getattr(os, "O_NONBLOCK", 0)), "rb") as opened:
            content = opened.read(FILE_BYTES + 1)
    except (OSError, ValueError):
        return b""
    return content if len(content) <= FILE_BYTES else b""
