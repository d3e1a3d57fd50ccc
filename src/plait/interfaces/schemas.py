"""The JSON shapes, one for every interface.

Plain dictionaries with declared types: making them needs no library, and the types are
what clients are generated from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NotRequired

from plait.interfaces.typed import TypedDict
from plait.types import (
    Absent,
    Answer,
    Chunk,
    PlannedLane,
    Reason,
    Result,
    Timing,
    Timings,
)
from plait.types.notes import Note

if TYPE_CHECKING:
    from plait.search.why import Explained

SEARCH_SCHEMA = "plait.search/2"
SYMBOLS_SCHEMA = "plait.symbols/1"
EXPLAIN_SCHEMA = "plait.explain/3"

ShownPath = Callable[[str, str], str]  # repository and path to the path a client is shown


class ReasonOut(TypedDict):
    """Why a score is what it is; its parts add up to it. Below a signal of a file is its lane's own
    account of the chunk that is shown, in the lane's units."""

    name: str  # a lane, a way of fusing, a measure or a signal
    value: float
    words: str  # for people; they may change with any version
    parts: list[ReasonOut]


class SymbolOut(TypedDict):
    """A definition."""

    symbol: str
    name: str
    kind: str
    repo: str
    path: str
    start_line: int
    end_line: int
    language: str
    signature: str
    docstring: str


class ResultOut(TypedDict):
    """One result of a search."""

    rank: int
    score: float
    repo: str
    path: str
    start_line: int
    end_line: int
    symbol: str | None
    kind: str
    language: str
    signature: str
    docstring: str
    snippet: str
    snippet_start_line: int
    more_in_file: int
    tags: list[str]
    reason: ReasonOut


class NoteOut(TypedDict):
    """A note or a hint: programs read the code, people the words."""

    code: str
    words: str


class AbsentOut(TypedDict):
    """A lane that was wanted and gave no answer."""

    lane: str
    code: str
    words: str


class PlannedOut(TypedDict):
    """What the plan gave to one lane."""

    lane: str
    weight: float
    depth: int
    within_s: float
    why: str


class TimingsOut(TypedDict):
    """How long a search took, in milliseconds; the lanes ran at the same time."""

    total: float
    stages: dict[str, float]
    lanes: dict[str, float]


class AnswerOut(TypedDict):
    """What a search found, on which generation, and what it could not cover."""

    schema: str
    query: str
    shape: str
    about: list[str]
    lanes: list[str]
    generation: int
    stale: int | None
    absent: list[AbsentOut]
    notes: list[NoteOut]
    hints: list[NoteOut]
    expanded: list[str]
    results: list[ResultOut]
    plan: list[PlannedOut]
    timings_ms: NotRequired[TimingsOut]


class SymbolsOut(TypedDict):
    """Symbols by name or of a file."""

    schema: str
    query: str
    generation: int
    symbols: list[SymbolOut]


class ExplainOut(TypedDict):
    """Why one chunk scores as it does for one query."""

    schema: str
    query: str
    generation: int
    path: str
    start_line: int
    end_line: int
    symbol: str | None
    matches: bool
    rank: int | None
    rank_of: str  # "file" or "chunk"
    shown_start_line: int | None  # of the chunk that speaks for the file
    missing: list[str]
    reason: ReasonOut


def reason_out(reason: Reason) -> ReasonOut:
    """A reason with everything below it."""
    parts = [reason_out(part) for part in reason.parts]
    return {"name": reason.name, "value": reason.value, "words": reason.text, "parts": parts}


def explained_out(found: Explained, query: str, generation: int, shown: ShownPath) -> ExplainOut:
    """What a query makes of one chunk."""
    chunk = found.chunk
    return {
        "schema": EXPLAIN_SCHEMA,
        "query": query,
        "generation": generation,
        "path": shown(chunk.repo, chunk.path),
        "start_line": chunk.span.first,
        "end_line": chunk.span.last,
        "symbol": chunk.symbol.qualified_name if chunk.symbol else None,
        "matches": found.matches,
        "rank": found.rank,
        "rank_of": "file" if found.shown else "chunk",
        "shown_start_line": found.shown.span.first if found.shown else None,
        "missing": list(found.missing),
        "reason": reason_out(found.reason),
    }


def result_out(result: Result, shown: ShownPath) -> ResultOut:
    """One result."""
    chunk, symbol = result.chunk, result.chunk.symbol
    return {
        "rank": result.rank,
        "score": result.score,
        "repo": chunk.repo,
        "path": shown(chunk.repo, chunk.path),
        "start_line": chunk.span.first,
        "end_line": chunk.span.last,
        "symbol": symbol.qualified_name if symbol else None,
        "kind": chunk.kind,
        "language": chunk.language,
        "signature": symbol.signature.text if symbol else "",
        "docstring": symbol.docstring.text if symbol else "",
        "snippet": result.snippet,
        "snippet_start_line": result.snippet_span.first,
        "more_in_file": result.more_in_file,
        "tags": list(chunk.tags),
        "reason": reason_out(result.reason),
    }


def answer_out(
    answer: Answer, shown: ShownPath, *, stale: int | None, timings: bool = False
) -> AnswerOut:
    """A whole answer.

    Args:
        answer: What was found.
        shown: How paths are shown.
        stale: How many files have changed since; None if nobody counted.
        timings: Whether to tell how long everything took.
    """
    out: AnswerOut = {
        "schema": SEARCH_SCHEMA,
        "query": answer.query.text,
        "shape": answer.shape,
        "about": sorted(answer.about),
        "lanes": list(answer.lanes),
        "generation": answer.generation,
        "stale": stale,
        "absent": [absent_out(one) for one in answer.absent],
        "notes": notes_out(answer.notes),
        "hints": notes_out(answer.hints),
        "expanded": list(answer.expanded),
        "results": [result_out(result, shown) for result in answer.results],
        "plan": plan_out(answer.plan),
    }
    if timings:
        out["timings_ms"] = timings_out(answer.timings)
    return out


def notes_out(notes: Iterable[Note]) -> list[NoteOut]:
    """Notes or hints."""
    return [{"code": note.code, "words": str(note)} for note in notes]


def absent_out(absent: Absent) -> AbsentOut:
    """A lane that is absent, and why."""
    return {"lane": absent.lane, "code": absent.code, "words": absent.words}


def plan_out(plan: Sequence[PlannedLane]) -> list[PlannedOut]:
    """The plan of a search."""
    return [
        {
            "lane": lane.name,
            "weight": lane.weight,
            "depth": lane.depth,
            "within_s": lane.within_s,
            "why": lane.why,
        }
        for lane in plan
    ]


def timings_out(timings: Timings) -> TimingsOut:
    """How long a search took."""

    def by_name(some: Sequence[Timing]) -> dict[str, float]:
        return {one.name: round(one.seconds * 1000, 3) for one in some}

    return {
        "total": round(timings.total * 1000, 3),
        "stages": by_name(timings.stages),
        "lanes": by_name(timings.lanes),
    }


def symbol_out(chunk: Chunk, shown: ShownPath) -> SymbolOut:
    """The symbol a chunk defines."""
    symbol = chunk.symbol
    assert symbol is not None
    return {
        "symbol": symbol.qualified_name,
        "name": symbol.name,
        "kind": symbol.kind,
        "repo": chunk.repo,
        "path": shown(chunk.repo, chunk.path),
        "start_line": symbol.span.first,
        "end_line": symbol.span.last,
        "language": chunk.language,
        "signature": symbol.signature.text,
        "docstring": symbol.docstring.text,
    }
