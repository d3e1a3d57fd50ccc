"""Ingest: the whole write path against its bare stages run alone on the same files.

Bare stages, one after another, nothing kept: tree-sitter parses every file that has a
grammar; the tokeniser analyses every file; tantivy indexes the analysed text. Indexing keeps
all cores busy, and on cores that share their insides CPU time runs faster when all are busy;
so the bare stages, too, run in as many processes as there are cores, each over its share.
"""

from __future__ import annotations

import multiprocessing
import os
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import tantivy

from benchmarks.speed.clock import measured
from benchmarks.speed.corpus import Sampled
from plait.assembly import lexical_lane
from plait.index.refresh import Report, refresh
from plait.lanes import tokens
from plait.settings import Settings
from plait.stores.embedded import words
from plait.stores.embedded.commit import WRITER_HEAP_BYTES
from plait.stores.embedded.store import EmbeddedStore
from plait.symbols.grammars import GRAMMARS, grammar
from plait.types import SourceFile


def bare_parse(files: list[SourceFile]) -> None:
    """Parse every file that has a grammar."""
    for file in files:
        if file.language in GRAMMARS:
            grammar(file.language).parser.parse(file.content)


def bare_tokens(files: list[SourceFile]) -> list[str]:
    """Analyse every file as one text."""
    return [tokens.analyse(file.content.decode()) for file in files]


def bare_tantivy(texts: list[str], folder: Path) -> None:
    """Index one document per file."""
    index = words.open_index(folder, create=True)
    writer = index.writer(WRITER_HEAP_BYTES, 1)
    for number, text in enumerate(texts):
        document = tantivy.Document()
        document.add_unsigned("chunk", number)
        document.add_text("words", text)
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()


def bare_stages(files: list[SourceFile]) -> dict[str, float]:
    """CPU seconds of each stage, summed over one process per core."""
    cores = os.cpu_count() or 1
    with ProcessPoolExecutor(cores, mp_context=multiprocessing.get_context("fork")) as pool:
        shares = list(pool.map(_bare_share, [files[core::cores] for core in range(cores)]))
    return {name: sum(share[name] for share in shares) for name in shares[0]}


def _bare_share(files: list[SourceFile]) -> dict[str, float]:
    for language in {file.language for file in files} & set(GRAMMARS):
        grammar(language)  # loaded before the clock starts
    _, parse, _ = measured(lambda: bare_parse(files))
    texts, tokenise, _ = measured(lambda: bare_tokens(files))
    with tempfile.TemporaryDirectory() as folder:
        _, index, _ = measured(lambda: bare_tantivy(texts, Path(folder)))
    return {"parse": parse, "tokenise": tokenise, "tantivy": index}


def side_by_side(source: Sampled, work: Path, rounds: int) -> dict[str, object]:
    """Bare stages and the whole path over the same files, in turns, the best of each.

    The speed of a shared machine changes by the minute; taking turns gives both the same
    chances, and the best of several is what the machine can do.
    """
    files = list(source.files())
    bare: list[dict[str, float]] = []
    whole: list[dict[str, float]] = []
    for turn in range(rounds):
        bare.append(bare_stages(files))
        whole.append(whole_path(source, work / f"turn{turn}"))
    stages = {name: min(run[name] for run in bare) for name in bare[0]}
    best = min(whole, key=lambda run: run["cpu_s"])
    return {
        "bare": {
            **stages,
            "sum": sum(stages.values()),
            "megabytes": sum(len(file.content) for file in files) / 1e6,
            "files": len(files),
        },
        "same_files": best,
        "bare_rounds": bare,
        "whole_rounds_cpu_s": [run["cpu_s"] for run in whole],
    }


def whole_path(source: Sampled, folder: Path, workers: int = 0) -> dict[str, float]:
    """Index a source into a new store: CPU and wall seconds, sizes."""
    settings = Settings()
    lexical = lexical_lane(settings)
    store = EmbeddedStore(folder, lexical.analysis)

    def build() -> Report:
        stamps = folder / "stamps.json"
        return refresh(source, store, lexical, stamps_path=stamps, workers=workers, anew=True)

    report, cpu, wall = measured(build)
    snapshot = store.snapshot()
    statistics = snapshot.statistics()
    parts: dict[str, int] = {}
    for name, (size, _) in snapshot.whole.manifest.files.items():
        kind = name.rpartition(".")[2]
        parts[kind] = parts.get(kind, 0) + size
    megabytes = statistics.source_bytes / 1e6
    return {
        "cpu_s": cpu,
        "wall_s": wall,
        "megabytes": megabytes,
        "files": statistics.files,
        "chunks": statistics.chunks,
        "symbols": statistics.symbols,
        "mb_per_cpu_s": megabytes / cpu,
        "index_to_source": statistics.index_bytes / statistics.source_bytes,
        "files_with_syntax_errors": len(report.with_errors),
        "files_lost": len(report.as_text),
        **{f"share_{kind}": size / statistics.source_bytes for kind, size in parts.items()},
    }
