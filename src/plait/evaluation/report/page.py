"""The page: one HTML file that needs no network, no other file and, to be read, no script.

A policy in its head forbids it to load anything; style and script are allowed by their
digests, so that nothing from a query or a path could run even if it got past the escaping.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator, Sequence
from importlib import resources
from pathlib import Path

from plait.errors import EvaluationError
from plait.evaluation.measures import paper_name
from plait.evaluation.report.charts import bars, heat, radar, scatter
from plait.evaluation.report.context import (
    Labelled,
    corpora,
    economy,
    facts,
    labelled,
    notes,
    overlap,
)
from plait.evaluation.report.markup import Markup, joined, tag
from plait.evaluation.report.questions import drill_down
from plait.evaluation.report.series import (
    COST,
    MAIN,
    QUALITY,
    Series,
    group_names,
    questions_in,
    series_of,
)
from plait.evaluation.report.tables import NAMELESS, breakdown_table, summary_table
from plait.evaluation.runs import Run

BREAKDOWNS = (("part", "By part"), ("category", "By category"), ("split", "By split"))


def write_report(runs: Sequence[Run], path: Path) -> None:
    """Write the report of runs as one page.

    Raises:
        EvaluationError: There is nothing to report, or the file cannot be written.
    """
    page = as_page(runs)
    try:
        path.write_text(page, encoding="utf-8", newline="\n")
    except OSError as error:
        raise EvaluationError(f"cannot write {path}: {error.strerror}") from error


def as_page(runs: Sequence[Run]) -> str:
    """The page as text."""
    series = series_of(runs)
    known = labelled(series)
    style, script = _asset("report.css"), _asset("report.js")
    title = f"Evaluation of {_datasets(known)}"
    policy = (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", f"{title} · plait"),
        tag("style", style),
    )
    body = tag(
        "body", tag("main", _header(title, known), _panels(series, known)), tag("script", script)
    )
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def _header(title: str, runs: Labelled) -> Markup:
    warnings = []
    if len({(run.config.get("dataset") or {}).get("digest") for _, run in runs}) > 1:
        warnings.append("The runs ask different questions; only rows of one dataset compare.")
    warnings += [
        f"The run {name} was stopped before its end; it is measured on what it has."
        for name, run in runs
        if not run.measures
    ]
    notes_ = [tag("p", text, class_="warning", role="note") for text in warnings]
    return tag("header", _asset("mark.svg"), tag("h1", title), notes_)


def _panels(series: Sequence[Series], runs: Labelled) -> Markup:
    broken = [_panel(by, title, breakdown_table(series, by)) for by, title in BREAKDOWNS]
    is_wide = len(series) > 2
    return joined(
        _panel("runs", "How it was run", facts(runs)),
        _panel("summary", "Summary", summary_table(series)),
        _charts(series),
        broken if is_wide else (),
        tag(
            "div",
            _panel("languages", f"By language, {paper_name(QUALITY)}", _languages(series)),
            () if is_wide else broken,
            _panel("corpora", "What was indexed", corpora(runs)),
            _of_each("overlap", "Leakage", overlap, runs),
            _of_each("economy", "Token economics", economy, runs),
            _panel("notes", "Notes on the dataset", notes(runs)),
            class_="beside",
        ),
        _panel("drill-down", "Question by question", drill_down(series)),
    )


def _charts(series: Sequence[Series]) -> Markup:
    names = [name for name in MAIN if any(each.value(name) is not None for each in series)]
    written = [paper_name(name) for name in names]
    rows = [(each.trace, [each.value(name) for name in names]) for each in series]
    listed, quality = ", ".join(written), paper_name(QUALITY)
    costs = [(each.trace, each.value(COST), each.value(QUALITY)) for each in series]
    cost = scatter("Time against quality", "p50 CPU ms", quality, costs)
    return tag(
        "div",
        _panel("bars", "Quality", bars(f"{listed} per mode", written, rows)),
        _panel("radar", "Shape", radar(f"{listed} as a shape per mode", written, rows)),
        _panel("cost", "Quality for the time", cost),
        class_="charts",
    )


def _of_each(
    id_: str, title: str, made: Callable[[Run], Markup | None], runs: Labelled
) -> Iterator[Markup]:
    for at, (name, run) in enumerate(runs):
        heading = title if len(runs) == 1 else f"{title}, {name}"
        yield _panel(f"{id_}-{at}", heading, made(run))


def _languages(series: Sequence[Series]) -> Markup | None:
    groups = group_names(series, "language")
    if not groups:
        return None
    rows = [
        (
            group or NAMELESS,
            questions_in(series, "language", group),
            [each.in_group("language", group, QUALITY) for each in series],
        )
        for group in groups
    ]
    label = f"{paper_name(QUALITY)} per language and mode"
    return heat(label, [each.trace for each in series], rows)


def _panel(id_: str, title: str, body: Markup | None) -> Markup:
    if body is None:
        return Markup()
    heading = tag("h2", title, id=f"{id_}-title")
    return tag(
        "section",
        heading,
        body,
        id=id_,
        class_="panel",
        aria_labelledby=f"{id_}-title",
    )


def _datasets(runs: Labelled) -> str:
    names = [str((run.config.get("dataset") or {}).get("name", "")) for _, run in runs]
    return ", ".join(dict.fromkeys(names))


def _asset(name: str) -> Markup:
    folder = resources.files("plait.evaluation.report")
    return Markup(folder.joinpath(name).read_text(encoding="utf-8"))


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
