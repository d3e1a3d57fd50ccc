"""Trees and real git repositories for the tests of sources."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from plait.sources import DirectorySource, Selection
from plait.types import Listed, Skipped

QUIET = Path(os.devnull)


def tree(root: Path, files: Mapping[str, str]) -> Path:
    """Write ``{path: text}`` below a folder."""
    for path, text in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode("utf-8", "surrogateescape"))
    return root


def git(folder: Path, *args: str) -> str:
    """Run git as nobody in particular, without the user's configuration."""
    env = os.environ | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(
        ["git", "-C", str(folder), *who, "-c", "protocol.file.allow=always", *args],
        env=env,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


def repository(root: Path, files: Mapping[str, str]) -> Path:
    """A git repository with these files committed."""
    root.mkdir(parents=True, exist_ok=True)
    tree(root, files)
    git(root, "init", "-q")
    git(root, "add", "-A", "-f")
    git(root, "commit", "-q", "--allow-empty", "-m", "first")
    return root


def source(root: Path, **chosen: object) -> DirectorySource:
    """A source that does not see the user's own ignore file."""
    selection = Selection(**({"global_ignore": QUIET} | chosen))  # type: ignore[arg-type]  # short
    return DirectorySource(root, selection=selection)


def paths(found: DirectorySource) -> list[str]:
    """What a source lists for reading."""
    return [item.path for item in found.listing() if isinstance(item, Listed)]


def skipped(found: DirectorySource) -> dict[str, str]:
    """What a listing skips, and the word for why."""
    return {item.path: item.reason for item in found.listing() if isinstance(item, Skipped)}
