"""Result pages over a small shop of our own, and how good they are on the whole.

The corpus is ``tests/fixtures/corpus``, the questions ``questions.toml``. A change of ranking
shows as a diff of the pages and of ``summary.txt``; both are reviewed, neither is a gate.
"""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from plait.answering.index import Index
from plait.assembly import open_index
from plait.settings import Settings
from plait.types import Answer, Result
from tests.goldens import golden

CORPUS = Path(__file__).parents[1] / "fixtures" / "corpus"
DEPTH = 10
SHOWN = 5
MOST_LABEL = 100


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and the places that answer it: a path, or a path and a symbol."""

    text: str
    answers: tuple[str, ...]
    page: bool = False

    @property
    def slug(self) -> str:
        return re.sub(r"[^a-z0-9]+", "-", self.text.lower()).strip("-")

    def is_answered_by(self, result: Result) -> bool:
        chunk = result.chunk
        symbol = chunk.symbol.qualified_name if chunk.symbol else ""
        return bool({chunk.path, f"{chunk.path}#{symbol}"} & set(self.answers))

    def rank(self, answer: Answer) -> int:
        """Where the first right result stands, from 1; 0 if there is none."""
        return next((r.rank for r in answer.results if self.is_answered_by(r)), 0)


TABLES = tomllib.loads((golden.HERE / "questions.toml").read_text(encoding="utf-8"))["question"]
QUESTIONS = [
    Question(table["text"], tuple(table["answers"]), table.get("page", False)) for table in TABLES
]
PAGES = [question for question in QUESTIONS if question.page]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    """The corpus, indexed outside any repository."""
    folder = tmp_path_factory.mktemp("pages")
    shutil.copytree(CORPUS, folder / "teahouse")
    settings = Settings(mode="lexical", cache_dir=str(folder / "cache"), workers=1, refresh=False)
    opened = open_index(folder / "teahouse", settings)
    opened.refresh()
    yield opened
    opened.close()


def page(question: Question, answer: Answer) -> str:
    """An answer as text: a line per result, and one level of the reason below it."""
    lines = [question.text, ""]
    lines += [f"note: {note}" for note in answer.notes]
    lines += [f"hint: {hint}" for hint in answer.hints]
    for result in answer.results[:SHOWN]:
        chunk = result.chunk
        symbol = f"  {chunk.kind} {chunk.symbol.qualified_name}" if chunk.symbol else ""
        mark = "*" if question.is_answered_by(result) else " "
        place = f"{chunk.path}:{chunk.span.first}-{chunk.span.last}"
        lines.append(f"{result.rank:>2} {mark} {result.score:6.2f}  {place}{symbol}")
        for line in [
            result.reason.text,
            *(f"  {r.value:.2f} {r.text}" for r in result.reason.parts),
        ]:
            lines.append(f"             {line[:MOST_LABEL]}")
    if not answer.results:
        lines.append("no results")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("question", PAGES, ids=lambda question: question.slug)
def test_a_result_page_is_as_reviewed(question: Question, index: Index) -> None:
    answer = index.search(question.text, limit=DEPTH)

    golden.check(f"pages/{question.slug}.txt", page(question, answer))


def test_the_summary_is_as_reviewed(index: Index) -> None:
    ranks = {q: q.rank(index.search(q.text, limit=DEPTH)) for q in QUESTIONS}
    count = len(ranks)
    lines = [f"{rank or '-':>3}  {question.text}" for question, rank in ranks.items()]
    for depth in (1, 5, DEPTH):
        share = sum(0 < rank <= depth for rank in ranks.values()) / count
        lines.append(f"recall at {depth}: {share:.3f}")
    mean = sum(1 / rank for rank in ranks.values() if rank) / count
    lines.append(f"MRR at {DEPTH}: {mean:.3f} over {count} questions")

    golden.check("summary.txt", "\n".join(lines) + "\n")


def test_every_answer_names_a_file_of_the_corpus() -> None:
    named = {answer.partition("#")[0] for question in QUESTIONS for answer in question.answers}

    assert [path for path in sorted(named) if not (CORPUS / path).is_file()] == []
