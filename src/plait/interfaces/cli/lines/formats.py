"""Lines in plait's own formats: JSON by the object and by the line, and blocks by file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plait.interfaces.cli.output import as_json, say
from plait.interfaces.escaping import visible
from plait.interfaces.fences import DATA_ONLY, code_span, fenced, plain_name
from plait.interfaces.line_schemas import FileLinesOut, file_out, lines_out, placed_line_out
from plait.search.packing.estimate import estimate

if TYPE_CHECKING:
    from plait.answering.freshness import Current
    from plait.interfaces.cli.opened import Opened
    from plait.types import FileLines, Note, Tally


class ObjectWriter:
    """The whole answer as one object, when all of it is there."""

    def __init__(self, query: str, opened: Opened, now: Current, hints: tuple[Note, ...]) -> None:
        self._query, self._opened, self._now, self._hints = query, opened, now, hints
        self._files: list[FileLinesOut] = []

    def file(self, path: bytes, found: FileLines) -> bytes:
        """Nothing yet."""
        del path
        self._files.append(file_out(found, self._opened.inner(found.repo, found.path)))
        return b""

    def end(self, tally: Tally) -> bytes:
        """All of it."""
        out = lines_out(
            self._query,
            self._files,
            tally,
            generation=self._now.snapshot.generation,
            stale=self._now.stale,
            notes=(*self._now.notes, *tally.notes),
            hints=self._hints,
        )
        return f"{as_json(out, is_line=False)}\n".encode()


class ObjectLinesWriter:
    """One object for each line."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    def file(self, path: bytes, found: FileLines) -> bytes:
        """The lines of one file."""
        del path
        shown = self._opened.inner(found.repo, found.path)
        outs = (placed_line_out(line, found, shown) for line in found.lines)
        return "".join(f"{as_json(out, is_line=True)}\n" for out in outs).encode()

    def end(self, tally: Tally) -> bytes:
        """Nothing more."""
        del tally
        return b""


class BlockWriter:
    """A block for each file, its lines numbered: Markdown, or more compact for a model."""

    def __init__(self, *, is_markdown: bool, max_tokens: int) -> None:
        self._is_markdown = is_markdown
        self._left = max_tokens
        self._max_tokens = max_tokens
        self._written = self._left_out = 0

    def file(self, path: bytes, found: FileLines) -> bytes:
        """The block of one file; nothing if it no longer fits."""
        block = self._block(path.decode("utf-8", "replace"), found)
        self._left -= estimate(block)
        if self._left_out or (self._max_tokens and self._left < 0 and self._written):
            self._left_out += 1
            return b""
        self._written += 1
        return block.encode()

    def end(self, tally: Tally) -> bytes:
        """Nothing more, but a note of what was left out."""
        del tally
        if self._left_out:
            say(f"note: {self._left_out} more left out to stay within {self._max_tokens} tokens")
        return b""

    def _block(self, path: str, found: FileLines) -> str:
        has_context = not all(line.is_match for line in found.lines)
        rows, last = [], 0
        for line in found.lines:
            if has_context and last and line.number > last + 1:
                rows.append("--")
            last = line.number
            text = visible(line.text.decode("utf-8", "replace").removesuffix("\r"))
            rows.append(f"{line.number}{':' if line.is_match else '-'}{text}")
        code = "\n".join(rows)
        if not self._is_markdown:
            said = "" if self._written else f"{DATA_ONLY}\n"
            return f"{said}{plain_name(path)}\n{fenced(code)}\n"
        return f"## {code_span(path)}\n\n{fenced(code, 'text')}\n\n"
