"""Repositories as a stranger would ship them: history, filters, and whatever else is planted."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tools.attack.bench import GOOD, GOOD_NAME

ENV = {
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.com",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.com",
}
SIGNATURE = (
    "gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQEzBAABCAAdFiEE\n -----END PGP SIGNATURE-----\n"
)


def git(folder: Path, *arguments: str, stdin: str = "") -> str:
    """Run git to make a repository; what it printed."""
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": os.environ["PATH"], **ENV},
    )
    if done.returncode:
        raise RuntimeError(f"git {' '.join(arguments)}: {done.stderr}")
    return done.stdout.strip()


def make(folder: Path) -> Path:
    """A repository with a history, a signed commit, filters in use and a changed file."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q", "-b", "main")
    (folder / GOOD_NAME).write_text(GOOD)
    (folder / "first.py").write_text("def first_thing():\n    return 1\n")
    (folder / "lost.py").write_text("def lost_thing():\n    return 'lost'\n")
    (folder / ".gitattributes").write_text("*.py filter=evil diff=evil merge=evil text\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "Add the first thing and what belongs to it")
    (folder / "first.py").write_text(
        "def first_thing():\n    return 2\n\n\ndef second():\n    pass\n"
    )
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "Make the first thing return two instead of one")
    raw = git(folder, "cat-file", "commit", "HEAD") + "\n"
    head, _, rest = raw.partition("\n\n")
    made = git(folder, "hash-object", "-t", "commit", "-w", "--stdin",
               stdin=f"{head}\n{SIGNATURE}\n{rest}")  # fmt: skip
    git(folder, "update-ref", "refs/heads/main", made)
    (folder / "first.py").write_text("def first_thing():\n    return 3  # changed\n")
    (folder / "untracked.py").write_text("def untracked():\n    return 4\n")
    return folder


def object_file(folder: Path, name: str) -> Path:
    """Where git keeps an object."""
    found = git(folder, "rev-parse", name)
    return folder / ".git" / "objects" / found[:2] / found[2:]


def lose(folder: Path, what: str) -> None:
    """Take an object away, so that whoever reads it wants it fetched."""
    name = {"blob": "HEAD:lost.py", "old blob": "HEAD~1:first.py", "tree": "HEAD^{tree}",
            "commit": "HEAD~1"}[what]  # fmt: skip
    object_file(folder, name).unlink()


def configure(folder: Path, text: str) -> None:
    """Append to the repository's own configuration."""
    with (folder / ".git" / "config").open("a", encoding="utf-8") as file:
        file.write(f"\n{text}\n")


def program(folder: Path, trace: Path, name: str) -> Path:
    """An executable that leaves a trace."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n: > '{trace}'\nexit 0\n")
    path.chmod(0o755)
    return path
