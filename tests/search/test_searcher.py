"""The searcher: folding, depth, reasons, relaxing and loading, over a fake lane and a real one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plait.errors import QueryError, SettingError
from plait.lanes.lexical import Lexical
from plait.search.parse import parse
from plait.search.searcher import MAX_LIMIT, Searcher
from plait.stores.embedded.store import EmbeddedStore
from plait.symbols.parse import parse as parse_file
from plait.types import (
    Answer,
    Change,
    Chunk,
    ChunkId,
    Entry,
    Excerpt,
    Expression,
    Hit,
    Lane,
    Phrase,
    Query,
    Ranking,
    Reason,
    Scope,
    Snapshot,
    SourceFile,
    Span,
    Text,
)
from plait.types.notes import Note

# ---------------------------------------------------------------- over a fake lane


@dataclass
class Listed:
    """A lane that ranks chunks as told, and a snapshot that has them all."""

    files: str  # file of each hit, best first
    notes: tuple[Note, ...] = ()
    only: type[Expression] | None = None  # finds nothing for other expressions
    depths: list[int] = field(default_factory=list)
    explained: list[ChunkId] = field(default_factory=list)
    roots: tuple[str, ...] = ()
    name: str = "listed"
    generation: int = 7

    def waits(self, snapshot: Snapshot) -> bool:
        return True

    def ask(self, query: Query, snapshot: Snapshot, until: float = 0.0) -> Listed:
        self.wanted = query.wanted
        return self

    def ranking(self, limit: int) -> Ranking:
        self.depths.append(limit)
        if self.only and not isinstance(self.wanted, self.only):
            return Ranking("listed", ())
        hits = [
            Hit(ChunkId("repo", path, n), Reason("raw", self._score(n)))
            for n, path in enumerate(self.files[:limit])
        ]
        return Ranking("listed", tuple(hits), self.notes)

    def _score(self, n: int) -> float:
        return 1.0 / (n + 1)

    def reasons(self, ids: Sequence[ChunkId]) -> Mapping[ChunkId, Reason]:
        self.explained += ids
        parts = {key: [Reason("x", self._score(key.ordinal))] for key in ids}
        return {key: Reason.total("sum of", row) for key, row in parts.items()}

    def fetch(self, ids: Iterable[ChunkId]) -> Mapping[ChunkId, Chunk]:
        return {key: Chunk(key, "", Span(1, 1), Excerpt(0, 4, "text")) for key in ids}


def ask(lane: Listed, wanted: Expression | None = None, **asked: int) -> Answer:
    searcher = Searcher(cast(Snapshot, lane), [cast(Lane, lane)])
    return searcher.search(Query("q", wanted or Text("q"), **asked))  # type: ignore[arg-type]  # short


def shown(answer: Answer) -> str:
    return "".join(result.chunk.path for result in answer.results)


@pytest.mark.parametrize(("per_file", "expected"), [(0, "aabac"), (1, "abc"), (2, "aabc")])
def test_results_of_one_file_are_folded(per_file: int, expected: str) -> None:
    assert shown(ask(Listed("aabac"), per_file=per_file)) == expected


@pytest.mark.parametrize(("per_file", "more"), [(0, [0] * 5), (1, [2, 0, 0]), (2, [1, 1, 0, 0])])
def test_what_is_folded_away_is_counted(per_file: int, more: list[int]) -> None:
    answer = ask(Listed("aabac"), per_file=per_file)

    assert [result.more_in_file for result in answer.results] == more


def test_a_file_with_hundreds_of_better_chunks_does_not_hide_the_rest() -> None:
    lane = Listed("a" * 700 + "bcd")
    answer = ask(lane, limit=3)

    assert shown(answer) == "abc"
    assert lane.depths == sorted(set(lane.depths))
    assert len(lane.depths) > 1
    assert answer.results[0].more_in_file == 699


def test_no_deeper_than_needed_and_nothing_explained_that_is_not_shown() -> None:
    lane = Listed("abcdefghij" * 100)
    answer = ask(lane, limit=4)

    assert len(lane.depths) == 1
    assert lane.explained == [result.chunk.id for result in answer.results]


def test_a_bottomless_ranking_of_one_file_ends() -> None:
    lane = Listed("a" * 50_000)

    assert shown(ask(lane, limit=5)) == "a"
    assert lane.depths[-1] == 10_000


@pytest.mark.parametrize("limit", [0, -1, MAX_LIMIT + 1])
def test_a_limit_out_of_range_is_refused(limit: int) -> None:
    with pytest.raises(QueryError, match=f"limit must be 1 to {MAX_LIMIT}, got {limit}"):
        ask(Listed("a"), limit=limit)


def test_the_limits_of_the_range_are_accepted() -> None:
    assert shown(ask(Listed("ab"), limit=1)) == "a"
    assert shown(ask(Listed("ab"), limit=MAX_LIMIT)) == "ab"


def test_ranks_count_from_one_and_the_answer_names_its_generation() -> None:
    answer = ask(Listed("abc", notes=(Note("a", "cut short"),)))

    assert [result.rank for result in answer.results] == [1, 2, 3]
    assert answer.generation == 7
    assert answer.notes == ("cut short",)
    assert answer.absent == ()


def test_a_looser_reading_is_tried_only_if_the_strict_one_finds_nothing() -> None:
    strict = ask(Listed("a", only=Phrase), Phrase("x y"))
    loose = ask(Listed("a", only=Text, notes=(Note("a", "later"),)), Phrase("x y"))

    assert strict.notes == ()
    assert shown(loose) == "a"
    assert len(loose.notes) == 2
    assert "showing chunks with its words" in loose.notes[0]
    assert loose.query.wanted == Phrase("x y")


def test_nothing_found_at_all_is_an_empty_answer_with_a_way_out() -> None:
    wanted = parse("foo lang:go").wanted
    answer = ask(Listed(""), wanted)

    assert answer.results == ()
    assert answer.hints == ("no result with lang:go; try without it",)


def test_a_lane_is_needed() -> None:
    with pytest.raises(SettingError, match="at least one lane"):
        Searcher(cast(Snapshot, Listed("")), []).search(Query("q", Text("q")))


# ---------------------------------------------------------------- over a real index

FILES = {
    "shop.py": "class Shop:\n    def open_door(self):\n        return retry(key)\n\n"
    "    def close_door(self):\n        return 'retry later'\n",
    "retry.py": "def retry(call):\n    # Call again.\n    for wait in (1, 2):\n        call()\n",
    "notes.md": "# Retries\n\nRetry twice.\n\n# Doors\n\nOpen the door, close the door.\n",
    "many.txt": "".join(f"retry number {n}\n" + "filler words here\n" * 150 for n in range(30)),
    "other.go": "package other\n\nfunc Door() int {\n\treturn 1\n}\n",
}
LANGUAGE = {"py": "python", "md": "markdown", "go": "go", "txt": ""}


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    lane = Lexical()
    changes = []
    for path, text in FILES.items():
        language = LANGUAGE[path.rpartition(".")[2]]
        file = SourceFile("repo", path, language, text.encode(), path)
        chunks = parse_file(file).chunks
        entries = tuple(Entry(chunk, lane.terms(chunk)) for chunk in chunks)
        changes.append(Change("repo", path, file, entries))
    store = EmbeddedStore(Path(tmp_path_factory.mktemp("store")), lane.analysis)
    store.commit(changes)
    return store.snapshot()


def search(snapshot: Snapshot, text: str, per_file: int = 1, limit: int = 10) -> Answer:
    query = Query(text, parse(text).wanted, Scope(), limit, per_file)
    return Searcher(snapshot, [Lexical()]).search(query)


def test_an_exact_phrase_that_is_nowhere_falls_back_to_its_words(snapshot: Snapshot) -> None:
    answer = search(snapshot, '"door the open"')

    assert answer.results
    assert answer.notes[0].startswith('no chunk has the exact phrase "door the open"')


def test_a_misspelt_word_is_noted(snapshot: Snapshot) -> None:
    answer = search(snapshot, "retrry")

    assert answer.results
    assert answer.notes[0].startswith('no chunk has "retrry"; also looked for "')


def test_a_long_file_fills_one_place_and_says_how_much_more_it_has(snapshot: Snapshot) -> None:
    answer = search(snapshot, "retry number")
    many = [result for result in answer.results if result.chunk.path == "many.txt"]

    assert len(many) == 1
    assert many[0].more_in_file > 20
    assert len(search(snapshot, "retry number", per_file=0, limit=40).results) > 25


words = st.sampled_from(
    (
        *("retry", "door", "open", "close", "call again", "number", '"the door"', "lang:python"),
        *(
            "-filler",
            "(door OR retry)",
            "/ret.y/",
            "symbol:retry",
            "nothere",
            "is:symbol",
            "retrry",
        ),
    )
)


@given(st.lists(words, min_size=1, max_size=4).map(" ".join), st.sampled_from([0, 1, 2]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_score_is_the_exact_sum_of_its_reasons_and_orders_the_page(
    snapshot: Snapshot, text: str, per_file: int
) -> None:
    answer = search(snapshot, text, per_file)
    ranked = [(-result.score, result.chunk.id) for result in answer.results]

    assert ranked == sorted(ranked)
    for result in answer.results:
        assert result.score == result.reason.value
        assert result.score == math.fsum(part.value for part in result.reason.parts)
        assert result.reason.name == "lexical"


@given(st.lists(words, min_size=1, max_size=4).map(" ".join))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_reasons_add_up_to_the_score_it_was_ranked_by(snapshot: Snapshot, text: str) -> None:
    query = Query(text, parse(text).wanted)
    asked = Lexical().ask(query, snapshot)
    hits = asked.ranking(20).hits
    reasons = asked.reasons([hit.chunk for hit in hits])

    for hit in hits:
        assert reasons[hit.chunk].value == pytest.approx(hit.score, rel=1e-4, abs=1e-6)


@given(st.lists(words, min_size=1, max_size=4).map(" ".join))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_same_question_has_the_same_answer(snapshot: Snapshot, text: str) -> None:
    assert search(snapshot, text) == search(snapshot, text)
