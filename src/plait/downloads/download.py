"""Download: one file over HTTP, whole and the right one, or an error in words.

What arrives is kept in ``NAME.part`` beside the target, with the server's entity tag in
``NAME.part.etag``, so a download that was cut off goes on where it was: in the next attempt,
or when the same command is run again. The file takes its own name only after its checksum
proved right, so whatever has the name can be used. A checksum is a SHA-256 or, for a file that
is only known by its place in a git repository, git's own id of its content.
"""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from urllib.parse import urlsplit

from plait.downloads.transport import SCHEMES, NothingThere, Passing, ask, chunks
from plait.errors import DownloadError

OK, PARTIAL = 200, 206
LARGEST_BYTES = 4 << 30  # of a file whose size is not known beforehand
LONGEST_PAUSE_S = 8.0
CONTENT_RANGE = re.compile(r"bytes (\d+)-")

OnProgress = Callable[[int, int | None], None]  # bytes so far, bytes in all if known


@dataclass(frozen=True, slots=True)
class Wanted:
    """A file by where it is and what it must be: a SHA-256, or git's id where none is known."""

    url: str
    sha256: str
    size_bytes: int | None = None
    git_id: str = ""

    def __post_init__(self) -> None:
        if urlsplit(self.url).scheme not in SCHEMES:
            raise DownloadError(f"{self.url} is not an HTTP or HTTPS address")
        if not self.sha256 and re.fullmatch("[0-9a-f]{40}", self.git_id):
            return
        if not re.fullmatch("[0-9a-f]{64}", self.sha256):
            raise DownloadError(f"{self.sha256!r} is no SHA-256: 64 hexadecimal digits")

    def problem(self, path: Path) -> str:
        """What is wrong with the bytes at a path; "" if they are the ones."""
        if self.sha256:
            got, expected, kind = sha256_of(path), self.sha256, "SHA-256"
        else:
            got, expected, kind = git_id_of(path), self.git_id, "the git id"
        return "" if got == expected else f"it has {kind} {got}, expected {expected}"


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to go on trying. The pause doubles with every failure."""

    attempts: int = 4
    pause_s: float = 0.5
    timeout_s: float = 30.0  # without a byte

    def pause_after(self, failures: int, asked_s: float) -> float:
        return max(asked_s, min(self.pause_s * 2.0 ** (failures - 1), LONGEST_PAUSE_S))


def download(
    wanted: Wanted,
    target: Path,
    *,
    limit_bytes: int = LARGEST_BYTES,
    patience: Patience | None = None,
    is_offline: bool = False,
    on_progress: OnProgress | None = None,
) -> Path:
    """Have a file at ``target``. One that is there and right is not fetched again.

    Raises:
        DownloadError: It is unavailable, or it is not the file that is wanted.
    """
    patience = patience or Patience()
    part = target.with_name(f"{target.name}.part")
    try:
        if target.is_file() and not wanted.problem(target):
            return target
        if is_offline:
            raise DownloadError(
                f"{wanted.url} was not fetched: plait is told to stay offline",
                hint="unset PLAIT_OFFLINE to allow it",
            )
        target.unlink(missing_ok=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        _try(wanted, part, limit_bytes, patience, on_progress)
        part.replace(target)
        _tag_of(part).unlink(missing_ok=True)
    except OSError as error:
        raise DownloadError(f"cannot write {target}: {error}") from error
    return target


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def git_id_of(path: Path) -> str:
    """The id git gives a file's content."""
    seen = hashlib.sha1(f"blob {path.stat().st_size}\0".encode(), usedforsecurity=False)
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            seen.update(piece)
    return seen.hexdigest()


def _try(
    wanted: Wanted,
    part: Path,
    limit_bytes: int,
    patience: Patience,
    on_progress: OnProgress | None,
) -> None:
    """Fill the part until it is right."""
    problem = ""
    for attempt in range(1, patience.attempts + 1):
        try:
            is_fresh = _receive(wanted, part, limit_bytes, patience.timeout_s, on_progress)
            problem = wanted.problem(part)
            if not problem:
                return
            _forget(part)
            if is_fresh:
                raise _not_wanted(wanted, problem)
        except Passing as failure:
            problem = str(failure)
            if attempt < patience.attempts:
                time.sleep(patience.pause_after(attempt, failure.wait_s))
    raise DownloadError(
        f"{wanted.url} is unavailable after {patience.attempts} attempts: {problem}",
        hint="what has arrived is kept: the same command goes on from there",
    )


