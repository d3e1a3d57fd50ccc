"""Covering: how much of a message a line of code says, in order.

Words of the message are put beside words of the line, each at most once, in the order of both, so
that they weigh the most; a word weighs its letters. What a literal says and the message does not
speaks against the line. Values of the message may be met but need not be.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from plait.messages.literals import WORD, Written, words_of
from plait.messages.pasted import Message
from plait.messages.values import parts

IN_CODE = 0.3  # what a word is worth outside of literals
NEXT = 0.25  # more for a word that follows the same word in both
MISSED = 0.5  # of a word of the literal that the message does not have
KIND = 0.15  # for the class of the error, of the whole message
MAX_PAIRS = 600  # of equal words that are put beside each other


class Cover(NamedTuple):
    """How much of a message a line says."""

    score: float  # 1 for all of it and nothing else
    covered: float  # the share of the message that the line says
    is_whole: bool  # the message has every word of the literals that were met


NOTHING = Cover(0.0, 0.0, is_whole=False)


class Wanted:
    """A message that lines are compared with.

    Args:
        message: What was told.
    """

    def __init__(self, message: Message) -> None:
        self.message = message
        self._weights: list[float] = []  # of each word; 0 for one of a value
        self._places: dict[str, list[int]] = {}
        for part in parts(message.text):
            for word in WORD.findall(message.text[part.begin : part.end]):
                self._places.setdefault(word, []).append(len(self._weights))
                self._weights.append(0.0 if part.is_value else weight(word))

    @cached_property
    def total(self) -> float:
        """What all fixed words of the message weigh."""
        return sum(self._weights)

    def cover(self, text: str) -> Cover:
        """How much of the message some lines of code say."""
        line = words_of(text)
        pairs = [
            (at, place)
            for at, written in enumerate(line)
            for place in self._places.get(written.word, ())
        ]
        if not pairs or not self.total:
            return NOTHING
        met = self._aligned(line, pairs[:MAX_PAIRS])
        literals = {line[at].literal for at, _ in met} - {0}
        taken = {at for at, _ in met}
        missed = sum(
            weight(written.word)
            for at, written in enumerate(line)
            if written.literal in literals and at not in taken
        )
        covered = sum(
            self._weights[place] * (1.0 if line[at].literal else IN_CODE) for at, place in met
        )
        follows = {(at + 1, place + 1) for at, place in met}
        next_ = sum(self._weights[place] for at, place in met if (at, place) in follows)
        has_kind = any(written.word == self.message.kind for written in line)
        score = (covered + NEXT * next_ - MISSED * missed) / (self.total * (1 + NEXT))
        return Cover(score + KIND * has_kind, covered / self.total, missed == 0)

    def _aligned(
        self, line: Sequence[Written], pairs: Sequence[tuple[int, int]]
    ) -> list[tuple[int, int]]:
        """The pairs of equal words, rising in both, that weigh the most together."""
        best: list[float] = []
        before: list[int] = []
        for number, (at, place) in enumerate(pairs):
            own = max(self._weights[place], 0.5) * (1.0 if line[at].literal else IN_CODE)
            most, previous = 0.0, -1
            for earlier in range(number):
                at_before, place_before = pairs[earlier]
                if at_before < at and place_before < place:
                    reached = best[earlier]
                    if at_before == at - 1 and place_before == place - 1:
                        reached += NEXT * own
                    if reached > most:
                        most, previous = reached, earlier
            best.append(most + own)
            before.append(previous)
        chosen = []
        number = max(range(len(best)), key=best.__getitem__)
        while number >= 0:
            chosen.append(pairs[number])
            number = before[number]
        return chosen[::-1]


def weight(word: str) -> float:
    """What a word is worth: longer ones are rarer."""
    return float(len(word))
