"""An index opened to be searched by words and meaning; run, it tells what that keeps in memory.

python -m benchmarks.speed.opened INDEX MODEL < queries.json
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from plait.assembly import lexical_lane
from plait.engine.reader import planner
from plait.lanes.dense import Dense
from plait.models.static import StaticModel
from plait.search.parse import parse
from plait.search.searcher import Searcher
from plait.settings import Settings
from plait.stores.embedded.store import EmbeddedStore
from plait.stores.embedded.vectors import VectorFile
from plait.types import (
    Answer,
    Change,
    Chunk,
    ChunkId,
    Entry,
    Excerpt,
    Field,
    Lane,
    Query,
    SourceFile,
    Span,
)

RESIDENT = re.compile(r"(?m)^(RssAnon|RssFile):\s+(\d+) kB$")


class Opened:
    """An index, its lanes, and what asks it."""

    def __init__(self, folder: Path, model: Path) -> None:
        self.lexical = lexical_lane(Settings())
        self.dense = Dense(StaticModel(model), self.lexical)
        self.store = EmbeddedStore(folder, self.lexical.analysis)
        self.snapshot = self.store.snapshot()

    def asker(self, *lanes: Lane) -> Callable[[str], Answer]:
        """What answers a text by some lanes, in full."""
        plans = replace(planner(Settings()), lanes=tuple(lane.name for lane in lanes))
        searcher = Searcher(self.snapshot, lanes, plans)

        def ask(text: str) -> Answer:
            parsed = parse(text)
            return searcher.search(Query(text, parsed.wanted), parsed.hints)

        return ask

    def files(self) -> list[VectorFile]:
        """The vectors of every layer."""
        manifest, model = self.snapshot.whole.manifest, self.dense.encoder.digest
        return [
            VectorFile(self.store.root / record.file, model, record.rows)
            for record in manifest.vectors
            if record.model == model and record.layer
        ]

    def vector_bytes(self) -> int:
        """The size of the model's vectors on disk."""
        manifest, model = self.snapshot.whole.manifest, self.dense.encoder.digest
        return sum(manifest.files[r.file][0] for r in manifest.vectors if r.model == model)


def added_file(repo: str) -> Change:
    """A file of one chunk that no corpus has."""
    text = "def zyzzyva_handshake(telemetry):\n    return telemetry.zyzzyva()\n"
    path, span = "zyzzyva/handshake.py", Span(1, 2)
    file = SourceFile(repo, path, "python", text.encode(), "0" * 64)
    chunk = Chunk(ChunkId(repo, path, 0), "python", span, Excerpt(0, len(text), text))
    return Change(repo, path, file, (Entry(chunk, {Field.WORDS: "zyzzyva handshake"}),))


def memory_mb() -> dict[str, float]:
    """What this process has in memory of its own, and of mapped files."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return {name: int(size) / 1e3 for name, size in RESIDENT.findall(status)}


def main() -> None:
    """Ask every query by both lanes and tell what is in memory before, between and after."""
    queries = json.load(sys.stdin)
    opened = Opened(Path(sys.argv[1]), Path(sys.argv[2]))
    told = {"opened": memory_mb()}
    ask = opened.asker(opened.lexical, opened.dense)
    for number, text in enumerate(queries, start=1):
        ask(text)
        if number in (1, len(queries)):
            told[f"after_{number}"] = memory_mb()
    print(json.dumps(told))


if __name__ == "__main__":
    main()
