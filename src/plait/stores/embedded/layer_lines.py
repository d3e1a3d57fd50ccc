"""Layer lines: the files of one layer in which patterns match, with the lines.

The index tells which blocks may match; each is verified on the mapped text before it is
looked at closely. Patterns that have to see whole files, or for which the index does not
help, are looked for in whole files.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from plait.patterns.compiled import Matcher
from plait.patterns.lines import count_lines, matching_lines, other_lines
from plait.stores.embedded.gram_file import LayerGrams, Part
from plait.stores.embedded.layer import Layer
from plait.stores.embedded.line_scope import Seen, see_all
from plait.stores.embedded.postings import BlockSet, CodedNeed
from plait.stores.embedded.scanning import OutOfTime, scan
from plait.types import Line, LineQuery

SHELVES = (0, 1)


class Found(NamedTuple):
    """A file that matches: its lines, or, if nobody wants these any more, how many there are."""

    at: int  # which layer
    row: int
    lines: list[Line]
    total: int


@dataclass(slots=True)
class Budget:
    """How much is left of a search."""

    deadline: float
    left: int | None  # lines to give back; None for all
    done: set[tuple[int, int]] = field(default_factory=set)  # files that were given, by layer

    @property
    def is_counting(self) -> bool:
        """Whether lines are only counted now."""
        return self.left is not None and self.left <= 0

    def check_time(self) -> None:
        """Stop if time is up.

        Raises:
            OutOfTime: It is.
        """
        if time.monotonic() > self.deadline:
            raise OutOfTime


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
    _blocks: dict[int, BlockSet | None] = field(default_factory=dict)  # by part

    # ------------------------------------------------------------ files

    def defining(self) -> Iterator[tuple[int, int, int, int]]:
        """Names in which a pattern matches: length, layer, file row, place in the text."""
        if self.need is not None:
            yield from self.grams.names.defining(self.need, self.matcher, self.at)

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
                found = self._found(row, self._texts(row, ()))
                if found is not None:
                    yield found

    def file(self, row: int, place: int) -> Found | None:
        """One file, from the block at a place in the layer's text on."""
        spans = self.seen(self.at, row)
        if spans is None or (self.at, row) in self.budget.done:
            return None
        blocks = self.grams.blocks_of(row)
        part = self.grams.part_of(blocks.start)
        found = None if self._sees_files else self._candidates(part)
        if found is None:
            return self._found(row, self._texts(row, ()))
        first = part.first
        chosen = [first + n for n in found.between(blocks.start - first, blocks.stop - first)]
        here = [block for block in chosen if self.grams.begins[block] <= place][-1:]
        chosen = [*here, *(block for block in chosen if block not in here)]
        return self._found(row, self._texts(row, chosen)) if chosen else None

    @property
    def _sees_files(self) -> bool:
        """Whether the patterns have to see whole files."""
        return self.matcher.is_multiline or self.matcher.has_text_anchors

    def _candidates(self, part: Part) -> BlockSet | None:
        """The blocks of a part that may match; None if the index does not tell."""
        if self.need is None:
            return None
        if part.number not in self._blocks:
            self._blocks[part.number] = self.grams.candidates(part, self.need)
        return self._blocks[part.number]

    def _scanned(self, part: Part) -> Iterator[int]:
        """The files of a part that match, found by reading all that may."""
        is_told = self.need is not None and self._sees_files
        rows = (
            self.grams.candidate_files(part, self.need)
            if self.need is not None and is_told
            else self.grams.rows(part)
        )
        done, at = self.budget.done, self.at
        rows = [r for r in rows if (at, r) not in done and self.seen(at, r) is not None]
        if self.asked.is_inverted:
            return iter(rows)
        return scan(self.layer, rows, self.matcher, self.budget.deadline)

    def _in_blocks(self, part: Part, blocks: BlockSet) -> Iterator[Found]:
        """The files with blocks that match: the loop in which searches spend their time."""
        at, grams, seen, done = self.at, self.grams, self.seen, self.budget.done
        last, is_seen = -1, False
        chosen: list[int] = []
        for some in blocks.slices():
            some = some + part.first
            places = grams.begins[some].tolist(), grams.sizes[some].tolist()
            self.budget.check_time()
            for block, row, begin, size in zip(
                some.tolist(), grams.files[some].tolist(), *places, strict=True
            ):
                if row != last:
                    if chosen:
                        found = self._found(last, self._texts(last, chosen))
                        if found is not None:
                            yield found
                    last, chosen = row, []
                    is_seen = (at, row) not in done and (
                        seen is see_all or seen(at, row) is not None
                    )
                if is_seen and self._matches(begin, begin + size):
                    chosen.append(block)
        if chosen:
            found = self._found(last, self._texts(last, chosen))
            if found is not None:
                yield found

    def _matches(self, begin: int, end: int) -> bool:
        if self.matcher.literal:
            return self.layer.map.find(self.matcher.literal, begin, end) >= 0
        return self.matcher.find(self.layer.text, begin, end)[0] >= 0

    # ------------------------------------------------------------ lines

    def _texts(self, row: int, blocks: Sequence[int]) -> Iterator[tuple[int, int, bytes]]:
        """Blocks of a file, or all of it: first line, place in the file, text."""
        layer, grams = self.layer, self.grams
        if not blocks:
            yield 1, 0, bytes(layer.content(row))
            return
        base, text = layer.begin_of(row), layer.map
        for block in blocks:
            begin = int(grams.begins[block])
            yield (
                int(grams.lines[block]),
                begin - base,
                text[begin : begin + int(grams.sizes[block])],
            )

    def _found(self, row: int, texts: Iterator[tuple[int, int, bytes]]) -> Found | None:
        """What a file has of lines that match and may be seen, as many as are wanted."""
        asked, budget = self.asked, self.budget
        spans = self.seen(self.at, row)
        if spans is None:
            return None
        budget.check_time()
        is_plain = not spans and not asked.is_inverted
        if budget.is_counting and is_plain and not asked.per_file:
            count = sum(count_lines(self.matcher, text) for _, _, text in texts)
            return Found(self.at, row, [], count) if count else None
        most = budget.left if not budget.is_counting else None
        if asked.per_file:
            most = asked.per_file if most is None else min(most, asked.per_file)
        lines: list[Line] = []
        for first, begin, text in texts:
            wanted = most - len(lines) if is_plain and most is not None else None
            lines += matching_lines(self.matcher, text, first, begin, wanted)
            if wanted is not None and len(lines) == most:
                break
        if asked.is_inverted:
            lines = other_lines(bytes(self.layer.content(row)), lines)
        if spans:
            lines = [line for line in lines if any(a <= line.number <= b for a, b in spans)]
        lines = sorted(lines[:most])
        if not lines:
            return None
        self._mark_defining(row, lines)
        return Found(self.at, row, lines, len(lines))

    def _mark_defining(self, row: int, lines: list[Line]) -> None:
        """Mark the lines in which a match touches the name of a definition."""
        begins, sizes = self.grams.names.begins, self.grams.names.sizes
        base, count = self.layer.begin_of(row), len(begins)
        at = bisect_left(begins, base + lines[0].begin)
        for number, line in enumerate(lines):
            place = base + line.begin
            while at < count and begins[at] < place:
                at += 1
            if at == count:
                return
            name, end = at, place + len(line.text)
            while name < count and begins[name] < end:
                start, stop = begins[name] - place, begins[name] + sizes[name] - place
                if any(s < stop and e > start for s, e in line.ranges):
                    lines[number] = line._replace(defines=True)
                    break
                name += 1
