"""The gate: may this change become the default?

It may if it loses nothing on average and nowhere in particular. Averages alone would let one
repository pay for another; p-values alone would let many small losses through.
"""

from __future__ import annotations

from dataclasses import dataclass

from plait.evaluation.compare import Comparison, Row
from plait.evaluation.measures import paper_name
from plait.evaluation.statistics import SAME

TOLERANCE = 0.002
ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a candidate may pass and, if not, why: a sentence each."""

    passed: bool
    reasons: tuple[str, ...]


def gate(comparison: Comparison, tolerance: float = TOLERANCE, alpha: float = ALPHA) -> Verdict:
    """Judge b, the candidate, against a, the baseline.

    It fails if the mean over parts falls by more than ``tolerance``, if any part is worse with
    a p-value below ``alpha`` after Holm's correction, or if it was not asked every question.
    """
    measure = paper_name(comparison.measure)
    macro = comparison.macro
    reasons = []
    if macro.paired.mean < -tolerance - SAME:
        reasons.append(
            f"the mean over {macro.name} is worse: {_fall(macro, measure)}; "
            f"{tolerance:g} is tolerated"
        )
    reasons += [
        f"part {row.name or '(no name)'} is worse: {_fall(row, measure)} "
        f"over {row.questions} questions, p = {row.p_holm:.4f} after Holm's correction"
        for row in comparison.parts
        if row.paired.mean < 0 and row.p_holm < alpha
    ]
    if comparison.only_a:
        reasons.append(f"{comparison.only_a} questions of the baseline were not asked")
    return Verdict(not reasons, tuple(reasons))


def _fall(row: Row, measure: str) -> str:
    return f"{measure} falls by {-row.paired.mean:.4f}, from {row.a:.4f} to {row.b:.4f}"
