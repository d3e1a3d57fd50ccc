"""Evaluate: a model against the benchmarks, by exact cosine, in a few seconds.

    python -m training.evaluate MODEL ... --data DATA [--docset DIR] [--dev]

Each question has one right function; the figure is MRR@10. A folder is run by plait itself. For
a table in training, texts are cut into pieces once per tokeniser and kept in the working
folder, so that another table costs only the products.
Tuning reads the dev splits only; where a set has none, the questions that ``test_1k`` does
not hold stand in for one.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from plait.models.static import LEAD_PIECES, MAX_PIECES, StaticModel
from plait.models.wordpiece import WordPieces, load_word_pieces
from plait.types import Passage, Vectors
from training.model import Fields, Matrix, Model
from training.rows import Ragged, beginnings, packed, weighed

SEED = 7
MOST_DEV = 1_000
DEEPEST = 10
LANGUAGES = ("python", "go", "java", "javascript", "php", "ruby")


class Set(NamedTuple):
    """A benchmark: a folder, the file of its corpus and the questions asked of it."""

    name: str
    folder: Path
    corpus: str
    qrels: str
    without: str = ""  # questions of these judgements are not asked


class Asked(NamedTuple):
    """A set, cut into pieces: rows of token weights and the right answer of each question."""

    name: str
    questions: csr_matrix
    functions: Fields
    right: NDArray[np.int64]


def test_sets(data: Path, docset: Path) -> list[Set]:
    """The eight sets a model is reported on."""
    csn = [Set(f"csn-{each}", data / f"csn-{each}", "corpus", "test_1k") for each in LANGUAGES]
    return [
        Set("cosqa", data / "cosqa", "corpus_nodoc", "test"),
        *csn,
        Set("docset", docset, "corpus", "test"),
    ]


def dev_sets(data: Path, docset: Path) -> list[Set]:
    """The seven sets a model is tuned on; ruby has no questions to spare."""
    others = [
        Set(f"csn-{each}", data / f"csn-{each}", "corpus", "test", "test_1k")
        for each in LANGUAGES
        if each not in ("python", "ruby")
    ]
    return [
        Set("cosqa", data / "cosqa", "corpus_nodoc", "dev"),
        Set("csn-python", data / "csn-python", "corpus", "dev"),
        *others,
        Set("docset", docset, "corpus", "dev"),
    ]


def load(one: Set, pieces: WordPieces, size: int) -> Asked:
    """Read a set and cut it into pieces."""
    corpus, judged = _read(one)
    bodies = _cut([row["text"] for row in corpus], pieces)
    return Asked(
        one.name,
        weighed(_cut([text for text, _ in judged], pieces), size),
        Fields(
            weighed(bodies, size),
            weighed(_cut([row["title"].rpartition(".")[2] for row in corpus], pieces), size),
            weighed(beginnings(bodies, LEAD_PIECES), size),
            weighed(_cut([row["title"].rpartition(".")[0] for row in corpus], pieces), size),
        ),
        np.array([place for _, place in judged], dtype=np.int64),
    )


def _read(one: Set) -> tuple[list[dict[str, Any]], list[tuple[str, int]]]:
    """The corpus of a set; its questions, each with the place of its right answer."""
    corpus = list(_lines(one.folder / f"{one.corpus}.jsonl.gz"))
    places = {row["_id"]: place for place, row in enumerate(corpus)}
    texts = {row["_id"]: row["text"] for row in _lines(one.folder / "queries.jsonl.gz")}
    judged = _judged(one.folder / "qrels" / f"{one.qrels}.tsv")
    if one.without:
        held = {texts[query] for query, _ in _judged(one.folder / "qrels" / f"{one.without}.tsv")}
        judged = [each for each in judged if texts[each[0]] not in held]
    if one.without or len(judged) > MOST_DEV:
        judged = random.Random(SEED).sample(judged, min(MOST_DEV, len(judged)))  # noqa: S311
    return corpus, [(texts[query], places[answer]) for query, answer in judged]


def _vectors(made: Vectors) -> Matrix:
    return np.frombuffer(made.data, dtype="<f4").reshape(-1, made.dimension)


def score(model: Model, asked: Asked) -> float:
    """MRR@10 of a model on a set; of equals the first in the corpus counts as better."""
    return _mrr(model.questions(asked.questions), model.functions(asked.functions), asked.right)


def _mrr(questions: Matrix, functions: Matrix, right: NDArray[np.int64]) -> float:
    found = questions @ functions.T
    own = found[np.arange(len(found)), right][:, None]
    before = np.arange(found.shape[1])[None, :] < right[:, None]
    ranks = 1 + (found > own).sum(1) + ((found == own) & before).sum(1)
    return float(np.where(ranks <= DEEPEST, 1 / ranks, 0).mean())


def score_folder(folder: Path, one: Set, *, is_bare: bool = False) -> float:
    """MRR@10 of a model as plait runs it, with or without the names of what encloses a function."""
    model = StaticModel(folder)
    corpus, judged = _read(one)
    names = [row["title"].rpartition(".")[2] if is_bare else row["title"] for row in corpus]
    passages = [Passage(name, row["text"]) for name, row in zip(names, corpus, strict=True)]
    questions = _vectors(model.questions([text for text, _ in judged]))
    right = np.array([place for _, place in judged], dtype=np.int64)
    return _mrr(questions, _vectors(model.passages(passages)), right)


def scores(model: Model, everything: Sequence[Asked]) -> dict[str, float]:
    """MRR@10 by set, and their mean."""
    found = {asked.name: score(model, asked) for asked in everything}
    return {**found, "mean": sum(found.values()) / len(found)}


def cached(sets: Sequence[Set], tokenizer: Path, work: Path) -> list[Asked]:
    """The sets in pieces of a tokeniser, from the working folder where they were cut before."""
    digest = hashlib.sha256(tokenizer.read_bytes()).hexdigest()[:12]
    pieces = load_word_pieces(tokenizer)
    return [_cached(one, pieces, work / "evaluated" / digest) for one in sets]


def _cached(one: Set, pieces: WordPieces, folder: Path) -> Asked:
    path = folder / f"{one.name}-{one.qrels}.npz"
    size = pieces.size
    if not path.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        made = load(one, pieces, size)
        parts = {"questions": made.questions, **made.functions._asdict()}
        arrays: dict[str, Any] = {
            f"{key}_{part}": getattr(rows, part)
            for key, rows in parts.items()
            for part in ("data", "indices", "indptr")
        }
        np.savez(path, right=made.right, **arrays)
    with np.load(path) as kept:
        rows = [
            csr_matrix(
                tuple(kept[f"{key}_{part}"] for part in ("data", "indices", "indptr")),
                shape=(len(kept[f"{key}_indptr"]) - 1, size),
            )
            for key in ("questions", *Fields._fields)
        ]
        return Asked(one.name, rows[0], Fields(*rows[1:]), kept["right"])


def _cut(texts: Sequence[str], pieces: WordPieces) -> Ragged:
    return packed((pieces.ids(text) for text in texts), most=MAX_PIECES)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def _judged(path: Path) -> list[tuple[str, str]]:
    lines = path.read_text(encoding="utf-8").splitlines()[1:]
    return [(query, answer) for query, answer, _ in (line.split("\t") for line in lines)]


def table(rows: Mapping[str, Mapping[str, float]]) -> str:
    """Scores as a table, a line per model."""
    names = list(next(iter(rows.values())))
    head = "| model | " + " | ".join(names) + " |\n|---|" + "---|" * len(names)
    lines = [
        f"| {model} | " + " | ".join(f"{found[name]:.3f}" for name in names) + " |"
        for model, found in rows.items()
    ]
    return "\n".join([head, *lines])


def main() -> None:
    """Score models."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("models", type=Path, nargs="+", help="folders of models")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="benchmark data")
    parser.add_argument("--docset", type=Path, help="pypi-docstring, small, as built")
    parser.add_argument("--dev", action="store_true", help="the sets for tuning")
    parser.add_argument("--bare", action="store_true", help="names without what encloses them")
    options = parser.parse_args()
    docset = options.docset or options.data / "pypi-docstring" / "small"
    sets = (dev_sets if options.dev else test_sets)(options.data, docset)
    rows = {}
    for folder in options.models:
        found = {one.name: score_folder(folder, one, is_bare=options.bare) for one in sets}
        rows[folder.name] = {**found, "mean": sum(found.values()) / len(found)}
    sys.stdout.write(table(rows) + "\n")


if __name__ == "__main__":
    main()
