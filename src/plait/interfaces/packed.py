"""A pack as text for a model, and as JSON.

Files of which more than a line is shown have a block for each run of lines; the others are rows
of one list. Paths stand outside of fences; within, only code and rows that begin with a path, so
that nothing in a file can pass for the name of another.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from plait.interfaces.escaping import visible, visible_lines
from plait.interfaces.fences import DATA_ONLY, fence_of, plain_name
from plait.interfaces.schemas import AbsentOut, NoteOut, ShownPath, absent_out, notes_out
from plait.interfaces.typed import TypedDict
from plait.search.packing.estimate import estimate
from plait.search.packing.shelf import Form

if TYPE_CHECKING:
    from plait.search.packing.pack import Pack, PackedFile
    from plait.types import Answer

PACK_SCHEMA = "plait.pack/1"
TAB = "\t"
RESERVED = estimate(f"{DATA_ONLY}\n")  # tokens, for what is said before files


class PackedSpanOut(TypedDict):
    """Lines that follow each other."""

    start_line: int
    end_line: int
    text: str


class PackedFileOut(TypedDict):
    """The lines of one file, in order."""

    repo: str
    path: str
    language: str
    spans: list[PackedSpanOut]


class PackOut(TypedDict):
    """What fits into so many tokens."""

    schema: str
    query: str
    lanes: list[str]
    generation: int
    stale: int | None
    absent: list[AbsentOut]
    notes: list[NoteOut]
    hints: list[NoteOut]
    max_tokens: int
    tokens: int  # of the text format, about
    left_out: int  # results
    files: list[PackedFileOut]


class PackedLine(NamedTuple):
    """A printed line, and which line of a file it shows, if any."""

    text: str
    path: str = ""
    number: int = 0


def form_of(answer: Answer, shown: ShownPath) -> Form:
    """How lines of an answer will be printed."""
    fence = fence_of(result.chunk.text for result in answer.results)
    return Form(
        lambda text: estimate(visible_lines(text)),
        lambda repo, path: plain_name(shown(repo, path)),
        fence,
    )


def packed_lines(pack: Pack, form: Form) -> Iterator[PackedLine]:
    """A pack for a model, line by line."""
    if pack.files:
        yield PackedLine(DATA_ONLY)
    rows = [file for file in pack.files if file.is_row]
    for file in pack.files[: len(pack.files) - len(rows)]:
        yield from _blocks(file, form)
    if rows:
        yield PackedLine(form.fence)
        for file in rows:
            number, text = file.spans[0].span.first, file.spans[0].text
            row = form.row(form.shown(file.repo, file.path), number, text)
            yield PackedLine(visible(row, TAB), file.path, number)
        yield PackedLine(form.fence)


def _blocks(file: PackedFile, form: Form) -> Iterator[PackedLine]:
    name = form.shown(file.repo, file.path)
    for at, (span, text) in enumerate(file.spans):
        yield PackedLine(form.heading(name, span, is_first=at == 0), file.path)
        yield PackedLine(form.fence)
        for number, line in enumerate(text.split("\n"), start=span.first):
            yield PackedLine(visible(line, TAB), file.path, number)
        yield PackedLine(form.fence)


def pack_out(
    pack: Pack, answer: Answer, shown: ShownPath, *, max_tokens: int, stale: int | None
) -> PackOut:
    """A pack as one object."""
    return {
        "schema": PACK_SCHEMA,
        "query": answer.query.text,
        "lanes": list(answer.lanes),
        "generation": answer.generation,
        "stale": stale,
        "absent": [absent_out(one) for one in answer.absent],
        "notes": notes_out(answer.notes),
        "hints": notes_out(answer.hints),
        "max_tokens": max_tokens,
        "tokens": pack.tokens,
        "left_out": pack.left_out,
        "files": [packed_file_out(file, shown) for file in pack.files],
    }


def packed_file_out(file: PackedFile, shown: ShownPath) -> PackedFileOut:
    """One file of a pack."""
    return {
        "repo": file.repo,
        "path": shown(file.repo, file.path),
        "language": file.language,
        "spans": [
            {"start_line": span.first, "end_line": span.last, "text": text}
            for span, text in file.spans
        ],
    }
