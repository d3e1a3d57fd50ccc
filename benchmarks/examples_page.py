"""The page of examples: answers of ``benchmarks.examples`` as Markdown."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from plait.search.plan import MODES
from plait.types import Answer, Result

SHOWN = 5  # results of each ranking
LOOKED_AT = 20  # places in which the wanted one is looked for
WIDTH = 95


class Example(NamedTuple):
    """A question and what it shows."""

    text: str
    wanted: tuple[str, ...]  # qualified names; one of them, or a part of one, answers it
    best: tuple[str, ...]  # the modes that have one of them furthest up
    shows: str


class Asked(NamedTuple):
    """An example and its answers by mode."""

    example: Example
    answers: Mapping[str, Answer]

    def places(self) -> dict[str, int]:
        """Where the first wanted result stands in each mode; 0 if it is not there."""
        return {mode: _place(answer, self.example.wanted) for mode, answer in self.answers.items()}

    def best(self) -> tuple[str, ...]:
        """The modes that have it furthest up."""
        places = {mode: place for mode, place in self.places().items() if place}
        return tuple(mode for mode, place in places.items() if place == min(places.values()))


def page(asked: Sequence[Asked], about: str) -> str:
    """What stands between the marks; ``about`` says what was searched."""
    opening = f"{about} The table has the place of the first right result, the best in bold."
    parts = [f"{textwrap.fill(opening, WIDTH)}\n", _places(asked)]
    for number, one in enumerate(asked, start=1):
        parts.append(f"## {number}. `{one.example.text}`\n")
        parts.append(f"{textwrap.fill(one.example.shows, WIDTH)}\n")
        parts.append(_lists(one.answers))
        best = one.answers["hybrid"].results[0]
        account = "\n".join(best.reason.lines())
        parts.append(f"Why hybrid puts {_spot(best)} first:\n\n```text\n{account}\n```\n")
    return "\n".join(parts)


def _place(answer: Answer, wanted: Sequence[str]) -> int:
    for result in answer.results:
        symbol = result.chunk.symbol
        if symbol is not None and any(_is_of(symbol.qualified_name, name) for name in wanted):
            return result.rank
    return 0


def _is_of(name: str, whole: str) -> bool:
    return name == whole or name.startswith(f"{whole}.")


def _places(asked: Sequence[Asked]) -> str:
    lines = [f"| question | {' | '.join(MODES)} |", f"|---|{'---:|' * len(MODES)}"]
    for one in asked:
        best = one.best()
        cells = [
            f"**{place}**" if mode in best else str(place or f"not in {LOOKED_AT}")
            for mode, place in one.places().items()
        ]
        lines.append(f"| `{one.example.text}` | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _lists(answers: Mapping[str, Answer]) -> str:
    columns = [list(_spots(answers[mode].results)) for mode in MODES]
    lines = [f"| | {' | '.join(MODES)} |", f"|--:|{'---|' * len(MODES)}"]
    for rank, row in enumerate(zip(*columns, strict=True), start=1):
        lines.append(f"| {rank} | {' | '.join(row)} |")
    return "\n".join(lines) + "\n"


def _spots(results: Sequence[Result]) -> Iterator[str]:
    for at in range(SHOWN):
        yield _spot(results[at], "<br>") if at < len(results) else ""


def _spot(result: Result, between: str = " ") -> str:
    chunk = result.chunk
    place = f"`{chunk.path}:{chunk.span.first}`"
    return f"{place}{between}`{chunk.symbol.qualified_name}`" if chunk.symbol else place
