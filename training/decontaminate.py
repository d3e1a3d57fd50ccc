"""Decontaminate: nothing that a benchmark asks for, or asks with, may be in the training data.

Packages are held out by name before they are read (``names``). Here functions are held out
by content, against every corpus and every query of the benchmark data, by four rules:

    same code        equal after comments and white space are gone
    same name        equal names, and more than half of the distinct tokens shared
    near duplicate   more than 0.7 of the token 5-grams shared, found by MinHash
    same text        the query is a benchmark's query, letter case and marks aside

MinHash (Broder, 1997): the least value that a random hash takes over a set is the same for
two sets with a probability equal to their Jaccard similarity. 64 such values, looked up in
16 bands of 4, find 98.8 of 100 pairs at 0.7; what is found is then compared in full.
"""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from training.held_out import lines

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PERMUTATIONS = 64
BAND_ROWS = 4
GRAM = 5
NEAR = 0.7
SAME_NAME = 0.5
MIN_GRAMS = 8  # shorter functions are alike by necessity; equal ones fall under the first rule
SEED = 20

TOKEN = re.compile(r"[A-Za-z_]\w*|\d+|[^\w\s]")
BLOCK_COMMENT = re.compile(
    r'/\*.*?\*/|"{3}.*?"{3}|\'{3}.*?\'{3}|^=begin.*?^=end', re.DOTALL | re.MULTILINE
)
# Neither an address nor a string's "#{...}" begins a comment.
LINE_COMMENT = re.compile(r"(?m)(?:(?<![:\"'])//|(?:^|(?<=\s))#(?!\{)).*$")
LETTERS = re.compile(r"[a-z0-9]+")
# Corpora by language; what a language is compared with.
GROUPS = {"typescript": "javascript", "tsx": "javascript"}
RULES = ("same code", "same name", "near duplicate", "same text")


def plain_text(text: str) -> str:
    """A query's letters and digits."""
    return " ".join(LETTERS.findall(text.lower()))


@lru_cache(maxsize=8)  # one function is looked at by several rules in a row
def uncommented(code: str) -> str:
    """Code without comments."""
    return LINE_COMMENT.sub("", BLOCK_COMMENT.sub("", code))


def code_digest(code: str) -> bytes:
    """A short digest of code without comments and white space."""
    bare = "".join(uncommented(code).split())
    return hashlib.blake2b(bare.encode("utf-8", "replace"), digest_size=12).digest()


def tokens(code: str) -> list[str]:
    """The tokens of code whose comments are gone."""
    return TOKEN.findall(uncommented(code))


@lru_cache(maxsize=1 << 18)
def _number(token: str) -> int:
    return zlib.crc32(token.encode("utf-8", "replace"))


