"""Weights of the signals, fitted on several kinds of questions together.

    python -m benchmarks.ranking.fit FEATURES... [--without NAME ...] [--ablate] [--record]

A listwise loss (softmax over the files a question finds), signs as in the table, every set the
same in sum. Only tuning questions are fitted on: agent63's tuning half, the dev split of mined
sets. Cross-validation leaves out whole repositories; a figure under 0.003 is noise.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from benchmarks.ranking.features import Row, read
from plait.ranking.table import SIGNALS
from tools.record import command_line, write_record

Array = NDArray[np.float64]
FOLDS = 6
SHUFFLES = 3
RIDGE = 1e-3  # on squared weights: keeps what the data does not decide small
PAGE = 10
DISCOUNT = 1 / np.log2(np.arange(2, PAGE + 2))
FIXED = {"far down": -20.0}  # never fitted: it orders by depth of the lists
WEIGHTS = {signal.name: signal.weight for signal in SIGNALS}


@dataclass(frozen=True)
class Packed:
    """Questions as one array, padded to the longest list."""

    values: Array
    mask: NDArray[np.bool_]
    wanted: Array
    weight: Array


def pack(rows: Sequence[Row], columns: Sequence[int]) -> Packed:
    """Rows with at least one right file, each dataset of the same weight in sum."""
    kept = [row for row in rows if any(row.met)]
    longest = max(len(row.paths) for row in kept)
    values = np.zeros((len(kept), longest, len(columns)))
    mask = np.zeros((len(kept), longest), bool)
    wanted = np.zeros((len(kept), longest))
    for at, row in enumerate(kept):
        size = len(row.paths)
        values[at, :size] = row.values[:, columns]
        mask[at, :size] = True
        wanted[at, :size] = [bool(one) for one in row.met]
    wanted /= wanted.sum(1, keepdims=True)
    counts = Counter(row.dataset for row in kept)
    weight = np.array([1 / counts[row.dataset] for row in kept])
    return Packed(values, mask, wanted, weight / weight.sum())


def fitted(rows: Sequence[Row], names: Sequence[str], start: Sequence[str]) -> dict[str, float]:
    """The weight of each signal."""
    columns = [start.index(name) for name in names]
    packed = pack(rows, columns)
    flat = packed.values.reshape(-1, len(names))

    def loss(weights: Array) -> tuple[float, Array]:
        scores = (flat @ weights).reshape(packed.mask.shape)
        scores = np.where(packed.mask, scores, -1e9)
        scores -= scores.max(1, keepdims=True)
        powers = np.exp(scores)
        total = powers.sum(1, keepdims=True)
        told = -(packed.wanted * (scores - np.log(total)) * packed.mask).sum(1)
        slope = ((powers / total - packed.wanted) * packed.weight[:, None]).reshape(-1)
        value = float((told * packed.weight).sum() + RIDGE * (weights**2).sum())
        return value, flat.T @ slope + 2 * RIDGE * weights

    signs = [1 if WEIGHTS.get(name, 1) > 0 else -1 for name in names]
    bounds = [(0, None) if sign > 0 else (None, 0) for sign in signs]
    first = np.array([0.5 * sign for sign in signs])
    done = minimize(loss, first, jac=True, method="L-BFGS-B", bounds=bounds)
    return dict(zip(names, map(float, done.x), strict=True))


def scores_of(row: Row, weights: dict[str, float], start: Sequence[str]) -> Array:
    """The score of each file of a row."""
    vector: Array = np.array([weights.get(name, FIXED.get(name, 0.0)) for name in start])
    scores: Array = row.values.astype(float) @ vector
    return scores


def ndcg(row: Row, scores: Array) -> float:
    """nDCG@10 of a question, every target once."""
    order = np.lexsort((np.array(row.paths), -scores))[:PAGE]
    seen: set[int] = set()
    gain = 0.0
    for place, at in enumerate(order):
        for target in row.met[at]:
            if target not in seen:
                seen.add(target)
                gain += DISCOUNT[place]
    return float(gain / DISCOUNT[: min(PAGE, row.targets)].sum())


def mean(rows: Sequence[Row], values: Sequence[float]) -> float:
    """Over the questions of a repository, its repositories of a language, and languages."""
    parts: dict[tuple[str, str], list[float]] = defaultdict(list)
    for row, value in zip(rows, values, strict=True):
        parts[row.language, row.part].append(value)
    languages: dict[str, list[float]] = defaultdict(list)
    for (language, _), own in parts.items():
        languages[language].append(float(np.mean(own)))
    return float(np.mean([np.mean(own) for own in languages.values()]))


def figures(
    rows: Sequence[Row], weights: dict[str, float], start: Sequence[str]
) -> dict[str, float]:
    """The mean nDCG@10 of each dataset."""
    by_set: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_set[row.dataset].append(row)
    return {
        name: mean(own, [ndcg(row, scores_of(row, weights, start)) for row in own])
        for name, own in by_set.items()
    }


def cross_validated(
    rows: Sequence[Row], names: Sequence[str], start: Sequence[str]
) -> dict[str, float]:
    """The figures of each dataset by weights fitted without the repository that is asked."""
    by_set: dict[str, list[float]] = defaultdict(list)
    for shuffle in range(SHUFFLES):
        parts = sorted({row.part for row in rows})
        np.random.default_rng(shuffle).shuffle(parts)
        fold = {part: at % FOLDS for at, part in enumerate(parts)}
        kept: dict[str, tuple[list[Row], list[float]]] = defaultdict(lambda: ([], []))
        for number in range(FOLDS):
            weights = fitted([r for r in rows if fold[r.part] != number], names, start)
            for row in rows:
                if fold[row.part] == number:
                    own, values = kept[row.dataset]
                    own.append(row)
                    values.append(ndcg(row, scores_of(row, weights, start)))
        for name, (own, values) in kept.items():
            by_set[name].append(mean(own, values))
    return {name: float(np.mean(values)) for name, values in by_set.items()}


def tuning(rows: Iterable[Row]) -> list[Row]:
    """The questions that may be fitted on."""
    return [row for row in rows if row.split in ("tuning", "dev", "")]


def main() -> None:
    """Fit, cross-validate, and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("features", type=Path, nargs="+")
    parser.add_argument("--without", nargs="*", default=[])
    parser.add_argument("--ablate", action="store_true")
    parser.add_argument("--held-out", action="store_true", help="also tell what was not fitted on")
    parser.add_argument("--record", action="store_true")
    given = parser.parse_args()
    rows: list[Row] = []
    start: tuple[str, ...] = ()
    for path in given.features:
        start, own = read(path)
        rows += own
    tune = tuning(rows)
    names = [name for name in start if name not in FIXED and name not in given.without]
    weights = fitted(tune, names, start)
    whole = cross_validated(tune, names, start)
    told = {
        "table, tuning": figures(tune, WEIGHTS, start),
        "fitted, tuning": figures(tune, weights, start),
        "cross-validated": whole,
    }
    if given.held_out:
        held = [row for row in rows if row.split in ("held_out", "test")]
        told["table, held out"] = figures(held, WEIGHTS, start)
        told["fitted, held out"] = figures(held, weights, start)
    changes: dict[str, dict[str, float]] = {}
    for name in names if given.ablate else ():
        less = cross_validated(tune, [other for other in names if other != name], start)
        changes[name] = {key: less[key] - whole[key] for key in whole}
    summary = summary_of(weights, told, changes)
    print(summary)
    if given.record:
        raw = {"weights": weights, "figures": told, "without": changes}
        command = command_line("benchmarks.ranking.fit")
        write_record("ranking-fit", command, raw, summary, ("plait", "numpy", "scipy"))


