"""The JSON shapes of a search for lines."""

from __future__ import annotations

from collections.abc import Sequence

from plait.interfaces.schemas import NoteOut, notes_out
from plait.interfaces.typed import TypedDict
from plait.types import FileLines, Line, Tally
from plait.types.notes import Note

LINES_SCHEMA = "plait.lines/1"


class LineOut(TypedDict):
    """A line. Ranges are where it matches, in bytes of its UTF-8 text."""

    line: int
    offset: int
    text: str
    ranges: list[tuple[int, int]]
    is_match: bool
    defines: bool


class PlacedLineOut(LineOut):
    """A line and the file it is in."""

    repo: str
    path: str
    language: str
    tags: list[str]


class FileLinesOut(TypedDict):
    """The lines of one file."""

    repo: str
    path: str
    language: str
    tags: list[str]
    lines: list[LineOut]


class TallyOut(TypedDict):
    """How much there is; unless it is exact, at least so much."""

    lines: int
    matches: int
    files: int
    is_exact: bool
    is_partial: bool


class LinesOut(TypedDict):
    """All of an answer to a search for lines."""

    schema: str
    query: str
    generation: int
    stale: int | None
    notes: list[NoteOut]
    hints: list[NoteOut]
    tally: TallyOut
    files: list[FileLinesOut]


def line_out(line: Line) -> LineOut:
    """One line."""
    return {
        "line": line.number,
        "offset": line.begin,
        "text": line.text.decode("utf-8", "replace"),
        "ranges": list(line.ranges),
        "is_match": line.is_match,
        "defines": line.defines,
    }


def placed_line_out(line: Line, found: FileLines, path: str) -> PlacedLineOut:
    """One line with its place; ``path`` is the one a client is shown."""
    return {
        "repo": found.repo,
        "path": path,
        "language": found.language,
        "tags": list(found.tags),
        **line_out(line),
    }


def file_out(found: FileLines, path: str) -> FileLinesOut:
    """One file; ``path`` is the one a client is shown."""
    return {
        "repo": found.repo,
        "path": path,
        "language": found.language,
        "tags": list(found.tags),
        "lines": [line_out(line) for line in found.lines],
    }


def tally_out(tally: Tally) -> TallyOut:
    """How much was found."""
    return {
        "lines": tally.lines,
        "matches": tally.matches,
        "files": tally.files,
        "is_exact": tally.is_exact,
        "is_partial": tally.is_partial,
    }


def lines_out(
    query: str,
    files: Sequence[FileLinesOut],
    tally: Tally,
    *,
    generation: int,
    stale: int | None,
    notes: Sequence[Note],
    hints: Sequence[Note],
) -> LinesOut:
    """A whole answer; ``stale`` is None if nobody counted."""
    return {
        "schema": LINES_SCHEMA,
        "query": query,
        "generation": generation,
        "stale": stale,
        "notes": notes_out(notes),
        "hints": notes_out(hints),
        "tally": tally_out(tally),
        "files": list(files),
    }
