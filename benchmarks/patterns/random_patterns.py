"""Random patterns: what plait finds against RE2 over every line there is.

The other side of the comparison knows nothing of plait: it splits files at newlines and asks
RE2 about each line, as it stands in its file if the pattern can see beyond the line, otherwise
alone, and then lines that are the same but once.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import re2
from re2 import _re2

from benchmarks.patterns.engines import PATIENCE_S, Found, all_lines
from benchmarks.patterns.same_lines import difference
from benchmarks.speed.corpus import Sampled
from plait.assembly import lexical_lane
from plait.errors import PatternError
from plait.patterns.compiled import MAX_PATTERN_CHARACTERS
from plait.settings import Settings
from plait.stores.embedded.store import EmbeddedStore
from plait.types import LineQuery, Order, Pattern
from tools.fuzz.regexes import random_regex

IGNORES_CASE = 0.2  # of the patterns
MAX_MEMORY_BYTES = 32 << 20  # what RE2 may use; a pattern that needs more is refused
SEES_FILE = (r"\A", r"\z", r"\C", "-m")
WORD = re.compile(rb"[A-Za-z_]\w{2,}")
WORDS = 5_000
UNANCHORED = _re2.RE2.Anchor.UNANCHORED


class Lines:
    """Every line of some files."""

    def __init__(self, contents: Mapping[str, bytes]) -> None:
        self._contents = contents
        self._places: defaultdict[bytes, list[tuple[str, int]]] = defaultdict(list)
        for path, content in contents.items():
            for number, line in enumerate(_split(content), start=1):
                self._places[line].append((path, number))

    def words(self, rng: random.Random) -> list[str]:
        """Words that occur in them, drawn as often as they occur."""
        lines = rng.choices(sorted(self._places), k=4 * WORDS)
        found = [word.decode() for line in lines for word in WORD.findall(line)]
        return rng.choices(found, k=WORDS)

    def matching(self, pattern: Pattern) -> Found | None:
        """The lines in which a pattern matches; None if RE2 refuses it."""
        options = re2.Options()
        options.log_errors = False
        options.max_mem = MAX_MEMORY_BYTES
        options.never_nl = True
        prefix = "(?mi)" if pattern.ignore_case else "(?m)"
        regex = _re2.RE2(f"{prefix}{pattern.regex}".encode(), options)
        if not regex.ok():
            return None
        if any(mark in pattern.regex for mark in SEES_FILE):
            return self._in_files(regex)
        found: defaultdict[str, list[int]] = defaultdict(list)
        for line, places in self._places.items():
            if regex.Match(UNANCHORED, line, 0, len(line))[0][0] >= 0:
                for path, number in places:
                    found[path].append(number)
        return {path: sorted(numbers) for path, numbers in found.items()}

    def _in_files(self, regex: _re2.RE2) -> Found:
        found: defaultdict[str, list[int]] = defaultdict(list)
        for path, content in self._contents.items():
            begin = 0
            for number, line in enumerate(_split(content), start=1):
                end = begin + len(line)
                if regex.Match(UNANCHORED, content, begin, end)[0][0] >= 0:
                    found[path].append(number)
                begin = end + 1
        return found


def _split(content: bytes) -> list[bytes]:
    """Lines without their newlines; behind the last newline there is none."""
    lines = content.split(b"\n")
    return lines if lines[-1] else lines[:-1]


def pattern_of(number: int, words: Sequence[str], seed: int) -> Pattern:
    """The pattern of a number, always the same."""
    rng = random.Random(f"{seed}:{number}")
    return Pattern(random_regex(rng, words), rng.random() < IGNORES_CASE)


def compared(corpus: Path, every: int, index: Path, numbers: range, seed: int) -> dict[str, object]:
    """Compare the patterns of some numbers over an index of every n-th file of a corpus."""
    lines = Lines({file.path: file.content for file in Sampled(corpus, every).files()})
    snapshot = EmbeddedStore(index, lexical_lane(Settings()).analysis).snapshot()
    words = lines.words(random.Random(seed))
    with_lines = refused = matched = 0
    faults: list[str] = []
    for number in numbers:
        pattern = pattern_of(number, words, seed)
        wanted = lines.matching(pattern)
        asked = LineQuery((pattern,), order=Order.PATH, is_marked=False, within_s=PATIENCE_S)
        try:
            found = all_lines(snapshot, asked)
        except PatternError as error:
            refused += 1
            if wanted is not None and len(pattern.regex) <= MAX_PATTERN_CHARACTERS:
                faults.append(f"{number}: {pattern}: {error}")
            continue
        if wanted is None:
            faults.append(f"{number}: {pattern}: RE2 refuses it, plait does not")
            continue
        with_lines += bool(wanted)
        matched += sum(map(len, wanted.values()))
        differs = difference(found, wanted)
        if differs.missing or differs.extra:
            faults.append(f"{number}: {pattern}: {differs}")
    return {
        "patterns": len(numbers),
        "with_lines": with_lines,
        "lines": matched,
        "refused": refused,
        "faults": faults,
    }


def run(
    corpus: Path, index: Path, *, every: int, count: int, seed: int, processes: int
) -> dict[str, object]:
    """Compare so many patterns over an index of every n-th file of a corpus."""
    shares = [range(begin, count, processes) for begin in range(processes)]
    with ProcessPoolExecutor(processes) as pool:
        waiting = [pool.submit(compared, corpus, every, index, share, seed) for share in shares]
        parts = [part.result() for part in waiting]
    totals: dict[str, object] = {
        name: sum(part[name] for part in parts)  # type: ignore[misc]  # all but faults are counts
        for name in ("patterns", "with_lines", "lines", "refused")
    }
    faults = [fault for part in parts for fault in part["faults"]]  # type: ignore[attr-defined]
    return {"every": every, "seed": seed, **totals, "faults": faults}