def summary_of(
    weights: dict[str, float],
    told: dict[str, dict[str, float]],
    changes: dict[str, dict[str, float]],
) -> str:
    """Weights, figures, and what each signal is worth, as tables."""
    sets = list(next(iter(told.values())))
    lines = ["nDCG@10, mean over languages", "", f"| | {' | '.join(sets)} |", _ruler(len(sets))]
    for way, values in told.items():
        lines.append(f"| {way} | {' | '.join(f'{values[one]:.4f}' for one in values)} |")
    without = [f"without it, {one}" for one in sets] if changes else []
    lines += ["", f"| {' | '.join(['signal', 'table', 'fitted', *without])} |"]
    lines.append(_ruler(2 + len(without)))
    for name, weight in weights.items():
        cells = [f"{WEIGHTS.get(name, 0):g}", f"{weight:.2f}"]
        cells += [f"{1000 * changes[name][one]:+.1f}" for one in sets] if changes else []
        lines.append(f"| {name} | {' | '.join(cells)} |")
    if changes:
        lines += [
            "",
            "Without a signal: change in cross-validation, thousandths, all else refitted.",
        ]
    return "\n".join([*lines, ""])


def _ruler(columns: int) -> str:
    return "|---|" + "---:|" * columns


if __name__ == "__main__":
    main()
