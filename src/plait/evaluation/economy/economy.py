"""Token economics: plait's page of results against ripgrep, question by question.

An agent that searches with plait pays for its query and for the whole page, whether it
reads on or not: the page is the headline figure. What it would have paid had it stopped at
the first right result stands beside it, as ripgrep's cost at first sight stands beside
ripgrep's; both need an agent that knows the answer when it sees it. A question whose answer
was not found costs all that was paid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from plait.assembly import open_source
from plait.errors import EvaluationError
from plait.evaluation.asking import PAGE
from plait.evaluation.dataset import Dataset, Level, Part, Question
from plait.evaluation.economy.budgets import (
    Budgeted,
    Pack,
    ShownLine,
    budgeted,
    called,
    packed,
)
from plait.evaluation.economy.replay import (
    Trail,
    naive,
    ranged,
    ranged_calls,
    thrifty,
    thrifty_calls,
)
from plait.evaluation.economy.right import IsRight, Right
from plait.evaluation.economy.ripgrep import Ripgrep
from plait.evaluation.economy.tokens import count
from plait.evaluation.economy.trees import checked_out
from plait.evaluation.runner import Progress
from plait.search.packing.pack import pool
from plait.search.searcher import Searcher
from plait.settings import Settings
from plait.types import Answer, Query, Scope, Snapshot, Text

Ask = Callable[[Question, int], Answer]  # so many results


@dataclass(frozen=True, slots=True)
class Given:
    """What an agent is given of an answer."""

    page: Callable[[Answer], Sequence[str]]  # a text for each result, then what else is printed
    pack: Pack


class Row(NamedTuple):
    """What one question cost each way of finding."""

    part: str
    category: str
    question: str
    text: str
    tokens: int  # up to the first right result; the whole page if there is none
    page_tokens: int
    rank: int | None  # of the first right result
    baseline: Trail
    thrifty: Trail
    naive: Trail
    at_budgets: Mapping[str, Budgeted] = MappingProxyType({})  # by way of finding

    @property
    def is_found(self) -> bool:
        return self.rank is not None


def economy(
    dataset: Dataset,
    settings: Settings,
    indexes: Path,
    given: Given,
    *,
    limit: int = 0,
    watch: Callable[[Progress], None] = lambda _: None,
) -> list[Row]:
    """Ask a dataset's questions both ways.

    Args:
        dataset: Of files, symbols or targets.
        settings: How to index and how many results of one file to show.
        indexes: The folder to keep indexes in.
        given: What an agent is given of an answer.
        limit: How many questions, spread evenly; 0 for all.
        watch: Told how far it has come.

    Raises:
        EvaluationError: The answers are documents, or ripgrep or the tokeniser is missing.
    """
    if dataset.level is Level.DOCUMENT:
        raise EvaluationError(
            f"{dataset.name} is a set of documents: there is no tree for ripgrep to search",
            hint="name a dataset whose answers are files, symbols or targets",
        )
    parts = spread(dataset, limit)
    total = sum(len(part.questions) for part in parts)
    rows: list[Row] = []
    for part in parts:
        watch(Progress(part.name, "indexing", len(rows), total))
        engine = open_source(part.source, indexes / part.store, settings)
        with closing(engine.reader.store):
            engine.writer.refresh()
            if engine.reader.uses_vectors:
                engine.writer.embed()
        with closing(engine.reader.snapshot()) as snapshot, checked_out(part.source) as tree:
            scope = Scope(repos=frozenset({part.source.name}))
            ask = partial(_ask, engine.reader.searcher(snapshot), scope, settings.per_file)
            for row in compared(part, dataset.level, snapshot, tree, ask, given):
                rows.append(row)
                watch(Progress(part.name, "asking", len(rows), total))
        close = getattr(part.source, "close", None)
        if close is not None:
            close()
    return rows


def _ask(searcher: Searcher, scope: Scope, per_file: int, question: Question, limit: int) -> Answer:
    """The results for a question, put as plain text as ``plait eval run`` puts it."""
    text = question.text
    return searcher.search(Query(text, Text(text), scope, limit, per_file))


def compared(
    part: Part, level: Level, snapshot: Snapshot, tree: Path, ask: Ask, given: Given
) -> Iterator[Row]:
    """Ask one part's questions both ways, over its index and the same files as a tree."""
    rg = Ripgrep(tree)
    right = Right(part, level, snapshot)
    for question in part.questions:
        is_right = right.to(question)
        page = ask(question, PAGE)
        yield Row(
            part.name,
            question.category,
            question.id,
            question.text,
            *_page(question, page, given, is_right),
            ranged(question.text, rg, is_right),
            thrifty(question.text, rg, is_right),
            naive(question.text, rg, is_right),
            at_budgets(question, page, rg, right.each(question), partial(ask, question), given),
        )


def at_budgets(
    question: Question,
    page: Answer,
    rg: Ripgrep,
    answers: Sequence[IsRight],
    ask: Callable[[int], Answer],
    given: Given,
) -> dict[str, Budgeted]:
    """What each way shows within each budget."""
    text = question.text
    return {
        "packed": packed(text, lambda tokens: ask(pool(tokens)), given.pack, answers),
        "page": budgeted(count(text), _page_lines(page, given), answers),
        "baseline": budgeted(0, called(ranged_calls(text, rg)), answers),
        "thrifty": budgeted(0, called(thrifty_calls(text, rg)), answers),
    }


def _page_lines(answer: Answer, given: Given) -> Iterator[ShownLine]:
    """The lines of a page; a block ends with its snippet and a fence."""
    blocks = given.page(answer)
    for result, block in zip(answer.results, blocks, strict=False):
        span, rows = result.snippet_span, block.split("\n")
        first = len(rows) - 1 - (span.last - span.first + 1)
        for at, row in enumerate(rows):
            number = span.first + at - first if first <= at < len(rows) - 1 else 0
            yield ShownLine(row, result.chunk.path, number)
    yield from (ShownLine(block) for block in blocks[len(answer.results) :])


def _page(
    question: Question, answer: Answer, given: Given, is_right: IsRight
) -> tuple[int, int, int | None]:
    """Tokens up to the first right result, tokens of the page, and that result's rank."""
    asked = count(question.text)
    costs = [count(f"{text}\n") for text in given.page(answer)]
    page = asked + sum(costs)
    for result in answer.results:
        if is_right(result.chunk.path, result.snippet_span):
            return asked + sum(costs[: result.rank]), page, result.rank
    return page, page, None


def spread(dataset: Dataset, limit: int) -> list[Part]:
    """The parts with so many of their questions, spread evenly; those left with none are out."""
    everything = [question.id for _, question in dataset.questions()]
    size = min(limit, len(everything)) or len(everything)
    chosen = {everything[at * len(everything) // size] for at in range(size)}
    parts = (
        replace(part, questions=[asked for asked in part.questions if asked.id in chosen])
        for part in dataset.parts
    )
    return [part for part in parts if part.questions]
