"""Loop: steps over batches, from a start to a trained model."""

from __future__ import annotations

import sys
import time
from dataclasses import replace

import numpy as np

from training.batches import Pool
from training.model import Model
from training.objective import Adam, step
from training.recipe import Recipe

SAY_EVERY = 50


def trained(pool: Pool, start: Model, recipe: Recipe, seed: int) -> Model:
    """A model, trained from a start; the same seed gives the same model."""
    table, asking = start.table.copy(), start.asking.copy()
    vectors, weights = Adam(table), Adam(asking)
    random = np.random.default_rng(seed)
    losses, began = [], time.process_time()
    for number in range(recipe.steps):
        batch = pool.draw(random)
        made = step(
            table,
            asking,
            batch.questions,
            batch.functions[:3],
            weights=(1.0, start.weights.name, start.weights.lead),
            scale=recipe.scale,
        )
        rate = recipe.rate_at(number)
        vectors.apply(made.columns, made.table, rate)
        weights.apply(made.columns, made.asking, rate * recipe.asking_rate)
        np.maximum(asking, 0, out=asking)
        losses.append(made.loss)
        if (number + 1) % SAY_EVERY == 0:
            spent = time.process_time() - began
            sys.stderr.write(
                f"seed {seed}, step {number + 1}: loss {np.mean(losses[-SAY_EVERY:]):.3f}, "
                f"{spent:.0f} CPU-s\n"
            )
    return replace(start, table=table, asking=asking)


def average(models: list[Model]) -> Model:
    """The mean of models of one start; a little better than each."""
    table = np.asarray(np.mean([model.table for model in models], axis=0), dtype=np.float32)
    asking = np.asarray(np.mean([model.asking for model in models], axis=0), dtype=np.float32)
    return replace(models[0], table=table, asking=asking)
