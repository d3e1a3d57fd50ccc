"""Tables: the summary, the breakdowns, and the one way any table is written."""

from __future__ import annotations

from collections.abc import Sequence

from plait.evaluation.measures import paper_name
from plait.evaluation.report.markup import Markup, number, tag
from plait.evaluation.report.series import (
    LATENCIES,
    MAIN,
    Series,
    best,
    group_names,
    measure_names,
    questions_in,
)
from plait.evaluation.report.svg import named

Cell = str  # text or markup; the first of a row names the row

DIGITS = 4  # of the summary; breakdowns and charts show 3
NAMELESS = "(none)"


def as_table(head: Sequence[Cell], rows: Sequence[Sequence[Cell]], *above: Markup) -> Markup:
    """A table whose first column names the rows; ``above`` are rows over the head."""
    names = tag("tr", [tag("th", cell, scope="col") for cell in head])
    body = [
        tag("tr", tag("th", row[0], scope="row"), [tag("td", cell) for cell in row[1:]])
        for row in rows
    ]
    return tag("table", tag("thead", above, names), tag("tbody", body))


def scrolled(table: Markup) -> Markup:
    """A table that may be wider or longer than its place."""
    return tag("div", table, class_="scroll", tabindex=0)


def summary_table(series: Sequence[Series]) -> Markup:
    """One row per run and mode: every measure, best in bold, then counts and latencies."""
    names = measure_names(series)
    bold = {name: best(series, [each.value(name) for each in series], DIGITS) for name in names}
    rows = []
    for at, each in enumerate(series):
        measured = [_bold(number(each.value(name), DIGITS), at in bold[name]) for name in names]
        counts = [number(each.value(name), 0) for name in ("questions", "unanswered")]
        times = [number(each.value(name), 2) for name in LATENCIES]
        rows.append([named(each.trace), *measured, *counts, *times])
    times = [f"{name.partition('_')[0]} CPU ms" for name in LATENCIES]
    head = ["Mode", *map(paper_name, names), "Questions", "Unanswered", *times]
    return scrolled(as_table(head, rows))


def breakdown_table(series: Sequence[Series], by: str) -> Markup | None:
    """One row per group, one column per measure and mode; None if nothing is broken down so."""
    groups = group_names(series, by)
    if not groups:
        return None
    names = [name for name in MAIN if name in measure_names(series)]
    rows = []
    for group in groups:
        row: list[Cell] = [group or NAMELESS, number(questions_in(series, by, group), 0)]
        for name in names:
            values = [each.in_group(by, group, name) for each in series]
            bold = best(series, values, 3)
            row += [_bold(number(value), at in bold) for at, value in enumerate(values)]
        rows.append(row)
    if len(series) == 1:
        return scrolled(as_table(["", "Questions", *map(paper_name, names)], rows))
    spans = [tag("th", paper_name(name), colspan=len(series), scope="colgroup") for name in names]
    over = tag("tr", tag("td", colspan=2), spans)
    return scrolled(
        as_table(
            ["", "Questions", *[named(each.trace) for each in series] * len(names)], rows, over
        )
    )


def _bold(text: str, is_best: bool) -> Cell:
    return tag("b", text) if is_best else text
