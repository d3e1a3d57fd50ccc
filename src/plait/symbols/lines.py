"""Lines: how much a file's rows say, told by their bytes and where its comments lie."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plait.symbols.rows import Rows

CLOSING_ONLY = re.compile(rb"[\s})\];,>]*(?:(?:end|fi|done|esac)\b[\s;,).]*)?")  # matched in full
WORD = re.compile(rb"[0-9A-Za-z\x80-\xff]")
INDENT = re.compile(rb"[ \t]*")
SPACE = re.compile(rb"\s*")


class Lines:
    """The rows of a file, each with what it says: nothing, a comment or code."""

    def __init__(
        self,
        rows: Rows,
        comments: Sequence[tuple[int, int]] = (),
        attributes: Sequence[tuple[int, int]] = (),
    ) -> None:
        self.rows = rows
        self._attributes = attributes
        self._content = rows.content
        self._comments = comments
        self._begins = [begin for begin, _ in comments]

    def is_blank(self, row: int) -> bool:
        return not self._content[self.rows.begin(row) : self.rows.end(row)].strip()

    def is_closing(self, first: int, last: int) -> bool:
        """Whether there is nothing to find: white space, closing brackets, an ``end``."""
        begin, end = self.rows.begin(first), self.rows.end(last)
        return CLOSING_ONLY.fullmatch(self._content, begin, end) is not None

    def has_word(self, row: int) -> bool:
        return WORD.search(self._content, self.rows.begin(row), self.rows.end(row)) is not None

    def indent(self, row: int) -> int:
        """The white space that a row begins with, in bytes."""
        found = INDENT.match(self._content, self.rows.begin(row))
        return found.end() - found.start() if found else 0

    def is_comment(self, row: int) -> bool:
        """Whether a comment is all there is on a row."""
        begin, end = self.rows.begin(row), self.rows.end(row)
        while begin < end:
            space = SPACE.match(self._content, begin, end)
            begin = space.end() if space else begin
            at = bisect_right(self._begins, begin) - 1
            if at < 0 or self._comments[at][1] <= begin:
                break
            begin = self._comments[at][1]
        return begin >= end and not self.is_blank(row)

    def is_code(self, row: int) -> bool:
        """Whether a row has a word that is no comment and closes nothing."""
        return self.has_word(row) and not self.is_closing(row, row) and not self.is_comment(row)

    def code(self, first: int, last: int, enough: int, besides: tuple[int, int] = (0, 0)) -> int:
        """How many of these rows are code, counted up to ``enough``.

        Rows with a byte of ``besides``, a docstring, do not count.
        """
        found = 0
        for row in range(first, last + 1):
            is_besides = self.rows.begin(row) < besides[1] and self.rows.end(row) > besides[0]
            if not is_besides and self.is_code(row):
                found += 1
                if found == enough:
                    break
        return found

    def spoken_of(self) -> set[int]:
        """The rows right below a comment or an attribute that has its line to itself."""
        rows, content = self.rows, self._content
        return {
            rows.row(end) + 1
            for begin, end in (*self._comments, *self._attributes)
            if not content[rows.begin(rows.row(begin)) : begin].strip()
        }
