"""Asking git: the only place that starts it.

A repository may come from anyone, and its configuration can name programs for git to run. So
git is given an argument list, never a shell; a directory of plait's own in place of the
repository's (``sealed.py``); and an environment of what is written here and nothing else. It
may not fetch, prompt, take locks or look at the user's configuration, and what it says is
bounded in size and time, as is the memory it takes to say it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, NamedTuple

from plait import children
from plait.errors import SourceError
from plait.sources.sealed import Sealed, sealed

TIMEOUT_S = 600.0
REPLY_BYTES = 1 << 28
COMPLAINT_BYTES = 1 << 14
# Of a git that reads. Packs are mapped, not copied, and do not count.
MEMORY_BYTES = 1 << 30
PIECE_BYTES = 1 << 29  # asked for at once, where the system does not limit a process from outside
NOTHING = os.devnull
NO_PROTOCOL = "none"  # an empty list would do, but Windows drops what is empty

# None of these can be set by anybody else, since there is no configuration left that git reads.
# They hold should a version of git find another place to read.
OPTIONS = (
    f"core.hooksPath={NOTHING}",
    "core.bigFileThreshold=1m",  # as large as a file may be that is indexed; no patch of larger
    "core.fsmonitor=false",
    f"core.attributesFile={NOTHING}",
    f"core.excludesFile={NOTHING}",
    "core.sshCommand=false",
    "core.symlinks=false",
    "credential.helper=",
    "diff.external=",
    "log.showSignature=false",
    "protocol.allow=never",
    "submodule.recurse=false",
)


class Bounds(NamedTuple):
    """What git may take and how much it may say; any memory if that is 0."""

    seconds: float = TIMEOUT_S
    reply_bytes: int = REPLY_BYTES
    memory_bytes: int = MEMORY_BYTES


USUAL = Bounds()


class Reply(NamedTuple):
    """What git said."""

    code: int
    out: bytes
    complaint: str  # one line, "" if there was none


def command(*args: str) -> list[str]:
    """The argument list that runs git, quietly."""
    options = [part for option in OPTIONS for part in ("-c", option)]
    return [
        children.program("git") or NOTHING,
        "--no-pager",
        "--literal-pathspecs",
        *options,
        *args,
    ]


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """All that git may know."""
    return {
        **children.environment(),
        "HOME": NOTHING,  # no folder: there is nothing below it
        "XDG_CONFIG_HOME": NOTHING,
        "LC_ALL": "C",
        "GIT_ALLOC_LIMIT": str(PIECE_BYTES),
        "GIT_ALLOW_PROTOCOL": NO_PROTOCOL,
        "GIT_ASKPASS": "",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": NOTHING,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_SYSTEM": NOTHING,
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_PAGER": "cat",
        "GIT_TERMINAL_PROMPT": "0",
        **(more or {}),
    }


def reading(place: Sealed) -> dict[str, str]:
    """The environment in which git reads a sealed repository."""
    more = {"GIT_DIR": str(place.folder), "GIT_OBJECT_DIRECTORY": str(place.objects)}
    return environment(more)


def run_git(repo: Path, *args: str, stdin: bytes = b"", bounds: Bounds | None = None) -> Reply:
    """Have git read a repository. One that is missing, broken or hangs is a reply, no exception."""
    try:
        with sealed(repo) as place:
            return _run(command(*args), reading(place), place.folder, stdin, bounds)
    except SourceError as error:
        return Reply(128, b"", str(error))


def run_on_files(repo: Path, *args: str) -> Reply:
    """As :func:`run_git`, with the files of the work tree and its index to compare."""
    try:
        with sealed(repo) as place:
            if place.tree is None:
                return Reply(128, b"", f"{repo} has no work tree")
            more = {
                "GIT_WORK_TREE": str(place.tree.top),
                "GIT_INDEX_FILE": str(place.tree.own / "index"),
            }
            return _run(
                command("-c", "core.bare=false", *args), reading(place) | more, place.tree.top
            )
    except SourceError as error:
        return Reply(128, b"", str(error))


def fetch_git(folder: Path, protocol: str, *args: str) -> Reply:
    """Have git fetch into a bare repository of our own, by one protocol.

    The user's configuration holds, since it says how to reach the network; the repository's is
    our own. Nothing else in plait fetches.
    """
    told = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    more = {"GIT_ALLOW_PROTOCOL": protocol, "GIT_TERMINAL_PROMPT": "0", "GIT_DIR": str(folder)}
    line = [children.program("git") or NOTHING, "-c", f"core.hooksPath={NOTHING}", *args]
    return _run(line, told | more | {"LC_ALL": "C"}, folder, bounds=Bounds(memory_bytes=0))


@contextmanager
def talking_to_git(repo: Path, *args: str) -> Iterator[subprocess.Popen[bytes]]:
    """A git that reads a repository and answers until the block ends.

    Raises:
        SourceError: There is no repository that can be read, or no git.
    """
    with sealed(repo) as place:
        try:
            process = subprocess.Popen(
                command(*args),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=reading(place),
                cwd=place.folder,
            )
        except OSError as error:
            raise SourceError(f"git could not be run: {error}") from error
        _limit_memory(process.pid, MEMORY_BYTES)
        try:
            yield process
        finally:
            process.kill()
            process.communicate()


def _run(
    line: list[str],
    env: Mapping[str, str],
    cwd: Path,
    stdin: bytes = b"",
    bounds: Bounds | None = None,
) -> Reply:
    bounds = bounds or USUAL
    if children.program("git") is None:
        return Reply(127, b"", "git is not installed")
    try:
        process = subprocess.Popen(
            line,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(env),
            cwd=cwd,
        )
    except (OSError, ValueError) as error:
        return Reply(126, b"", f"git could not be run: {error}")
    _limit_memory(process.pid, bounds.memory_bytes)
    complaint: list[bytes] = []
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    beside = (
        threading.Thread(target=_say, args=(process.stdin, stdin), daemon=True),
        threading.Thread(target=_hear, args=(process.stderr, complaint), daemon=True),
    )
    patience = threading.Timer(bounds.seconds, process.kill)
    for thread in (*beside, patience):
        thread.start()
    try:
        out = process.stdout.read(bounds.reply_bytes + 1)
        if len(out) > bounds.reply_bytes:
            process.kill()
        code = process.wait()
    finally:
        has_waited = not patience.is_alive()
        patience.cancel()
        process.kill()
        for thread in beside:
            thread.join()
        process.stdout.close()
        process.wait()
    if len(out) > bounds.reply_bytes:
        return Reply(125, b"", f"git said more than {bounds.reply_bytes} bytes")
    if has_waited:
        return Reply(124, b"", f"git took more than {bounds.seconds:.0f} s")
    words = b"".join(complaint).decode("utf-8", "replace").strip().splitlines()
    return Reply(code, out, words[0] if words else "")


def _limit_memory(pid: int, size: int) -> None:
    """Refuse a process that was just started more memory; on Linux only, which can."""
    if size and sys.platform == "linux":
        import resource

        with suppress(OSError, ValueError):  # it may have ended, or have less
            resource.prlimit(pid, resource.RLIMIT_DATA, (size, size))


def _say(pipe: IO[bytes], words: bytes) -> None:
    with suppress(OSError), pipe:  # git may have heard enough
        pipe.write(words)


def _hear(pipe: IO[bytes], heard: list[bytes]) -> None:
    with pipe:
        heard.append(pipe.read(COMPLAINT_BYTES))
        while pipe.read(COMPLAINT_BYTES):
            pass
