"""Leakage: how much of each question stands word for word in what it is to find.

Looked at twice: in the right answers as the source has them, and as they were indexed,
which differs where comments and docstrings were blanked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plait.evaluation.dataset import Level, Part
from plait.evaluation.levels import is_met, symbol_names
from plait.evaluation.overlap import overlap
from plait.types import Chunk, Skipped, Snapshot, Source, Span

MOST = 3  # right answers looked at for each question
ANYWHERE = Span(1, 1 << 30)


class Leakage:
    """Gathers questions and their right answers, part by part."""

    def __init__(self, level: Level, *, is_stripped: bool) -> None:
        self._level = level
        self._is_stripped = is_stripped
        self._indexed: list[tuple[str, str]] = []
        self._original: list[tuple[str, str]] = []

    def add(self, part: Part, snapshot: Snapshot) -> None:
        """Look at the right answers of one part's questions."""
        texts = _Texts(self._level, part.source, snapshot)
        for question in part.questions:
            judged = part.judgements[question.id]
            best = sorted((a for a in judged if judged[a] > 0), key=lambda a: (-judged[a], a))
            for answer in best[:MOST]:
                chunks = texts.chunks(answer)
                if chunks:
                    self._indexed.append((question.text, "\n".join(c.text for c in chunks)))
                    if self._is_stripped:
                        self._original.append((question.text, texts.original(chunks)))

    def shares(self) -> dict[str, dict[str, float]]:
        """The share of a question's n-grams that its right answers hold, by n."""
        after = overlap(self._indexed)
        return {"before": overlap(self._original) if self._is_stripped else after, "after": after}


class _Texts:
    """The text of answers, as indexed and as at the source."""

    def __init__(self, level: Level, source: Source, snapshot: Snapshot) -> None:
        self._level = level
        self._source = source
        self._snapshot = snapshot
        self._paths = list(snapshot.digests(source.name)) if level is Level.TARGET else []
        self._files: dict[str, list[Chunk]] = {}

    def chunks(self, answer: str) -> list[Chunk]:
        """The chunks of an answer; none if the index does not hold it."""
        if self._level is Level.SYMBOL:
            path = answer.partition("::")[0]
            names = symbol_names(path, self._of(path))
            return [c for c in self._of(path) if names.get(c.id.ordinal) == answer]
        if self._level is Level.TARGET:
            met = (path for path in self._paths if is_met(answer, path, ANYWHERE))
            return [c for path in met for c in self._of(path) if is_met(answer, path, c.span)]
        return self._of(answer)

    def original(self, chunks: Sequence[Chunk]) -> str:
        """The same places as the source has them, each with the comments right above it.

        Blanked comments above a definition hang onto the chunk before it; here every line
        that is blank in the index alone goes with what follows.
        """
        return "\n".join(self._originals(chunks))

    def _originals(self, chunks: Sequence[Chunk]) -> Iterator[str]:
        for chunk in chunks:
            file = self._source.read(chunk.path)
            if isinstance(file, Skipped):
                continue
            indexed = "".join(other.text for other in self._of(chunk.path)).encode()
            begin, end = chunk.body.begin, chunk.body.end  # blanking keeps every byte in its place
            end = begin + len(indexed[begin:end].rstrip())
            begin = len(indexed[:begin].rstrip())
            yield file.content[begin:end].decode("utf-8", "replace")

    def _of(self, path: str) -> list[Chunk]:
        if path not in self._files:
            ids = self._snapshot.outline(self._source.name, path)
            found = self._snapshot.fetch(ids)
            self._files[path] = [found[id_] for id_ in ids if id_ in found]
        return self._files[path]
