"""The embedded store at one generation: tantivy finds, layers tell.

Opening maps files and reads none of them. Every method works on what was mapped, so a
snapshot outlives the commit and the collection of the generations after it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from tantivy import DocAddress, Occur, Order, Query

from plait.errors import IndexCorrupt, QueryError
from plait.stores.embedded import patterns
from plait.stores.embedded.explain import Explainer, scores
from plait.stores.embedded.layer import GRAMS, Layer
from plait.stores.embedded.line_scope import EVERYWHERE, seen_lines
from plait.stores.embedded.manifest import REBUILD, Manifest, generation_folder
from plait.stores.embedded.nearest import LayerVectors
from plait.stores.embedded.paths import PathList
from plait.stores.embedded.reading import reading, reading_each
from plait.stores.embedded.scoped import file_test, scoped
from plait.stores.embedded.spelling import one_edit_away
from plait.stores.embedded.tables import mapped
from plait.stores.embedded.words import SCHEMA, open_index, translate
from plait.types import (
    All,
    Chunk,
    ChunkId,
    Expression,
    Field,
    FileLines,
    Hit,
    LineQuery,
    Ranking,
    Reason,
    Scope,
    Statistics,
    Tag,
    Tally,
    Term,
    Vectors,
)

if TYPE_CHECKING:
    from plait.stores.embedded.gram_file import LayerGrams

TIE_ROOM = 32  # hits more to ask for when a tie is first seen to be cut
EMBEDDED_BLOCK = 4_096  # chunks whose vectors are read at a time
MAX_TIED = 10_000  # chunks of one score looked at to break a tie at the cut by id


class EmbeddedSnapshot:
    """One generation of an embedded store."""

    layers: list[Layer]  # for the store that made it

    def __init__(self, root: Path, manifest: Manifest) -> None:
        self.manifest = manifest
        self._root = root
        self._vectors: dict[str, LayerVectors] = {}  # by model, opened when first asked for
        for name, (size, _) in manifest.files.items():
            found = (root / name).stat().st_size  # a shorter file would kill us when mapped
            if found != size:
                raise IndexCorrupt(
                    f"{name} has {found} bytes, its manifest says {size}", hint=REBUILD
                )
        with reading("opening the layers"):
            self.layers = [Layer(root / "layers", r.name, r.dead) for r in manifest.layers]
            self._mapped = {r.file: mapped(root / r.file) for r in manifest.vectors if r.layer}
            self._gram_files = [
                mapped(root / "layers" / f"{r.name}.{GRAMS}") for r in manifest.layers
            ]
        self._paths = PathList(self.layers)
        self._has_dead = any(name.endswith(".del") for name in manifest.files)
        self._bases = [layer.first_number for layer in self.layers]
        with reading("opening the word index"):
            words = generation_folder(root, manifest.generation) / "words"
            self._searcher = open_index(words).searcher()
        self._file_of: dict[tuple[str, str], tuple[int, int]] = {}  # key to (layer, file row)
        self._key_of: dict[tuple[int, int], tuple[str, str, range]] = {}  # and its chunks' rows

    @property
    def generation(self) -> int:
        return self.manifest.generation

    def close(self) -> None:
        """Let go of the files; mappings end with the last view of them."""
        self.layers = []
        self._vectors = {}
        self._mapped = {}

    # ------------------------------------------------------------ what is there

    def repos(self) -> Sequence[str]:
        return sorted(self.manifest.repos)

    def digests(self, repo: str) -> Mapping[str, str]:
        with reading("listing files"):
            found: dict[str, str] = {}
            for layer in self.layers:
                found.update(layer.digests(repo))
            return found

    def outline(self, repo: str, path: str) -> Sequence[ChunkId]:
        with reading("listing a file"):
            place = self._find_file(repo, path)
            if place is None:
                return ()
            file = self.layers[place[0]].file_row(place[1])
            return [ChunkId(repo, path, ordinal) for ordinal in range(file.chunks)]

    def fetch(self, ids: Iterable[ChunkId]) -> Mapping[ChunkId, Chunk]:
        with reading("fetching chunks"):
            found = {}
            for key in ids:
                place = self._place(key)
                if place is not None:
                    found[key] = self.layers[place[0]].chunk(place[1], key)
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
        with reading("searching"):
            query = self._query(patterns.resolve(wanted, corpus), scope)
            hits = self._top(query, limit, scored=scores(wanted))
            numbers = self._numbers(address for _, address in hits)
            keyed = [
                Hit(key, Reason("bm25", hit[0]))
                for key, hit in zip(self._keys(numbers), hits, strict=True)
            ]
        hits_by_score = Ranking.best_first("match", keyed).hits
        notes = tuple(corpus.notes)
        return Ranking("match", hits_by_score[:limit], notes, is_partial=bool(notes))

    def nearest(
        self, model: str, question: Vectors, where: Expression, scope: Scope, limit: int
    ) -> Ranking:
        if limit < 1 or not self.layers:
            return Ranking("nearest", ())
        scope = self._narrowed(scope)
        with reading("comparing vectors"):
            vectors = self._vectors_of(model)
            notes: list[str] = []
            seen = None
            if where != All(()) or scope != EVERYWHERE:
                corpus = self._corpus(scope)
                seen = self._matching(patterns.resolve(where, corpus), scope)
                notes += corpus.notes
            hits = vectors.nearest(question, limit, seen)
            keys = self._keys(number for number, _ in hits)
        if vectors.missing:
            notes.append(
                f"{vectors.missing:,} of {self.manifest.totals['chunks']:,} chunks have no vector "
                "yet; they were looked for by words alone"
            )
        near = [Hit(key, Reason("cosine", hit[1])) for key, hit in zip(keys, hits, strict=True)]
        ranked = Ranking.best_first("nearest", near).hits[:limit]
        return Ranking("nearest", ranked, tuple(notes), is_partial=bool(notes))

    def vectors(self, model: str, ids: Sequence[ChunkId]) -> Mapping[ChunkId, Vectors]:
        with reading("reading vectors"):
            places = {key: place for key in ids if (place := self._place(key)) is not None}
            found = self._vectors_of(model).rows(places.values())
            return {key: found[place] for key, place in places.items() if place in found}

    def lacking(self, model: str) -> int:
        with reading("counting vectors"):
            return self._vectors_of(model).missing

    def embedded(
        self, model: str, where: Expression, scope: Scope
    ) -> Iterator[tuple[Sequence[ChunkId], Vectors]]:
        with reading("reading vectors"):
            vectors = self._vectors_of(model)
            wanted = patterns.resolve(where, self._corpus(scope))
            places = [self._locate(number) for number in sorted(self._matching(wanted, scope))]
        for at, group in groupby(places, key=itemgetter(0)):
            layer, rows = self.layers[at], [row for _, row in group]
            for begin in range(0, len(rows), EMBEDDED_BLOCK):
                with reading("reading vectors"):
                    kept, block = vectors.kept(at, rows[begin : begin + EMBEDDED_BLOCK])
                    keys = self._keys([layer.number(row) for row in kept])
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
        return self._numbers(address for _, address in hits)

    def _narrowed(self, scope: Scope) -> Scope:
        """The scope without a filter that lets everything through but costs all the same."""
        if scope.repos is not None and scope.repos.issuperset(self.manifest.repos):
            return replace(scope, repos=None)
        return scope

    def _corpus(self, scope: Scope) -> patterns.Corpus:
        return patterns.Corpus(
            files=lambda: self._seen_files(scope),
            candidates=lambda terms: self._candidates(terms, scope),
            paths=self._paths,
        )

    def _top(self, query: Query, limit: int, *, scored: bool) -> list[tuple[float, DocAddress]]:
        """The best hits and all that tie with the last, so that ids can break the tie."""
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

    def _seen_files(self, scope: Scope) -> list[tuple[Layer, int]]:
        is_seen = file_test(scope, self._paths)
        with reading("listing files"):
            return [
                (layer, row)
                for layer in self.layers
                for row in layer.file_rows()
                if is_seen(layer, row)
            ]

    def _candidates(self, wanted: Expression, scope: Scope) -> Iterator[tuple[int, bytes]]:
        """Chunks that hold all terms of a phrase, with their text."""
        with reading("reading candidates"):
            query = self._query(wanted, scope)
            hits = self._searcher.search(query, patterns.MAX_CHUNKS + 1, count=False).hits
            for number in self._numbers(address for _, address in hits):
                yield number, self._text(number)

    def frequency(self, term: str, field: Field = Field.WORDS) -> int:
        with reading("counting a term"):
            counted = self._searcher.doc_freq(field.value, term)
            if counted == 0 or not self._has_dead:
                return counted
            query = translate(Term(term, field))  # the dictionary still counts what was removed
            return self._searcher.search(query, 1, count=True).count  # type: ignore[attr-defined,no-any-return]  # missing in the stub

    def spellings(self, term: str, limit: int) -> Sequence[str]:
        counts = {other: self.frequency(other) for other in one_edit_away(term)}
        known = [other for other, count in counts.items() if count]
        return sorted(known, key=lambda other: (-counts[other], other))[:limit]

    # ------------------------------------------------------------ lines

    def grep(self, asked: LineQuery) -> Iterator[FileLines | Tally]:
        from plait.stores.embedded.grep import Grep, Shelved

        scope = self._narrowed(asked.scope)
        with reading("searching for lines"):
            shelves = [Shelved(*pair) for pair in zip(self.layers, self._grams, strict=True)]

            def chunks(wanted: Expression) -> Iterator[tuple[int, int]]:
                resolved = patterns.resolve(wanted, self._corpus(scope))
                return map(self._locate, self._matching(resolved, scope))

            seen = seen_lines(self.layers, scope, asked.where, self._paths, chunks)
            search = Grep(shelves, asked, seen)
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
        with reading("explaining"):
            places = {key: place for key in ids if (place := self._place(key)) is not None}
            numbers = {self.layers[layer].number(row): key for key, (layer, row) in places.items()}
            if not numbers:
                return {}
            explainer = Explainer.over(tuple(numbers), self._searcher, self._text, self._paths)
            earned = explainer.hits(wanted)
            return {
                key: Reason.total("sum of", earned.get(number, ()))
                for number, key in numbers.items()
            }

    # ------------------------------------------------------------ numbers, places, keys

    def _numbers(self, addresses: Iterable[DocAddress]) -> list[int]:
        numbers = self._searcher.fast_field_values("chunk", list(addresses))
        if None in numbers:
            raise IndexError("the word index holds a chunk without a number")
        return numbers  # type: ignore[return-value]  # none is None

    def _locate(self, number: int) -> tuple[int, int]:
        """Layer and row of a chunk number."""
        at = bisect_right(self._bases, number) - 1
        row = self.layers[at].row_of(number) if at >= 0 else -1
        if row < 0:
            raise IndexError(f"the word index names chunk {number}, which no layer holds")
        return at, row

    def _keys(self, numbers: Iterable[int]) -> list[ChunkId]:
        """The ids of chunk numbers; on the path of every search, so in one go."""
        keys, layers, known_files, locate = [], self.layers, self._key_of, self._locate
        for number in numbers:
            at, row = locate(number)
            place = (at, layers[at].file_of(row))
            known = known_files.get(place)
            if known is None:
                known = self._remember(place)
            repo, path, rows = known
            if row not in rows:
                raise IndexError(f"chunk {number} is not one of its file's")
            keys.append(ChunkId(repo, path, row - rows.start))
        return keys

    def _remember(self, place: tuple[int, int]) -> tuple[str, str, range]:
        at, file_row = place
        layer = self.layers[at]
        key = layer.file_key(file_row)
        known = self._key_of[place] = (*key, layer.chunk_rows(file_row))
        self._file_of[key] = place
        return known

    def _place(self, key: ChunkId) -> tuple[int, int] | None:
        """Layer and row of a chunk, or None if there is no such chunk."""
        place = self._find_file(key.repo, key.path)
        if place is None:
            return None
        file = self.layers[place[0]].file_row(place[1])
        if not 0 <= key.ordinal < file.chunks:
            return None
        return place[0], file.chunk + key.ordinal

    def _find_file(self, repo: str, path: str) -> tuple[int, int] | None:
        """Layer and file row of a file, or None."""
        known = self._file_of.get((repo, path))
        if known is not None:
            return known
        query = Query.boolean_query(
            [
                (Occur.Must, Query.term_query(SCHEMA, "file", path)),
                (Occur.Must, translate(Tag("repo", repo))),
            ]
        )
        hits = self._searcher.search(query, 1, count=False).hits
        if not hits:
            return None
        (number,) = self._numbers([hits[0][1]])
        self._keys([number])  # remembers the file
        return self._file_of.get((repo, path))

    def _text(self, number: int) -> bytes:
        at, row = self._locate(number)
        return self.layers[at].chunk_text(row)

    # ------------------------------------------------------------ for the store that made it

    def find_file(self, repo: str, path: str) -> tuple[Layer, int] | None:
        """The layer and file row that hold a file."""
        place = self._find_file(repo, path)
        return None if place is None else (self.layers[place[0]], place[1])

    def indexed_numbers(self) -> Counter[int]:
        """Every chunk number the word index holds."""
        hits = self._searcher.search(
            Query.all_query(), max(self._searcher.num_docs, 1), count=False
        ).hits
        return Counter(self._numbers(address for _, address in hits))
