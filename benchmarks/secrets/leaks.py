"""Leaks: plant secrets in real code, index it, and look for them wherever plait puts text."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from plait.index.prepare import answer, request
from plait.interfaces.cli.arguments.values import FORMATS
from plait.lanes.lexical import Lexical
from plait.sources import DirectorySource
from plait.types import Listed, SourceFile
from tools.attack.planted_secrets import KINDS, Planted, plant, planted

LIKE = {"ts": ".ts", "yaml": ".yml", "properties": ".properties", "c": ".c", "json": ".json"}
MOST_BYTES = 20_000  # of a file that one is planted in
QUERY = "password token secret key value pem"


class Leaks(NamedTuple):
    """What was planted, and where which of it was found again."""

    planted: int
    found: dict[str, list[int]]  # by place: numbers of secrets
    kinds: dict[str, tuple[int, int]]  # planted, found again

    @property
    def leaked(self) -> int:
        return len(set().union(*self.found.values()))

    @property
    def masked(self) -> float:
        return 1 - self.leaked / self.planted

    def masked_of(self, sample: Sequence[int]) -> float:
        """The same of some of the secrets, by their numbers."""
        leaked = set().union(*self.found.values())
        return 1 - len(leaked.intersection(sample)) / len(sample)


def leaks(count: int, seed: int, corpus: Path, scratch: Path) -> Leaks:
    """Plant so many secrets in as many files of a corpus and look for every one of them."""
    secrets = planted(count, seed)
    tree = scratch / "tree"
    _write(tree, secrets, corpus, random.Random(seed))
    found: dict[str, list[int]] = {}
    for place, text in _places(tree, scratch / "cache"):
        found[place] = [n for n, one in enumerate(secrets) if _stands_in(one.secret, text)]
    again = Counter(secrets[n].kind for n in set().union(*found.values()))
    total = Counter(one.kind for one in secrets)
    return Leaks(count, found, {kind: (total[kind], again[kind]) for kind in KINDS})


def _stands_in(secret: str, text: bytes) -> bool:
    """Whether a text holds half of a secret, at its beginning, middle or end."""
    raw = secret.encode()
    half = max(6, len(raw) // 2)
    middle = (len(raw) - half) // 2
    return any(part in text for part in (raw[:half], raw[-half:], raw[middle : middle + half]))


def _write(tree: Path, secrets: list[Planted], corpus: Path, rng: random.Random) -> None:
    by_suffix: dict[str, list[Path]] = {}
    for file in sorted(corpus.rglob("*")):
        if file.is_file() and not file.is_symlink() and 500 < file.stat().st_size < MOST_BYTES:
            by_suffix.setdefault(file.suffix, []).append(file)
    for number, secret in enumerate(secrets):
        suffix = LIKE.get(secret.suffix, f".{secret.suffix}")
        homes = by_suffix.get(suffix) or by_suffix[".py"]
        code = rng.choice(homes).read_text(encoding="utf-8", errors="replace")
        place = tree / f"{number % 40}" / f"file{number}{suffix}"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(plant(code, secret, rng), encoding="utf-8")


def _places(tree: Path, cache: Path) -> Iterator[tuple[str, bytes]]:
    """Every place where text of the tree ends up, as bytes."""

    def plait(*args: str) -> bytes:
        environment = {**os.environ, "PLAIT_CACHE_DIR": str(cache), "PLAIT_MODE": "lexical"}
        command = [sys.executable, "-m", "plait", *args]
        done = subprocess.run(command, capture_output=True, check=False, env=environment, cwd=tree)
        return done.stdout + done.stderr

    yield "logs", plait("index", "-v", ".") + plait("status", ".")
    kept = b"\0".join(file.read_bytes() for file in cache.rglob("*") if file.is_file())
    yield "index files", kept
    yield "terms", b"\n".join(_terms(tree))
    yield "grep", plait("grep", "--json", "--no-refresh", ".", ".")
    for form in FORMATS:
        wanted = ("search", QUERY, ".", "-n", "3000", "--per-file", "0", "--no-refresh")
        yield f"search --format {form}", plait(*wanted, "--format", form)


def _terms(tree: Path) -> Iterator[bytes]:
    source, lexical = DirectorySource(tree, name="tree"), Lexical()
    for item in source.listing():
        file = source.read(item.path) if isinstance(item, Listed) else None
        if isinstance(file, SourceFile):
            yield answer(request(file, lexical, is_plain=True)).payload
