"""Asking git, without letting the repository speak back.

A repository may come from anyone, and its configuration can name programs for git to run.
So git gets an argument list, never a shell; hooks and the file-system monitor are off, it
may not prompt, take locks or enter submodules, and variables that a calling hook left
behind do not redirect it to another repository.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import NamedTuple

TIMEOUT_S = 600.0
QUIET = ("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false")
REDIRECTING = frozenset(
    "GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_PREFIX GIT_COMMON_DIR GIT_NAMESPACE "
    "GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES".split()
)


class Reply(NamedTuple):
    """What git said."""

    code: int
    out: bytes
    complaint: str  # one line, "" if there was none


class WorkTree(NamedTuple):
    """A checked-out repository: its top folder, and the git directory its worktrees share."""

    top: Path
    common: Path


class Place(NamedTuple):
    """Where a folder stands with git: in a work tree, in a git directory, or neither."""

    tree: WorkTree | None = None
    is_bare: bool = False
    note: str = ""  # why git was not used although there is a repository


def command(folder: Path, *args: str) -> list[str]:
    """The argument list that runs git in a folder, quietly."""
    return ["git", "-C", str(folder), *QUIET, *args]


def environment() -> dict[str, str]:
    """What git may know: the user's PATH, HOME and configuration, and nothing that redirects it."""
    # The environment is git's to read (PATH, HOME, safe.directory); plait takes nothing from it.
    env = {key: value for key, value in os.environ.items() if key not in REDIRECTING}
    return env | {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}


def run_git(folder: Path, *args: str, stdin: bytes = b"") -> Reply:
    """Run git in a folder. A git that is missing or hangs is a reply too, never an exception."""
    try:
        done = subprocess.run(
            command(folder, *args),
            input=stdin,
            capture_output=True,
            env=environment(),
            timeout=TIMEOUT_S,
            check=False,
        )
    except FileNotFoundError:
        return Reply(127, b"", "git is not installed")
    except (OSError, subprocess.TimeoutExpired, ValueError) as error:
        return Reply(126, b"", f"git could not be run: {error}")
    words = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return Reply(done.returncode, done.stdout, words[0] if words else "")


def place_of(folder: Path) -> Place:
    """Find the work tree an existing, resolved folder lies in.

    A repository's configuration may claim any folder as its work tree, even ``/``. It is
    believed only where a ``.git`` lies: the nearest one above must be the top git names.
    """
    marked = next((at for at in (folder, *folder.parents) if os.path.lexists(at / ".git")), None)
    asked = ("--is-inside-work-tree", "--is-inside-git-dir", "--show-cdup", "--git-common-dir")
    reply = run_git(folder, "rev-parse", *asked)
    lines = os.fsdecode(reply.out).split("\n", 3)
    if reply.code != 0 or len(lines) < 4:
        return Place(note=f"{reply.complaint}; plait's own ignore rules apply" if marked else "")
    inside_tree, inside_git, up, common = lines
    if inside_tree != "true":
        return Place(is_bare=inside_git == "true")
    top = Path(os.path.realpath(folder / up))
    if top != marked:
        return Place(note=f"git names {top} as the work tree of {folder}; it is not believed")
    return Place(WorkTree(top, Path(os.path.realpath(folder / common.removesuffix("\n")))))


def is_ignored(tree: WorkTree, path: Path) -> bool:
    """Whether the work tree's ignore rules leave out a path in it (never its top)."""
    if path == tree.top:
        return False
    inner = os.fspath(path.relative_to(tree.top))
    # It takes pathspecs and refuses to take them literally: "./" keeps a ":" from being magic.
    return run_git(tree.top, "check-ignore", "-q", "--", f"./{inner}").code == 0


def users_global_ignore() -> Path:
    """Where git looks for the user's own ignore file unless told otherwise."""
    # Git's documented default, core.excludesFile; there is no other way to learn it.
    configured = os.environ.get("XDG_CONFIG_HOME")
    base = Path(configured) if configured else Path("~/.config").expanduser()
    return base / "git" / "ignore"
