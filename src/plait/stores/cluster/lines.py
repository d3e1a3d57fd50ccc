"""Lines: those in which patterns match, file by file, the best files first.

Files come in the same order as from the embedded store: those that define a name in which a
pattern matches, the shortest names first; then ordinary files, then tests and the like, each of
them by path. The index knows the grams of whole files, so it names files that may match; they
are read here, in that order, and a search that wants few lines stops as soon as it has them.
"""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from plait.patterns.compiled import compiled
from plait.patterns.lines import count_lines, matching_lines, other_lines, with_context
from plait.patterns.needs import ANYTHING
from plait.stores.cluster.grams import need_query
from plait.stores.cluster.line_files import FileReader, FileText, Listed
from plait.stores.cluster.line_names import defining
from plait.stores.cluster.line_scope import Spans, line_scope
from plait.stores.cluster.view import View
from plait.stores.line_search import MAX_MISSED, SCANNED, Budget, needed, tallied
from plait.types import FileLines, Line, LineQuery, Order, Tally

INF = sys.maxsize


def grep(view: View, asked: LineQuery) -> Iterator[FileLines | Tally]:
    """Files with the lines wanted, each as soon as it is found; a tally comes last.

    Raises:
        PatternError: A pattern is not one. It is raised here, not by the iterator.
    """
    return Grep(view, asked).run()


class Found(NamedTuple):
    """A file that matches: the lines of it that are still wanted, and how many there are, as
    far as that is still to be counted."""

    file: FileText
    lines: list[Line]
    total: int


class Grep:
    """One search for lines.

    Raises:
        PatternError: A pattern is not one.
    """

    def __init__(self, view: View, asked: LineQuery) -> None:
        self._asked = asked
        self._budget = Budget.of(asked)
        self._matcher = compiled(asked.patterns, is_multiline=asked.is_multiline)
        self._need = ANYTHING if asked.is_inverted else needed(asked)
        self._reader = FileReader(view, self._budget)
        self._scope = line_scope(self._reader, asked)
        self._spans: dict[str, Spans] = {}  # of the files that are being read

    def run(self) -> Iterator[FileLines | Tally]:
        """What was asked for; the tally comes last."""
        notes = [*self._scope.notes, *([] if self._need else [SCANNED])]
        return tallied(
            self._ordered(),
            self._shown,
            self._asked,
            self._budget,
            notes,
            is_partial=bool(self._scope.notes),
        )

    # ------------------------------------------------------------ files

    def _ordered(self) -> Iterator[Found]:
        if self._asked.order is Order.PATH:
            return self._by_path(by_shelf=False)
        return chain(self._defining(), self._by_path(by_shelf=True))

    def _defining(self) -> Iterator[Found]:
        """Files that define a name in which a pattern matches."""
        if not self._need:
            return
        files: dict[str, Listed] = {}
        names: dict[str, list[bytes]] = {}
        for one in defining(self._reader, self._need, self._matcher, self._scope.filters):
            files.setdefault(one.file.key, one.file)
            names.setdefault(one.file.key, []).append(one.name)
        self._spans = self._scope.seen(files.values())
        missed = 0
        for some in self._reader.read(files[key] for key in files if key in self._spans):
            for file in some:
                found = self._found(file, names[file.key])
                missed += 1
                if found:
                    missed = 0
                    self._budget.done.add(file.key)
                    yield found
                elif missed > MAX_MISSED:
                    return

    def _by_path(self, *, by_shelf: bool) -> Iterator[Found]:
        """Files that match and were not there before, by path."""
        query = self._scope.files(need_query(self._need, "grams"))
        pages = self._reader.listed(query, by_shelf=by_shelf)
        for page in pages:
            done = self._budget.done
            fresh = [file for file in page if file.key not in done]
            self._spans = self._scope.seen(fresh)
            for some in self._reader.read(file for file in fresh if file.key in self._spans):
                for file in some:
                    found = self._found(file)
                    if found:
                        yield found

    # ------------------------------------------------------------ lines

    def _found(self, file: FileText, names: Sequence[bytes] = ()) -> Found | None:
        """What a file has of lines that match and may be seen.

        Args:
            names: If there are any, a line that defines one of them has to match. It is given
                even if not all can be given.
        """
        asked, budget, matcher, content = self._asked, self._budget, self._matcher, file.content
        budget.check_time(len(content) * matcher.byte_s)
        first = self._defining_line(file, names) if names else []
        if first is None:
            return None
        spans, left, per_file = self._spans[file.key], budget.left, asked.per_file or INF
        most = min(INF if left is None else left, per_file)
        if spans or asked.is_inverted:
            lines = self._narrowed(content, self._lines(content, INF), spans)
            total = min(len(lines), per_file)
        elif most <= 0:
            lines, total = [], count_lines(matcher, content, min(budget.to_count + 1, per_file))
        else:  # one more, to see whether there are more
            lines = self._lines(content, most + 1)
            total = len(lines)
            if total > most and left == most:
                total = count_lines(matcher, content, min(most + budget.to_count + 1, per_file))
            total = min(total, per_file)
            if first and total > most and first[0].number > lines[most - 1].number:
                lines[most - 1] = first[0]
        del lines[max(most, 0) :]
        mark(lines, file.names)
        return Found(file, lines, total) if total else None

    def _lines(self, content: bytes, most: int) -> list[Line]:
        return matching_lines(self._matcher, content, most=most, is_marked=self._asked.is_marked)

    def _narrowed(self, content: bytes, lines: list[Line], spans: Spans) -> list[Line]:
        """The lines that may be seen, or, of these, the others."""
        if self._asked.is_inverted:
            lines = other_lines(content, lines)
        if spans:
            lines = [line for line in lines if any(a <= line.number <= b for a, b in spans)]
        return lines

    def _defining_line(self, file: FileText, names: Sequence[bytes]) -> list[Line] | None:
        """The first line that defines a name and matches, None if there is none; no line if only
        the whole file can tell."""
        if self._matcher.is_multiline or self._matcher.has_text_anchors:
            return []
        content = file.content
        called = [(content[place : place + size], place) for place, size in file.names]
        for place in (place for name in names for known, place in called if known == name):
            begin = content.rfind(b"\n", 0, place) + 1
            end = content.find(b"\n", place)
            line = content[begin : end if end >= 0 else len(content)]
            number = content.count(b"\n", 0, begin) + 1
            found = matching_lines(
                self._matcher, line, number, begin, is_marked=self._asked.is_marked
            )
            if found:
                return found
        return None

    def _shown(self, found: Found) -> FileLines:
        asked, file, lines = self._asked, found.file, found.lines
        if asked.before or asked.after:
            lines = with_context(file.content, lines, asked.before, asked.after)
        repo, _, path = file.key.partition("\0")
        return FileLines(repo, path, file.language, file.tags, len(file.content), tuple(lines))


def mark(lines: list[Line], names: Sequence[tuple[int, int]]) -> None:
    """Mark the lines in which a match touches a name that is defined there."""
    begins = [place for place, _ in names]
    for number, line in enumerate(lines):
        first = bisect_left(begins, line.begin)
        last = bisect_left(begins, line.begin + len(line.text), first)
        for place, size in names[first:last]:
            start = place - line.begin
            if any(begin < start + size and end > start for begin, end in line.ranges):
                lines[number] = line._replace(defines=True)
