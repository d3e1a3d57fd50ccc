"""The questions of the golden pages, the corpora they are put to, and what answers them."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plait.types import Answer, Result
from tests.goldens import golden

FIXTURES = Path(__file__).parents[1] / "fixtures"
DEPTH = 10
MOST_SLUG = 60  # characters of a file's name


@dataclass(frozen=True, slots=True)
class Corpus:
    """A folder of code written for the tests, and how it is searched."""

    name: str  # questions are in the file of this name
    folder: Path
    mode: str


CORPORA = (
    Corpus("teahouse", FIXTURES / "corpus", "lexical"),
    Corpus("courier", FIXTURES / "courier", "hybrid"),
)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and the places that answer it: a path, or a path and a symbol."""

    corpus: Corpus
    text: str
    answers: tuple[str, ...]
    limit: int = DEPTH
    per_file: int = 1
    begin: int = 1  # the rank that the page begins with

    @property
    def slug(self) -> str:
        """The name of its page, of signs that every file system has."""
        return re.sub(r"[^a-z0-9]+", "-", self.text.lower())[:MOST_SLUG].strip("-")

    def is_answered_by(self, result: Result) -> bool:
        """Whether a result is one of the places that were named."""
        chunk = result.chunk
        symbol = chunk.symbol.qualified_name if chunk.symbol else ""
        return bool({chunk.path, f"{chunk.path}#{symbol}"} & set(self.answers))

    def rank(self, answer: Answer) -> int:
        """Where the first right result stands, from 1; 0 if there is none."""
        return next((r.rank for r in answer.results if self.is_answered_by(r)), 0)


def _read(corpus: Corpus) -> list[Question]:
    text = (golden.HERE / f"{corpus.name}.toml").read_text(encoding="utf-8")
    rows: list[dict[str, Any]] = tomllib.loads(text)["question"]
    return [Question(corpus, **row | {"answers": tuple(row["answers"])}) for row in rows]


QUESTIONS = [question for corpus in CORPORA for question in _read(corpus)]
