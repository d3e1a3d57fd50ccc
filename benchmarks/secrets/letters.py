"""Letters: the table of ``plait.sources.secrets.randomness``, from the names of real code."""

from __future__ import annotations

import itertools
import math
import random
import re
from collections import Counter
from pathlib import Path

from plait.sources.secrets.randomness import LETTERS

NAME = re.compile(rb"[A-Za-z][A-Za-z0-9_.-]{4,40}")
CODE = frozenset(
    ".py .rb .php .c .h .go .java .kt .ts .js .rs .hs .ex .lua .sh .zig .cs .scala .swift".split()
)
FILES, FILE_BYTES = 12_000, 200_000
OTHER = 27
ESCAPED = str.maketrans("\\", "[")  # as good as the same


def table(corpus: Path) -> list[str]:
    """A row for each letter: how surprising the others are behind it."""
    files = [file for file in corpus.rglob("*") if file.suffix in CODE and file.is_file()]
    random.Random(1).shuffle(files)
    names: set[bytes] = set()
    for file in files[:FILES]:
        names.update(NAME.findall(file.read_bytes()[:FILE_BYTES]))
    pairs: Counter[tuple[int, int]] = Counter()
    for name in names:
        codes = [OTHER, *name.translate(LETTERS), OTHER]
        pairs.update(itertools.pairwise(codes))
    rows = []
    for first in range(OTHER + 1):
        total = sum(pairs[first, second] for second in range(OTHER + 1)) + (OTHER + 1) / 2
        bits = [-math.log2((pairs[first, second] + 0.5) / total) for second in range(OTHER + 1)]
        rows.append("".join(chr(48 + min(63, round(4 * each))) for each in bits).translate(ESCAPED))
    return rows
