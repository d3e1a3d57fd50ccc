"""Layer lines: the files of one layer in which patterns match, with the lines.

The index tells which blocks may match; each is verified on the mapped text before it is
looked at closely. Patterns that have to see whole files, or for which the index does not
help, are looked for in whole files.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from plait.patterns.compiled import Matcher
from plait.patterns.lines import count_lines, matching_lines, other_lines
from plait.stores.embedded.full_scan import scan
from plait.stores.embedded.gram_file import LayerGrams, Part
from plait.stores.embedded.layer import Layer
from plait.stores.embedded.line_scope import Seen
from plait.stores.embedded.postings import BlockSet, CodedNeed
from plait.stores.line_search import Budget
from plait.types import Line, LineQuery

SHELVES = (0, 1)


WORD = re.compile(rb"\w+")
INF = sys.maxsize
Piece = tuple[int, int, int]  # of a file: first line, place in the layer's text, size


class Found(NamedTuple):
    """A file that matches: the lines of it that are still wanted, and how many there are, as
    far as that is still to be counted."""

    at: int  # which layer
    row: int
    lines: list[Line]
    total: int


@dataclass(slots=True)
class LayerLines:
    """One layer under a search for lines."""

    at: int
    layer: Layer
    grams: LayerGrams
    asked: LineQuery
    matcher: Matcher
    need: CodedNeed | None  # None: the index does not help
    seen: Seen
    budget: Budget
    is_in_one_word: bool = False  # all that matches: then it is in a name or touches none
    _blocks: dict[int, BlockSet | None] = field(default_factory=dict)  # by part
    _matches: Callable[[int, int], bool] = field(init=False)
    _sees_files: bool = field(init=False)  # the patterns have to see whole files

    def __post_init__(self) -> None:
        self.is_in_one_word = WORD.fullmatch(self.matcher.literal) is not None
        self._matches = self._block_test()
        self._sees_files = self.matcher.is_multiline or self.matcher.has_text_anchors

    # ------------------------------------------------------------ files

    def defining(self) -> Iterator[tuple[int, int, int, int]]:
        """Names in which a pattern matches: length, layer, file row, place in the text."""
        if self.need is not None:
            yield from self.grams.names.defining(self.need, self.matcher, self.at)

    def is_seen(self, row: int) -> bool:
        """Whether anything of a file may be seen."""
        return self.seen(self.at, row) is not None

    def files(self, shelf: int) -> Iterator[Found]:
        """The files of a shelf that match, by path."""
        for part in self.grams.parts:
            if part.shelf != shelf:
                continue
            blocks = None if self._sees_files else self._candidates(part)
            if blocks is not None:
                yield from self._in_blocks(part, blocks)
                continue
            for row in self._scanned(part):
                found = self._found(row, self._whole(row))
                if found is not None:
                    yield found

    def file(self, row: int, place: int) -> Found | None:
        """One file, if the line at a place of the layer's text matches; that comes first."""
        if (self.at, row) in self.budget.done or self.seen(self.at, row) is None:
            return None
        self.budget.check_time()
        text = self.layer.map
        begin, end = self.layer.extent(row)
        line = text.rfind(b"\n", begin, place) + 1 or begin
        line_end = text.find(b"\n", place, end)
        line_end = end if line_end < 0 else line_end
        if not self._sees_files and not self._matches(line, line_end):
            return None
        blocks = self.grams.blocks_of(row)
        part = self.grams.part_of(blocks.start)
        found = None if self._sees_files else self._candidates(part)
        if found is None:
            return self._found(row, self._whole(row))
        chosen = found.between(blocks.start - part.first, blocks.stop - part.first)
        pieces = self._pieces(blocks, [number + part.first - blocks.start for number in chosen])
        at = bisect_right(pieces, place, key=lambda piece: piece[1]) - 1  # where the name stands
        if at < 0:
            return None
        number = pieces[at][0] + text[pieces[at][1] : line].count(b"\n")
        pieces.insert(0, pieces.pop(at))
        return self._found(row, pieces, definition=(number, line, line_end - line))

    def _candidates(self, part: Part) -> BlockSet | None:
        """The blocks of a part that may match; None if the index does not tell."""
        if self.need is None:
            return None
        if part.number not in self._blocks:
            self._blocks[part.number] = self.grams.candidates(part, self.need)
        return self._blocks[part.number]

    def _scanned(self, part: Part) -> Iterator[int]:
        """The files of a part that match, found by reading all that may."""
        grams, need = self.grams, self.need if self._sees_files else None
        rows = grams.rows(part) if need is None else grams.candidate_files(part, need)
        done, at, seen = self.budget.done, self.at, self.seen
        visible = (r for r in rows if (at, r) not in done and seen(at, r) is not None)
        if self.asked.is_inverted:
            return visible
        return scan(self.layer, visible, self.matcher, self.budget.deadline)

    def _in_blocks(self, part: Part, blocks: BlockSet) -> Iterator[Found]:
        """The files with blocks that match: the loop in which searches spend their time."""
        at, grams, seen, done = self.at, self.grams, self.seen, self.budget.done
        matches, last, is_seen = self._matches, -1, False
        pieces: list[Piece] = []
        for some in blocks.slices():
            some = some + part.first
            columns = (grams.files, grams.lines, grams.begins, grams.sizes)
            self.budget.check_time()
            for row, line, begin, size in zip(
                *(column[some].tolist() for column in columns), strict=True
            ):
                if row != last:
                    if pieces:
                        found = self._found(last, pieces)
                        if found is not None:
                            yield found
                        pieces = []
                    last = row
                    is_seen = (at, row) not in done and seen(at, row) is not None
                if is_seen and matches(begin, begin + size):
                    pieces.append((line, begin, size))
        if pieces:
            found = self._found(last, pieces)
            if found is not None:
                yield found

    def _block_test(self) -> Callable[[int, int], bool]:
        """Whether anything matches between two places of the layer's text."""
        literal, text, find = self.matcher.literal, self.layer.text, self.matcher.find
        size = len(text)
        if literal:
            find_literal = self.layer.map.find
            return lambda begin, end: find_literal(literal, begin, end) >= 0

        byte_s, check_time = self.matcher.byte_s, self.budget.check_time

        def test(begin: int, end: int) -> bool:
            if end > size:  # RE2 would read on
                raise IndexError(f"a block ends at {end} of {size} bytes")
            if byte_s:
                check_time((end - begin) * byte_s)
            return find(text, begin, end)[0] >= 0

        return test

    # ------------------------------------------------------------ lines

    def _pieces(self, blocks: range, chosen: Sequence[int]) -> list[Piece]:
        """Some of consecutive blocks, counted from the first."""
        columns = (self.grams.lines, self.grams.begins, self.grams.sizes)
        lines, begins, sizes = (column[blocks.start : blocks.stop].tolist() for column in columns)
        return [(lines[at], begins[at], sizes[at]) for at in chosen]

    def _whole(self, row: int) -> list[Piece]:
        begin, end = self.layer.extent(row)
        return [(1, begin, end - begin)]

    def _found(
        self, row: int, pieces: Sequence[Piece], *, definition: Piece | None = None
    ) -> Found | None:
        """What a file has of lines that match and may be seen.

        Args:
            definition: The line to give even if not all can be given.
        """
        spans = self.seen(self.at, row)
        if spans is None:
            return None
        left, per_file = self.budget.left, self.asked.per_file
        most = min(left if left is not None else INF, per_file or INF)
        if spans or self.asked.is_inverted:
            lines = self._narrowed(row, self._lines(row, pieces, INF), spans)
            total = min(len(lines), per_file or INF)
        elif most <= 0:
            lines, total = [], self._count(pieces, min(self.budget.to_count + 1, per_file or INF))
        else:  # one more, to see whether there are more
            if definition is None:
                lines = self._lines(row, pieces, most + 1)
            else:  # that line comes twice
                lines = self._lines(row, [definition, *pieces], most + 2)
                lines = list({line.number: line for line in lines}.values())
            total = len(lines)
            if total > most and left == most:
                total = self._count(pieces, min(most + self.budget.to_count + 1, per_file or INF))
            total = min(total, per_file or INF)
        if not total:
            return None
        del lines[max(most, 0) :]
        if definition is not None:
            lines.sort()
        if lines and (definition is not None or not self.is_in_one_word):
            self._mark_defining(row, lines)
        return Found(self.at, row, lines, total)

    def _lines(self, row: int, pieces: Sequence[Piece], most: int) -> list[Line]:
        """The lines of pieces of a file that match, at most so many."""
        base, text, matcher = self.layer.extent(row)[0], self.layer.map, self.matcher
        is_marked = self.asked.is_marked
        lines: list[Line] = []
        for first, begin, size in pieces:
            self.budget.check_time(size * matcher.byte_s)
            here, left = text[begin : begin + size], most - len(lines)
            lines += matching_lines(matcher, here, first, begin - base, left, is_marked=is_marked)
            if len(lines) == most:
                break
        return lines

    def _narrowed(
        self, row: int, lines: list[Line], spans: Sequence[tuple[int, int]]
    ) -> list[Line]:
        """The lines that may be seen, or, of these, the others."""
        if self.asked.is_inverted:
            lines = other_lines(bytes(self.layer.content(row)), lines)
        if spans:
            lines = [line for line in lines if any(a <= line.number <= b for a, b in spans)]
        return lines

    def _count(self, pieces: Sequence[Piece], most: int) -> int:
        """How many lines of some pieces match, counted up to so many."""
        count = 0
        for _, begin, size in pieces:
            self.budget.check_time(size * self.matcher.byte_s)
            text = self.layer.map[begin : begin + size]
            count += count_lines(self.matcher, text, most - count)
            if count >= most:
                break
        return count

    def _mark_defining(self, row: int, lines: list[Line]) -> None:
        """Mark the lines in which a match touches the name of a definition."""
        begins, sizes = self.grams.names.begins, self.grams.names.sizes
        base, end = self.layer.extent(row)
        low, high = bisect_left(begins, base), bisect_left(begins, end)
        for number, line in enumerate(lines if low < high else ()):
            place = base + line.begin
            at = bisect_left(begins, place, low, high)
            while at < high and begins[at] < place + len(line.text):
                start, stop = begins[at] - place, begins[at] - place + sizes[at]
                if any(s < stop and e > start for s, e in line.ranges):
                    lines[number] = line._replace(defines=True)
                    break
                at += 1
