"""The report as plain text: Markdown to paste, JSON and CSV for other programs."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from plait.evaluation.measures import BREAKDOWNS, paper_name
from plait.evaluation.report.markup import number
from plait.evaluation.report.series import (
    LATENCIES,
    MAIN,
    Series,
    best,
    group_names,
    measure_names,
    questions_in,
    series_of,
)
from plait.evaluation.report.tables import DIGITS, NAMELESS
from plait.evaluation.runs import Run

COUNTS = ("questions", "unanswered")
SPECIAL = re.compile(r"([\\`*_\[\]<>|~])")


def as_json(runs: Sequence[Run]) -> str:
    """Configuration and measures of every run, as JSON."""
    series = series_of(runs)
    value = {
        "schema": "plait.eval.report/1",
        "runs": [
            {
                "name": label,
                "config": _finite(run.config),
                "measures": {
                    each.mode: _finite(each.measures) for each in series if each.run_label == label
                },
            }
            for label, run in {each.run_label: each.run for each in series}.items()
        ],
    }
    return json.dumps(value, indent=2, allow_nan=False)


def as_csv(runs: Sequence[Run]) -> str:
    """A row per run and mode, then one per group of every breakdown; values in full."""
    series = series_of(runs)
    names = [*measure_names(series), *COUNTS, *LATENCIES]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["run", "dataset", "mode", "by", "group", *names])
    for each in series:
        about = [each.run_label, str(each.dataset.get("name", "")), each.mode]
        for by, group, measures in _groups(each):
            writer.writerow([*about, by, group, *(measures.get(name) for name in names)])
    return text.getvalue()


def markdown(runs: Sequence[Run]) -> str:
    """The summary, the breakdowns and the notes."""
    series = series_of(runs)
    labels = {each.run_label: each.run for each in series}
    lines = [_about(label, run) for label, run in labels.items()]
    lines += ["", *_summary(series)]
    for by in BREAKDOWNS:
        lines += _breakdown(series, by)
    noted = dict.fromkeys(
        note for run in runs for note in (run.config.get("dataset") or {}).get("notes", ())
    )
    lines += [""] * bool(noted) + [f"- {_escaped(str(note))}" for note in noted]
    return "\n".join(lines) + "\n"


def _groups(series: Series) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    yield "", "", series.measures
    for by in BREAKDOWNS:
        for group, measures in series.groups(by).items():
            yield by, group, measures


def _about(label: str, run: Run) -> str:
    dataset = run.config.get("dataset") or {}
    said = [
        f"dataset {dataset.get('name', '')}, level {dataset.get('level', '')}",
        *(
            f"{key} {run.config[key]}"
            for key in ("commit", "machine", "finished")
            if run.config.get(key)
        ),
    ]
    return f"- {_escaped(label)}: {_escaped('; '.join(said))}"


def _summary(series: Sequence[Series]) -> list[str]:
    names = measure_names(series)
    bold = {name: best(series, [each.value(name) for each in series], DIGITS) for name in names}
    times = [f"{name.partition('_')[0]} CPU ms" for name in LATENCIES]
    rows = [["Mode", *map(paper_name, names), "Questions", "Unanswered", *times]]
    for at, each in enumerate(series):
        measured = [_bold(number(each.value(name), DIGITS), at in bold[name]) for name in names]
        counts = [number(each.value(name), 0) for name in COUNTS]
        latencies = [number(each.value(name), 2) for name in LATENCIES]
        rows.append([_escaped(each.trace.label), *measured, *counts, *latencies])
    return _table(rows)


def _breakdown(series: Sequence[Series], by: str) -> list[str]:
    groups = group_names(series, by)
    if not groups:
        return []
    names = [name for name in MAIN if name in measure_names(series)]
    columns = [(name, each) for name in names for each in series]
    is_one = len(series) == 1
    titles = [
        paper_name(name) if is_one else f"{paper_name(name)}, {_escaped(each.trace.label)}"
        for name, each in columns
    ]
    rows = [[f"By {by}", "Questions", *titles]]
    for group in groups:
        values = [number(each.in_group(by, group, name)) for name, each in columns]
        count = number(questions_in(series, by, group), 0)
        rows.append([_escaped(group or NAMELESS), count, *values])
    return ["", *_table(rows)]


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    rule = ["---", *["--:"] * (len(rows[0]) - 1)]
    return [f"| {' | '.join(row)} |" for row in (rows[0], rule, *rows[1:])]


def _bold(text: str, is_best: bool) -> str:
    return f"**{text}**" if is_best else text


def _escaped(text: str) -> str:
    return SPECIAL.sub(r"\\\1", " ".join(text.split()))


def _finite(value: Any) -> Any:
    """A value that JSON can hold: not a number becomes null."""
    if isinstance(value, Mapping):
        return {key: _finite(held) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(held) for held in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
