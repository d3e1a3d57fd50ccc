"""Stages: where the CPU time of indexing goes, one stage after another in one process.

    python -m benchmarks.speed.stages [--corpus DIR] [--every 40]

The same functions the indexer calls, over the same files, each stage alone and once, with
its caches cold: what is left between their sum and a real build is processes, pipes, threads
and cores that share their insides.
"""

from __future__ import annotations

import argparse
import gc
import io
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import tantivy
from tree_sitter import QueryCursor

from benchmarks.speed.clock import measured
from benchmarks.speed.corpus import Sampled
from benchmarks.speed.ingest import bare_parse
from plait.assembly import lexical_lane
from plait.index import prepare
from plait.settings import Settings
from plait.stores.embedded import words
from plait.stores.embedded.commit import WRITER_HEAP_BYTES
from plait.stores.embedded.layer_writer import LayerWriter
from plait.symbols.chunks import cut
from plait.symbols.grammars import GRAMMARS, grammar
from plait.symbols.linking import links_of
from plait.symbols.outline import outline
from plait.symbols.workers import Message, receive, send
from plait.types import Change, Entry, SourceFile
from tools.corpora.fetch import default_root
from tools.record import command_line, write_record

T = TypeVar("T")


class Stages:
    """CPU milliseconds per megabyte of each stage."""

    def __init__(self, files: list[SourceFile]) -> None:
        self.megabytes = sum(len(file.content) for file in files) / 1e6
        self.costs: dict[str, float] = {}

    def run(self, name: str, work: Callable[[], T]) -> T:
        """Run a stage and note its cost."""
        result, cpu, _ = measured(work)
        self.costs[name] = cpu * 1e3 / self.megabytes
        return result


def run_stages(files: list[SourceFile], folder: Path) -> Stages:
    """Every stage from the bytes of a file to the store's files."""
    stages = Stages(files)
    lexical = lexical_lane(Settings())
    code = [file for file in files if file.language in GRAMMARS]
    stages.run("load grammars and queries", lambda: [grammar(name) for name in GRAMMARS])
    stages.run("tree-sitter parse", lambda: bare_parse(code))
    trees = [(grammar(f.language), grammar(f.language).parser.parse(f.content)) for f in code]
    stages.run(
        "tree-sitter query", lambda: [QueryCursor(g.query).matches(t.root_node) for g, t in trees]
    )
    outlines = stages.run(
        "parse, query, outline", lambda: [outline(file.language, file.content) for file in code]
    )
    chunks = stages.run(
        "cut into chunks",
        lambda: [
            cut(file, found.definitions, found.root, found.rows)
            for file, found in zip(code, outlines, strict=True)
        ],
    )
    stages.run(
        "links",
        lambda: [
            links_of(cuts, found.mentioned) for cuts, found in zip(chunks, outlines, strict=True)
        ],
    )
    stages.run("terms", lambda: [[lexical.terms(c) for c in cuts] for cuts in chunks])
    replies = [prepare.answer(prepare.request(file, lexical, is_plain=False)) for file in files]
    packed = stages.run("messages out", lambda: [_sent(reply) for reply in replies])
    unpacked = stages.run("messages in", lambda: [_received(raw) for raw in packed])
    entries = stages.run(
        "entries",
        lambda: [prepare.entries(f, reply) for f, reply in zip(files, unpacked, strict=True)],
    )
    layer = LayerWriter(folder, "layer", 0)
    stages.run("layer", lambda: _write_layer(layer, files, entries))
    documents = stages.run(
        "tantivy documents", lambda: [words.document(e, 0) for group in entries for e in group]
    )
    (folder / "words").mkdir()
    stages.run("tantivy indexing", lambda: _index(documents, folder / "words"))
    return stages


def _sent(message: Message) -> bytes:
    pipe = io.BytesIO()
    send(pipe, message)
    return pipe.getvalue()


def _received(raw: bytes) -> Message:
    message = receive(io.BytesIO(raw))
    assert message is not None
    return message


def _write_layer(
    layer: LayerWriter, files: list[SourceFile], entries: list[tuple[Entry, ...]]
) -> None:
    for file, group in zip(files, entries, strict=True):
        layer.add(Change(file.repo, file.path, file, group))
    layer.close()


def _index(documents: list[tantivy.Document], folder: Path) -> None:
    writer = words.open_index(folder, create=True).writer(WRITER_HEAP_BYTES, 1)
    for document in documents:
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()


def main() -> None:
    """Run the stages and write the record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, default=default_root() / "mixed")
    parser.add_argument("--every", type=int, default=40)
    options = parser.parse_args()
    gc.disable()  # as workers do
    files = list(Sampled(options.corpus, options.every).files())
    with tempfile.TemporaryDirectory() as folder:
        stages = run_stages(files, Path(folder))
    lines = [f"# CPU ms per MB of {stages.megabytes:.1f} MB", "", "| stage | ms |", "|---|---|"]
    lines += [f"| {name} | {cost:.0f} |" for name, cost in stages.costs.items()]
    summary = "\n".join(lines) + "\n"
    command = command_line("benchmarks.speed.stages")
    write_record("ingest-stages", command, {"ms_per_mb": stages.costs}, summary, ("tantivy",))
    print(summary)


if __name__ == "__main__":
    main()