def _receive(
    wanted: Wanted,
    part: Path,
    limit_bytes: int,
    timeout_s: float,
    on_progress: OnProgress | None,
) -> bool:
    """Bring the part to its end; True if all of it came just now.

    Raises:
        Passing: It may be finished at the next attempt.
        DownloadError: It will not, or it cannot be the file that is wanted.
    """
    have = part.stat().st_size if part.is_file() else 0
    if wanted.size_bytes and have >= wanted.size_bytes:
        return False  # the checksum says whether it is right
    try:
        response = ask(wanted.url, _range(part, have), timeout_s)
    except NothingThere as nothing:
        if have and nothing.total in (None, have):
            return False
        _forget(part)
        raise Passing("what had arrived was longer than the file") from None
    with response:
        is_fresh = response.status == OK
        if is_fresh:
            have = 0
            _remember(part, response.headers.get("ETag", ""))
        elif response.status != PARTIAL or _start(response.headers) != have:
            _forget(part)
            raise Passing(f"the server sent another part than was asked for ({response.status})")
        total = None if response.length is None else have + response.length
        problem = _wrong_size(wanted, total, limit_bytes)
        if not problem:
            most = min(limit_bytes, wanted.size_bytes or limit_bytes)
            with part.open("wb" if is_fresh else "ab") as file:
                for chunk in chunks(response, timeout_s):
                    have += len(chunk)
                    if have > most:
                        problem = f"it has more than {most:,} bytes"
                        break
                    file.write(chunk)
                    if on_progress is not None:
                        on_progress(have, total)
                file.flush()
                os.fsync(file.fileno())
    if problem:
        _forget(part)
        raise _not_wanted(wanted, problem) if is_fresh else Passing(problem)
    if total is not None and have < total:
        raise Passing(f"the connection was cut after {have:,} of {total:,} bytes")
    return is_fresh


def _wrong_size(wanted: Wanted, total: int | None, limit_bytes: int) -> str:
    """Why a file of the size that was announced is not worth fetching; "" if it may be right."""
    if total is None:
        return ""
    if wanted.size_bytes is not None and total != wanted.size_bytes:
        return f"it has {total:,} bytes, expected {wanted.size_bytes:,}"
    return f"it has {total:,} bytes, allowed are {limit_bytes:,}" if total > limit_bytes else ""


def _not_wanted(wanted: Wanted, problem: str) -> DownloadError:
    return DownloadError(
        f"{wanted.url} is not the file that is wanted: {problem}",
        hint="what came was deleted; a proxy may have answered, or the file was replaced",
    )


def _range(part: Path, have: int) -> dict[str, str]:
    """The headers that ask for the rest only, if it still is the rest of the same file."""
    if not have:
        return {}
    asked = {"Range": f"bytes={have}-"}
    tag = _tag_of(part)
    if tag.is_file():
        asked["If-Range"] = tag.read_text(encoding="ascii", errors="replace")
    return asked  # without a tag the checksum alone decides


def _start(headers: Message) -> int:
    """Where a partial answer begins; -1 if it does not say."""
    found = CONTENT_RANGE.match(headers.get("Content-Range", ""))
    return int(found[1]) if found else -1


def _remember(part: Path, tag: str) -> None:
    """Keep a strong entity tag; a weak one cannot vouch for bytes."""
    if tag.startswith('"') and tag.isascii() and tag.isprintable():
        _tag_of(part).write_text(tag, encoding="ascii")
    else:
        _tag_of(part).unlink(missing_ok=True)


def _forget(part: Path) -> None:
    part.unlink(missing_ok=True)
    _tag_of(part).unlink(missing_ok=True)


def _tag_of(part: Path) -> Path:
    return part.with_name(f"{part.name}.etag")
