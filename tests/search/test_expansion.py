"""Expansion: what is added to a question, what is not, and how the answer tells of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plait.lanes.lexical import Lexical
from plait.search.expansion import MOST_ADDED, WEIGHT, Expansion
from plait.search.parse import parse
from plait.search.searcher import Searcher
from plait.stores.embedded.store import EmbeddedStore
from plait.symbols.parse import parse as parse_file
from plait.types import (
    Answer,
    Change,
    ChunkId,
    Entry,
    Hit,
    Lane,
    Or,
    Query,
    Ranking,
    Reason,
    Result,
    Snapshot,
    SourceFile,
    Term,
    Text,
)

# Whoever asks for "try call again" is shown three files that share "backoff" and "jitter".
# The last of the subject has these words alone.
FILES = {
    "first.py": "def try_call_again(call):\n    backoff = jitter(12345)\n    return call()\n",
    "second.py": "def call_again(call):\n    # Try with backoff.\n    return call(jitter())\n",
    "third.py": "def again(call):\n    # Try; no backoffs: 12345 12345.\n    return call()\n",
    "last.py": "def sleep(attempt):\n    return backoff(attempt) * jitter(attempt)\n",
} | {f"other{n}.py": f"def other{n}(value):\n    return value + {n}\n" for n in range(40)}


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    lane = Lexical()
    changes = []
    for path, text in FILES.items():
        file = SourceFile("repo", path, "python", text.encode(), path)
        entries = tuple(Entry(chunk, lane.terms(chunk)) for chunk in parse_file(file).chunks)
        changes.append(Change("repo", path, file, entries))
    store = EmbeddedStore(Path(tmp_path_factory.mktemp("store")), lane.analysis)
    store.commit(changes)
    return store.snapshot()


Search = Callable[..., Answer]


@pytest.fixture
def search(snapshot: Snapshot) -> Search:
    def search(text: str = "try call again", **asked: object) -> Answer:
        searcher = Searcher(snapshot, [Lexical()], expansion=Expansion(Lexical()))
        query = Query(text, parse(text).wanted, expand=True)
        return searcher.search(replace(query, **asked))  # type: ignore[arg-type]  # short

    return search


def paths(answer: Answer) -> list[str]:
    return [result.chunk.path for result in answer.results]


def leaves(reason: Reason) -> list[Reason]:
    return [leaf for part in reason.parts for leaf in leaves(part)] or [reason]


def found(answer: Answer, path: str) -> Result:
    return next(result for result in answer.results if result.chunk.path == path)


# ---------------------------------------------------------------- what is added


def test_a_chunk_without_any_word_of_the_question_is_found(search: Search) -> None:
    assert "last.py" not in paths(search(expand=False))
    assert "last.py" in paths(search())


def test_words_that_the_first_results_share_are_added_as_they_are_written(search: Search) -> None:
    assert set(search().expanded) == {"backoff", "jitter"}


def test_neither_numbers_nor_words_of_one_chunk_nor_words_of_the_question_are_added(
    search: Search,
) -> None:
    assert not {"12345", "comment", "try", "call", "again"} & set(search().expanded)


def test_what_is_added_weighs_less_than_what_was_typed(snapshot: Snapshot) -> None:
    expansion = Expansion(Lexical())
    query = Query("", parse("try call again").wanted, expand=True)
    best = [snapshot.outline("repo", path)[0] for path in ("first.py", "second.py", "third.py")]
    wider = expansion.expand(query, best, snapshot)

    assert wider is not None
    weights = [term.weight for term in wider.query.wanted.parts[1:]]  # type: ignore[union-attr]  # an Or
    assert weights[0] == WEIGHT
    assert weights == sorted(weights, reverse=True)
    assert weights[-1] > 0
    assert len(weights) <= MOST_ADDED


def test_a_word_that_many_chunks_have_is_not_added(search: Search) -> None:
    assert "value" not in search("other1 other2 other3").expanded


def test_nothing_is_added_if_the_first_results_share_nothing(search: Search) -> None:
    answer = search("sleep attempt")

    assert answer.expanded == ()
    assert answer.notes == ()


def test_the_limit_does_not_change_what_is_added(search: Search) -> None:
    for per_file in (0, 1):
        whole = search(per_file=per_file)

        assert search(limit=1, per_file=per_file).expanded == whole.expanded
        assert paths(search(limit=1, per_file=per_file)) == paths(whole)[:1]


# ---------------------------------------------------------------- shown and removable


def test_the_answer_names_what_was_added(search: Search) -> None:
    answer = search()

    assert len(answer.notes) == 1
    assert answer.notes[0].startswith("also looked for ")
    assert all(f'"{word}"' in answer.notes[0] for word in answer.expanded)


def test_the_reasons_tell_added_words_from_typed_ones(search: Search) -> None:
    labels = [leaf.text for leaf in leaves(found(search(), "first.py").reason)]
    added = [label for label in labels if "added by expansion" in label]

    assert len(added) == 2
    assert any(label.startswith("jitter (jitter, added by expansion): ") for label in labels)
    assert any(label.startswith("call: ") for label in labels)


@pytest.mark.parametrize("word", ["backoff", "Backoff", "backoffs"])
def test_a_word_can_be_refused_in_any_form(search: Search, word: str) -> None:
    assert search(without=frozenset({word})).expanded == ("jitter",)


def test_all_words_can_be_refused(search: Search) -> None:
    refused = search(without=frozenset({"backoff", "jitter"}))

    assert refused.expanded == ()
    assert refused.results == search(expand=False).results


# ---------------------------------------------------------------- what is not expanded


@pytest.mark.parametrize(
    "text",
    [
        *("call", "try_call_again", '"call again"', "/call.*again/", "symbol:again", "lang:python"),
        *('try again "return call"', "try again /return call/", "symbol:again try call"),
        *("try call OR again", "-call lang:python"),
    ],
)
def test_a_query_that_says_exactly_what_it_wants_is_left_alone(search: Search, text: str) -> None:
    answer = search(text)

    assert answer.results
    assert answer.expanded == ()
    assert answer.results == search(text, expand=False).results


@pytest.mark.parametrize("filters", ["lang:python", "-path:last", "path:t.py,d.py"])
def test_filters_beside_a_question_hold_for_what_is_added_too(search: Search, filters: str) -> None:
    strict = search(f"try call again {filters}", limit=50)

    assert strict.expanded
    everything = search(filters, limit=50, expand=False)
    assert set(paths(strict)) <= set(paths(everything))


def test_a_query_that_does_not_say_follows_the_setting(snapshot: Snapshot, search: Search) -> None:
    by_default = Searcher(
        snapshot, [Lexical()], expansion=Expansion(Lexical(), is_default=True)
    ).search(Query("", parse("try call again").wanted))

    assert search(expand=None).expanded == ()
    assert by_default.expanded == search().expanded


def test_without_a_lane_of_words_nothing_is_added(snapshot: Snapshot) -> None:
    searcher = Searcher(snapshot, [Nearby(snapshot)], expansion=Expansion(Lexical()))

    assert searcher.search(Query("", parse("try call").wanted, expand=True)).expanded == ()


# ---------------------------------------------------------------- in the lane of words


def test_a_term_is_shown_as_the_part_of_the_identifier_it_stands_for() -> None:
    assert list(Lexical().terms_with_words("max_retries, max_retries")) == [
        ("max", "max"),
        ("retri", "retries"),
        ("maxretries", "max_retries"),
    ]


def test_what_is_added_joins_the_question_in_one_list(snapshot: Snapshot) -> None:
    wanted = Or((Text("call again"), Term("jitter")))

    assert Lexical().analysed(wanted, snapshot) == Or(
        (Term("call", word="call"), Term("again", word="again"), Term("jitter"))
    )


# ---------------------------------------------------------------- beside another lane


class Nearby:
    """A lane that finds the same files whatever is asked, and counts how often it is."""

    name = "nearby"
    roots: Sequence[str] = ()

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.asked = 0

    def waits(self, snapshot: Snapshot) -> bool:
        return True

    def ask(self, query: Query, snapshot: Snapshot, until: float = 0.0) -> Nearby:
        return self

    def ranking(self, limit: int) -> Ranking:
        self.asked += 1
        ids = [self.snapshot.outline("repo", path)[0] for path in ("other7.py", "first.py")]
        scored = [Hit(key, Reason("near", 1.0 - n / 4)) for n, key in enumerate(ids)]
        return Ranking("nearby", tuple(scored))

    def reasons(self, ids: Sequence[ChunkId]) -> Mapping[ChunkId, Reason]:
        return {}


def test_another_lane_is_asked_once_and_what_it_found_stands(snapshot: Snapshot) -> None:
    nearby = Nearby(snapshot)
    lanes: list[Lane] = [Lexical(), nearby]
    query = Query("", parse("try call again").wanted, expand=True)
    answer = Searcher(snapshot, lanes, expansion=Expansion(Lexical())).search(query)

    assert answer.expanded
    assert nearby.asked == 1
    assert {"other7.py", "last.py"} <= set(paths(answer))
    for result in answer.results:
        assert result.score == math.fsum(part.value for part in result.reason.parts)


# ---------------------------------------------------------------- laws

words = st.lists(
    st.sampled_from(("try", "call", "again", "other3", "value", "sleep", "lang:python", "nothere")),
    min_size=1,
    max_size=4,
).map(" ".join)


@given(words, st.sampled_from([0, 1]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_scores_are_the_sums_of_their_reasons_and_order_the_page(
    search: Search, text: str, per_file: int
) -> None:
    answer = search(text, per_file=per_file)
    ranked = [(-result.score, result.chunk.id) for result in answer.results]

    assert ranked == sorted(ranked)
    assert answer == search(text, per_file=per_file)
    for result in answer.results:
        assert result.score == math.fsum(part.value for part in result.reason.parts)


@given(words)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_expansion_loses_nothing_that_was_found_before(search: Search, text: str) -> None:
    before = search(text, limit=100, per_file=0, expand=False)

    assert set(paths(before)) <= set(paths(search(text, limit=100, per_file=0)))
