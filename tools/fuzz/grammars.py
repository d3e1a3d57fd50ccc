"""Fuzz the grammars: ``python -m tools.fuzz.grammars --per-grammar 20000``.

Every input goes the way a file goes: through a worker pool into the entries of a change.
A parser may crash, loop or eat memory; the process that indexes may not, and a file whose
parser was lost has to come back as plain text with all its lines. What is found wrong is
printed and makes the exit code 1; crashes that were survived are only counted.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path

from plait.errors import WorkerLost
from plait.index.prepare import MODULE, prepared
from plait.lanes.lexical import Lexical
from plait.symbols.grammars import GRAMMARS
from plait.symbols.workers import Worker, WorkerPool
from plait.types import Entry, SourceFile
from tools.fuzz.inputs import LARGE, Inputs
from tools.record import ROOT, command_line, write_record

MAX_NAMED = 10  # faults shown for each language
MAX_REPLAYS = 6  # lost inputs tried once more, to learn how their parser ends
REPLAY_SECONDS = 10
REPLAY = """
import sys
from plait.symbols.parse import parse
from plait.types import SourceFile
parse(SourceFile("fuzz", "input", sys.argv[1], sys.stdin.buffer.read(), ""))
"""


@dataclass(slots=True)
class Tally:
    """What became of one language's inputs."""

    language: str
    inputs: int = 0
    bytes: int = 0
    sound: int = 0
    with_errors: int = 0
    lost: int = 0
    too_deep: int = 0  # cut into lines without a parse
    chunks: int = 0
    seconds: float = 0.0
    slowest_s: float = 0.0
    lost_by_kind: Counter[str] = field(default_factory=Counter)
    lost_by_cause: Counter[str] = field(default_factory=Counter)
    replays: Counter[str] = field(default_factory=Counter)  # how lost inputs end on their own
    smallest_lost: str = ""  # hexadecimal
    faults: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Outcome:
    """What became of one input."""

    number: int
    kind: str
    content: bytes
    seconds: float
    has_errors: bool = False
    was_lost: bool = False
    as_text: str = ""
    chunks: int = 0
    fault: str = ""


