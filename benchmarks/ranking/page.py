"""The table of signals in docs/ranking.md, from the code.

python -m benchmarks.ranking.page
"""

from __future__ import annotations

import re

from plait.ranking.table import SIGNALS
from tools.record import ROOT

PAGE = ROOT / "docs" / "ranking.md"
BETWEEN = re.compile(r"(?<=<!-- signals: begin -->\n).*?(?=<!-- signals: end -->)", re.DOTALL)


def table() -> str:
    """A row for each signal."""
    rows = [f"| {one.name} | {one.weight:g} | {one.means} |" for one in SIGNALS]
    return "\n".join(["| signal | weight | what it means |", "|---|---:|---|", *rows, ""])


def page(text: str) -> str:
    """The page with the table as the code has it."""
    return BETWEEN.sub(lambda _: table(), text)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
