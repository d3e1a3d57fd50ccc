"""A comparison to be read: as text, as Markdown, as JSON, as a table of its questions."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from plait.evaluation.compare import Change, Comparison, Row
from plait.evaluation.measures import paper_name

MEANS = (
    "",
    "questions",
    "a",
    "b",
    "b - a",
    "95 % interval",
    "p",
    "Holm",
    "better",
    "worse",
    "same",
)
CHANGES = ("b - a", "a", "b", "rank a", "rank b", "part", "question")
COLUMNS = (
    *("question", "part", "language", "category", "a", "b", "difference"),
    *("rank_a", "rank_b", "text"),
)
TEXT_WIDTH = 100  # of a question's text in a table

Table = Callable[[Sequence[str], Sequence[Sequence[str]]], list[str]]


def as_text(comparison: Comparison, limit: int = 10) -> list[str]:
    """Lines of aligned tables: means, groups, and the questions that changed most."""
    return _page(comparison, limit, "{}", _aligned)


def as_markdown(comparison: Comparison, limit: int = 10) -> list[str]:
    """The same in Markdown."""
    return _page(comparison, limit, "## {}", _piped)


def as_json(comparison: Comparison, limit: int = 10) -> dict[str, Any]:
    """The same as one object; ``limit`` is for the questions of ``wins`` and ``losses``."""
    return {
        "a": comparison.name_a,
        "b": comparison.name_b,
        "measure": comparison.measure,
        "overall": {name: _flat(row) for name, row in comparison.overall.items()},
        "parts": [_flat(row) for row in comparison.parts],
        "languages": [_flat(row) for row in comparison.languages],
        "categories": [_flat(row) for row in comparison.categories],
        "wins": [_listed(change) for change in comparison.wins[:limit]],
        "losses": [_listed(change) for change in comparison.losses[:limit]],
        "only_a": comparison.only_a,
        "only_b": comparison.only_b,
        "notes": list(comparison.notes),
    }


def as_csv(comparison: Comparison) -> str:
    """Every question, best first, with a line of names above."""
    out = io.StringIO()
    table = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    table.writeheader()
    table.writerows(_listed(change) for change in comparison.changes)
    return out.getvalue()


def _flat(row: Row) -> dict[str, Any]:
    means = {"name": row.name, "questions": row.questions, "a": row.a, "b": row.b}
    return means | row.paired._asdict() | {"p_holm": row.p_holm}


def _listed(change: Change) -> dict[str, Any]:
    return asdict(change) | {"difference": change.difference}


# ---------------------------------------------------------------- pages


def _page(comparison: Comparison, limit: int, heading: str, table: Table) -> list[str]:
    measure = paper_name(comparison.measure)
    lines = [
        heading.format(f"{measure}: what b gained over a"),
        "",
        *(f"- a: {comparison.name_a}", f"- b: {comparison.name_b}"),
        *(f"- note: {note}" for note in _notes(comparison)),
        "",
    ]
    means = [_means(row, f"mean of {name}") for name, row in comparison.overall.items()]
    lines += table(MEANS, means)
    for title, rows in (
        ("Parts", comparison.parts),
        ("Languages", comparison.languages),
        ("Categories", comparison.categories),
    ):
        if len(rows) > 1:
            body = [_means(row, row.name or "(no name)") for row in rows]
            lines += ["", heading.format(title), "", *table(MEANS, body)]
    for title, changes in (("Better", comparison.wins), ("Worse", comparison.losses)):
        if shown := changes[:limit]:
            title = f"{title}: {len(shown)} of {len(changes)} questions"
            lines += ["", heading.format(title), "", *table(CHANGES, [_change(c) for c in shown])]
    return lines


def _notes(comparison: Comparison) -> list[str]:
    alone = [
        f"{count} questions are only in {name} and are left out"
        for name, count in (("a", comparison.only_a), ("b", comparison.only_b))
        if count
    ]
    return [*comparison.notes, *alone]


def _means(row: Row, name: str) -> list[str]:
    tested = row.paired
    return [
        name,
        str(row.questions),
        f"{row.a:.4f}",
        f"{row.b:.4f}",
        f"{tested.mean:+.4f}",
        f"{tested.low:+.4f} to {tested.high:+.4f}",
        f"{tested.p:.4f}",
        f"{row.p_holm:.4f}",
        *(str(tested.wins), str(tested.losses), str(tested.ties)),
    ]


def _change(change: Change) -> list[str]:
    text = " ".join(change.text.split())
    if len(text) > TEXT_WIDTH:
        text = f"{text[: TEXT_WIDTH - 1]}…"
    return [
        f"{change.difference:+.4f}",
        *(f"{change.a:.4f}", f"{change.b:.4f}"),
        *(str(rank or "-") for rank in (change.rank_a, change.rank_b)),
        change.part,
        f"{change.question}: {text}" if text else change.question,
    ]


def _aligned(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Columns as wide as they need to be; numbers to the right, names to the left."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    is_name = [name in ("", "part", "question") for name in head]
    return [
        "  ".join(
            cell.ljust(width) if left else cell.rjust(width)
            for cell, width, left in zip(row, widths, is_name, strict=True)
        ).rstrip()
        for row in (head, *rows)
    ]


def _piped(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    rule = ["---" if name in ("", "part", "question") else "---:" for name in head]
    escaped = [[re.sub(r"([\\`*_|<>\[\]])", r"\\\1", cell) for cell in row] for row in rows]
    return [f"| {' | '.join(row)} |" for row in (head, rule, *escaped)]