def fuzz(
    language: str,
    count: int,
    *,
    seed: int = 0,
    corpora: Path | None = None,
    workers: int = 2,
    max_seconds: float = 600.0,
    largest: int = LARGE,
) -> Tally:
    """Send ``count`` inputs of a language through a pool, for ``max_seconds`` at most."""
    inputs = Inputs(language, seed, corpora, largest)
    lexical = Lexical()
    tally = Tally(language)
    lost: list[bytes] = []
    started = time.monotonic()

    def numbers() -> Iterator[int]:
        for number in range(count):
            if time.monotonic() - started > max_seconds:
                return
            yield number

    def run(worker: Worker, number: int) -> Outcome:
        return _outcome(worker, inputs, number, lexical)

    with WorkerPool(MODULE, workers) as pool:
        for outcome in pool.map(run, numbers()):
            _count(tally, outcome)
            if outcome.was_lost:
                lost.append(outcome.content)
    tally.seconds = round(time.monotonic() - started, 2)
    lost.sort(key=lambda content: (len(content), content))
    tally.smallest_lost = lost[0][:400].hex() if lost else ""
    for content in lost[:: max(1, len(lost) // MAX_REPLAYS)][:MAX_REPLAYS]:
        tally.replays[replay(language, content)] += 1
    return tally


def _outcome(worker: Worker, inputs: Inputs, number: int, lexical: Lexical) -> Outcome:
    kind, content = inputs.make(number)
    digest = hashlib.sha256(content).hexdigest()
    file = SourceFile("fuzz", f"{number}.{inputs.language}", inputs.language, content, digest)
    began = time.monotonic()
    outcome = Outcome(number, kind, content, 0.0)
    try:
        done = prepared(worker, file, lexical)
    except WorkerLost as error:
        outcome.fault = f"not even cut into lines: {error}"
        return outcome
    except Exception as error:  # noqa: BLE001  # whatever else gets out is what we look for
        outcome.fault = f"the indexer failed: {type(error).__name__}: {error}"
        return outcome
    outcome.seconds = time.monotonic() - began
    outcome.has_errors, outcome.was_lost = done.has_errors, done.was_lost
    outcome.as_text = done.as_text
    outcome.chunks = len(done.change.entries)
    outcome.fault = uncovered(content, done.change.entries)
    if not outcome.fault and done.as_text and any(e.chunk.symbol for e in done.change.entries):
        outcome.fault = "it was not parsed, yet it has symbols"
    return outcome


def uncovered(content: bytes, entries: Sequence[Entry]) -> str:
    """What is wrong with the entries of a file as a cover of its lines; "" if nothing is."""
    lines = content.count(b"\n") + (not content.endswith(b"\n"))
    reached = 0
    for ordinal, entry in enumerate(entries):
        chunk = entry.chunk
        if chunk.id.ordinal != ordinal or chunk.text.encode() != content[slice(*chunk.body[:2])]:
            return f"chunk {ordinal} is not what its place says"
        if chunk.span.first > reached + 1:
            return f"lines {reached + 1} to {chunk.span.first - 1} are in no chunk"
        reached = max(reached, chunk.span.last)
    return "" if reached == lines else f"the chunks reach line {reached} of {lines}"


def _count(tally: Tally, outcome: Outcome) -> None:
    tally.inputs += 1
    tally.bytes += len(outcome.content)
    tally.chunks += outcome.chunks
    tally.slowest_s = max(tally.slowest_s, round(outcome.seconds, 3))
    if outcome.was_lost:
        tally.lost += 1
        tally.lost_by_kind[outcome.kind] += 1
        tally.lost_by_cause[outcome.as_text] += 1
    elif outcome.as_text:
        tally.too_deep += 1
    elif outcome.has_errors:
        tally.with_errors += 1
    elif not outcome.fault:
        tally.sound += 1
    if outcome.fault:
        tally.faults.append(f"input {outcome.number} ({outcome.kind}): {outcome.fault}")


def replay(language: str, content: bytes, code: str = REPLAY) -> str:
    """How parsing ends in a process of its own: "sound", a signal, an exception, "too long"."""
    try:
        run = subprocess.run(
            [sys.executable, "-c", code, language],
            input=content,
            capture_output=True,
            timeout=REPLAY_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "too long"
    if run.returncode < 0:
        return signal.Signals(-run.returncode).name
    if run.returncode:
        return run.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2][:200]
    return "sound"


def table(tallies: Sequence[Tally]) -> str:
    """The figures of a run as a Markdown table."""
    lines = [
        "| language | inputs | MB | sound | errors | deep | lost | ends alone | faults | s | /s |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for tally in tallies:
        ends = ", ".join(f"{count} {end}" for end, count in tally.replays.most_common())
        rate = tally.inputs / tally.seconds if tally.seconds else 0.0
        lines.append(
            f"| {tally.language} | {tally.inputs:,} | {tally.bytes / 1e6:.1f} | {tally.sound:,} "
            f"| {tally.with_errors:,} | {tally.too_deep:,} | {tally.lost:,} | {ends} "
            f"| {len(tally.faults)} | {tally.slowest_s:.2f} | {rate:,.0f} |"
        )
    total = sum(tally.inputs for tally in tallies)
    lost = sum(tally.lost for tally in tallies)
    faults = sum(len(tally.faults) for tally in tallies)
    deep = sum(tally.too_deep for tally in tallies)
    lines.append(
        f"\n{total:,} inputs, {deep:,} too deep to be parsed, {lost:,} lost workers, "
        f"{faults:,} faults."
    )
    return "\n".join(lines) + "\n"


def _raw(tally: Tally) -> dict[str, object]:
    # Not asdict: it copies a Counter by counting its items.
    return {name.name: getattr(tally, name.name) for name in fields(tally)}


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Fuzz the grammars through the worker pool.")
    parser.add_argument("--per-grammar", type=int, default=20_000, help="inputs of each")
    parser.add_argument("--seconds-per-grammar", type=float, default=600.0)
    parser.add_argument("--language", action="append", choices=sorted(GRAMMARS))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--no-record", action="store_true", help="only print the figures")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Exit 0 if every input came back whole, 1 if one did not."""
    asked = _arguments(argv)
    corpora = os.environ.get("PLAIT_CORPORA")
    tallies: list[Tally] = []
    for language in asked.language or sorted(GRAMMARS):
        tally = fuzz(
            language,
            asked.per_grammar,
            seed=asked.seed,
            corpora=Path(corpora) if corpora else None,
            workers=asked.workers,
            max_seconds=asked.seconds_per_grammar,
        )
        tallies.append(tally)
        rate = tally.inputs / max(tally.seconds, 0.001)
        print(
            f"{language}: {tally.inputs:,} inputs, {tally.sound:,} sound, "
            f"{tally.with_errors:,} with errors, {tally.lost:,} lost {dict(tally.replays)}, "
            f"{len(tally.faults)} faults, {rate:,.0f}/s",
            flush=True,
        )
        for fault in tally.faults[:MAX_NAMED]:
            print(f"  {fault}", flush=True)
    if not asked.no_record:
        modules = {GRAMMARS[language][0].replace("_", "-") for language in GRAMMARS}
        folder = write_record(
            "fuzz-grammars",
            command_line("tools.fuzz.grammars"),
            {
                "seed": asked.seed,
                "real_files": bool(corpora),
                "tallies": [_raw(tally) for tally in tallies],
            },
            table(tallies),
            ["tree-sitter", *sorted(modules)],
        )
        print(f"record: {folder.relative_to(ROOT)}")
    return 1 if any(tally.faults for tally in tallies) else 0


if __name__ == "__main__":
    sys.exit(main())
