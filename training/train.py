"""Train: from pairs to the bundled model, in one command.

    python -m training.train --work DIR --sentences DIR [--out DIR] [--steps N]

reads the pairs that ``python -m training.pairs`` wrote into the working folder, chooses the
vocabulary, takes start vectors and a teacher from a small sentence model (``--sentences``, a
folder with ``model.onnx`` and ``tokenizer.json``), trains, averages the seeds, turns, rounds, and
writes the model with its manifest and checksums. What a former run has done is kept in the
working folder; the same pairs give the same model.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from plait.models.static import CONFIG, TOKENIZER, WEIGHTS
from plait.models.wordpiece import load_word_pieces
from training.batches import Pool
from training.loop import average, trained
from training.model import Model, Weights
from training.quantise import turned, write_model
from training.recipe import Recipe
from training.start import Sentences, start_table
from training.texts import Texts, read_texts
from training.vocabulary import chosen, package_counts, write_tokenizer

MANIFEST, DIGESTS = "MANIFEST.jsonl.gz", "digests.json"
SAMPLE = 20_000  # functions the turn is fitted to


class Prepared(NamedTuple):
    """What every seed starts from."""

    texts: Texts
    pool: Pool
    start: Model
    tokenizer: Path


def prepare(work: Path, sentences: Sentences, recipe: Recipe) -> Prepared:
    """The pairs as rows and the table to start from."""
    texts = read_texts(work, work.glob("pairs-*.jsonl.gz"))
    tokenizer = tokeniser(texts, sentences, recipe, work)
    pool = Pool(texts, load_word_pieces(tokenizer), recipe)
    kept = tokenizer.with_suffix(".npy")
    if not kept.is_file():
        entries = list(json.loads(tokenizer.read_text(encoding="utf-8"))["model"]["vocab"])
        np.save(kept, sentences.entries(entries))
    table = start_table(np.load(kept), pool.share, recipe.width)
    asking = np.ones((len(table), 1), dtype=np.float32)
    weights = Weights(recipe.name_weight, recipe.lead_weight, recipe.container_weight)
    return Prepared(texts, pool, Model(table, asking, weights), tokenizer)


def train(work: Path, sentences: Sentences, recipe: Recipe, out: Path) -> None:
    """Make the model of a recipe in the folder ``out``."""
    ready = prepare(work, sentences, recipe)
    model = average([trained(ready.pool, ready.start, recipe, seed) for seed in recipe.seeds])
    finish(model, ready.pool, ready.tokenizer, work / "manifest.jsonl", out)


def tokeniser(texts: Texts, sentences: Sentences, recipe: Recipe, work: Path) -> Path:
    """The tokeniser of a recipe, in the working folder."""
    path = work / f"tokenizer-{recipe.entries}.json"
    if not path.is_file():
        counts = dict(zip(texts.words, package_counts(texts).tolist(), strict=True))
        write_tokenizer(path, chosen(counts, sentences.vocabulary, recipe.entries))
    return path


def finish(model: Model, pool: Pool, tokenizer: Path, manifest: Path, out: Path) -> None:
    """Turn, round and write a model, with its tokeniser, manifest and checksums."""
    out.mkdir(parents=True, exist_ok=True)
    count = min(SAMPLE, len(pool))
    pairs = np.sort(np.random.default_rng(0).choice(len(pool), count, replace=False))
    functions = model.functions(pool.functions(pairs, np.zeros(count, dtype=bool)))
    write_model(out, turned(model, functions, seed=0))
    shutil.copyfile(tokenizer, out / TOKENIZER)
    with gzip.GzipFile(out / MANIFEST, "wb", mtime=0) as file:
        file.write(manifest.read_bytes())
    names = (WEIGHTS, TOKENIZER, CONFIG, MANIFEST)
    digests = {name: hashlib.sha256((out / name).read_bytes()).hexdigest() for name in names}
    (out / DIGESTS).write_text(json.dumps(digests, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Train the model."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--work", type=Path, default=Path("build/training"), help="working folder")
    parser.add_argument(
        "--sentences",
        type=Path,
        default=Path("../shared/models/minilm-l6-v2-int8"),
        help="the sentence model to start from and to learn from",
    )
    parser.add_argument("--out", type=Path, help="where the model goes; WORK/model by default")
    parser.add_argument("--steps", type=int, default=Recipe.steps, help="batches per seed")
    options = parser.parse_args()
    recipe = replace(Recipe(), steps=options.steps)
    out = options.out or options.work / "model"
    train(options.work, Sentences(options.sentences), recipe, out)
    sys.stdout.write(f"{out}\n")


if __name__ == "__main__":
    main()
