"""A peer's design on the same data: BM25Okapi, MiniLM vectors, reciprocal rank fusion.

    python -m benchmarks.codesearch_design --model DIR [--only TEXT] [--work DIR] [--kept]

CodeSearch describes itself as BM25Okapi of rank_bm25 over identifiers and their parts, an
exact inner product over a small transformer's vectors of the functions as they are, and
reciprocal rank fusion with k = 60. That is what is built here, from those parts, with nothing
of plait but the loader and the measures; ``--model`` is the folder of all-MiniLM-L6-v2 in ONNX.
It needs the dependency group ``peers`` and the extra ``onnx``. The sets are the documents of
``benchmarks/eval_sets.toml``; the record holds every question's reciprocal rank, so that plait
can be compared with it question by question.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import time
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy
import onnxruntime
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi
from tokenizers import Tokenizer

from benchmarks.evaluation_page import table
from plait.evaluation.dataset import Dataset, Level, Part
from plait.evaluation.load import load_dataset
from plait.evaluation.measures import averaged, per_question
from plait.evaluation.runs import Outcome
from plait.types import Skipped
from tools.record import ROOT, command_line, write_record

SETS = ROOT / "benchmarks" / "eval_sets.toml"
K = 60
DEPTH = 100
MAX_TOKENS = 256
BATCH = 32
PACKAGES = ("plait", "rank-bm25", "onnxruntime", "tokenizers", "numpy")
WORD = re.compile(r"[A-Za-z_]\w*|\d+")
PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
MODES = ("BM25Okapi", "MiniLM", "RRF")


def words(text: str) -> list[str]:
    """Identifiers whole and, if compound, each part once."""
    found = []
    for word in WORD.findall(text):
        found.append(word.lower())
        parts = dict.fromkeys(part.lower() for part in PIECE.findall(word))
        if len(parts) > 1:
            found += parts
    return found


class MiniLm:
    """Texts to unit vectors: the mean of the last layer, normalised."""

    def __init__(self, folder: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(
            folder / "model.onnx", options, providers=["CPUExecutionProvider"]
        )
        self._inputs = {one.name for one in self._session.get_inputs()}
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(MAX_TOKENS)
        self._tokenizer.enable_padding()

    def encode(self, texts: Sequence[str]) -> NDArray[Any]:
        """One row each."""
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        rows: list[NDArray[Any] | None] = [None] * len(texts)
        for begin in range(0, len(order), BATCH):
            chosen = order[begin : begin + BATCH]
            batch = self._tokenizer.encode_batch([texts[at] for at in chosen])
            ids = numpy.array([one.ids for one in batch], dtype=numpy.int64)
            mask = numpy.array([one.attention_mask for one in batch], dtype=numpy.int64)
            fed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": ids * 0}
            fed = {name: value for name, value in fed.items() if name in self._inputs}
            (states, *_) = self._session.run(None, fed)
            pooled = (states * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
            pooled /= numpy.linalg.norm(pooled, axis=1, keepdims=True)
            for at, row in zip(chosen, pooled, strict=True):
                rows[at] = row
        return numpy.array(rows, dtype=numpy.float32)


class Design:
    """The three ways of ranking the documents of one part."""

    def __init__(self, part: Part, model: MiniLm, work: Path) -> None:
        self.ids, texts = [], []
        for item in part.source.listing():
            file = part.source.read(item.path)
            if not isinstance(file, Skipped):
                self.ids.append(file.path)
                texts.append(file.content.decode())
        self._bm25 = BM25Okapi([words(text) or [""] for text in texts])
        seen = hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]
        cached = work / f"{part.name.replace('/', '-')}-{seen}.npy"
        if not cached.is_file():
            work.mkdir(parents=True, exist_ok=True)
            numpy.save(cached, model.encode(texts))
        self._vectors = numpy.load(cached)
        self._model = model

    def rankings(self, question: str) -> tuple[dict[str, list[str]], float]:
        """The documents by each way, and the CPU milliseconds all of it took."""
        before = time.process_time()
        lexical = _top(numpy.asarray(self._bm25.get_scores(words(question))))
        dense = _top(self._vectors @ self._model.encode([question])[0])
        fused: dict[int, float] = {}
        for ranking in (lexical, dense):
            for rank, row in enumerate(ranking, start=1):
                fused[row] = fused.get(row, 0.0) + 1 / (K + rank)
        both = sorted(fused, key=lambda row: (-fused[row], row))[:DEPTH]
        spent = (time.process_time() - before) * 1e3
        named = zip(MODES, (lexical, dense, both), strict=True)
        return {mode: [self.ids[row] for row in rows] for mode, rows in named}, spent


def _top(scores: NDArray[Any]) -> list[int]:
    best = numpy.lexsort((numpy.arange(len(scores)), -scores))[:DEPTH]
    return [int(row) for row in best if scores[row] > 0]


def main() -> None:
    """Measure it and write the record."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--only", default="", help="rows whose title holds this")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "codesearch-design")
    parser.add_argument("--kept", action="store_true", help="only the sets measured before")
    options = parser.parse_args()
    model = MiniLm(options.model)
    found = {}
    for title, measure, dataset in _datasets(options.only):
        options.work.mkdir(parents=True, exist_ok=True)
        kept = options.work / f"{re.sub(r'[^a-z0-9]+', '-', title.lower())}.json"
        if options.kept and not kept.is_file():
            continue
        if not kept.is_file():
            kept.write_text(json.dumps(_measured(dataset, measure, model, options.work)))
        found[title] = json.loads(kept.read_text())
        print(title, {mode: round(found[title]["mean"][mode], 4) for mode in MODES}, flush=True)
    rows = [
        [title, row["measure"], *(f"{row['mean'][mode]:.3f}" for mode in MODES),
         f"{row['p50_cpu_ms']:.1f}"]
        for title, row in found.items()
    ]  # fmt: skip
    summary = table(("dataset", "measure", *MODES, "p50, CPU ms"), rows)
    command = command_line("benchmarks.codesearch_design")
    print(write_record("codesearch-design", command, {"sets": found}, summary, PACKAGES))


