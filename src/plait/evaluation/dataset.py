"""Datasets: what is searched, what is asked, and which answers are right.

A dataset is made of parts. A part is one corpus (a set of documents, or a repository at a
revision) with the questions asked of it; averages over repositories are averages over
parts. Its level says what an answer is: a document, a file, a symbol, or a target.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from plait.types import Source

Average = Literal["question", "part", "language"]
Judgements = Mapping[str, Mapping[str, int]]  # question to answer to grade; above 0 is right


class Level(StrEnum):
    """What counts as one answer, and how it is named."""

    DOCUMENT = "document"  # the document's id
    FILE = "file"  # the path
    SYMBOL = "symbol"  # path::qualified.name, with #2, #3 for repeats in one file
    TARGET = "target"  # path, or path:first-last; paths match when one is a suffix of the other


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked. The id is unique in its dataset."""

    id: str
    text: str
    category: str = ""
    without: str = ""  # the path of a file that is no answer: the question was taken from it


@dataclass(frozen=True, slots=True)
class Part:
    """One corpus and what is asked of it.

    Parts with the same ``store`` share an index, which is brought up to date from one to
    the next: cheap when they are revisions of one repository in order.
    """

    name: str  # of the repository or collection
    language: str  # "" when mixed or unknown
    source: Source
    store: str
    questions: Sequence[Question]
    judgements: Judgements
    split: str = ""  # "tuning", "held_out"


@dataclass(frozen=True, slots=True)
class Dataset:
    """Questions with known answers over one or more corpora."""

    name: str
    level: Level
    parts: Sequence[Part]
    average: Average = "question"  # "part": over repositories; "language": over their languages
    notes: tuple[str, ...] = ()  # what stands in for what, what is left out and why

    def questions(self) -> Iterator[tuple[Part, Question]]:
        """Every question with its part, in order."""
        for part in self.parts:
            for question in part.questions:
                yield part, question

    @property
    def digest(self) -> str:
        """Of everything that is asked and judged, so that runs can tell if they compare."""
        seen = hashlib.sha256(f"{self.name}\0{self.level}\0".encode())
        for part, question in self.questions():
            judged = sorted(part.judgements.get(question.id, {}).items())
            without = f"\0{question.without}" if question.without else ""
            line = f"{part.name}\0{question.id}\0{question.text}\0{judged}{without}\n"
            seen.update(line.encode("utf-8", "surrogatepass"))
        return seen.hexdigest()[:32]
