"""Names of measures: as ir_measures writes them, which we store, and as papers do."""

from __future__ import annotations

import re
from typing import NamedTuple

from plait.errors import EvaluationError

FAMILIES = {"RR": "MRR", "nDCG": "nDCG", "R": "Recall", "Success": "Hit", "AP": "MAP", "P": "P"}
CUT = ("R", "Success", "P")  # mean nothing without a place to stop at
EXAMPLES = "RR, RR@10, nDCG@10, nDCG(dcg='exp-log2')@10, R@10, Success@1, AP, P@10"

_NAME = re.compile(r"(\w+)(\(dcg=['\"]exp-log2['\"]\))?(?:@([1-9][0-9]*))?( *\(2\^rel-1\))?")
_SPELLINGS = {name.lower(): ours for ours, paper in FAMILIES.items() for name in (ours, paper)}


class Measure(NamedTuple):
    """A measure's name, taken apart."""

    family: str
    cutoff: int | None = None
    is_exponential: bool = False  # gains are 2^rel-1, not rel

    @property
    def name(self) -> str:
        return self._cut(self.family + "(dcg='exp-log2')" * self.is_exponential)

    @property
    def paper_name(self) -> str:
        return self._cut(FAMILIES[self.family]) + " (2^rel-1)" * self.is_exponential

    def _cut(self, family: str) -> str:
        return family if self.cutoff is None else f"{family}@{self.cutoff}"


def parse_name(name: str) -> Measure:
    """A measure by its name in either spelling, in any case.

    Raises:
        EvaluationError: There is no such measure.
    """
    found = _NAME.fullmatch(name.strip())
    family = _SPELLINGS.get(found[1].lower()) if found else None
    if found and family:
        is_exponential = bool(found[2] or found[4])
        cutoff = int(found[3]) if found[3] else None
        if (family == "nDCG" or not is_exponential) and (cutoff or family not in CUT):
            return Measure(family, cutoff, is_exponential)
    raise EvaluationError(
        f"no measure is called {name.strip()!r}",
        hint=f"there are {EXAMPLES}, with any number after the @",
    )
