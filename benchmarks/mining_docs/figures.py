"""Tables of what was mined, and of how well plait answers it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.evaluation_page import table
from plait.evaluation.measures import paper_name
from plait.evaluation.mining import MinedDocs
from plait.evaluation.mining.docs.cases import split_of

BY_FILE = ("nDCG@10", "RR@10", "Success@1", "Success@3")
BY_SYMBOL = ("RR@10",)

Measured = Mapping[str, Mapping[str, Any]]  # level to mode to measures


def mined_table(mined: Sequence[MinedDocs]) -> str:
    """A row for each package."""
    rows = [
        [
            one.name,
            next(iter(one.languages), ""),
            split_of(one.name),
            f"{one.sections:,}",
            str(len(one.cases)),
            str(sum(case.mentions_target for case in one.cases)),
            str(sum(bool(case.without) for case in one.cases)),
        ]
        for one in mined
    ]
    head = ("package", "language", "split", "sections", "cases", "name their target", "from code")
    return table(head, rows)


def totals(mined: Sequence[MinedDocs]) -> str:
    """One paragraph."""
    languages: Counter[str] = Counter()
    left_out: Counter[str] = Counter()
    for one in mined:
        languages.update(one.languages)
        left_out.update(one.left_out)
    cases = [case for one in mined for case in one.cases]
    dev = sum(case.split == "dev" for case in cases)
    by_language = ", ".join(f"{count:,} {name}" for name, count in languages.most_common())
    reasons = ", ".join(f"{reason} {count:,}" for reason, count in left_out.most_common())
    return (
        f"{len(cases):,} cases over {len(mined)} packages ({by_language}), {dev:,} of them dev; "
        f"{sum(case.mentions_target for case in cases):,} name their target, "
        f"{sum(bool(case.without) for case in cases):,} were taken from code. "
        f"Sections left out: {reasons}."
    )


def answered_table(measured: Measured) -> str:
    """A row for each split and mode: files, then symbols."""
    head = ["split", "mode", "questions", *map(paper_name, BY_FILE)]
    head += [f"{paper_name(name)} by symbol" for name in BY_SYMBOL]
    rows = []
    for split in ("test", "dev"):
        for mode, found in measured["files"].items():
            files = found["by_split"].get(split, {})
            symbols = measured["symbols"][mode]["by_split"].get(split, {})
            if files:
                rows.append(
                    [
                        split,
                        mode,
                        f"{files['questions']:,}",
                        *(f"{files[name]:.3f}" for name in BY_FILE),
                        *(f"{symbols[name]:.3f}" for name in BY_SYMBOL),
                    ]
                )
    return table(head, rows)


def language_table(measured: Measured, mode: str) -> str:
    """One mode's files, a row for each language."""
    found = measured["files"][mode]["by_language"]
    rows = [
        [language, f"{one['questions']:,}", *(f"{one[name]:.3f}" for name in BY_FILE)]
        for language, one in sorted(found.items())
    ]
    return table(["language", "questions", *map(paper_name, BY_FILE)], rows)
