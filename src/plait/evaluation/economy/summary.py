"""The summary of token economics: what each way cost, what it found, and what plait lost.

Means and medians are over all questions, what was not found at its full cost; a second pair
of medians is over the questions both found. A question is lost if ripgrep and ranged reads
found the answer for fewer tokens than plait's page, or found what plait did not.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, median
from typing import Any

from plait.errors import EvaluationError
from plait.evaluation.economy.budgets import BUDGETS
from plait.evaluation.economy.economy import Row
from plait.evaluation.economy.replay import Trail
from plait.evaluation.economy.tokens import ENCODING

MISSED = "plait did not find it, ripgrep did"
DEARER = "ripgrep found it for fewer tokens"


def summary(rows: Sequence[Row]) -> dict[str, Any]:
    """What rows come to.

    Raises:
        EvaluationError: There are none.
    """
    if not rows:
        raise EvaluationError("no question was asked, so there is nothing to compare")
    categories = sorted({row.category for row in rows} - {""})
    return {
        "encoding": ENCODING,
        **_figures(rows),
        "by_category": {
            name: _figures([row for row in rows if row.category == name]) for name in categories
        },
        "losses": [
            {
                "question": row.question,
                "text": row.text,
                "tokens": row.page_tokens,
                "baseline_tokens": row.baseline.tokens,
                "reason": reason,
            }
            for row in rows
            if (reason := lost(row))
        ],
        "budgets": list(BUDGETS),
        "at_budgets": {way: _at_budgets(rows, way) for way in rows[0].at_budgets},
    }


def as_object(row: Row) -> dict[str, Any]:
    """A row for a program to read."""
    made: dict[str, Any] = {
        "question": row.question,
        "part": row.part,
        "category": row.category,
        "tokens": row.tokens,
        "page_tokens": row.page_tokens,
        "rank": row.rank,
    }
    for name, trail in (("baseline", row.baseline), ("thrifty", row.thrifty), ("naive", row.naive)):
        made |= {f"{name}_{key}": value for key, value in trail._asdict().items()}
    for way, shown in row.at_budgets.items():
        made[f"{way}_at_budgets"] = {key: list(value) for key, value in shown._asdict().items()}
    return made


def _at_budgets(rows: Sequence[Row], way: str) -> dict[str, list[float]]:
    """Means over questions for each budget; of packs also how many cost more than they should."""
    each = [row.at_budgets[way] for row in rows]
    made = {
        "recall": _means([one.recalls for one in each]),
        "found": _means([tuple(float(share > 0) for share in one.recalls) for one in each]),
        "named": _means([one.named for one in each]),
    }
    if each[0].tokens:
        over = [
            tuple(float(cost > budget) for cost, budget in zip(one.tokens, BUDGETS, strict=True))
            for one in each
        ]
        made |= {"mean_tokens": _means([one.tokens for one in each]), "over": _means(over)}
    return made


def _means(columns: Sequence[Sequence[float]]) -> list[float]:
    return [round(fmean(column), 4) for column in zip(*columns, strict=True)]


def lost(row: Row) -> str:
    """Why a question is lost to ripgrep and ranged reads; "" if it is not."""
    return _lost(row, row.baseline)


def _lost(row: Row, trail: Trail) -> str:
    if not trail.is_found:
        return ""
    if not row.is_found:
        return MISSED
    return DEARER if trail.tokens < row.page_tokens else ""


def _figures(rows: Sequence[Row]) -> dict[str, Any]:
    both = [row for row in rows if row.is_found and row.baseline.is_found]
    pages = [row.page_tokens for row in rows]
    saved = [row for row in rows if row.is_found and row.page_tokens < row.baseline.tokens]
    return {
        "questions": len(rows),
        "found": _share(sum(row.is_found for row in rows), rows),
        "median_tokens": median(pages),
        "mean_tokens": round(fmean(pages), 1),
        "median_first_hit_tokens": median(row.tokens for row in rows),
        "cheaper_and_found": _share(len(saved), rows),
        "lost": sum(bool(lost(row)) for row in rows),
        "lost_to_thrifty": sum(bool(_lost(row, row.thrifty)) for row in rows),
        "both_found": {
            "questions": len(both),
            "median_tokens": median(row.page_tokens for row in both) if both else None,
            "baseline_median_tokens": median(row.baseline.tokens for row in both) if both else None,
        },
        **_trail("baseline", [row.baseline for row in rows]),
        **_trail("thrifty", [row.thrifty for row in rows]),
        **_trail("naive", [row.naive for row in rows]),
    }


def _trail(name: str, trails: Sequence[Trail]) -> dict[str, Any]:
    sights = [t.tokens if t.sight_tokens is None else t.sight_tokens for t in trails]
    return {
        f"{name}_found": _share(sum(trail.is_found for trail in trails), trails),
        f"{name}_median_tokens": median(trail.tokens for trail in trails),
        f"{name}_mean_tokens": round(fmean(trail.tokens for trail in trails), 1),
        f"{name}_median_sight_tokens": median(sights),
        f"{name}_mean_calls": round(fmean(trail.calls for trail in trails), 2),
    }


def _share(some: int, of: Sequence[object]) -> float:
    return round(some / len(of), 4)
