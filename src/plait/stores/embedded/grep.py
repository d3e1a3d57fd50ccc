"""Grep: the lines in which patterns match, file by file, the best files first.

Candidates come in the order they are shown: files that define a name in which a pattern
matches, then ordinary files, then tests and the like, each of them by path. So a search that
wants few lines stops as soon as it has them. Every candidate is read and verified; what is
given back is what matches, no more and no less.
"""

from __future__ import annotations

import heapq
import time
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from plait.patterns.compiled import Matcher, compiled
from plait.patterns.lines import count_lines, matching_lines, other_lines, with_context
from plait.patterns.needs import ANYTHING, Need, either
from plait.patterns.required import required
from plait.stores.embedded.gram_file import LayerGrams, Part
from plait.stores.embedded.layer import Layer
from plait.stores.embedded.line_scope import Seen
from plait.stores.embedded.postings import BlockSet, CodedNeed
from plait.stores.embedded.scanning import OutOfTime, scan
from plait.types import FileLines, Line, LineQuery, Order, Tally

SHELVES = (0, 1)
MANY_NAMED = 1_000  # names looked at for files to show first


@dataclass(frozen=True, slots=True)
class Shelved:
    """A layer and its grams."""

    layer: Layer
    grams: LayerGrams


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file, and the blocks of it to look at; none for the whole file at once."""

    at: int  # which layer
    row: int
    blocks: Sequence[int] = ()


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
    _found: dict[tuple[int, int], BlockSet | None] = field(
        default_factory=dict
    )  # by layer and part
    _done: set[tuple[int, int]] = field(default_factory=set)  # files that were shown
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
        count_to = max(limit, self.asked.count_to)
        is_exact, is_partial = True, False
        try:
            for candidate in self._ordered():
                if limit and self._lines >= count_to:
                    is_exact = False
                    break
                self._done.add((candidate.at, candidate.row))
                if limit and self._lines >= limit:
                    self._count(candidate)
                else:
                    found = self._file(candidate)
                    if found is not None:
                        yield found
        except OutOfTime:
            is_exact, is_partial = False, True
            notes.append(f"time was up after {self.asked.within_s:g} s; not all code was looked at")
        yield Tally(self._lines, self._matches, self._files, is_exact, is_partial, tuple(notes))

    # ------------------------------------------------------------ which files, in which order

    def _ordered(self) -> Iterator[Candidate]:
        if self.asked.order is Order.PATH:
            yield from self._merged(SHELVES)
            return
        if self.need is not None:
            yield from self._defining(self.need)
        for shelf in SHELVES:
            yield from self._merged((shelf,))

    def _defining(self, need: CodedNeed) -> Iterator[Candidate]:
        """Files that define a name in which a pattern matches, the shortest names first."""
        runs = [
            shelved.grams.names.defining(need, self.matcher, at)
            for at, shelved in enumerate(self.shelves)
        ]
        for _, at, row, begin in islice(heapq.merge(*runs), MANY_NAMED):
            if (at, row) in self._done or self.seen(at, row) is None:
                continue
            blocks = self._blocks_of(at, row)
            grams = self.shelves[at].grams
            here = [block for block in blocks if int(grams.begins[block]) <= begin][-1:]
            yield Candidate(at, row, [*here, *(block for block in blocks if block not in here)])

    def _blocks_of(self, at: int, row: int) -> Sequence[int]:
        """The blocks of one file that may match."""
        grams = self.shelves[at].grams
        blocks = grams.blocks_of(row)
        part = grams.part_of(blocks.start)
        found = self._blocks(at, part)
        if found is None:
            return blocks
        first = part.first
        return [first + n for n in found.between(blocks.start - first, blocks.stop - first)]

    def _merged(self, shelves: Iterable[int]) -> Iterator[Candidate]:
        """The files of all layers that match, by path, but for those that were there before."""
        runs = [
            self._matching_files(at, shelf) for at in range(len(self.shelves)) for shelf in shelves
        ]
        if len(runs) == 1:
            return runs[0]
        return heapq.merge(*runs, key=self._path_key)

    def _path_key(self, candidate: Candidate) -> tuple[str, str]:
        return self.shelves[candidate.at].layer.path_key(candidate.row)

    def _matching_files(self, at: int, shelf: int) -> Iterator[Candidate]:
        """The files of one layer and shelf that match, by path."""
        for part in self.shelves[at].grams.parts:
            if part.shelf != shelf:
                continue
            if self._is_by_file:
                yield from self._whole_files(at, part)
                continue
            found = self._blocks(at, part)
            if found is None:
                yield from self._scanned(at, self.shelves[at].grams.rows(part))
            else:
                yield from self._by_file(at, self._matching_blocks(at, part, found))

    @property
    def _is_by_file(self) -> bool:
        """Whether the patterns have to see whole files."""
        return self.matcher.is_multiline or self.matcher.has_text_anchors

    def _blocks(self, at: int, part: Part) -> BlockSet | None:
        """The blocks of a part that may match; None if the index does not tell."""
        if self.need is None:
            return None
        key = (at, part.number)
        if key not in self._found:
            self._found[key] = self.shelves[at].grams.candidates(part, self.need)
        return self._found[key]

    def _matching_blocks(self, at: int, part: Part, found: BlockSet) -> Iterator[tuple[int, int]]:
        """The blocks that match, with the row of their file: the loop in which searches spend
        their time."""
        grams, text, find = self.shelves[at].grams, self.shelves[at].layer.text, self.matcher.find
        last, is_seen = -1, False
        for some in found.slices():
            some = some + part.first
            begins, sizes = grams.begins[some].tolist(), grams.sizes[some].tolist()
            rows = grams.files[some].tolist()
            self._check_time()
            for block, row, begin, size in zip(some.tolist(), rows, begins, sizes, strict=True):
                if row != last:
                    last, is_seen = row, self.seen(at, row) is not None
                if is_seen and find(text, begin, begin + size)[0] >= 0:
                    yield block, row

    def _by_file(self, at: int, blocks: Iterator[tuple[int, int]]) -> Iterator[Candidate]:
        """Blocks gathered by file."""
        current = -1
        gathered: list[int] = []
        for block, row in blocks:
            if row != current:
                if gathered and (at, current) not in self._done:
                    yield Candidate(at, current, gathered)
                current, gathered = row, []
            gathered.append(block)
        if gathered and (at, current) not in self._done:
            yield Candidate(at, current, gathered)

    def _whole_files(self, at: int, part: Part) -> Iterator[Candidate]:
        grams = self.shelves[at].grams
        rows = grams.rows(part) if self.need is None else grams.candidate_files(part, self.need)
        yield from self._scanned(at, rows)

    def _scanned(self, at: int, rows: Sequence[int]) -> Iterator[Candidate]:
        """The files that match, found by reading all of them."""
        rows = [row for row in rows if self.seen(at, row) is not None]
        matching = (
            rows
            if self.asked.is_inverted
            else scan(self.shelves[at].layer, rows, self.matcher, self.deadline)
        )
        for row in matching:
            if (at, row) not in self._done:
                yield Candidate(at, row)

    # ------------------------------------------------------------ what is in a file

    def _file(self, candidate: Candidate) -> FileLines | None:
        """The lines of a file, if there are any."""
        asked = self.asked
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
            content = bytes(self.shelves[candidate.at].layer.content(candidate.row))
            lines = other_lines(content, lines)
        if spans:
            lines = [line for line in lines if any(a <= line.number <= b for a, b in spans)]
        lines = lines[:most]
        lines.sort()
        return self._defined(candidate, lines)

    def _check_time(self) -> None:
        if time.monotonic() > self.deadline:
            raise OutOfTime

    def _texts(self, candidate: Candidate) -> Iterator[tuple[int, int, bytes]]:
        """The pieces of a file to look at: first line, place in the file, text."""
        layer, grams = self.shelves[candidate.at].layer, self.shelves[candidate.at].grams
        if self._is_by_file or not candidate.blocks:
            yield 1, 0, bytes(layer.content(candidate.row))
            return
        base, text = layer.file_row(candidate.row).begin, layer.text
        for block in candidate.blocks:
            begin, size = int(grams.begins[block]), int(grams.sizes[block])
            yield int(grams.lines[block]), begin - base, bytes(text[begin : begin + size])

    def _defined(self, candidate: Candidate, lines: list[Line]) -> list[Line]:
        """The lines, with those marked in which a match touches the name of a definition."""
        names = self.shelves[candidate.at].grams.names
        begins, sizes = names.begins, names.sizes
        base = self.shelves[candidate.at].layer.file_row(candidate.row).begin
        at = bisect_left(begins, base + lines[0].begin) if lines else 0
        for number, line in enumerate(lines):
            place = base + line.begin
            if at < len(begins) and begins[at] < place:
                at = bisect_left(begins, place, at)
            end, name = place + len(line.text), at
            while name < len(begins) and begins[name] < end:
                start, stop = begins[name] - place, begins[name] + sizes[name] - place
                if any(s < stop and e > start for s, e in line.ranges):
                    lines[number] = line._replace(defines=True)
                    break
                name += 1
        return lines

    def _count(self, candidate: Candidate) -> None:
        """Count the lines of a file that nobody will see."""
        asked, spans = self.asked, self.seen(candidate.at, candidate.row)
        if spans is None:
            return
        if spans or asked.is_inverted or asked.per_file:
            count = len(self._verified(candidate, 0))
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
