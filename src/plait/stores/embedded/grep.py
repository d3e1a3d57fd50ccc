"""Grep: the lines in which patterns match, file by file, the best files first.

Files come in this order: those that define a name in which a pattern matches, the shortest
names first; then ordinary files, then tests and the like, each of them by path. It is also
the order in which they are looked at, so a search that wants few lines stops as soon as it
has them, and what is given back is what matches, no more and no less.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from plait.patterns.compiled import compiled
from plait.patterns.lines import with_context
from plait.patterns.needs import ANYTHING
from plait.stores.embedded.gram_file import LayerGrams
from plait.stores.embedded.layer import Layer
from plait.stores.embedded.layer_lines import SHELVES, Found, LayerLines
from plait.stores.embedded.line_scope import Seen
from plait.stores.embedded.postings import CodedNeed
from plait.stores.line_search import MANY_NAMED, MAX_MISSED, SCANNED, Budget, needed, tallied
from plait.types import FileLines, LineQuery, Order, Tally


class Grep:
    """One search for lines.

    Args:
        layers: The layers, each with its grams.
        asked: What is wanted.
        seen: Which lines may be seen, by layer and file row.

    Raises:
        PatternError: A pattern is not one.
    """

    def __init__(
        self, layers: Sequence[tuple[Layer, LayerGrams]], asked: LineQuery, seen: Seen
    ) -> None:
        self._asked = asked
        self._budget = Budget.of(asked)
        matcher = compiled(asked.patterns, is_multiline=asked.is_multiline)
        need = ANYTHING if asked.is_inverted else needed(asked)
        coded = None if need == ANYTHING else CodedNeed.of(need)
        self._is_scan = coded is None
        self._layers = [
            LayerLines(at, layer, grams, asked, matcher, coded, seen, self._budget)
            for at, (layer, grams) in enumerate(layers)
        ]

    def run(self) -> Iterator[FileLines | Tally]:
        """What was asked for; the tally comes last."""
        notes = [SCANNED] if self._is_scan else []
        return tallied(self._ordered(), self._shown, self._asked, self._budget, notes)

    def _ordered(self) -> Iterator[Found]:
        if self._asked.order is Order.PATH:
            return self._by_path(SHELVES)
        by_shelf = (self._by_path((shelf,)) for shelf in SHELVES)
        return chain(self._defining(), *by_shelf)

    def _defining(self) -> Iterator[Found]:
        """Files that define a name in which a pattern matches."""
        runs = [layer.defining() for layer in self._layers]
        missed = 0
        named = heapq.merge(*runs)
        in_sight = (one for one in named if self._layers[one[1]].is_seen(one[2]))
        for _, at, row, place in islice(in_sight, MANY_NAMED):
            found = self._layers[at].file(row, place)
            missed += 1
            if found is not None:
                missed = 0
                self._budget.done.add((at, row))
                yield found
            if missed > MAX_MISSED:
                return

    def _by_path(self, shelves: Sequence[int]) -> Iterator[Found]:
        """Files that match and were not there before, by path."""
        runs = [layer.files(shelf) for layer in self._layers for shelf in shelves]
        return runs[0] if len(runs) == 1 else heapq.merge(*runs, key=self._path_key)

    def _path_key(self, found: Found) -> tuple[str, str]:
        return self._layers[found.at].layer.path_key(found.row)

    def _shown(self, found: Found) -> FileLines:
        layer, asked, lines = self._layers[found.at].layer, self._asked, found.lines
        file = layer.file_row(found.row)
        if asked.before or asked.after:
            content = bytes(layer.content(found.row))
            lines = with_context(content, lines, asked.before, asked.after)
        strings = layer.strings
        return FileLines(
            strings[file.repo],
            strings[file.path],
            strings[file.language],
            tuple(strings[file.tags].split()),
            file.size,
            tuple(lines),
        )
