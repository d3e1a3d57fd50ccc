"""Asking: one mode's answers to one part's questions, and what they cost.

A question is put as plain text, never read as an expression of the query language: a colon
or a quote in a commit's subject filters nothing. The clock runs for the ten results a user
would get; the deeper list that recall needs is made outside of it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plait.evaluation.dataset import Level, Part, Question
from plait.evaluation.levels import Names, met
from plait.evaluation.runs import Outcome, Shown
from plait.search.searcher import Searcher
from plait.types import Query, Result, Scope, Snapshot, Text

PAGE = 10  # results a user is shown
DEPTH = 100  # answers kept of each ranking
CHUNKS_PER_SYMBOL = 3  # looked at for each answer, since a long symbol is many chunks
REASON_DEPTH = 2


@dataclass(frozen=True, slots=True)
class Asking:
    """What asks one mode over one snapshot."""

    mode: str
    part: Part
    level: Level
    searcher: Searcher
    snapshot: Snapshot
    per_file: int  # the setting; it decides where answers are whole results

    def outcomes(self, questions: Sequence[Question]) -> Iterator[Outcome]:
        """The outcome of each question, in order."""
        names = Names(self.snapshot, self.level)
        for question in questions:
            yield self._outcome(question, names)

    def _outcome(self, question: Question, names: Names) -> Outcome:
        query = self._query(question, PAGE + bool(question.without))
        wall, cpu = time.perf_counter(), time.process_time()
        answer = self.searcher.search(query)
        cpu_ms = (time.process_time() - cpu) * 1e3
        wall_ms = (time.perf_counter() - wall) * 1e3
        results = [one for one in answer.results if one.chunk.path != question.without][:PAGE]
        relevant = judged(self.part, question, names)
        ranks: dict[str, int] = {}
        if self.level is Level.TARGET:
            places = [(result.chunk.path, result.chunk.span) for result in results]
            ranking, ranks = met(places, relevant)
            called = ranking
        else:
            depth = DEPTH * (CHUNKS_PER_SYMBOL if self.level is Level.SYMBOL else 1)
            hits = self.searcher.rank(self._query(question, depth))
            kept = (hit.chunk for hit in hits if hit.chunk.path != question.without)
            ranking = names.answers(kept, DEPTH)
            called = [names.name(result.chunk.id) for result in results]
        return Outcome(
            mode=self.mode,
            part=self.part.name,
            language=self.part.language,
            split=self.part.split,
            category=question.category,
            question=question.id,
            text=question.text,
            relevant=relevant,
            ranking=tuple(ranking),
            ranks=ranks,
            shown=_shown(results, called),
            cpu_ms=round(cpu_ms, 3),
            wall_ms=round(wall_ms, 3),
        )

    def _query(self, question: Question, limit: int) -> Query:
        per_file = {Level.FILE: 1, Level.TARGET: self.per_file}.get(self.level, 0)
        scope = Scope(repos=frozenset({self.part.source.name}))
        return Query(question.text, Text(question.text), scope, limit, per_file)


def judged(part: Part, question: Question, names: Names) -> dict[str, int]:
    """The judgements of a question, each answer called as the index calls it."""
    found: dict[str, int] = {}
    for answer, grade in part.judgements[question.id].items():
        name = names.known_as(part.source.name, answer)
        found[name] = max(grade, found.get(name, 0))
    return found


def _shown(results: Sequence[Result], called: Sequence[str]) -> tuple[Shown, ...]:
    return tuple(
        Shown(
            answer=name,
            place=f"{result.chunk.path}:{result.chunk.span.first}-{result.chunk.span.last}",
            score=result.score,
            reasons=tuple(result.reason.lines(REASON_DEPTH)),
        )
        for name, result in zip(called, results, strict=True)
    )
