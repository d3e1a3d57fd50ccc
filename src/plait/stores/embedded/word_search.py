"""Word search: the chunks of a generation that satisfy an expression, by the word index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from tantivy import DocAddress, Order, Query, Searcher

from plait.errors import QueryError
from plait.stores.embedded.chunk_places import ChunkPlaces
from plait.stores.embedded.line_scope import EVERYWHERE
from plait.stores.embedded.paths import PathList
from plait.stores.embedded.scoped import scoped
from plait.stores.embedded.verified import Corpus
from plait.stores.embedded.words import translate
from plait.stores.verifying import MAX_CHUNKS, checks_are_cut
from plait.types import Expression, Scope

TIE_ROOM = 32  # hits more to ask for when a tie is first seen to be cut
MAX_TIED = 10_000  # chunks of one score looked at to break a tie at the cut by id
CHECK_ROOM = 4  # chunks looked at for each one wanted, where a pattern is checked
MIN_CHECKED = 200

Found = list[tuple[int, float]]  # chunk numbers and scores


class WordSearch:
    """Asks the word index; chunks are numbers here."""

    def __init__(self, searcher: Searcher, chunks: ChunkPlaces, paths: PathList) -> None:
        self._searcher = searcher
        self._chunks = chunks
        self._paths = paths

    def matching(self, wanted: Expression, scope: Scope) -> list[int]:
        """The numbers of every chunk that satisfies an expression."""
        most = max(self._searcher.num_docs, 1)
        hits = self._searcher.search(self.query(wanted, scope), most, count=False).hits
        return self._chunks.numbers(address for _, address in hits)

    def candidates(self, wanted: Expression, scope: Scope) -> Iterator[tuple[int, bytes]]:
        """Chunks that hold all terms of a phrase, with their text."""
        hits = self._searcher.search(self.query(wanted, scope), MAX_CHUNKS + 1, count=False).hits
        for number in self._chunks.numbers(address for _, address in hits):
            yield number, self._chunks.text(number)

    def count(self, wanted: Expression, scope: Scope) -> int:
        """How many chunks satisfy an expression."""
        query = self.query(wanted, scope)
        return self._searcher.search(query, 1, count=True).count  # type: ignore[attr-defined,no-any-return]  # missing in the stub

    def all_numbers(self) -> Counter[int]:
        """Every chunk number the word index holds."""
        most = max(self._searcher.num_docs, 1)
        hits = self._searcher.search(Query.all_query(), most, count=False).hits
        return Counter(self._chunks.numbers(address for _, address in hits))

    def passing(self, find: Callable[[int], Found], limit: int, corpus: Corpus) -> Found:
        """The best that pass all checks, looked for deeper and deeper until there are enough."""
        if not corpus.checks:
            return find(limit)
        passed: dict[int, bool] = {}
        depth = max(limit * CHECK_ROOM, MIN_CHECKED)
        while True:
            found = find(depth)
            for number, _ in found:
                if number not in passed:
                    text = self._chunks.text(number)
                    if corpus.is_late(sum(len(text) * c.matcher.byte_s for c in corpus.checks)):
                        break
                    passed[number] = all(check.passes(text) for check in corpus.checks)
            kept = [hit for hit in found if passed.get(hit[0])]
            is_late = len(passed) < len(found)
            if not is_late and (len(kept) >= limit or len(found) < depth):
                return kept
            if is_late or depth >= MAX_CHUNKS:
                corpus.notes.append(checks_are_cut(len(passed)))
                return kept
            depth *= CHECK_ROOM

    def top(self, query: Query, limit: int, *, scored: bool) -> Found:
        """The best hits and all that tie with the last, so that ids can break the tie."""
        hits = self._top_hits(query, limit, scored=scored)
        numbers = self._chunks.numbers(address for _, address in hits)
        return [(number, hit[0]) for number, hit in zip(numbers, hits, strict=True)]

    def _top_hits(
        self, query: Query, limit: int, *, scored: bool
    ) -> list[tuple[float, DocAddress]]:
        search = self._searcher.search
        if not scored:  # every score is 0 and ids alone decide
            hits = search(
                query, MAX_TIED, count=False, order_by_field="chunk", order=Order.Asc
            ).hits
            return [(0.0, address) for _, address in hits]
        depth = limit + 1
        while True:
            hits = search(query, depth, count=False).hits
            is_cut = len(hits) == depth and hits[limit - 1][0] == hits[-1][0]
            if not is_cut or depth > MAX_TIED:
                return hits
            depth = 4 * depth if depth > limit + 1 else depth + TIE_ROOM

    def query(self, wanted: Expression, scope: Scope = EVERYWHERE) -> Query:
        """An expression in a scope, as tantivy asks it.

        Raises:
            QueryError: It cannot be asked.
        """
        try:
            return scoped(translate(wanted), scope, self._paths)
        except ValueError as error:
            raise QueryError(f"the index cannot be asked this: {error}") from error
