"""Vector fields: what a vector costs on a cluster, and what is found, by how it is kept.

    python -m benchmarks.cluster.vector_fields VECTORS --store opensearch://host:9200/bench
        [--rows 100000] [--only NAME ...]

``VECTORS`` is a folder with ``floats.npy``, unit vectors of real chunks as
``benchmarks.speed.hybrid --work`` leaves them, and ``questions.npy``, those of real questions.
Each field is filled, merged into one segment (where a graph overlooks most) and asked every
question for several numbers of candidates, without a filter and with filters that let a tenth
and a hundredth pass. Recall is held to exact multiplication of the floats.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy

from benchmarks.bench import say
from benchmarks.cluster.vector_ways import SHARES, TOPS, WAYS, Field, Floats, Kept
from benchmarks.speed.clock import percentile
from plait.stores.cluster.address import Address
from plait.stores.cluster.connection import Connection
from plait.stores.quantized import quantized
from plait.types import Vectors
from tools.record import command_line, write_record

CANDIDATES = (10, 100, 256, 512, 1_000)
FILTERED = (100, 256)
TIED = 1e-6
PACKAGES = ("plait", "numpy", "opensearch-py")


class Truth:
    """What exact multiplication finds."""

    def __init__(self, floats: Floats, questions: Floats) -> None:
        self._scores = questions @ floats.T
        everything = numpy.arange(len(floats))
        self._least: dict[tuple[str, int], Floats] = {}
        for name, every in {"": 1, **SHARES}.items():
            for top in TOPS:
                scores = self._scores[:, everything[::every]]
                self._least[name, top] = numpy.partition(scores, -top, axis=1)[:, -top]

    def recall(self, question: int, found: list[int], top: int, share: str = "") -> float:
        """How many of the best were found; what scores the same is as good."""
        scores = self._scores[question, found[:top]]
        return float((scores >= self._least[share, top][question] - TIED).sum()) / top


def asked(field: Field, truth: Truth, questions: list[list[Any]]) -> dict[str, dict[str, float]]:
    """Recall and milliseconds by the number of candidates and the filter."""
    ways = [(k, "") for k in CANDIDATES] + [(k, share) for share in SHARES for k in FILTERED]
    field.ask(questions[0], CANDIDATES[-1])
    figures = {}
    for k, share in ways:
        answers = [field.ask(row, k, share) for row in questions]
        times = [took_ms for _, took_ms in answers]
        figure = {"p50_ms": percentile(times, 0.5), "p95_ms": percentile(times, 0.95)}
        for top in TOPS:
            if top <= k:
                recalls = [
                    truth.recall(number, found, top, share)
                    for number, (found, _) in enumerate(answers)
                ]
                figure[f"recall@{top}"] = sum(recalls) / len(recalls)
                figure[f"recall@{top}_p10"] = percentile(recalls, 0.1)
        figures[f"{k} of {share}" if share else str(k)] = figure
    return figures


def one_way(
    connection: Connection, way: Kept, floats: Floats, questions: Floats, truth: Truth
) -> dict[str, Any]:
    """Everything about one way to keep vectors."""
    field = Field(connection, way, floats.shape[1])
    try:
        start = time.monotonic()
        field.fill(floats)
        filled = time.monotonic()
        field.merge()
        merged = time.monotonic()
        files = field.bytes_on_disk()
        return {
            "fill_s": filled - start,
            "merge_s": merged - filled,
            "segments": field.segments(),
            "files": files,
            "bytes_per_vector": sum(files.values()) / len(floats),
            "asked": asked(field, truth, field.rows(questions)),
        }
    finally:
        field.drop()


def summary(raw: dict[str, Any]) -> str:
    """The figures as a table."""
    figures: dict[str, dict[str, Any]] = raw["ways"]
    columns = list(next(iter(figures.values()))["asked"])
    size = f"{raw['rows']:,} vectors of {raw['dimension']} coordinates"
    lines = [
        f"# Vector fields: {size}, {raw['questions']} questions, one segment",
        "",
        "A field is named by its type, the links of a vector and the candidates for them.",
        "Cells: recall@10, recall@100 against exact floats, p50 milliseconds of a request, by",
        "the number of candidates and the share that a filter lets pass.",
        "",
        "| field | bytes a vector | fill s | merge s | "
        + " | ".join(f"k {name}" for name in columns)
        + " |",
        "|" + "---|" * (4 + len(columns)),
    ]
    for name, figure in figures.items():
        cells = [
            ", ".join(f"{one[f'recall@{top}']:.3f}" for top in TOPS if f"recall@{top}" in one)
            + f", {one['p50_ms']:.1f} ms"
            for one in figure["asked"].values()
        ]
        lines.append(
            f"| {name} | {figure['bytes_per_vector']:.0f} | {figure['fill_s']:.0f} "
            f"| {figure['merge_s']:.0f} | " + " | ".join(cells) + " |"
        )
    compared = ", ".join(f"{name} {value:.3f}" for name, value in raw["codes_recall"].items())
    lines += ["", f"All codes compared: {compared}.", ""]
    return "\n".join(lines)


def codes_recall(floats: Floats, questions: Floats, truth: Truth) -> dict[str, float]:
    """What comparing every vector by its codes would find."""
    codes, asked_codes = (
        quantized(Vectors(rows.shape[1], rows.astype("<f4").tobytes()))[0].astype("<f4")
        for rows in (floats, questions)
    )
    codes /= numpy.maximum(numpy.linalg.norm(codes, axis=1, keepdims=True), 1)
    best = numpy.argsort(-(asked_codes @ codes.T), axis=1)
    found = {}
    for top in TOPS:
        recalls = [truth.recall(at, row[:top].tolist(), top) for at, row in enumerate(best)]
        found[f"recall@{top}"] = sum(recalls) / len(recalls)
    return found


def main() -> None:
    """Try every field and write the record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vectors", type=Path)
    parser.add_argument("--store", required=True)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--only", nargs="+", choices=[way.name for way in WAYS])
    options = parser.parse_args()
    if options.rows < TOPS[-1] * max(SHARES.values()):
        parser.error("too few rows for the smallest share")
    floats = numpy.load(options.vectors / "floats.npy", "r")[: options.rows]
    floats = floats[floats.any(axis=1)]  # one of zeros points nowhere
    floats = floats[numpy.random.default_rng(1).permutation(len(floats))]
    questions = numpy.load(options.vectors / "questions.npy")[: options.questions]
    truth = Truth(floats, questions)
    connection = Connection(Address.parse(options.store, {}))
    raw: dict[str, Any] = {
        "rows": len(floats),
        "dimension": floats.shape[1],
        "questions": len(questions),
        "version": connection.ask("GET", "/")["version"]["number"],
        "codes_recall": codes_recall(floats, questions, truth),
        "ways": {},
    }
    for way in WAYS:
        if not options.only or way.name in options.only:
            say(f"{way.name} ...")
            raw["ways"][way.name] = one_way(connection, way, floats, questions, truth)
            say(summary(raw))
    command = command_line("benchmarks.cluster.vector_fields")
    folder = write_record("cluster-vector-fields", command, raw, summary(raw), PACKAGES)
    say(f"record: {folder}")


if __name__ == "__main__":
    main()
