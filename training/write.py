"""Write: the candidates of all packages into shards, a manifest and counts.

Packages come in the order of their names, so the same candidates give the same bytes.
"""

from __future__ import annotations

import gzip
import io
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TextIO

from training.decontaminate import RULES, Benchmarks, code_digest, plain_text
from training.fetch import Fetched
from training.kept import rows as kept_rows

SHARD_PAIRS = 50_000
MAX_SAME_TEXT = 3
KINDS = ("doc", "returns", "raises", "error", "readme", "changelog", "test", "name")


class Shards:
    """Numbered files of a fixed number of lines."""

    def __init__(self, work: Path) -> None:
        self._work = work
        self._count = 0
        self._stream: TextIO | None = None
        for old in work.glob("pairs-*.jsonl.gz"):
            old.unlink()

    def add(self, row: dict[str, Any]) -> None:
        """Write one pair."""
        if self._count % SHARD_PAIRS == 0:
            self.close()
            file = self._work / f"pairs-{self._count // SHARD_PAIRS:05d}.jsonl.gz"
            # Without a time stamp the same rows give the same bytes.
            packed = gzip.GzipFile(file, "wb", compresslevel=5, mtime=0)
            self._stream = io.TextIOWrapper(packed, "utf-8")
        assert self._stream is not None
        self._stream.write(json.dumps(row, ensure_ascii=False) + "\n")
        self._count += 1

    def close(self) -> None:
        """Finish the last file."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None


class Sieve:
    """Which candidates are kept: nothing of a benchmark, nothing twice."""

    def __init__(self, benchmarks: Benchmarks) -> None:
        self._benchmarks = benchmarks
        self._texts: Counter[tuple[str, str]] = Counter()
        self._seen: set[tuple[str, bytes, str]] = set()
        self._rules: dict[tuple[str, int], str] = {}

    def start(self) -> None:
        """Forget what was remembered of one package's functions."""
        self._rules.clear()

    def why_not(self, row: dict[str, Any]) -> str:
        """Why a candidate is left out; "" if it is kept."""
        place = (row["path"], row["line"])
        if place not in self._rules:
            rule = self._benchmarks.rule(row["language"], row["name"], row["code"])
            self._rules[place] = rule
        if self._rules[place]:
            return f"benchmark: {self._rules[place]}"
        if self._benchmarks.asks(row["query"]):
            return f"benchmark: {RULES[3]}"
        text = plain_text(row["query"])
        same = (text, code_digest(row["code"]), row["kind"])
        if same in self._seen:
            return "pair: the same text and code in another package"
        if row["kind"] != "name" and self._texts[row["kind"], text] >= MAX_SAME_TEXT:
            return "pair: the text has been used often enough"
        self._seen.add(same)
        self._texts[row["kind"], text] += 1
        return ""


def write_pairs(work: Path, packages: Iterable[Fetched], benchmarks: Benchmarks) -> int:
    """Write everything that is kept; the number of pairs."""
    sieve, shards = Sieve(benchmarks), Shards(work)
    kept: Counter[tuple[str, str]] = Counter()
    left_out: Counter[str] = Counter()
    sources: Counter[str] = Counter()
    read = used = 0
    with (work / "manifest.jsonl").open("w", encoding="utf-8") as manifest:
        for fetched in sorted(packages):
            sieve.start()
            rows = kept_rows(work, fetched)
            head = next(rows)
            left_out.update(head["left_out"])
            read += 1
            counted: Counter[str] = Counter()
            for row in rows:
                why = sieve.why_not(row)
                if why:
                    left_out[why] += 1
                    continue
                shards.add(row)
                counted[row["kind"]] += 1
                kept[row["language"], row["kind"]] += 1
            if counted:
                used += 1
                sources[fetched.package.ecosystem] += counted["doc"]
                manifest.write(json.dumps(_entry(head, counted), ensure_ascii=False) + "\n")
    shards.close()
    text = counts(kept, left_out, sources, read, used)
    (work / "counts.md").write_text(text, "utf-8")
    return kept.total()


def _entry(head: dict[str, Any], counted: Counter[str]) -> dict[str, Any]:
    return {
        "ecosystem": head["ecosystem"],
        "name": head["name"],
        "version": head["version"],
        "licences": head["licences"],
        "files_under_a_choice": head["choices"],
        "archives": [{"file": name, "sha256": digest} for name, digest in head["archives"]],
        "files": head["files"],
        "pairs": dict(sorted(counted.items())),
    }


def counts(
    kept: Counter[tuple[str, str]],
    left_out: Counter[str],
    sources: Counter[str],
    read: int,
    used: int,
) -> str:
    """The account of a run, as tables."""
    languages = sorted({language for language, _ in kept}, key=lambda x: (-kept[x, "doc"], x))
    rows = [f"{read} packages read, {used} used, {kept.total()} pairs kept.", ""]
    rows += ["| language | " + " | ".join(KINDS) + " |", "|---" * (len(KINDS) + 1) + "|"]
    for language in languages:
        cells = [f"{kept[language, kind]:,}" for kind in KINDS]
        rows.append(f"| {language} | " + " | ".join(cells) + " |")
    totals = [sum(kept[language, kind] for language in languages) for kind in KINDS]
    rows.append("| total | " + " | ".join(f"{total:,}" for total in totals) + " |")
    rows += ["", "| source | documented pairs |", "|---|---|"]
    rows += [f"| {source} | {count:,} |" for source, count in sorted(sources.items())]
    rows += ["", "| left out | count |", "|---|---|"]
    rows += [f"| {reason} | {count:,} |" for reason, count in sorted(left_out.items())]
    return "\n".join(rows) + "\n"
