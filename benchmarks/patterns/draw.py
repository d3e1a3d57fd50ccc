"""Draw names, parts of names and phrases from a corpus, for ``questions.toml``.

    python -m benchmarks.patterns.draw TREE [--seed 6]

Files are drawn at random, in each a place, at each what stands there: so what is frequent in
the corpus is drawn often, as it is asked for often. The questions were drawn once, before any
engine had been timed on them.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Callable
from pathlib import Path

NAME = re.compile(r"\b[A-Za-z_][A-Za-z0-9_]{5,39}\b")
LONG_NAME = re.compile(r"\b[A-Za-z_][A-Za-z0-9_]{11,39}\b")
PHRASE = re.compile(r"\b\w+[^\w\n\\'\"]{1,4}\w+[^\w\n\\'\"]{1,4}\w+")
COMMENT = re.compile(r"(?:#|//|\*) ([A-Za-z][a-z]+ [a-z]+ [a-z]+)")
MOST = 40


def part_of(name: str, rng: random.Random) -> str:
    """Five to nine neighbouring letters, not from the beginning."""
    size = rng.randint(5, 9)
    begin = rng.randint(1, len(name) - size)
    return name[begin : begin + size]


def drawn(
    paths: list[Path], count: int, rng: random.Random, found: re.Pattern[str], group: int = 0
) -> list[str]:
    """So many different matches, each the first behind a random place of a random file."""
    seen: dict[str, None] = {}
    while len(seen) < count:
        text = rng.choice(paths).read_text(encoding="utf-8")
        match = found.search(text, rng.randrange(max(len(text), 1)))
        if match and len(match[group]) <= MOST and match[group].isascii():
            seen[match[group].strip()] = None
    return list(seen)


def main() -> None:
    """Print what was drawn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--seed", type=int, default=6)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    paths = sorted(path for path in options.tree.rglob("*") if path.is_file())
    long_names = drawn(paths, 14, rng, LONG_NAME)
    shapes: dict[str, Callable[[], list[str]]] = {
        "identifier": lambda: drawn(paths, 40, rng, NAME),
        "partial": lambda: [part_of(name, rng) for name in long_names],
        "phrase": lambda: drawn(paths, 12, rng, PHRASE),
        "comment": lambda: drawn(paths, 6, rng, COMMENT, 1),
    }
    print(json.dumps({shape: draw() for shape, draw in shapes.items()}, indent=1))


if __name__ == "__main__":
    main()
