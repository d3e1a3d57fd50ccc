"""Grep: the lines in which patterns match, file by file, the best files first.

Candidates come in the order they are shown: files that define a name in which a pattern
matches, then ordinary files, then tests and the like, each of them by path. So a search that
wants few lines stops as soon as it has them. Each candidate is read and verified; what is
given back is what matches, no more and no less.
"""

from __future__ import annotations

import heapq
import time
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import islice

import numpy as np

from plait.patterns.compiled import Matcher, compiled
from plait.patterns.lines import count_lines, matching_lines, other_lines, with_context
from plait.patterns.needs import ANYTHING, Need, either
from plait.patterns.required import required
from plait.stores.embedded.gram_file import CodedNeed, LayerGrams, Part
from plait.stores.embedded.gram_writer import NAME, TEXT
from plait.stores.embedded.layer import Layer
from plait.stores.embedded.line_scope import Seen
from plait.stores.embedded.postings import Blocks
from plait.stores.embedded.scanning import OutOfTime, scan
from plait.types import FileLines, Line, LineQuery, Order, Tally

MANY_DEFINING = 200  # files; of more, those that define it wholly do not come first


@dataclass(frozen=True, slots=True)
class Shelved:
    """A layer and its grams."""

    layer: Layer
    grams: LayerGrams


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file that may match, and the blocks of it to look at."""

    at: int  # which layer
    row: int
    blocks: Sequence[int]  # all of them, if it was not the index that found it


class Named(Enum):
    """How a pattern matches in the names a file defines."""

    NOT = 0
    PARTLY = 1
    WHOLLY = 2


@dataclass(slots=True)
class Grep:
    """One search for lines.

    Args:
        shelves: The layers.
        asked: What is wanted.
        seen: Which lines may be seen, by layer and file row.
    """

    shelves: Sequence[Shelved]
    asked: LineQuery
    seen: Seen
    matcher: Matcher = field(init=False)
    need: CodedNeed | None = field(init=False)  # None: the index does not help
    deadline: float = field(init=False)
    _found: dict[tuple[int, int, str], Blocks | None] = field(default_factory=dict)
    _done: set[tuple[int, int]] = field(default_factory=set)
    _lines: int = 0
    _matches: int = 0
    _files: int = 0

    def __post_init__(self) -> None:
        asked = self.asked
        self.matcher = compiled(asked.patterns, is_multiline=asked.is_multiline)
        self.deadline = time.monotonic() + asked.within_s
        need = needed(asked)
        self.need = None if need == ANYTHING or asked.is_inverted else CodedNeed.of(need)

    def run(self) -> Iterator[FileLines | Tally]:
        """What was asked for; the tally comes last."""
        limit, notes = self.asked.limit, []
        counted_to = max(limit, self.asked.count_to) if limit else 0
        is_exact, is_partial = True, False
        try:
            for candidate in self._ordered():
                if limit and self._lines >= limit:
                    if self._lines >= counted_to:
                        is_exact = False
                        break
                    self._count(candidate)
                    continue
                found = self._file(candidate)
                if found is not None:
                    yield found
        except OutOfTime:
            is_exact, is_partial = False, True
            notes.append(
                f"time was up after {self.asked.within_s:g} s; "
                f"{'the rest of' if self._files else ''} the code was not looked at"
            )
        yield Tally(self._lines, self._matches, self._files, is_exact, is_partial, tuple(notes))

    # ------------------------------------------------------------ which files, in which order

    def _ordered(self) -> Iterator[Candidate]:
        if self.asked.order is Order.PATH:
            yield from self._merged((0, 1), TEXT)
            return
        if self.need is not None:
            for shelf in (0, 1):
                yield from self._defining(shelf)
        for shelf in (0, 1):
            yield from self._merged((shelf,), TEXT)

    def _defining(self, shelf: int) -> Iterator[Candidate]:
        """Files that define a name in which a pattern matches, whole names first.

        If they are very many, they come as they are found.
        """
        candidates = self._merged((shelf,), NAME)
        first = list(islice(candidates, MANY_DEFINING))
        judged = [(self._named(candidate), candidate) for candidate in first]
        for wanted in (Named.WHOLLY, Named.PARTLY):
            for named, candidate in judged:
                if named is wanted:
                    yield self._with_all_blocks(candidate)
        for candidate in candidates:
            if self._named(candidate) is not Named.NOT:
                yield self._with_all_blocks(candidate)

    def _named(self, candidate: Candidate) -> Named:
        """Whether a pattern matches in a name that is defined in some blocks of a file."""
        if self.seen(candidate.at, candidate.row) is None:
            return Named.NOT
        self._check_time()
        layer, grams = self.shelves[candidate.at].layer, self.shelves[candidate.at].grams
        named = Named.NOT
        for block in candidate.blocks:
            begin = int(grams.begins[block])
            text = layer.text[begin : begin + int(grams.sizes[block])]
            first = bisect_left(grams.name_begins, begin)
            last = bisect_left(grams.name_begins, begin + len(text), first)
            for at in range(first, last):
                start = grams.name_begins[at] - begin
                span = (start, start + grams.name_sizes[at])
                found = self.matcher.find(text, *span)
                if found == span:
                    return Named.WHOLLY
                if found[0] >= 0:
                    named = Named.PARTLY
        return named

    def _with_all_blocks(self, candidate: Candidate) -> Candidate:
        grams = self.shelves[candidate.at].grams
        part = next(part for part in grams.parts if candidate.blocks[0] < part.first + part.blocks)
        return Candidate(
            candidate.at, candidate.row, self._blocks_of(candidate.at, part, candidate.row)
        )

    def _merged(self, shelves: Iterable[int], kind: str) -> Iterator[Candidate]:
        """The candidates of all layers by path, but for those that were there before."""
        runs = [
            self._candidates(at, shelf, kind)
            for at in range(len(self.shelves))
            for shelf in shelves
        ]
        merged = runs[0] if len(runs) == 1 else heapq.merge(*runs, key=self._path_key)
        for candidate in merged:
            if (candidate.at, candidate.row) not in self._done:
                yield candidate

    def _path_key(self, candidate: Candidate) -> tuple[str, str]:
        return self.shelves[candidate.at].layer.path_key(candidate.row)

    def _candidates(self, at: int, shelf: int, kind: str) -> Iterator[Candidate]:
        """The files of one layer and shelf that may match, by path."""
        grams = self.shelves[at].grams
        for part in grams.parts:
            if part.shelf != shelf:
                continue
            found = self._blocks(at, part, kind)
            if found is None:
                yield from self._scanned(at, part)
                continue
            if not len(found):
                continue
            rows = grams.files[found]
            starts = np.flatnonzero(np.diff(rows, prepend=rows[:1] + 1)).tolist()
            numbers, ends = found.tolist(), [*starts[1:], len(found)]
            for row, begin, end in zip(rows[starts].tolist(), starts, ends, strict=True):
                yield Candidate(at, row, numbers[begin:end])

    def _blocks(self, at: int, part: Part, kind: str) -> Blocks | None:
        """The blocks of a part that may match; None if the index does not tell."""
        if self.need is None:
            return None
        key = (at, part.number, kind)
        if key not in self._found:
            grams = self.shelves[at].grams
            if self.asked.is_multiline:
                rows = grams.candidate_files(part, self.need)
                found = [number for row in rows.tolist() for number in grams.blocks_of(row)]
                self._found[key] = np.array(found, np.intp)
            else:
                self._found[key] = grams.candidates(part, kind, self.need)
        return self._found[key]

    def _blocks_of(self, at: int, part: Part, row: int) -> Sequence[int]:
        """The blocks of one file that may match."""
        blocks = self.shelves[at].grams.blocks_of(row)
        found = self._blocks(at, part, TEXT)
        if found is None:
            return blocks
        inside: list[int] = found[
            np.searchsorted(found, blocks.start) : np.searchsorted(found, blocks.stop)
        ].tolist()
        return inside

    def _scanned(self, at: int, part: Part) -> Iterator[Candidate]:
        """The files of a part that match, found by reading all of them."""
        layer, grams = self.shelves[at].layer, self.shelves[at].grams
        files = grams.files[part.first : part.first + part.blocks]
        rows = files[np.flatnonzero(np.diff(files, prepend=files[:1] + 1))].tolist()
        rows = [row for row in rows if self.seen(at, row) is not None]
        if not self.asked.is_inverted:
            rows = scan(layer, rows, self.matcher, self.deadline)
        for row in rows:
            yield Candidate(at, row, grams.blocks_of(row))

    # ------------------------------------------------------------ what is in a file

    def _file(self, candidate: Candidate) -> FileLines | None:
        """The lines of a file, if there are any."""
        asked = self.asked
        self._done.add((candidate.at, candidate.row))
        lines = self._verified(candidate, asked.limit - self._lines)
        if not lines:
            return None
        self._lines += len(lines)
        self._matches += sum([len(line.ranges) for line in lines])
        self._files += 1
        layer = self.shelves[candidate.at].layer
        file = layer.file_row(candidate.row)
        if asked.before or asked.after:
            content = bytes(layer.content(candidate.row))
            lines = with_context(content, lines, asked.before, asked.after)
        repo, path = layer.file_key(candidate.row)
        tags = tuple(layer.strings[file.tags].split())
        language = layer.strings[file.language]
        return FileLines(repo, path, language, tags, file.size, tuple(lines))

    def _verified(self, candidate: Candidate, limit: int) -> list[Line]:
        """The lines of a file that match and may be seen, as many as are wanted."""
        spans = self.seen(candidate.at, candidate.row)
        if spans is None:
            return []
        self._check_time()
        asked = self.asked
        wanted = [number for number in (asked.per_file, limit) if number > 0]
        most = min(wanted) if wanted else None
        enough = None if spans or asked.is_inverted else most  # of the lines that match
        lines: list[Line] = []
        for first, begin, text in self._texts(candidate):
            lines += matching_lines(self.matcher, text, first, begin, enough)
            if enough is not None and len(lines) >= enough:
                break
        if asked.is_inverted:
            lines = other_lines(
                bytes(self.shelves[candidate.at].layer.content(candidate.row)), lines
            )
        if spans:
            lines = [line for line in lines if any(a <= line.number <= b for a, b in spans)]
        return self._defined(candidate, lines[:most])

    def _check_time(self) -> None:
        if time.monotonic() > self.deadline:
            raise OutOfTime

    def _texts(self, candidate: Candidate) -> Iterator[tuple[int, int, bytes]]:
        """The pieces of a file to look at: first line, place in the file, text."""
        layer, grams = self.shelves[candidate.at].layer, self.shelves[candidate.at].grams
        base = layer.file_row(candidate.row).begin
        if (
            self.matcher.is_multiline
            or self.matcher.has_text_anchors
            or isinstance(candidate.blocks, range)
        ):
            yield 1, 0, bytes(layer.content(candidate.row))
            return
        text = layer.text
        for block in candidate.blocks:
            begin, size = int(grams.begins[block]), int(grams.sizes[block])
            yield int(grams.lines[block]), begin - base, bytes(text[begin : begin + size])

    def _defined(self, candidate: Candidate, lines: list[Line]) -> list[Line]:
        """The lines, with those marked in which a match touches the name of a definition."""
        grams = self.shelves[candidate.at].grams
        base = self.shelves[candidate.at].layer.file_row(candidate.row).begin
        begins, sizes = grams.name_begins, grams.name_sizes
        for number, line in enumerate(lines):
            place = base + line.begin
            first = bisect_left(begins, place)
            if first == len(begins) or begins[first] >= place + len(line.text):
                continue
            last = bisect_right(begins, place + len(line.text))
            for start, end in line.ranges:
                if any(
                    begins[at] < place + end and begins[at] + sizes[at] > place + start
                    for at in range(first, last)
                ):
                    lines[number] = line._replace(defines=True)
                    break
        return lines

    def _count(self, candidate: Candidate) -> None:
        """Count the lines of a file that nobody will see."""
        self._done.add((candidate.at, candidate.row))
        asked, spans = self.asked, self.seen(candidate.at, candidate.row)
        if spans or asked.is_inverted or asked.per_file:
            count = len(self._verified(candidate, 0))
        elif spans is None:
            return
        else:
            self._check_time()
            count = sum(count_lines(self.matcher, text) for _, _, text in self._texts(candidate))
        self._lines += count
        self._files += count > 0


def needed(asked: LineQuery) -> Need:
    """What a line has to hold for one of the patterns to match in it."""
    return either(
        required(one.regex, ignore_case=one.ignore_case, is_multiline=asked.is_multiline)
        for one in asked.patterns
    )
