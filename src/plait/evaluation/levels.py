"""Levels: what a result is called, so that it can be held against the judgements.

Documents and files are called by their path. A symbol is called ``path::qualified.name``,
and ``#2``, ``#3`` where a file repeats the name; lines that belong to no symbol are no
answer there. A target is a path, or lines of one, that a result meets or does not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from plait.evaluation.dataset import Level
from plait.types import Chunk, ChunkId, Snapshot, Span

LINES = re.compile(r":(\d+)-(\d+)$")
REPEAT = re.compile(r"#\d+$")
ARGUMENTS = re.compile(r"<[^<>]*>|&|'\w+\s+|\[\w*\]|\s+")  # of a generic type, or before a name


class Met(NamedTuple):
    """A list of results held against targets."""

    ranking: list[str]  # of each result the target it meets first, or its place
    ranks: dict[str, int]  # target to the place of the first result that meets it


class Names:
    """Names chunks of one snapshot as answers of a level."""

    def __init__(self, snapshot: Snapshot, level: Level) -> None:
        self._snapshot = snapshot
        self._level = level
        self._symbols: dict[tuple[str, str], dict[int, str]] = {}

    def answers(self, ids: Iterable[ChunkId], limit: int) -> list[str]:
        """The answers these chunks are, best first, none twice."""
        named = dict.fromkeys(filter(None, map(self.name, ids)))
        return list(named)[:limit]

    def name(self, chunk: ChunkId) -> str:
        """What a chunk is called at this level; "" if it is no answer."""
        if self._level is not Level.SYMBOL:
            return chunk.path
        key = (chunk.repo, chunk.path)
        if key not in self._symbols:
            self._symbols[key] = self._outline(*key)
        return self._symbols[key].get(chunk.ordinal, "")

    def known_as(self, repo: str, answer: str) -> str:
        """What this index calls an answer that another extractor may have named.

        Others write ``Worker<W>.run``, ``Rack::Builder``, or a second block of ``impl Worker``
        as ``Worker#2``. The same name without such marks will do, then a last name that is
        the only one in its file. What is not there keeps the name it came with.
        """
        path, is_symbol, name = answer.partition("::")
        if self._level is not Level.SYMBOL or not is_symbol:
            return answer
        self.name(ChunkId(repo, path, 0))
        known = dict.fromkeys(self._symbols[repo, path].values())
        plain = f"{path}::{_plain(name)}"
        for spelling in (answer, plain, REPEAT.sub("", plain)):
            if spelling in known:
                return spelling
        last = _last(plain)
        same = [other for other in known if _last(other) == last]
        return same[0] if len(same) == 1 else answer

    def _outline(self, repo: str, path: str) -> dict[int, str]:
        ids = self._snapshot.outline(repo, path)
        chunks = self._snapshot.fetch(ids)
        return symbol_names(path, [chunks[id_] for id_ in ids if id_ in chunks])


def symbol_names(path: str, chunks: Sequence[Chunk]) -> dict[int, str]:
    """The symbol each chunk of a file belongs to, by the chunk's ordinal."""
    seen: Counter[str] = Counter()
    known: dict[tuple[str, Span], str] = {}
    names: dict[int, str] = {}
    for chunk in chunks:
        if chunk.symbol is None:
            continue
        qualified = chunk.symbol.qualified_name
        key = (qualified, chunk.symbol.span)
        if key not in known:
            seen[qualified] += 1
            repeat = f"#{seen[qualified]}" if seen[qualified] > 1 else ""
            known[key] = f"{path}::{qualified}{repeat}"
        names[chunk.id.ordinal] = known[key]
    return names


def met(results: Sequence[tuple[str, Span]], targets: Mapping[str, int]) -> Met:
    """Hold results, as paths and lines, against targets."""
    ranking: list[str] = []
    ranks: dict[str, int] = {}
    for place, (path, span) in enumerate(results, start=1):
        fresh = [t for t in targets if t not in ranks and is_met(t, path, span)]
        for target in fresh:
            ranks[target] = place
        ranking.append(fresh[0] if fresh else f"{path}:{span.first}-{span.last}")
    return Met(ranking, ranks)


def is_met(target: str, path: str, span: Span) -> bool:
    """Whether a result lies in a target: one path ends the other, and the lines overlap."""
    lines = LINES.search(target)
    wanted = target[: lines.start()] if lines else target
    if not (_ends(path, wanted) or _ends(wanted, path)):
        return False
    return lines is None or (span.first <= int(lines[2]) and int(lines[1]) <= span.last)


def _ends(path: str, tail: str) -> bool:
    return path == tail or path.endswith(f"/{tail.lstrip('/')}")


def _plain(name: str) -> str:
    before = ""
    while before != name:
        before, name = name, ARGUMENTS.sub("", name)
    return name.replace("::", ".").strip(".")


def _last(symbol: str) -> str:
    return REPEAT.sub("", symbol.partition("::")[2]).rpartition(".")[2]