def _datasets(only: str) -> Iterator[tuple[str, str, Dataset]]:
    data = Path(os.environ.get("PLAIT_SHARED") or ROOT.parent / "shared") / "data"
    for row in tomllib.loads(SETS.read_text(encoding="utf-8"))["row"]:
        is_plain = not any(row.get(key) for key in ("repos", "built", "set", "strip"))
        if is_plain and only.lower() in row["title"].lower() and (data / row["folder"]).is_dir():
            dataset = load_dataset(
                data / row["folder"], qrels=row.get("qrels", ""), corpus=row.get("corpus", "")
            )
            if dataset.level is Level.DOCUMENT:
                yield row["title"], row.get("measure", "RR@10"), dataset


def _measured(dataset: Dataset, measure: str, model: MiniLm, work: Path) -> dict[str, Any]:
    outcomes: list[Outcome] = []
    times = []
    for part in dataset.parts:
        design = Design(part, model, work)
        for question in part.questions:
            rankings, spent = design.rankings(question.text)
            times.append(spent)
            outcomes += (
                Outcome(mode, part.name, part.language, part.split, question.category,
                        question.id, question.text, part.judgements[question.id], tuple(ids), {},
                        (), 0.0, 0.0)
                for mode, ids in rankings.items()
            )  # fmt: skip
    by_mode = {mode: [o for o in outcomes if o.mode == mode] for mode in MODES}
    values = {mode: per_question(own, measure) for mode, own in by_mode.items()}
    return {
        "measure": measure,
        "mean": {m: averaged(values[m], by_mode[m], dataset.average) for m in MODES},
        "p50_cpu_ms": float(numpy.median(times)),
        "questions": {mode: {k: round(v, 6) for k, v in values[mode].items()} for mode in MODES},
    }


if __name__ == "__main__":
    main()
