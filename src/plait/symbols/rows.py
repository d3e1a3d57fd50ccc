"""Rows: the lines of a file by byte, found once and shared by all who ask for them."""

from __future__ import annotations

import re
from bisect import bisect_right

NEWLINE = re.compile(rb"\n")


class Rows:
    """The lines of a file by byte."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        # After the last newline the parser counts one row more.
        self._all = [0, *[match.end() for match in NEWLINE.finditer(content)]]
        # A file that ends with a newline does not end with an empty line.
        is_closed = len(self._all) > 1 and self._all[-1] == len(content)
        self.begins = self._all[:-1] if is_closed else self._all
        self.count = len(self.begins)

    def begin(self, row: int) -> int:
        return self.begins[row]

    def end(self, row: int) -> int:
        return self.begins[row + 1] if row + 1 < self.count else len(self.content)

    def size(self, first: int, last: int) -> int:
        return self.end(last) - self.begin(first)

    def row(self, place: int) -> int:
        """The row a byte stands on, as the parser counts."""
        return bisect_right(self._all, place) - 1