class MinHash:
    """Signatures of sets of token 5-grams."""

    def __init__(self, permutations: int = PERMUTATIONS, seed: int = SEED) -> None:
        import numpy as np

        random = np.random.default_rng(seed)
        self._factors = random.integers(1, 1 << 63, (permutations, 1), dtype=np.uint64) | np.uint64(
            1
        )
        self._offsets = random.integers(0, 1 << 63, (permutations, 1), dtype=np.uint64)
        self._powers = random.integers(1, 1 << 63, GRAM, dtype=np.uint64) | np.uint64(1)

    def grams(self, found: list[str]) -> NDArray[np.uint64]:
        """The distinct 5-grams of tokens, as sorted numbers; shorter code is one gram."""
        import numpy as np

        numbers = np.array([_number(token) for token in found], dtype=np.uint64)
        if len(numbers) < GRAM:
            numbers = np.pad(numbers, (0, GRAM - len(numbers)))
        count = len(numbers) - GRAM + 1
        mixed = np.zeros(count, dtype=np.uint64)
        for at in range(GRAM):
            mixed += numbers[at : at + count] * self._powers[at]
        return np.unique(mixed ^ (mixed >> np.uint64(29)))

    def signature(self, grams: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """The least value of each permutation over a set of grams."""
        import numpy as np

        least: NDArray[np.uint64] = ((grams * self._factors + self._offsets) >> np.uint64(20)).min(
            1
        )
        return least

    def bands(self, signature: NDArray[np.uint64]) -> Iterator[tuple[int, bytes]]:
        """The signature in pieces, any of which may meet another's."""
        for at in range(0, len(signature), BAND_ROWS):
            yield at, signature[at : at + BAND_ROWS].tobytes()


def jaccard(one: NDArray[np.uint64], other: NDArray[np.uint64]) -> float:
    """What two sets share of what they hold together."""
    import numpy as np

    shared = len(np.intersect1d(one, other, assume_unique=True))
    return shared / (len(one) + len(other) - shared)


class _Corpus:
    """The functions of one language that benchmarks ask for."""

    def __init__(self, hasher: MinHash) -> None:
        self._hasher = hasher
        self._digests: set[bytes] = set()
        self._names: defaultdict[str, list[frozenset[int]]] = defaultdict(list)
        self._bands: defaultdict[tuple[int, bytes], list[int]] = defaultdict(list)
        self._grams: list[NDArray[np.uint64]] = []

    def add(self, name: str, code: str) -> None:
        digest = code_digest(code)
        if digest in self._digests:
            return
        self._digests.add(digest)
        found = tokens(code)
        self._names[last_part(name)].append(frozenset(map(_number, found)))
        grams = self._hasher.grams(found)
        if len(grams) >= MIN_GRAMS:
            for band in self._hasher.bands(self._hasher.signature(grams)):
                self._bands[band].append(len(self._grams))
            self._grams.append(grams)

    def rule(self, name: str, code: str) -> str:
        """The rule by which a function is held out; "" if none."""
        if code_digest(code) in self._digests:
            return "same code"
        found = tokens(code)
        if same_name := self._names.get(last_part(name)):
            mine = frozenset(map(_number, found))
            for theirs in same_name:
                shared = len(mine & theirs)
                if shared > SAME_NAME * (len(mine) + len(theirs) - shared):
                    return "same name"
        grams = self._hasher.grams(found)
        if len(grams) < MIN_GRAMS:
            return ""
        near: set[int] = set()
        for band in self._hasher.bands(self._hasher.signature(grams)):
            near.update(self._bands.get(band, ()))
        is_near = any(jaccard(grams, self._grams[at]) > NEAR for at in sorted(near))
        return "near duplicate" if is_near else ""


def last_part(name: str) -> str:
    """A function's own name, in lower case."""
    return re.split(r"[.:#]", name.strip("."))[-1].lower()


class Benchmarks:
    """Every function and every query of the benchmark data.

    Args:
        data: The folder of benchmark data.
    """

    def __init__(self, data: Path) -> None:
        self._hasher = MinHash()
        self._corpora: dict[str, _Corpus] = {}
        self._queries: set[str] = set()
        # The other forms of a corpus, with or without docs, are the same code by the first rule.
        for file in sorted(data.glob("*/corpus.jsonl*")):
            for line in lines(file):
                row = json.loads(line)
                language = row.get("metadata", {}).get("language", "")
                self.corpus(language).add(row.get("title", ""), row["text"])
        for file in sorted((*data.glob("*/queries.jsonl*"), *data.glob("*/*/queries.jsonl*"))):
            self._queries.update(plain_text(json.loads(line)["text"]) for line in lines(file))
        for file in sorted(data.glob("*/annotations/*.json")):
            annotated: list[dict[str, Any]] = json.loads(file.read_text("utf-8"))
            self._queries.update(plain_text(row["query"]) for row in annotated)
        self._queries.discard("")

    def corpus(self, language: str) -> _Corpus:
        """The functions of a language, and of those it is compared with."""
        group = GROUPS.get(language, language)
        if group not in self._corpora:
            self._corpora[group] = _Corpus(self._hasher)
        return self._corpora[group]

    def rule(self, language: str, name: str, code: str) -> str:
        """The rule by which a function is held out; "" if none."""
        group = GROUPS.get(language, language)
        return self._corpora[group].rule(name, code) if group in self._corpora else ""

    def asks(self, query: str) -> bool:
        """Whether a benchmark asks the same."""
        return plain_text(query) in self._queries
