"""Result pages over two small trees of our own, and how good they are on the whole.

The trees and questions are named in ``questions.py``. A change of ranking shows as a diff of the
pages and of ``summary.txt``; both are reviewed, neither is a gate. Numbers have one digit after
the point, so that a small change of a weight makes a small diff.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator

import pytest

from plait.answering.index import Index
from plait.assembly import open_index
from plait.ranking.table import SIGNALS
from plait.search.plan import LEXICAL
from plait.search.shape.table import SHAPES
from plait.settings import Settings
from plait.types import Answer, Result
from tests.goldens import golden
from tests.goldens.questions import CORPORA, DEPTH, QUESTIONS, Corpus, Question

SHOWN = 5  # results on a page
EXPLAINED = 2  # of them
MOST_LABEL = 100
PAGES = golden.HERE / "pages"


@pytest.fixture(scope="module")
def indexes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[Corpus, Index]]:
    """The corpora, each indexed outside any repository."""
    opened = {}
    for corpus in CORPORA:
        folder = tmp_path_factory.mktemp(corpus.name)
        shutil.copytree(corpus.folder, folder / corpus.name)
        cache = str(folder / "cache")
        settings = Settings(mode=corpus.mode, cache_dir=cache, workers=1, refresh=False)
        opened[corpus] = open_index(folder / corpus.name, settings)
        opened[corpus].refresh()
        if corpus.mode != LEXICAL:
            opened[corpus].embed()
    yield opened
    for index in opened.values():
        index.close()


def asked(question: Question, indexes: dict[Corpus, Index]) -> Answer:
    """What the index of a question's corpus answers."""
    index = indexes[question.corpus]
    return index.search(question.text, limit=question.limit, per_file=question.per_file)


def page(question: Question, answer: Answer) -> str:
    """An answer as text: how it was read, a line for each result, and what speaks for the first."""
    about = f", about {', '.join(sorted(answer.about))}" if answer.about else ""
    lines = [question.text, f"read as {answer.shape}{about}: {', '.join(answer.lanes)}", ""]
    lines += [f"note: {note}" for note in answer.notes]
    lines += [f"hint: {hint}" for hint in answer.hints]
    shown = answer.results[question.begin - 1 :][:SHOWN]
    for number, result in enumerate(shown):
        lines.append(head(question, result))
        if number < EXPLAINED:
            lines += [
                f"             {part.value:+5.1f}  {part.text}"[:MOST_LABEL]
                for part in result.reason.parts
            ]
    if not shown:
        lines.append("no results")
    return "\n".join(lines) + "\n"


def head(question: Question, result: Result) -> str:
    """The line of one result; a star marks those that answer the question."""
    chunk = result.chunk
    symbol = f"  {chunk.kind} {chunk.symbol.qualified_name}" if chunk.symbol else ""
    mark = "*" if question.is_answered_by(result) else " "
    place = f"{chunk.path}:{chunk.span.first}-{chunk.span.last}"
    return f"{result.rank:>2} {mark} {result.score:+6.1f}  {place}{symbol}"


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda one: f"{one.corpus.name}-{one.slug}")
def test_a_result_page_is_as_reviewed(question: Question, indexes: dict[Corpus, Index]) -> None:
    answer = asked(question, indexes)

    golden.check(f"pages/{question.corpus.name}/{question.slug}.txt", page(question, answer))


def test_the_summary_is_as_reviewed(indexes: dict[Corpus, Index]) -> None:
    lines = []
    for corpus, index in indexes.items():
        questions = [one for one in QUESTIONS if one.corpus is corpus and one.answers]
        ranks = {one: one.rank(index.search(one.text, limit=DEPTH)) for one in questions}
        count = len(ranks)
        lines.append(f"{corpus.name}, {corpus.mode}")
        lines += [f"{rank or '-':>3}  {question.text}" for question, rank in ranks.items()]
        for depth, words in ((1, "right first"), (3, "in the first three"), (DEPTH, "found")):
            right = sum(0 < rank <= depth for rank in ranks.values())
            lines.append(f"{words}: {right} of {count}, {right / count:.2f}")
        mean = sum(1 / rank for rank in ranks.values() if rank) / count
        lines += [f"MRR at {DEPTH}: {mean:.3f}", ""]

    golden.check("summary.txt", "\n".join(lines))


def test_every_question_has_a_page_of_its_own_and_every_page_a_question() -> None:
    slugs = Counter((question.corpus.name, question.slug) for question in QUESTIONS)
    kept = {(path.parent.name, path.stem) for path in PAGES.rglob("*.txt")}

    assert [slug for slug, count in slugs.items() if count > 1] == []
    assert kept == set(slugs)


def test_every_signal_and_every_shape_is_on_a_page() -> None:
    pages = "".join(path.read_text(encoding="utf-8") for path in PAGES.rglob("*.txt"))

    assert [signal.name for signal in SIGNALS if f"  {signal.name}: " not in pages] == []
    assert [shape.name for shape in SHAPES if f"\nread as {shape.name}" not in pages] == []


def test_every_answer_names_a_file_of_the_corpus() -> None:
    named = {
        question.corpus.folder / answer.partition("#")[0]
        for question in QUESTIONS
        for answer in question.answers
    }

    assert [path for path in sorted(named) if not path.is_file()] == []
