"""How often the right file is first, or among the first three, and what stands there instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from benchmarks.newcomer.cases import KINDS
from plait.evaluation.runs import Outcome

NEAR = 3  # places that are seen at a glance
PLAIN = "code"  # what a file without tags is called

Tags = Callable[[str, str], Sequence[str]]  # part and path to the tags of the file


class Asked(NamedTuple):
    """One question with what came first."""

    question: str
    kind: str
    text: str
    place: int  # of the first right file among what is shown; 0 if there is none
    first: str  # path and lines
    tags: tuple[str, ...]  # of the first file


def asked_of(outcome: Outcome, tags: Tags) -> Asked:
    """A question's outcome, told by what a user is shown."""
    shown = [one.answer for one in outcome.shown]
    right = [place for place, path in enumerate(shown, start=1) if path in outcome.relevant]
    return Asked(
        outcome.question,
        outcome.category,
        outcome.text,
        right[0] if right else 0,
        outcome.shown[0].place if shown else "",
        tuple(tags(outcome.part, shown[0])) if shown else (),
    )


def shares(asked: Sequence[Asked]) -> dict[str, Any]:
    """Counts over all questions: right first, right in the first three, and what else was first."""
    instead: dict[str, int] = {}
    for one in asked:
        if one.place != 1:
            for tag in one.tags or (PLAIN,):
                instead[tag] = instead.get(tag, 0) + 1
    return {
        "questions": len(asked),
        "first": sum(one.place == 1 for one in asked),
        "near": sum(1 <= one.place <= NEAR for one in asked),
        "instead": dict(sorted(instead.items())),
    }


def summary_of(by_mode: Mapping[str, Sequence[Asked]]) -> str:
    """Tables: shares by mode, by kind of question, and every miss."""
    lines = [
        "# Sixty questions of a newcomer",
        "",
        f"| mode | questions | right first | in the first {NEAR} | first instead |",
        "|---|--:|--:|--:|---|",
        *(_row(mode, asked) for mode, asked in by_mode.items()),
    ]
    for mode, asked in by_mode.items():
        lines += ["", f"## {mode}, by kind of question", ""]
        lines += [f"| kind | questions | right first | in the first {NEAR} | first instead |"]
        lines += ["|---|--:|--:|--:|---|"]
        lines += [_row(kind, [one for one in asked if one.kind == kind]) for kind in KINDS]
        lines += ["", f"## {mode}, not right first", ""]
        lines += ["| question | right at | first | its tags |", "|---|--:|---|---|"]
        lines += [_miss(one) for one in asked if one.place != 1]
    return "\n".join(lines) + "\n"


def _row(name: str, asked: Sequence[Asked]) -> str:
    counted = shares(asked)
    instead = ", ".join(f"{count} {tag}" for tag, count in counted["instead"].items())
    return (
        f"| {name} | {counted['questions']} | {_share(counted['first'], len(asked))} "
        f"| {_share(counted['near'], len(asked))} | {instead} |"
    )


def _share(count: int, of: int) -> str:
    return f"{count} ({count / of:.2f})" if of else "0"


def _miss(one: Asked) -> str:
    text = one.text.replace("|", "\\|")
    place = str(one.place) if one.place else "-"
    return f"| {one.question}: {text} | {place} | {one.first} | {', '.join(one.tags)} |"
