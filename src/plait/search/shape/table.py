"""The table of shapes: one row for each, which says how a question of this shape is answered.

A new shape is one row here and one rule (``rules.py``). What a row changes was measured, or it
changes nothing (docs/decisions/0026-shapes.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

LEXICAL, DENSE = "lexical", "dense"
LINES = "message"  # the lane that finds the line of a message
BOTH = (LEXICAL, DENSE)
ALL = (*BOTH, LINES)  # for what a program may have said
FUSED_DEPTH = 100  # of each lane, where several are fused
ALL_TIME = 1.0


class Weighing(Enum):
    """What decides how much each lane counts."""

    BY_WORDS = auto()  # the words decide: meaning counts ``lane_dense_decided``
    AS_FOUND = auto()  # what the lanes show: ``lane_dense``, less where the words stand out


@dataclass(frozen=True, slots=True)
class Shape:
    """How questions of one shape are answered."""

    name: str  # for programs
    words: str  # for people
    lanes: tuple[str, ...]  # those of the mode that are asked
    weighing: Weighing
    depth: int  # chunks of each lane, at least, where several are fused
    time: float  # share of the time that a search may take

    def asks(self, lane: str) -> bool:
        """Whether a lane is asked; one that no row names is asked by every shape."""
        return lane in self.lanes or lane not in NAMED


STRUCTURAL = Shape(
    "structural", "conditions alone", (LEXICAL,), Weighing.AS_FOUND, FUSED_DEPTH, ALL_TIME
)
PATTERN = Shape("pattern", "a pattern", BOTH, Weighing.AS_FOUND, FUSED_DEPTH, ALL_TIME)
MESSAGE = Shape("message", "pasted text", ALL, Weighing.AS_FOUND, FUSED_DEPTH, ALL_TIME)
PATH = Shape("path", "a path", BOTH, Weighing.BY_WORDS, FUSED_DEPTH, ALL_TIME)
IDENTIFIER = Shape("identifier", "a name", BOTH, Weighing.BY_WORDS, FUSED_DEPTH, ALL_TIME)
IN_PROSE = Shape(
    "identifier-in-prose", "a name in prose", ALL, Weighing.AS_FOUND, FUSED_DEPTH, ALL_TIME
)
QUESTION = Shape("question", "a question", ALL, Weighing.AS_FOUND, FUSED_DEPTH, ALL_TIME)
WORDS = Shape("words", "a few words", ALL, Weighing.AS_FOUND, FUSED_DEPTH, ALL_TIME)

SHAPES = (STRUCTURAL, PATTERN, MESSAGE, PATH, IDENTIFIER, IN_PROSE, QUESTION, WORDS)
NAMED = frozenset(lane for shape in SHAPES for lane in shape.lanes)
