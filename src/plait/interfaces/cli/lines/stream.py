"""The stream of lines: what is found is written at once, file by file.

A search for lines may go on for seconds, and who asked reads the first ones meanwhile. So
nothing is gathered: each file goes out before the next is looked for.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, BinaryIO, Protocol

from plait.interfaces.cli.output import counted, say
from plait.types import FileLines, Tally

if TYPE_CHECKING:
    from collections.abc import Iterable

NOTHING = Tally(0, 0, 0, is_exact=True)


class Writer(Protocol):
    """A format: the bytes of each file, and those at the end."""

    def file(self, path: bytes, found: FileLines) -> bytes: ...

    def end(self, tally: Tally) -> bytes: ...


class Silence:
    """The format of who only wants to know whether there is anything."""

    def file(self, path: bytes, found: FileLines) -> bytes:
        del path, found
        return b""

    def end(self, tally: Tally) -> bytes:
        del tally
        return b""


def results() -> BinaryIO:
    """Standard output, as bytes; what was written as text is before it."""
    sys.stdout.flush()
    return sys.stdout.buffer


def write(
    found: Iterator[FileLines | Tally],
    writer: Writer,
    path_of: Callable[[FileLines], str],
    out: BinaryIO,
) -> Tally:
    """Write every file as soon as it is found; how much it was."""
    for one in found:
        if isinstance(one, Tally):
            return one
        if written := writer.file(path_of(one).encode("utf-8", "surrogateescape"), one):
            out.write(written)
            out.flush()
    return NOTHING


def together(tallies: Iterable[Tally]) -> Tally:
    """What several searches found."""
    total = NOTHING
    for one in tallies:
        total = Tally(
            total.lines + one.lines,
            total.matches + one.matches,
            total.files + one.files,
            total.is_exact and one.is_exact,
            total.is_partial or one.is_partial,
            tuple(dict.fromkeys((*total.notes, *one.notes))),
        )
    return total


def say_notes(tally: Tally) -> None:
    """What the search has to say, on standard error; how it was done, only to who looks on."""
    if tally.is_partial or sys.stderr.isatty():
        for note in tally.notes:
            say(f"note: {note}")


def say_total(tally: Tally) -> None:
    """How much there is, on standard error."""
    least = "" if tally.is_exact else "at least "
    lines, files = counted(tally.lines, "line"), counted(tally.files, "file")
    say(f"{least}{lines} in {least}{files}")
