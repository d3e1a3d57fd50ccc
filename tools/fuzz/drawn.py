"""Questions drawn from the files of a tree, as somebody might ask them who knows it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

MODES = ("lexical", "dense", "hybrid")
PER_FILE = (1, 2, 0)
LIMITS = (5, 10, 25, 80)  # the last is beyond what lanes are asked for at first
MOST_QUESTION = 200  # characters
MOST_BYTES = 100_000  # of a file that questions are drawn from
WORD = re.compile(r"[^\W\d]\w{2,}")
AT_AN_END = " \t\"'/-`"  # signs there would make it a pattern, a phrase or a flag
FORMS = ("{}", "how does {} work", "where is {} used", "tests for {}", "example of {}")


class Asked(NamedTuple):
    """A question, and how it is put."""

    text: str
    mode: str
    per_file: int
    limit: int


def questions(tree: Path, seed: int) -> Iterator[Asked]:
    """Questions without end, the same for a seed and a tree."""
    rng = random.Random(f"sums {seed}")
    files = sorted(path for path in tree.rglob("*") if path.is_file() and not path.is_symlink())
    while True:
        path = rng.choice(files)
        text = _drawn(
            rng, path.relative_to(tree), path.read_bytes()[:MOST_BYTES].decode("utf-8", "replace")
        )
        text = "".join(sign for sign in text[:MOST_QUESTION] if sign.isprintable()).strip(AT_AN_END)
        if text:
            yield Asked(text, rng.choice(MODES), rng.choice(PER_FILE), rng.choice(LIMITS))


def _drawn(rng: random.Random, path: Path, content: str) -> str:
    lines = [line for line in content.splitlines() if WORD.search(line)]
    if not lines or rng.random() < 0.1:
        return rng.choice((path.as_posix(), path.name, path.stem))
    line = rng.choice(lines)
    words = WORD.findall(line)
    kind = rng.randrange(4)
    if kind == 0:
        return rng.choice(FORMS).format(rng.choice(words))
    if kind == 1:
        return " ".join(words[:6])
    if kind == 2:
        return " ".join(rng.choice(WORD.findall(rng.choice(lines))) for _ in range(3))
    return line
