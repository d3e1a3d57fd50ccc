"""The embedded store at one generation: tantivy finds, layers tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import groupby
from math import inf
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from plait.stores.embedded.contents import EmbeddedContents
from plait.stores.embedded.explain import Explained
from plait.stores.embedded.layer import GRAMS, Layer
from plait.stores.embedded.line_scope import EVERYWHERE, seen_lines
from plait.stores.embedded.nearest import LayerVectors
from plait.stores.embedded.reading import reading_each
from plait.stores.embedded.scoped import file_test
from plait.stores.embedded.verified import Corpus
from plait.stores.score_parts import score_parts_of_hits, scores
from plait.stores.spelling import one_edit_away
from plait.stores.verifying import (
    expect_time,
    resolve,
    resolve_ranked,
    vectors_are_missing,
)
from plait.types import (
    And,
    ChunkId,
    Defines,
    Expression,
    FileLines,
    Hit,
    LineQuery,
    Or,
    Ranking,
    Reason,
    Repos,
    Scope,
    Statistics,
    SymbolName,
    Tally,
    Vectors,
)

if TYPE_CHECKING:
    from plait.patterns.needs import Need
    from plait.stores.embedded.gram_file import LayerGrams

EMBEDDED_BLOCK = 4_096  # chunks whose vectors are read at a time


class EmbeddedSnapshot(EmbeddedContents):
    """One generation of an embedded store."""

    # ------------------------------------------------------------ finding

    def match(self, wanted: Expression, scope: Scope, limit: int, until: float = inf) -> Ranking:
        if limit < 1:
            return Ranking("match", ())
        expect_time(until)
        scope = self._narrowed(scope)
        corpus = self._corpus(scope, until)
        with self._reading("searching"):
            is_ranked = scores(wanted)
            resolved = (resolve_ranked if is_ranked else resolve)(wanted, corpus)
            query = self._words.query(resolved, scope)
            hits = self._words.passing(
                lambda d: self._words.top(query, d, scored=is_ranked), limit, corpus
            )
            keys = self._chunks.keys(number for number, _ in hits)
        keyed = [Hit(key, Reason("bm25", hit[1])) for key, hit in zip(keys, hits, strict=True)]
        hits_by_score = Ranking.best_first("match", keyed).hits
        notes = tuple(corpus.notes)
        return Ranking("match", hits_by_score[:limit], notes, is_partial=bool(notes))

    def definitions(
        self, names: Sequence[str], scope: Scope, limit: int, until: float = inf
    ) -> Mapping[ChunkId, SymbolName]:
        wanted = [Defines(name) for name in names]
        counts = self.count(wanted)  # most of what is asked for is not there, and soon counted
        there = tuple(one for one, count in zip(wanted, counts, strict=True) if count)
        if not there:
            return {}
        return self._names(hit.chunk for hit in self.match(Or(there), scope, limit, until).hits)

    def nearest(
        self,
        model: str,
        question: Vectors,
        where: Expression,
        scope: Scope,
        limit: int,
        until: float = inf,
    ) -> Ranking:
        if limit < 1 or not self.layers:
            return Ranking("nearest", ())
        expect_time(until)
        scope = self._narrowed(scope)
        with self._reading("comparing vectors"):
            vectors = self._vectors_of(model)
            corpus = self._corpus(scope, until)
            wanted = resolve_ranked(where, corpus)
            is_all = wanted == And(()) and scope == EVERYWHERE
            seen = None if is_all else self._words.matching(wanted, scope)
            hits = self._words.passing(lambda d: vectors.nearest(question, d, seen), limit, corpus)
            keys = self._chunks.keys(number for number, _ in hits)
            missing = self._missing(model, scope.repos)
        notes = corpus.notes
        if missing:
            chunks = self._counts.statistics(scope.repos).chunks
            notes.append(vectors_are_missing(missing, chunks))
        near = [Hit(key, Reason("cosine", hit[1])) for key, hit in zip(keys, hits, strict=True)]
        ranked = Ranking.best_first("nearest", near).hits[:limit]
        return Ranking("nearest", ranked, tuple(notes), is_partial=bool(notes))

    def vectors(self, model: str, ids: Sequence[ChunkId]) -> Mapping[ChunkId, Vectors]:
        with self._reading("reading vectors"):
            places = {key: place for key in ids if (place := self._chunks.place(key)) is not None}
            found = self._vectors_of(model).rows(places.values())
            return {key: found[place] for key, place in places.items() if place in found}

    def missing_vectors(self, model: str, repos: Repos = None) -> int:
        with self._reading("counting vectors"):
            return self._missing(model, repos)

    def _missing(self, model: str, repos: Repos) -> int:
        vectors, files = self._vectors_of(model), self._counts.files_of(repos)
        return vectors.missing if files is None else vectors.missing_of(files)

    def embedded(
        self, model: str, where: Expression, scope: Scope
    ) -> Iterator[tuple[Sequence[ChunkId], Vectors]]:
        with self._reading("reading vectors"):
            vectors = self._vectors_of(model)
            wanted = resolve(where, self._corpus(scope))
            places = [
                self._chunks.locate(number)
                for number in sorted(self._words.matching(wanted, scope))
            ]
        for at, group in groupby(places, key=itemgetter(0)):
            layer, rows = self.layers[at], [row for _, row in group]
            for begin in range(0, len(rows), EMBEDDED_BLOCK):
                with self._reading("reading vectors"):
                    kept, block = vectors.kept(at, rows[begin : begin + EMBEDDED_BLOCK])
                    keys = self._chunks.keys([layer.number(row) for row in kept])
                if keys:
                    yield keys, block

    def _vectors_of(self, model: str) -> LayerVectors:
        if model not in self._vectors:
            self._vectors[model] = LayerVectors(
                self._root, self.manifest, self.layers, model, self._mapped
            )
        return self._vectors[model]

    def _narrowed(self, scope: Scope) -> Scope:
        """The scope without a filter that lets everything through but costs all the same."""
        if scope.repos is not None and scope.repos.issuperset(self.manifest.repos):
            return replace(scope, repos=None)
        return scope

    def _corpus(self, scope: Scope, until: float = inf) -> Corpus:
        return Corpus(
            files=lambda need: self._files_with(need, scope),
            candidates=lambda terms: self._words.candidates(terms, scope),
            paths=self._paths,
            until=until,
        )

    def _files_with(self, need: Need, scope: Scope) -> Iterator[tuple[Layer, int]]:
        """Files that may hold what is needed and may be seen."""
        from plait.stores.embedded.postings import CodedNeed

        is_seen = file_test(scope, self._paths)
        coded = CodedNeed.of(need)
        with self._reading("looking up grams"):
            for layer, grams in zip(self.layers, self._grams, strict=True):
                for part in grams.parts:
                    for row in grams.candidate_files(part, coded):
                        if row not in layer.dead and is_seen(layer, row):
                            yield layer, row

    # ------------------------------------------------------------ counting

    def count(self, wanted: Sequence[Expression], repos: Repos = None) -> Sequence[int]:
        with self._reading("counting chunks"):
            return [self._counts.chunks(one, repos) for one in wanted]

    def spellings(self, term: str, limit: int, repos: Repos = None) -> Sequence[str]:
        others = sorted(one_edit_away(term))
        with self._reading("counting words"):
            counts = self._counts.words(others, repos)
        known = sorted((-n, other) for other, n in zip(others, counts, strict=True) if n)
        return [other for _, other in known[:limit]]

    def statistics(self, repos: Repos = None) -> Statistics:
        with self._reading("counting files"):
            return self._counts.statistics(repos)

    # ------------------------------------------------------------ lines

    def grep(self, asked: LineQuery) -> Iterator[FileLines | Tally]:
        from plait.stores.embedded.grep import Grep

        scope = self._narrowed(asked.scope)
        with self._reading("searching for lines"):

            def chunks(wanted: Expression) -> Iterator[tuple[int, int]]:
                resolved = resolve(wanted, self._corpus(scope))
                return map(self._chunks.locate, self._words.matching(resolved, scope))

            seen = seen_lines(self.layers, scope, asked.where, self._paths, chunks)
            search = Grep(list(zip(self.layers, self._grams, strict=True)), asked, seen)
        return reading_each(search.run(), "searching for lines", self._watch.check)

    @cached_property
    def _grams(self) -> list[LayerGrams]:
        from plait.stores.embedded.gram_file import LayerGrams

        return [
            LayerGrams(Path(f"{layer.name}.{GRAMS}"), view)
            for layer, view in zip(self.layers, self._gram_files, strict=True)
        ]

    # ------------------------------------------------------------ explaining

    def explain(self, wanted: Expression, ids: Sequence[ChunkId]) -> Mapping[ChunkId, Reason]:
        with self._reading("explaining"):
            places = {key: place for key in ids if (place := self._chunks.place(key)) is not None}
            numbers = {self.layers[layer].number(row): key for key, (layer, row) in places.items()}
            if not numbers:
                return {}
            explained = Explained.over(
                tuple(numbers), self._searcher, self._chunks.text, self._paths
            )
            gained = score_parts_of_hits(wanted, explained)
            return {
                key: Reason.total("bm25", gained.get(number, ()), "sum of")
                for number, key in numbers.items()
            }

    # ------------------------------------------------------------ for the store that made it

    def find_file(self, repo: str, path: str) -> tuple[Layer, int] | None:
        """The layer and file row that hold a file."""
        place = self._chunks.find_file(repo, path)
        return None if place is None else (self.layers[place[0]], place[1])

    def indexed_numbers(self) -> Counter[int]:
        """Every chunk number the word index holds."""
        return self._words.all_numbers()
