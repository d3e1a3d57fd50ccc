"""How deep real code nests, and what depth costs: ``python -m tools.fuzz.nesting DIR...``.

``plait.symbols.nesting`` leaves files unparsed whose brackets nest deeper than any code's. This
measures both sides of that limit: the deepest files of some folders of real code, counted exactly,
and the processor time a grammar takes for brackets that nobody closes.
"""

from __future__ import annotations

import argparse
import heapq
import os
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path

from plait.sources.languages import language_of
from plait.symbols.grammars import GRAMMARS
from plait.symbols.nesting import ALIKE, MAX_DEPTH, OTHERS, is_too_deep
from plait.symbols.parse import parse
from plait.types import SourceFile
from tools.record import ROOT, command_line, write_record

MAX_BYTES = 4 << 20
SHOWN = 10
DEPTHS = (1_000, 5_000, 10_000, 20_000)
COSTED = ("python", "javascript", "c", "go", "rust", "kotlin")


def depth(content: bytes) -> int:
    """The most brackets that are open in one place; closing one with none open does nothing."""
    steps = [1 if bracket == ord("(") else -1 for bracket in content.translate(ALIKE, OTHERS)]
    return max(accumulate(steps, lambda height, step: max(height + step, 0)), default=0)


def sources(folders: Sequence[Path]) -> Iterator[tuple[Path, bytes]]:
    """Files below some folders that have a grammar, links left out."""
    for folder in folders:
        for at, _, names in os.walk(folder):
            for name in names:
                path = Path(at, name)
                try:
                    if path.is_symlink() or not 0 < path.stat().st_size <= MAX_BYTES:
                        continue
                    if language_of(name, b"") in GRAMMARS:
                        yield path, path.read_bytes()
                except OSError:
                    continue


def cost(language: str, levels: int) -> float:
    """Seconds of processor time to parse so many brackets that nobody closes."""
    content = (b"(" * 50 + b"\n") * (levels // 50)
    file = SourceFile("r", "p", language, content, "")
    parse(SourceFile("r", "p", language, b"x", ""))
    began = time.process_time()
    parse(file)
    return time.process_time() - began


def main(argv: Sequence[str] | None = None) -> int:
    """Exit 0 if no file is too deep, 1 if one is."""
    parser = argparse.ArgumentParser(description="Measure how deep code nests.")
    parser.add_argument("folders", nargs="+", type=Path)
    asked = parser.parse_args(argv)
    files = total = 0
    refused: list[str] = []
    deepest: list[tuple[int, str]] = []
    judging = 0.0
    for path, content in sources(asked.folders):
        files += 1
        total += len(content)
        began = time.process_time()
        if is_too_deep(content):
            refused.append(path.name)
        judging += time.process_time() - began
        deepest = heapq.nlargest(SHOWN, [*deepest, (depth(content), path.name)])
    costs = {language: {n: round(cost(language, n), 3) for n in DEPTHS} for language in COSTED}
    lines = [
        f"{files:,} files of {total / 1e6:,.0f} MB, {len(refused)} deeper than {MAX_DEPTH:,}.",
        f"Judged in {judging:.2f} s of processor time.\n",
        "| deepest | file |",
        "|---|---|",
        *(f"| {levels:,} | {name} |" for levels, name in deepest),
        "\nSeconds of processor time to parse brackets that nobody closes:\n",
        "| language | " + " | ".join(f"{n:,}" for n in DEPTHS) + " |",
        "|---" * (len(DEPTHS) + 1) + "|",
        *(
            f"| {language} | " + " | ".join(f"{of[n]:.3f}" for n in DEPTHS) + " |"
            for language, of in costs.items()
        ),
    ]
    summary = "\n".join(lines) + "\n"
    print(summary)
    raw = {"files": files, "bytes": total, "deepest": deepest, "refused": refused, "costs": costs}
    folder = write_record(
        "nesting", command_line("tools.fuzz.nesting"), raw, summary, ["tree-sitter"]
    )
    print(f"record: {folder.relative_to(ROOT)}")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
