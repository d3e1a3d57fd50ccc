"""Line scope: which lines of which files a search for lines may see.

Most conditions (language, path, repository, test or not) are about files and go into every
query. Those about chunks (kind, symbol, what is called) leave the lines of the chunks that meet
them. If these chunks are few they are known before any file is looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from plait.expressions import all_leaves, conjuncts
from plait.stores.cluster.documents import FILE
from plait.stores.cluster.line_files import FileReader, Listed
from plait.stores.cluster.queries import CHUNKS, Body, filter_query, scope_filters
from plait.stores.cluster.scoring import plain
from plait.stores.cluster.verified import BY_KEY, Corpus
from plait.stores.resolved import Paths
from plait.stores.verifying import resolve
from plait.types import And, Expression, LineQuery, PathLike, PathPattern, Tag
from plait.types.notes import Note

FEW_CHUNKS = 5_000

Spans = Sequence[tuple[int, int]]
WHOLE_FILE: Spans = ()


@dataclass(frozen=True, slots=True)
class LineScope:
    """What may be seen.

    Args:
        filters: What holds of a file that may be seen, and of every chunk of it.
        chunks: What holds of the chunks whose lines may be seen; None for all.
        spans: The lines of these chunks, by file, if they are few.
        notes: What could not be looked up in full.
    """

    reader: FileReader
    filters: Sequence[Body]
    chunks: Body | None = None
    spans: Mapping[str, Spans] | None = None
    notes: Sequence[Note] = ()

    def files(self, need: Body) -> Body:
        """A query for files that may be seen and meet a need."""
        filters = [{"term": {"tags": FILE}}, need, *self.filters]
        if self.spans is not None:
            filters.append({"terms": {"key": sorted(self.spans)}})
        return {"bool": {"filter": filters}}

    def seen(self, files: Iterable[Listed]) -> dict[str, Spans]:
        """The lines of some files that may be seen, by file; those with none are left out."""
        if self.chunks is None:
            return dict.fromkeys((file.key for file in files), WHOLE_FILE)
        if self.spans is not None:
            known = self.spans
            return {file.key: known[file.key] for file in files if file.key in known}
        within = {"terms": {"version": [file.version for file in files]}}
        query: Body = {"bool": {"filter": [self.chunks, within]}}
        return _spans(hit for hits in self.reader.pages(_spans_body(query)) for hit in hits)


def line_scope(reader: FileReader, asked: LineQuery) -> LineScope:
    """What a search may see.

    Raises:
        PatternError: A pattern among the conditions is not one.
    """
    where, scope = asked.where, asked.scope
    corpus = Corpus(reader.view, scope, plain)
    corpus.deadline = min(corpus.deadline, reader.budget.deadline)
    resolved = [(resolve(part, corpus), is_about_files(part)) for part in conjuncts(where)]
    filters = scope_filters(replace(scope, kinds=frozenset()))
    filters += [filter_query(part) for part, of_files in resolved if of_files]
    about_chunks = tuple(part for part, of_files in resolved if not of_files)
    if not about_chunks and not scope.kinds:
        return LineScope(reader, filters, notes=corpus.notes)
    conditions = [CHUNKS, filter_query(And(about_chunks)), *scope_filters(scope)]
    chunks: Body = {"bool": {"filter": conditions}}
    few = reader.view.search({**_spans_body(chunks), "size": FEW_CHUNKS})["hits"]["hits"]
    spans = _spans(few) if len(few) < FEW_CHUNKS else None
    return LineScope(reader, filters, chunks, spans, corpus.notes)


def _spans_body(query: Body) -> Body:
    return {"query": query, "sort": BY_KEY, "_source": ["chunk.span"]}


def _spans(hits: Iterable[Body]) -> dict[str, Spans]:
    """The lines of chunks, by file."""
    found: dict[str, list[tuple[int, int]]] = {}
    for hit in hits:
        first, last = hit["_source"]["chunk"]["span"]
        found.setdefault(file_of(hit["sort"][-1]), []).append((first, last))
    return dict(found)


def file_of(chunk: str) -> str:
    """The key of a file, from that of one of its chunks."""
    return chunk.rpartition("\0")[0]


def is_about_files(wanted: Expression) -> bool:
    """Whether a condition holds of all chunks of a file or of none."""
    return all(map(_is_about_files, all_leaves(wanted)))


def _is_about_files(leaf: Expression) -> bool:
    match leaf:
        case Tag("lang" | "repo", _) | PathLike() | PathPattern() | Paths():
            return True
        case Tag("is", value):
            return value != "symbol"
        case _:
            return False
