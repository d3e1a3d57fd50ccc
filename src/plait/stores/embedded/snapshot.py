"""The embedded store at one generation: tantivy finds, layers tell.

Opening maps files and reads none of those that were proved before. Every method works on what
was mapped, so a snapshot outlives the commit and the collection of the generations after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from tantivy import DocAddress, Order, Query

from plait.errors import QueryError
from plait.stores.embedded.chunk_places import ChunkPlaces
from plait.stores.embedded.explain import Explained
from plait.stores.embedded.layer import GRAMS, Layer
from plait.stores.embedded.line_scope import EVERYWHERE, seen_lines
from plait.stores.embedded.manifest import Manifest, generation_folder
from plait.stores.embedded.nearest import LayerVectors
from plait.stores.embedded.paths import PathList
from plait.stores.embedded.proofs import Proofs
from plait.stores.embedded.reading import reading, reading_each
from plait.stores.embedded.scoped import file_test, scoped
from plait.stores.embedded.tables import mapped
from plait.stores.embedded.verified import Corpus
from plait.stores.embedded.watching import Watch
from plait.stores.embedded.words import open_index, translate
from plait.stores.score_parts import score_parts_of_hits, scores
from plait.stores.spelling import one_edit_away
from plait.stores.verifying import MAX_CHUNKS, checks_are_cut, resolve, resolve_ranked
from plait.types import (
    And,
    Chunk,
    ChunkId,
    Expression,
    Field,
    FileLines,
    Hit,
    LineQuery,
    Links,
    Ranking,
    Reason,
    Scope,
    Statistics,
    Tally,
    Term,
    Vectors,
)

if TYPE_CHECKING:
    from plait.patterns.needs import Need
    from plait.stores.embedded.gram_file import LayerGrams

TIE_ROOM = 32  # hits more to ask for when a tie is first seen to be cut
EMBEDDED_BLOCK = 4_096  # chunks whose vectors are read at a time
MAX_TIED = 10_000  # chunks of one score looked at to break a tie at the cut by id
CHECK_ROOM = 4  # chunks looked at for each one wanted, where a pattern is checked
MIN_CHECKED = 200


class EmbeddedSnapshot:
    """One generation of an embedded store."""

    layers: list[Layer]  # for the store that made it

    def __init__(self, root: Path, manifest: Manifest) -> None:
        self.manifest = manifest
        self._root = root
        self._vectors: dict[str, LayerVectors] = {}  # by model, opened when first asked for
        self._watch = Watch(root, manifest.files, Proofs(root).prove(manifest.files))
        with reading("opening the layers"):
            self.layers = [Layer(root / "layers", r.name, r.dead) for r in manifest.layers]
            self._mapped = {r.file: mapped(root / r.file) for r in manifest.vectors if r.layer}
            self._gram_files = [
                mapped(root / "layers" / f"{r.name}.{GRAMS}") for r in manifest.layers
            ]
        self._paths = PathList(self.layers)
        self._has_dead = any(name.endswith(".del") for name in manifest.files)
        with reading("opening the word index"):
            words = generation_folder(root, manifest.generation) / "words"
            self._searcher = open_index(words).searcher()
        self._chunks = ChunkPlaces(self.layers, self._searcher)

    @property
    def generation(self) -> int:
        return self.manifest.generation

    def close(self) -> None:
        """Let go of the files; mappings end with the last view of them."""
        self.layers.clear()
        self._gram_files.clear()
        self._vectors = {}
        self._mapped = {}

    # ------------------------------------------------------------ what is there

    def _reading(self, what: str) -> reading:
        self._watch.look()
        return reading(what)

    def repos(self) -> Sequence[str]:
        return sorted(self.manifest.repos)

    def digests(self, repo: str) -> Mapping[str, str]:
        with self._reading("listing files"):
            found: dict[str, str] = {}
            for layer in self.layers:
                found.update(layer.digests(repo))
            return found

    def outline(self, repo: str, path: str) -> Sequence[ChunkId]:
        with self._reading("listing a file"):
            place = self._chunks.find_file(repo, path)
            if place is None:
                return ()
            file = self.layers[place[0]].file_row(place[1])
            return [ChunkId(repo, path, ordinal) for ordinal in range(file.chunks)]

    def fetch(self, ids: Iterable[ChunkId]) -> Mapping[ChunkId, Chunk]:
        with self._reading("fetching chunks"):
            found = {}
            for key in ids:
                place = self._chunks.place(key)
                if place is not None:
                    found[key] = self.layers[place[0]].chunk(place[1], key)
            return found

    def links(self, ids: Iterable[ChunkId]) -> Mapping[ChunkId, Links]:
        with self._reading("fetching links"):
            found: dict[ChunkId, Links] = {}
            of_file: dict[tuple[str, str], list[Links]] = {}
            for key in ids:
                place = self._chunks.place(key)
                if place is not None:
                    layer, name = self.layers[place[0]], key[:2]
                    if name not in of_file:
                        of_file[name] = layer.links(layer.file_of(place[1]))
                    found[key] = of_file[name][key.ordinal]
            return found

    def statistics(self) -> Statistics:
        manifest = self.manifest
        return Statistics(
            **manifest.totals,
            index_bytes=sum(size for size, _ in manifest.files.values()),
            languages=dict(sorted(manifest.languages.items())),
        )

    # ------------------------------------------------------------ finding

    def match(self, wanted: Expression, scope: Scope, limit: int) -> Ranking:
        if limit < 1:
            return Ranking("match", ())
        scope = self._narrowed(scope)
        corpus = self._corpus(scope)
        with self._reading("searching"):
            is_ranked = scores(wanted)
            resolved = (resolve_ranked if is_ranked else resolve)(wanted, corpus)
            query = self._query(resolved, scope)
            hits = self._passing(lambda d: self._top(query, d, scored=is_ranked), limit, corpus)
            keys = self._chunks.keys(number for number, _ in hits)
        keyed = [Hit(key, Reason("bm25", hit[1])) for key, hit in zip(keys, hits, strict=True)]
        hits_by_score = Ranking.best_first("match", keyed).hits
        notes = tuple(corpus.notes)
        return Ranking("match", hits_by_score[:limit], notes, is_partial=bool(notes))

    def nearest(
        self, model: str, question: Vectors, where: Expression, scope: Scope, limit: int
    ) -> Ranking:
        if limit < 1 or not self.layers:
            return Ranking("nearest", ())
        scope = self._narrowed(scope)
        with self._reading("comparing vectors"):
            vectors = self._vectors_of(model)
            corpus = self._corpus(scope)
            wanted = resolve_ranked(where, corpus)
            is_all = wanted == And(()) and scope == EVERYWHERE
            seen = None if is_all else self._matching(wanted, scope)
            hits = self._passing(lambda d: vectors.nearest(question, d, seen), limit, corpus)
            keys = self._chunks.keys(number for number, _ in hits)
        notes = corpus.notes
        if vectors.missing:
            notes.append(
                f"{vectors.missing:,} of {self.manifest.totals['chunks']:,} chunks have no vector "
                "yet; they were looked for by words alone"
            )
        near = [Hit(key, Reason("cosine", hit[1])) for key, hit in zip(keys, hits, strict=True)]
        ranked = Ranking.best_first("nearest", near).hits[:limit]
        return Ranking("nearest", ranked, tuple(notes), is_partial=bool(notes))

    def vectors(self, model: str, ids: Sequence[ChunkId]) -> Mapping[ChunkId, Vectors]:
        with self._reading("reading vectors"):
            places = {key: place for key in ids if (place := self._chunks.place(key)) is not None}
            found = self._vectors_of(model).rows(places.values())
            return {key: found[place] for key, place in places.items() if place in found}

    def missing_vectors(self, model: str) -> int:
        with self._reading("counting vectors"):
            return self._vectors_of(model).missing

    def embedded(
        self, model: str, where: Expression, scope: Scope
    ) -> Iterator[tuple[Sequence[ChunkId], Vectors]]:
        with self._reading("reading vectors"):
            vectors = self._vectors_of(model)
            wanted = resolve(where, self._corpus(scope))
            places = [
                self._chunks.locate(number) for number in sorted(self._matching(wanted, scope))
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

    def _matching(self, wanted: Expression, scope: Scope) -> list[int]:
        """The numbers of every chunk that satisfies an expression."""
        most = max(self._searcher.num_docs, 1)
        hits = self._searcher.search(self._query(wanted, scope), most, count=False).hits
        return self._chunks.numbers(address for _, address in hits)

    def _narrowed(self, scope: Scope) -> Scope:
        """The scope without a filter that lets everything through but costs all the same."""
        if scope.repos is not None and scope.repos.issuperset(self.manifest.repos):
            return replace(scope, repos=None)
        return scope

    def _corpus(self, scope: Scope) -> Corpus:
        return Corpus(
            files=lambda need: self._files_with(need, scope),
            candidates=lambda terms: self._candidates(terms, scope),
            paths=self._paths,
        )

    def _passing(
        self, find: Callable[[int], list[tuple[int, float]]], limit: int, corpus: Corpus
    ) -> list[tuple[int, float]]:
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

    def _top(self, query: Query, limit: int, *, scored: bool) -> list[tuple[int, float]]:
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

    def _query(self, wanted: Expression, scope: Scope = EVERYWHERE) -> Query:
        try:
            return scoped(translate(wanted), scope, self._paths)
        except ValueError as error:
            raise QueryError(f"the index cannot be asked this: {error}") from error

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

    def _candidates(self, wanted: Expression, scope: Scope) -> Iterator[tuple[int, bytes]]:
        """Chunks that hold all terms of a phrase, with their text."""
        with self._reading("reading candidates"):
            query = self._query(wanted, scope)
            hits = self._searcher.search(query, MAX_CHUNKS + 1, count=False).hits
            for number in self._chunks.numbers(address for _, address in hits):
                yield number, self._chunks.text(number)

    def frequency(self, term: str, field: Field = Field.WORDS) -> int:
        with self._reading("counting a term"):
            return self._count(term, field)

    def frequencies(self, terms: Sequence[str]) -> Mapping[str, int]:
        with self._reading("counting terms"):
            return {term: self._count(term, Field.WORDS) for term in terms}

    def _count(self, term: str, field: Field) -> int:
        counted = self._searcher.doc_freq(field.value, term)
        if counted == 0 or not self._has_dead:
            return counted
        query = translate(Term(term, field))  # the dictionary still counts what was removed
        return self._searcher.search(query, 1, count=True).count  # type: ignore[attr-defined,no-any-return]  # missing in the stub

    def spellings(self, term: str, limit: int) -> Sequence[str]:
        counts = self.frequencies(sorted(one_edit_away(term)))
        known = [other for other, count in counts.items() if count]
        return sorted(known, key=lambda other: (-counts[other], other))[:limit]

    # ------------------------------------------------------------ lines

    def grep(self, asked: LineQuery) -> Iterator[FileLines | Tally]:
        from plait.stores.embedded.grep import Grep

        scope = self._narrowed(asked.scope)
        with self._reading("searching for lines"):

            def chunks(wanted: Expression) -> Iterator[tuple[int, int]]:
                resolved = resolve(wanted, self._corpus(scope))
                return map(self._chunks.locate, self._matching(resolved, scope))

            seen = seen_lines(self.layers, scope, asked.where, self._paths, chunks)
            search = Grep(list(zip(self.layers, self._grams, strict=True)), asked, seen)
        return reading_each(search.run(), "searching for lines")

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
            earned = score_parts_of_hits(wanted, explained)
            return {
                key: Reason.total("bm25", earned.get(number, ()), "sum of")
                for number, key in numbers.items()
            }

    # ------------------------------------------------------------ for the store that made it

    def find_file(self, repo: str, path: str) -> tuple[Layer, int] | None:
        """The layer and file row that hold a file."""
        place = self._chunks.find_file(repo, path)
        return None if place is None else (self.layers[place[0]], place[1])

    def indexed_numbers(self) -> Counter[int]:
        """Every chunk number the word index holds."""
        hits = self._searcher.search(
            Query.all_query(), max(self._searcher.num_docs, 1), count=False
        ).hits
        return Counter(self._chunks.numbers(address for _, address in hits))
