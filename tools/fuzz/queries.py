"""Fuzz the query language and patterns: ``python -m tools.fuzz.queries --n 1000000``.

Whatever is typed ends in an answer or in an error meant for the user, and soon. Inputs are made
from a seed; a quarter of them are patterns, a tenth of those made to hurt (``regexes.py``). Each is
read: parsed, written out again, its patterns compiled and looked through for what they require.
Every tenth (``--ask-every``) is also put to a small index: of the tree that the tests use, or
with ``--own`` of this project's own code, which is larger and grows. Anything else that gets out,
and every input over the time allowed, is printed and makes the exit code 1.
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

from plait.answering.index import Index
from plait.assembly import open_index
from plait.errors import PlaitError
from plait.patterns.compiled import compiled
from plait.patterns.required import required
from plait.search.parse import parse, render
from plait.settings import Settings
from plait.types import And, Expression, Not, Or, Pattern, Snapshot
from tools.fuzz.regexes import hostile_regex, random_regex
from tools.record import ROOT, command_line, write_record

MAX_MS = 100.0  # of CPU time
TRIES = 3  # a busy machine may disturb one, not three
OWN = ROOT / "src" / "plait"
FIXTURE = ROOT / "tests" / "fixtures" / "corpus"
MAX_NAMED = 10
MAX_SLOWEST = 5
PATTERNS = 0.25  # of the inputs
HURTING = 0.1  # of the patterns
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
    """What became of the inputs."""

    inputs: int = 0
    patterns: int = 0  # of them
    asked: int = 0  # of an index, too
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


def inputs(seed: int) -> Iterator[tuple[str, bool]]:
    """Inputs without end, the same for a seed, and whether each is a pattern."""
    rng = random.Random(f"inputs {seed}")
    words = [word for word in WORDS if word.isalnum()]
    typed = queries(seed)
    while True:
        if rng.random() < PATTERNS:
            hurts = rng.random() < HURTING
            regex = hostile_regex(rng) if hurts else random_regex(rng, words)
            yield f"/{regex.replace('/', chr(92) + '/')}/{rng.choice(('', 'i'))}", True
        else:
            yield next(typed), False


def fuzz(
    index: Index, count: int, seed: int = 0, ask_every: int = 1, within_s: float = float("inf")
) -> Tally:
    """Read ``count`` inputs, or as many as the CPU time allows, and ask some of an index."""
    tally = Tally()
    end = time.process_time() + within_s
    snapshot = index.snapshot()
    made = inputs(seed)
    for number, (text, is_pattern) in zip(range(count), made, strict=False):
        if time.process_time() > end:
            break
        tally.inputs += 1
        tally.patterns += is_pattern
        is_asked = number % ask_every == 0
        tally.asked += is_asked
        best_ms, fault = float("inf"), ""
        for attempt in range(TRIES):
            began = time.process_time()
            fault = _fault(
                index, snapshot if is_asked else None, text, Tally() if attempt else tally
            )
            best_ms = min(best_ms, (time.process_time() - began) * 1000)
            if best_ms <= MAX_MS or fault:
                break
        shown = f"{text[:200]!r} ({len(text)} characters)"
        if fault:
            tally.faults.append(f"{fault}: {shown}")
        elif best_ms > MAX_MS:
            tally.slow.append(f"{best_ms:.0f} ms: {shown}")
        tally.milliseconds.append(best_ms)
        if len(tally.slowest) < MAX_SLOWEST or best_ms > tally.slowest[-1][0]:
            latest = (round(best_ms, 2), text[:200])
            tally.slowest = sorted([*tally.slowest, latest], reverse=True)[:MAX_SLOWEST]
    snapshot.close()
    return tally


def _fault(index: Index, snapshot: Snapshot | None, text: str, tally: Tally) -> str:
    """Take an input; what got out that should not, if anything did."""
    try:
        if snapshot is None:
            read(text)
            tally.answered += 1
        else:
            answer = index.ask(snapshot, text)
            tally.answered += 1
            tally.with_results += bool(answer.results)
    except PlaitError as error:
        tally.refused[type(error).__name__] += 1
    except BaseException as error:  # an engine's panic is no Exception
        if isinstance(error, KeyboardInterrupt):
            raise
        return f"{type(error).__name__}: {str(error)[:200]}"
    return ""


def read(text: str) -> None:
    """All that is made of an input before an index is looked at."""
    wanted = parse(text).wanted
    parse(render(wanted))
    for pattern in _patterns(wanted):
        compiled((pattern,))
        required(pattern.regex, ignore_case=pattern.ignore_case)


def _patterns(wanted: Expression) -> Iterator[Pattern]:
    if isinstance(wanted, Pattern):
        yield wanted
    elif isinstance(wanted, Not):
        yield from _patterns(wanted.part)
    elif isinstance(wanted, And | Or):
        for part in wanted.parts:
            yield from _patterns(part)


def small_index(cache: Path, tree: Path = FIXTURE) -> Index:
    """An index of a copy of a tree, by default of one that does not grow."""
    code = shutil.copytree(tree, cache / "code", ignore=shutil.ignore_patterns("__pycache__"))
    index = open_index(code, Settings(cache_dir=str(cache / "index"), workers=2))
    index.refresh()
    return index


def summary(tally: Tally) -> str:
    """The figures of a run."""
    times = sorted(tally.milliseconds)
    p50, p99 = (times[len(times) * percent // 100] for percent in (50, 99))
    refused = "".join(f"{count:,} {name}, " for name, count in sorted(tally.refused.items()))
    said = (
        f"{tally.inputs:,} inputs, {tally.patterns:,} of them patterns, all read, "
        f"{tally.asked:,} also asked of an index: {tally.answered:,} read or answered "
        f"({tally.with_results:,} with results), {refused}{len(tally.faults):,} faults, "
        f"{len(tally.slow):,} too slow."
    )
    took = f"p50 {p50:.2f} ms, p99 {p99:.2f} ms, slowest {times[-1]:.2f} ms (allowed: {MAX_MS:g})"
    slowest = (f"- {milliseconds:.1f} ms: `{text!r}`" for milliseconds, text in tally.slowest)
    lines = [said, f"CPU time: {took}.", "", *slowest]
    return "\n".join(lines) + "\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Exit 0 if every query ended as it should, 1 if one did not."""
    parser = argparse.ArgumentParser(description="Fuzz the query language and patterns.")
    parser.add_argument("--n", type=int, default=100_000, help="inputs")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--ask-every", type=int, default=10, help="how many are read for one asked")
    parser.add_argument("--within-s", type=float, default=2_400, help="CPU time for all")
    parser.add_argument("--own", action="store_true", help="ask of this project's own code")
    parser.add_argument("--no-record", action="store_true", help="only print the figures")
    asked = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as cache:
        tally = fuzz(
            small_index(Path(cache), OWN if asked.own else FIXTURE),
            asked.n,
            asked.seed,
            asked.ask_every,
            asked.within_s,
        )
    print(summary(tally), end="")
    for kind, found in (("fault", tally.faults), ("slow", tally.slow)):
        for one in found[:MAX_NAMED]:
            print(f"{kind}: {one}")
    if not asked.no_record:
        sample = sorted(tally.milliseconds)[:: max(1, tally.inputs // 1000)]
        raw = {
            "seed": asked.seed,
            "inputs": tally.inputs,
            "patterns": tally.patterns,
            "asked": tally.asked,
            "answered": tally.answered,
            "with_results": tally.with_results,
            "refused": tally.refused,
            "faults": tally.faults,
            "slow": tally.slow,
            "milliseconds": [round(ms, 3) for ms in sample],
        }
        command = command_line("tools.fuzz.queries")
        folder = write_record(
            "fuzz-queries", command, raw, summary(tally), ("plait", "tantivy", "google-re2")
        )
        print(f"record: {folder.relative_to(ROOT)}")
    return 1 if tally.faults or tally.slow else 0


if __name__ == "__main__":
    sys.exit(main())
