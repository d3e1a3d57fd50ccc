"""Blocks: what their size costs and saves, and what it would cost to keep the text compressed.

    python -m benchmarks.patterns.blocks --index DIR [--sizes 1024 2048 4096 8192]

The grams of the largest layer of an index are written anew for each size and asked every
question of ``questions.toml``; sizes are shares of the source, times CPU milliseconds for the
first hundred lines, the least of several runs, sizes in turns. Substrings are asked once more
of the text as frames of 16 KB compressed by zlib, each opened when a block of it is looked at.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.patterns.questions import Question, read_questions
from plait.stores.embedded.gram_file import LayerGrams
from plait.stores.embedded.gram_writer import write_grams
from plait.stores.embedded.grep import Grep
from plait.stores.embedded.layer import GRAMS, Layer
from plait.stores.embedded.line_scope import see_all
from plait.stores.embedded.manifest import read_current
from plait.stores.embedded.tables import read_tables
from plait.types import LineQuery
from tools.record import command_line, write_record

PACKAGES = ("plait", "google-re2", "numpy")
FRAME = 16 << 10
TURNS = 3
LINES = 100
SLOW_MS = 100.0  # asked once only


class Compressed:
    """A text in compressed frames, for what a search for a literal does with it."""

    def __init__(self, text: memoryview, level: int) -> None:
        began = time.process_time()
        self._frames = [
            zlib.compress(text[at : at + FRAME], level) for at in range(0, len(text), FRAME)
        ]
        self.cpu_s = time.process_time() - began
        self.size = sum(map(len, self._frames))

    def __getitem__(self, place: slice) -> bytes:
        first, last = place.start // FRAME, (place.stop - 1) // FRAME
        opened = b"".join(zlib.decompress(one) for one in self._frames[first : last + 1])
        return opened[place.start - first * FRAME : place.stop - first * FRAME]

    def find(self, literal: bytes, begin: int, end: int) -> int:
        """Where a literal stands first between two places."""
        at = self[begin:end].find(literal)
        return at if at < 0 else begin + at

    def rfind(self, literal: bytes, begin: int, end: int) -> int:
        """Where a literal stands last between two places."""
        at = self[begin:end].rfind(literal)
        return at if at < 0 else begin + at


def cpu_ms(layer: Layer, grams: LayerGrams, question: Question) -> float:
    """What one question costs, once."""
    asked = LineQuery((question.pattern,), limit=LINES, within_s=60)
    began = time.process_time()
    for _ in Grep([(layer, grams)], asked, see_all).run():
        pass
    return 1_000 * (time.process_time() - began)


def least(
    contenders: dict[str, tuple[Layer, LayerGrams]], questions: Sequence[Question]
) -> dict[str, dict[str, float]]:
    """The least of several runs of every question to every contender, in turns."""
    found: dict[str, dict[str, float]] = {name: {} for name in contenders}
    for question in questions:
        for _ in range(TURNS):
            for name, (layer, grams) in contenders.items():
                before = found[name].get(question.name, float("inf"))
                if before == float("inf") or before < SLOW_MS:
                    now = min(cpu_ms(layer, grams, question) for _ in range(2))
                    found[name][question.name] = min(before, now)
    return found


def shares(path: Path, source: int) -> dict[str, float]:
    """How much of the source the grams of the text take, and the names."""
    tables = read_tables(path)
    names = sum(len(table) for name, table in tables.items() if name.startswith("names."))
    total = sum(len(table) for table in tables.values())
    return {"grams": (total - names) / source, "names": names / source}


def summary(raw: dict[str, Any]) -> str:
    """The table of a record."""
    rows = [
        "| | grams | names | written, CPU s | substrings p50 / p95 | regexes p50 / p95 |",
        "|---|---|---|---|---|---|",
    ]
    for name, row in raw.items():
        times = {
            kind: sorted(ms for question, ms in row["cpu_ms"].items() if question.startswith(kind))
            for kind in ("substring", "regex")
        }
        cells = [
            f"{statistics.median(ms):.2f} / {ms[int(0.95 * len(ms))]:.1f}" if ms else ""
            for ms in times.values()
        ]
        sizes = f"{row['grams']:.3f} | {row['names']:.3f} | {row['cpu_s']:.1f}"
        rows.append(f"| {name} | {sizes} | {cells[0]} | {cells[1]} |")
    return "\n".join(rows) + "\n"


def main() -> None:
    """Measure and write the record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", type=Path, required=True, help="the folder of a store")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_024, 2_048, 4_096, 8_192])
    options = parser.parse_args()
    folder = options.index / "layers"
    largest = max(read_current(options.index).layers, key=lambda record: record.source_bytes)
    layer = Layer(folder, largest.name)
    questions = read_questions()
    raw: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="plait-bench-") as scratch:
        contenders = {}
        for size in options.sizes:
            path = Path(scratch) / f"{size}.{GRAMS}"
            began = time.process_time()
            write_grams(layer, path, size)
            taken = time.process_time() - began
            name = f"blocks of {size:,}"
            raw[name] = {"cpu_s": taken, **shares(path, len(layer.text))}
            contenders[name] = layer, LayerGrams(path)
        for name, times in least(contenders, questions).items():
            raw[name]["cpu_ms"] = times
        _compressed(raw, layer, folder, [one for one in questions if one.is_text])
    write_record(
        "pattern-blocks", command_line("benchmarks.patterns.blocks"), raw, summary(raw), PACKAGES
    )
    print(summary(raw))


def _compressed(raw: dict[str, Any], layer: Layer, folder: Path, questions: list[Question]) -> None:
    """Substrings, of the text as it is and compressed, with the blocks of the index itself."""
    grams = LayerGrams(folder / f"{layer.name}.{GRAMS}")
    literal = [one for one in questions if not one.ignore_case]
    source = len(layer.text)
    sizes = shares(folder / f"{layer.name}.{GRAMS}", source)
    plain = least({"raw": (layer, grams)}, literal)["raw"]
    raw["text as it is"] = {"cpu_s": 0.0, **sizes, "text": 1.0, "cpu_ms": plain}
    text = Compressed(layer.text, level=6)
    other = Layer(folder, layer.name)
    other.map = text  # type: ignore[assignment]  # it does what a search for a literal needs
    times = least({"zlib": (other, grams)}, literal)["zlib"]
    name = f"text compressed to {text.size / source:.2f}"
    raw[name] = {"cpu_s": text.cpu_s, **sizes, "text": text.size / source, "cpu_ms": times}


if __name__ == "__main__":
    main()
