"""``plait model bench``: what a model costs here, on your own code."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypedDict

import typer

from plait.errors import SourceError
from plait.interfaces.cli.arguments import parameters as params

if TYPE_CHECKING:
    from plait.types import Chunk, Encoder

SCHEMA = "plait.bench/1"
SAMPLE = 2_000  # functions read
SECONDS = 5.0  # of encoding them, at most
BATCH = 16
FUNCTIONS = frozenset({"function", "method", "constructor"})
ROUNDS = 5
QUESTIONS = (
    "how are timeouts configured",
    "retry with exponential backoff",
    "sort a list of dictionaries by key",
    "read a file line by line without loading it",
    "check whether a user may see a page",
    "parse the command line",
)


class BenchOut(TypedDict):
    """What was measured; times are of the processor, the best of several rounds."""

    schema: str
    model: str
    digest: str
    dimension: int
    load_cpu_ms: float
    query_cpu_ms: float
    functions_per_cpu_s: float
    functions: int  # encoded
    memory_bytes: int | None  # what the process grew by; None where the system does not tell


def bench(
    spec: Annotated[
        str, typer.Argument(metavar="[SPEC]", help="A model; by default the one in use.")
    ] = "",
    path: Annotated[
        str, typer.Option("--path", metavar="PATH", help="Code to encode; by default plait's own.")
    ] = "",
    form: params.PlainFormatOption = "text",
    as_json: params.JsonOption = False,
) -> None:
    """Measure a model: load, processor time per query, functions per second, memory."""
    from plait.assembly import user_settings_file
    from plait.interfaces.cli.output import emit, emit_json, sized
    from plait.models.choose import open_model
    from plait.models.hub import hub_folder
    from plait.settings import load_settings

    form = params.chosen("--format", "json" if as_json else form, ("text", "json"))
    chosen = spec or load_settings(None, os.environ, user_settings_file()).model
    chosen = "" if chosen == "default" else chosen
    sample = _sample(Path(path).expanduser() if path else Path(__file__).parents[3])
    memory = _memory()
    begun = time.process_time()
    model = open_model(chosen, hub_folder(os.environ), os.environ)
    dimension = model.dimension
    load_s = time.process_time() - begun
    query_s = _query_seconds(model)
    after = _memory()
    pace, functions = _pace(model, sample)
    out = BenchOut(
        schema=SCHEMA,
        model=model.name,
        digest=model.digest,
        dimension=dimension,
        load_cpu_ms=round(1000 * load_s, 1),
        query_cpu_ms=round(1000 * query_s, 3),
        functions_per_cpu_s=round(pace, 1),
        functions=functions,
        memory_bytes=None if memory is None or after is None else after - memory,
    )
    if form == "json":
        emit_json(out)
        return
    grown = out["memory_bytes"]
    emit(
        f"{label:<12} {value}"
        for label, value in (
            ("model", out["model"]),
            ("dimension", f"{dimension}"),
            ("load", f"{out['load_cpu_ms']:.0f} CPU-ms"),
            ("query", f"{out['query_cpu_ms']:.2f} CPU-ms"),
            ("functions", f"{pace:,.0f} per CPU-s ({functions:,} encoded)"),
            ("memory", "not told by this system" if grown is None else f"{sized(grown)} more"),
        )
    )


def _query_seconds(model: Encoder) -> float:
    """Of one question, encoded alone as a search does."""
    best = float("inf")
    for _ in range(ROUNDS):
        begun = time.process_time()
        for question in QUESTIONS:
            model.questions([question])
        best = min(best, (time.process_time() - begun) / len(QUESTIONS))
    return best


def _pace(model: Encoder, chunks: list[Chunk]) -> tuple[float, int]:
    """Functions per second, and how many were encoded before the time was up."""
    from plait.lanes.dense import Dense
    from plait.lanes.lexical import Lexical

    sample = [Dense(model, Lexical()).passage(chunk) for chunk in chunks]
    spent, done, ends = 0.0, 0, time.monotonic() + 2 * SECONDS
    while done < len(sample) and spent < SECONDS and time.monotonic() < ends:
        batch = sample[done : done + BATCH]
        begun = time.process_time()
        model.passages(batch)
        spent += time.process_time() - begun
        done += len(batch)
    return done / max(spent, 1e-9), done


def _sample(folder: Path) -> list[Chunk]:
    """The first functions of a folder, cut as an index would have them.

    Raises:
        SourceError: There is no code in it.
    """
    from plait.index.prepare import MODULE, prepared
    from plait.lanes.lexical import Lexical
    from plait.sources import DirectorySource
    from plait.symbols.workers import WorkerPool
    from plait.types import Listed, SourceFile

    source = DirectorySource(folder)
    lexical = Lexical()
    files = (source.read(item.path) for item in source.listing() if isinstance(item, Listed))
    kept = (file for file in files if isinstance(file, SourceFile) and file.language)
    found: list[Chunk] = []
    with WorkerPool(MODULE, 1) as pool:
        for made in pool.map(lambda worker, file: prepared(worker, file, lexical), kept):
            chunks = [entry.chunk for entry in made.change.entries]
            found += [chunk for chunk in chunks if chunk.kind in FUNCTIONS]
            if len(found) >= SAMPLE:
                break
    if not found:
        raise SourceError(f"there are no functions in {folder}", hint="name code with --path")
    return found


def _memory() -> int | None:
    """Bytes of this process that lie in memory."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE") if sys.platform != "win32" else None
