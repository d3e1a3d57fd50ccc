"""Right places: where the answers to a question lie, by path and lines.

Both ways of finding are held to the same rule. What counts is what the agent was shown: a
right file, or lines that overlap a right symbol or a target's lines.
"""

from __future__ import annotations

from collections.abc import Callable

from plait.evaluation.asking import judged
from plait.evaluation.dataset import Level, Part, Question
from plait.evaluation.levels import Names, is_met
from plait.types import Snapshot, Span

NO_LINES = Span(0, 0)  # a path was shown and nothing of the file

IsRight = Callable[[str, Span], bool]  # of a path and the lines that were shown


class Right:
    """What answers the questions of one part.

    Args:
        part: Its judgements name the answers.
        level: What an answer is; a document has no place in a tree.
        snapshot: The index of the part, which knows where symbols lie.
    """

    def __init__(self, part: Part, level: Level, snapshot: Snapshot) -> None:
        self._part = part
        self._level = level
        self._snapshot = snapshot
        self._names = Names(snapshot, level)

    def to(self, question: Question) -> IsRight:
        """Tells whether lines of a file answer a question."""
        each = self.each(question)
        return lambda path, shown: any(is_right(path, shown) for is_right in each)

    def each(self, question: Question) -> list[IsRight]:
        """Tells of every answer to a question whether lines of a file show it."""
        grades = judged(self._part, question, self._names)
        answers = [answer for answer, grade in grades.items() if grade > 0]
        return [self._rule(answer) for answer in answers]

    def _rule(self, answer: str) -> IsRight:
        if self._level is Level.TARGET:
            return lambda path, shown: is_met(answer, path, shown)
        if self._level is not Level.SYMBOL:
            return lambda path, _: path == answer
        places = self._places(answer)
        return lambda path, shown: any(
            path == file and shown.first <= lines.last and lines.first <= shown.last
            for file, lines in places
        )

    def _places(self, symbol: str) -> list[tuple[str, Span]]:
        """The lines of a symbol; none if the index does not know it."""
        path, _, _ = symbol.partition("::")
        chunks = self._snapshot.fetch(self._snapshot.outline(self._part.source.name, path))
        return [
            (path, chunk.symbol.span)
            for id_, chunk in chunks.items()
            if chunk.symbol and self._names.name(id_) == symbol
        ]
