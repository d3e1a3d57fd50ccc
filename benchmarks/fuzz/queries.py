"""Fuzz the query language: ``python -m benchmarks.fuzz.queries --n 100000``.

Whatever is typed ends in an answer or in an error meant for the user, and soon. Queries are
made from a seed and sent through the parser and the searcher over a small index of this
project's own code. Anything else that gets out, and every query over the time allowed,
is printed and makes the exit code 1.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.record import ROOT, command_line, write_record
from plait.assembly import Index, open_index
from plait.errors import PlaitError
from plait.settings import Settings

MAX_MS = 100.0  # of CPU time
MAX_NAMED = 10
WORDS = (
    *("parse", "worker", "findUserByEmail", "HTTPServer2", "the", "how does it work", "retri"),
    *("OR", "AND", "NOT", "|", "-", "--", "->", "(", ")", "((", "))", "()", '"', '""', "/", "//"),
    *("lang:", "lang:python", "l:go,rust", "path:", "path:*.py", "path:**/x/*.{c,h}", "path:[a-"),
    *("path:^src/.*\\.py$", "f:[", "repo:plait", "symbol:parse", "sym:", "kind:class", "is:test"),
    *("is:nothing", "type:symbol", "calls:cut", "calls:", "imports:re", "extends:Base", "uses:x"),
    *("content:", 'content:"a b"', "regex:a+", "text:x", "case:yes", "rev:main", "calledby:x"),
    *("/def .*/", "/(a|b)*c/i", "/[/", "/(?=x)/", "/a{1000}/", "/(a{100}){100}/", "/\\bself\\b/"),
    *("/x*y*z*$/", "/.*.*.*x/", '"def parse"', '"a \\" b"', '-"x y"', "-lang:go", "-/re/", "-("),
    *("std::vector<int>", "f(x, y)", "a.b.c", "x[0]", "{}", "#", "@x", "$y", "%", "&&", "!", "*"),
    *(
        "é",
        "日本語",
        "\U0001f600",
        "\u2028",
        "\x00",
        "\ud800",
        "\t",
        "\n",
        "\\",
        "\ufeff",
        "İ",
        "ß",
    ),
)
LETTERS = "ab_AZ09 \t\"'()/\\:-*?[]{}|,.<>=+$^#@!~;\u00e9\u4e2d"


@dataclass(slots=True)
class Tally:
    """What became of the queries."""

    queries: int = 0
    answered: int = 0
    with_results: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    milliseconds: list[float] = field(default_factory=list)
    slowest: list[tuple[float, str]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)  # neither an answer nor an error for people
    slow: list[str] = field(default_factory=list)


def queries(seed: int) -> Iterator[str]:
    """Queries without end, the same for a seed."""
    rng = random.Random(seed)
    while True:
        kind = rng.randrange(10)
        if kind < 6:
            glue = rng.choice((" ", " ", " ", "", ":"))
            yield glue.join(rng.choices(WORDS, k=rng.randrange(1, 12)))
        elif kind < 9:
            yield "".join(rng.choices(LETTERS, k=rng.randrange(0, 80)))
        elif rng.random() < 0.9:
            yield rng.choice(WORDS) * rng.randrange(1, 200)
        else:
            yield rng.choice((" ", "")).join(rng.choices(WORDS, k=rng.randrange(200, 3000)))


def fuzz(index: Index, count: int, seed: int = 0) -> Tally:
    """Ask ``count`` queries of an index."""
    tally = Tally()
    snapshot = index.snapshot()
    made = queries(seed)
    for text in (next(made) for _ in range(count)):
        tally.queries += 1
        best_ms, fault = 0.0, ""
        for _ in range(3):  # a busy machine may disturb one, not three
            began = time.process_time()
            fault = _ask(index, snapshot, text, tally if not best_ms else Tally())
            took_ms = (time.process_time() - began) * 1000
            best_ms = min(best_ms, took_ms) if best_ms else took_ms
            if best_ms <= MAX_MS or fault:
                break
        shown = f"{text[:200]!r} ({len(text)} characters)"
        if fault:
            tally.faults.append(f"{fault}: {shown}")
        elif best_ms > MAX_MS:
            tally.slow.append(f"{best_ms:.0f} ms: {shown}")
        tally.milliseconds.append(best_ms)
        tally.slowest = sorted([*tally.slowest, (round(best_ms, 2), text[:200])], reverse=True)[:5]
    snapshot.close()
    return tally


def _ask(index: Index, snapshot: object, text: str, tally: Tally) -> str:
    try:
        answer = index.ask(snapshot, text)  # type: ignore[arg-type]  # the index's own
    except PlaitError as error:
        tally.refused[type(error).__name__] += 1
        return ""
    except BaseException as error:  # an engine's panic is no Exception
        if isinstance(error, KeyboardInterrupt):
            raise
        return f"{type(error).__name__}: {str(error)[:200]}"
    tally.answered += 1
    tally.with_results += bool(answer.results)
    return ""


def small_index(cache: Path) -> Index:
    """An index of a copy of this project's own source."""
    code = shutil.copytree(
        ROOT / "src" / "plait", cache / "code", ignore=shutil.ignore_patterns("__pycache__")
    )
    index = open_index(code, Settings(cache_dir=str(cache / "index"), workers=2))
    index.refresh()
    return index


def summary(tally: Tally) -> str:
    """The figures of a run."""
    times = sorted(tally.milliseconds)
    p50, p99 = (times[len(times) * percent // 100] for percent in (50, 99))
    refused = "".join(f"{count:,} {name}, " for name, count in sorted(tally.refused.items()))
    said = (
        f"{tally.queries:,} queries: {tally.answered:,} answered ({tally.with_results:,} with "
        f"results), {refused}{len(tally.faults):,} faults, {len(tally.slow):,} too slow."
    )
    took = f"p50 {p50:.2f} ms, p99 {p99:.2f} ms, slowest {times[-1]:.2f} ms (allowed: {MAX_MS:g})"
    slowest = (f"- {milliseconds:.1f} ms: `{text!r}`" for milliseconds, text in tally.slowest)
    lines = [said, f"CPU time: {took}.", "", *slowest]
    return "\n".join(lines) + "\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Exit 0 if every query ended as it should, 1 if one did not."""
    parser = argparse.ArgumentParser(description="Fuzz the query language over a small index.")
    parser.add_argument("--n", type=int, default=100_000, help="queries")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-record", action="store_true", help="only print the figures")
    asked = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as cache:
        tally = fuzz(small_index(Path(cache)), asked.n, asked.seed)
    print(summary(tally), end="")
    for kind, found in (("fault", tally.faults), ("slow", tally.slow)):
        for one in found[:MAX_NAMED]:
            print(f"{kind}: {one}")
    if not asked.no_record:
        sample = sorted(tally.milliseconds)[:: max(1, asked.n // 1000)]
        raw = {
            "seed": asked.seed,
            "queries": tally.queries,
            "answered": tally.answered,
            "with_results": tally.with_results,
            "refused": tally.refused,
            "faults": tally.faults,
            "slow": tally.slow,
            "milliseconds": [round(ms, 3) for ms in sample],
        }
        command = command_line("benchmarks.fuzz.queries")
        folder = write_record(
            "fuzz-queries", command, raw, summary(tally), ("plait", "tantivy", "google-re2")
        )
        print(f"record: {folder.relative_to(ROOT)}")
    return 1 if tally.faults or tally.slow else 0


if __name__ == "__main__":
    sys.exit(main())
