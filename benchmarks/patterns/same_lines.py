"""The same lines: what plait finds on every question against what ripgrep finds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from benchmarks.patterns.engines import Found, Plait, Ripgrep
from benchmarks.patterns.questions import Question

SHOWN = 5


class Difference(NamedTuple):
    """Lines only one of two has: how many, and a few of them as ``path:number``."""

    missing: int
    extra: int
    examples: tuple[str, ...]


def difference(found: Found, wanted: Found) -> Difference:
    """What is missing of what is wanted, and what is there beyond it."""
    missing, extra = _beyond(wanted, found), _beyond(found, wanted)
    examples = [f"-{line}" for line in missing[:SHOWN]] + [f"+{line}" for line in extra[:SHOWN]]
    return Difference(len(missing), len(extra), tuple(examples))


def _beyond(some: Found, others: Found) -> list[str]:
    """The lines of some that others have not; a line given twice is there twice."""
    lines: list[str] = []
    for path, numbers in some.items():
        if numbers == others.get(path):
            continue
        left = list(others.get(path, ()))
        for number in numbers:
            if number in left:
                left.remove(number)
            else:
                lines.append(f"{path}:{number}")
    return lines


def compared(
    plait: Plait, ripgrep: Ripgrep, questions: Sequence[Question]
) -> dict[str, dict[str, object]]:
    """How many lines each question has, and what differs."""
    rows: dict[str, dict[str, object]] = {}
    for question in questions:
        wanted = ripgrep.lines(question)
        differs = difference(plait.lines(question), wanted)
        rows[question.name] = {
            "lines": sum(map(len, wanted.values())),
            "files": len(wanted),
            **differs._asdict(),
        }
    return rows
