"""Questions: what was asked, what came back in every mode, worst first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from plait.evaluation.levels import LINES, is_met
from plait.evaluation.measures import paper_name, per_question
from plait.evaluation.report.markup import Markup, joined, number, tag
from plait.evaluation.report.series import QUALITY, Series
from plait.evaluation.report.svg import glyph, legend, named
from plait.evaluation.report.tables import Cell, as_table, scrolled
from plait.evaluation.runs import Outcome, Shown
from plait.types import Span

MOST = 2_000  # questions on a page
ROOM_BYTES = 13_000_000  # for all of them together
LETTERS = 3_000  # of a query
ANSWERS = 30  # right ones, listed with their places

Answers = Mapping[int, tuple[Outcome, float | None]]  # by the number of the series, with its score


class Asked(NamedTuple):
    """A question, and what every series that was asked it answered."""

    at: int
    answers: Answers

    @property
    def scores(self) -> list[float]:
        return [score for _, score in self.answers.values() if score is not None]

    @property
    def mean(self) -> float | None:
        """What questions are sorted by; None if no right answer is known."""
        return sum(self.scores) / len(self.scores) if self.scores else None

    @property
    def gap(self) -> float:
        return max(self.scores) - min(self.scores) if self.scores else 0.0


def drill_down(series: Sequence[Series]) -> Markup:
    """The worst questions, each folded, and a sentence that says how many there are."""
    asked = sorted(_asked(series), key=_badness)
    made: list[Markup] = []
    room = ROOM_BYTES
    for question in asked[:MOST]:
        folded = _folded(question, series)
        room -= len(folded.encode())
        if room < 0:
            break
        made.append(folded)
    says = f"{len(made):,} question{'' if len(made) == 1 else 's'}"
    if len(made) < len(asked):
        says = (
            f"The {len(made):,} worst of {len(asked):,} questions, to keep the page small; "
            "outcomes.jsonl in the folder of the run has all of them"
        )
    return joined(
        tag("p", f"{says}. Scores are {paper_name(QUALITY)}."),
        _controls(len(series)),
        legend(each.trace for each in series),
        tag("div", made, id="questions"),
    )


def _badness(question: Asked) -> tuple[bool, float, int]:
    mean = question.mean
    return mean is None, mean or 0.0, question.at


def _asked(series: Sequence[Series]) -> list[Asked]:
    found: dict[tuple[str, str], dict[int, tuple[Outcome, float | None]]] = {}
    for at, each in enumerate(series):
        outcomes = each.run.of(each.mode)
        scores = per_question(outcomes, QUALITY, each.is_target)
        for outcome in outcomes:
            answers = found.setdefault((each.digest, outcome.question), {})
            answers[at] = outcome, scores.get(outcome.question)
    return [Asked(at, answers) for at, answers in enumerate(found.values())]


def _controls(modes: int) -> Markup:
    """What needs a script, hidden until it runs."""
    orders = {"score": "worst first", "-score": "best first", "at": "as asked"}
    if modes > 1:
        orders["-gap"] = "modes differ most"
    orders["-ms"] = "slowest first"
    options = [tag("option", name, value=key) for key, name in orders.items()]
    return tag(
        "div",
        tag("label", "Filter ", tag("input", type="search", id="filter", autocomplete="off")),
        tag("label", "Order ", tag("select", options, id="order")),
        tag("span", id="count", role="status"),
        id="controls",
        hidden=True,
    )


def _folded(question: Asked, series: Sequence[Series]) -> Markup:
    outcome, _ = next(iter(question.answers.values()))
    scores = [
        tag("span", glyph(each.trace), number(question.answers.get(at, (None, None))[1]))
        for at, each in enumerate(series)
    ]
    text = outcome.text[:LETTERS]
    if len(outcome.text) > LETTERS:
        text += f"… ({len(outcome.text) - LETTERS:,} more characters)"
    about = [outcome.part, outcome.category, outcome.language, outcome.split.replace("_", " ")]
    line = tag(
        "summary",
        tag("span", scores, class_="scores"),
        tag("span", text, class_="query"),
        tag("span", " · ".join(dict.fromkeys(filter(None, about))), class_="about"),
    )
    columns = [
        _column(each, *question.answers[at])
        for at, each in enumerate(series)
        if at in question.answers
    ]
    return tag(
        "details",
        line,
        tag("p", "Question ", tag("code", outcome.question, class_="id"), class_="dim"),
        _relevant(question, series),
        tag("div", columns, class_="columns"),
        data_at=question.at,
        data_score=None if question.mean is None else f"{question.mean:.4f}",
        data_gap=f"{question.gap:.4f}",
        data_ms=f"{max(each.cpu_ms for each, _ in question.answers.values()):.2f}",
    )


def _relevant(question: Asked, series: Sequence[Series]) -> Markup:
    """The right answers, and where each mode has them."""
    outcome, _ = next(iter(question.answers.values()))
    grades = {answer: grade for answer, grade in outcome.relevant.items() if grade > 0}
    if not grades:
        return tag("p", "No right answer is known.", class_="dim")
    placed = [
        (series[at], places(answered, series[at].is_target))
        for at, (answered, _) in question.answers.items()
    ]
    is_graded = any(grade != 1 for grade in grades.values())
    listed = sorted(grades, key=lambda answer: (-grades[answer], answer))[:ANSWERS]
    rows: list[list[Cell]] = []
    for answer in listed:
        grade = [str(grades[answer])] if is_graded else []
        rows.append([tag("code", answer), *grade, *(number(at.get(answer), 0) for _, at in placed)])
    if len(grades) > len(listed):
        rows.append([f"and {len(grades) - len(listed):,} more"])
    head = ["Right answer", *["Grade"] * is_graded, *(named(each.trace) for each, _ in placed)]
    return scrolled(as_table(head, rows))


def _column(series: Series, outcome: Outcome, score: float | None) -> Markup:
    first = min(places(outcome, series.is_target).values(), default=None)
    found = "none found" if first is None else f"first right answer at {first}"
    head = f"{paper_name(QUALITY)} {number(score)}, {found}, {number(outcome.cpu_ms, 1)} CPU ms"
    results = tag("ol", [_result(shown, outcome, series.is_target) for shown in outcome.shown])
    return tag(
        "section",
        tag("h3", named(series.trace)),
        tag("p", head, class_="dim"),
        results if outcome.shown else tag("p", "No results."),
    )


def _result(shown: Shown, outcome: Outcome, is_target: bool) -> Markup:
    """A result; unfolded, it says how it came to its score."""
    is_right = any(met(shown, outcome, is_target))
    is_named = shown.answer and not shown.place.startswith(shown.answer)
    line = tag(
        "summary",
        tag(
            "span",
            tag("code", shown.answer) if is_named else "",
            tag("span", shown.place, class_="place"),
            class_="what",
        ),
        tag("span", "✓ right", class_="right") if is_right else "",
        tag("span", number(shown.score), class_="points"),
    )
    why = tag("details", line, tag("pre", "\n".join(shown.reasons)))
    return tag("li", why, class_="is-right" if is_right else None)


def places(outcome: Outcome, is_target: bool) -> dict[str, int]:
    """The right answers that were found, each with its place."""
    if is_target:
        return dict(outcome.ranks)
    order = enumerate(outcome.ranking, start=1)
    return {answer: at for at, answer in order if outcome.relevant.get(answer, 0) > 0}


def met(shown: Shown, outcome: Outcome, is_target: bool) -> Iterator[str]:
    """The right answers that a result is, or lies in."""
    lines = LINES.search(shown.place)
    for answer, grade in outcome.relevant.items():
        if grade <= 0:
            continue
        if is_target and lines:
            span = Span(int(lines[1]), int(lines[2]))
            if is_met(answer, shown.place[: lines.start()], span):
                yield answer
        elif answer == shown.answer:
            yield answer
