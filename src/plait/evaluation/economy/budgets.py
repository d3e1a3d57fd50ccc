"""Budgets: how much of the answer has been shown when so many tokens are spent.

Every way of finding becomes the lines it prints, in order, with what each shows. Recall at a
budget is the share of a question's answers of which a line was printed before the budget was
spent; an output that does not fit is cut where the tokens end. A path alone shows nothing of a
file; what naming it would be worth is counted apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from plait.evaluation.economy.replay import Call
from plait.evaluation.economy.right import NO_LINES, IsRight
from plait.evaluation.economy.tokens import count
from plait.types import Answer, Span

BUDGETS = (300, 500, 1000, 2000, 4000)


class ShownLine(NamedTuple):
    """A printed line, and the line of a file it shows; 0 if it only names the file."""

    text: str
    path: str = ""
    number: int = 0


Pack = Callable[[Answer, int], Iterable[ShownLine]]  # what is printed within so many tokens


class Budgeted(NamedTuple):
    """What was shown within each of ``BUDGETS``: shares of the answers."""

    recalls: tuple[float, ...]
    named: tuple[float, ...]  # had the name of a file been enough
    tokens: tuple[int, ...] = ()  # of packs: what each cost


def budgeted(paid: int, lines: Iterable[ShownLine], answers: Sequence[IsRight]) -> Budgeted:
    """What lines show within each budget.

    Args:
        paid: Tokens spent before the first line.
        lines: As printed.
        answers: A rule for each answer to the question.
    """
    shown: dict[int, int] = {}  # answer to the tokens spent when a line of it was printed
    named: dict[int, int] = {}
    for line in lines:
        paid += count(f"{line.text}\n")
        if paid > BUDGETS[-1] or len(shown) == len(answers):
            break
        for at, is_right in enumerate(answers):
            if not line.path or at in shown:
                continue
            if line.number and is_right(line.path, Span(line.number, line.number)):
                shown[at] = paid
                named.setdefault(at, paid)
            elif at not in named and is_right(line.path, NO_LINES):
                named[at] = paid
    return Budgeted(_shares(shown.values(), answers), _shares(named.values(), answers))


def packed(
    question: str, ask: Callable[[int], Answer], pack: Pack, answers: Sequence[IsRight]
) -> Budgeted:
    """What packs show, one for each budget; the question is paid for out of it.

    Args:
        question: Its text.
        ask: Gives the answer to be packed into so many tokens.
        pack: What is printed of it.
        answers: A rule for each answer to the question.
    """
    asked = count(question)
    each, tokens = [], []
    for budget in BUDGETS:
        room = max(budget - asked, 1)
        lines = list(pack(ask(room), room))
        each.append(budgeted(asked, lines, answers))
        tokens.append(asked + count("".join(f"{line.text}\n" for line in lines)))
    return Budgeted(
        tuple(one.recalls[at] for at, one in enumerate(each)),
        tuple(one.named[at] for at, one in enumerate(each)),
        tuple(tokens),
    )


def called(calls: Iterable[Call]) -> Iterator[ShownLine]:
    """What calls cost and print, line by line."""
    for call in calls:
        if call.given:
            yield ShownLine(call.given)
        rows = call.output.split("\n") if call.output else []
        places = list(call.shown)
        if len(places) == 1 and len(rows) > 1:  # a file was read
            [(path, span)] = places
            places = [(path, Span(number, number)) for number in range(span.first, span.last + 1)]
        for at, row in enumerate(rows):
            path, span = places[at] if at < len(places) else ("", NO_LINES)
            yield ShownLine(row, path, span.first)


def _shares(costs: Iterable[int], answers: Sequence[IsRight]) -> tuple[float, ...]:
    paid, all_there_is = list(costs), max(len(answers), 1)
    return tuple(sum(cost <= budget for cost in paid) / all_there_is for budget in BUDGETS)
