"""The ranker: files in order by signals that add up, over a real index."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plait.errors import OutOfTime
from plait.lanes.lexical import Lexical
from plait.ranking.table import SIGNALS
from plait.search.parse import parse
from plait.search.plan import Planner
from plait.search.searcher import Searcher
from plait.stores.embedded.store import EmbeddedStore
from plait.types import Answer, Change, ChunkId, Query, Result, Snapshot
from plait.types.notes import UNRANKED
from tests.contract.notation import file, piece

LANE = Lexical()
PLANNER = Planner(("lexical",), file_ranking=True)
FILES = (
    file("src/retry.py", "retry the call\n"),
    file("src/client.py", piece("def send(): retry\n", "send"), "retry the call again\n"),
    file("tests/test_retry.py", "retry retry retry the call\n", tags=("test",)),
    file("docs/retry.md", "retry retry the call\n", tags=("documentation",)),
    file("src/deep/er/and/deeper/retry.py", "retry the call\n"),
    file(
        "src/pool.py",
        piece("class ConnectionPool:\n", "ConnectionPool", kind="class"),
        "ConnectionPool x\n",
    ),
    file("src/app.py", piece("def test_client(): pass\n", "App.test_client")),
    file("tests/test_app.py", "test_client test_client\n", tags=("test",)),
    file("tests/test_pool.py", piece("def test_pool(): x\n", "test_pool"), tags=("test",)),
    file("src/users.py", "ConnectionPool ConnectionPool ConnectionPool\n"),
)


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    store = EmbeddedStore(Path(tmp_path_factory.mktemp("ranker")), "words")
    store.commit(map(_analysed, FILES))
    found = store.snapshot()
    yield found
    found.close()


def _analysed(change: Change) -> Change:
    entries = (replace(one, terms=LANE.terms(one.chunk)) for one in change.entries)
    return replace(change, entries=tuple(entries))


def ask(snapshot: Snapshot, text: str, **asked: int) -> Answer:
    query = Query(text, parse(text).wanted, **asked)  # type: ignore[arg-type]  # short
    return Searcher(snapshot, [LANE], PLANNER).search(query)


def paths(answer: Answer) -> list[str]:
    return [result.chunk.path for result in answer.results]


def told(result: Result, name: str) -> str:
    return next(part.text for part in result.reason.parts if part.name == name)


def test_the_file_called_as_asked_comes_before_tests_and_documentation(snapshot: Snapshot) -> None:
    found = paths(ask(snapshot, "retry the call"))

    assert found[0] == "src/retry.py"
    assert found.index("src/client.py") < found.index("tests/test_retry.py")
    assert found.index("src/client.py") < found.index("docs/retry.md")
    assert found.index("src/deep/er/and/deeper/retry.py") > 0


def test_the_definition_of_a_name_comes_before_its_uses_and_is_shown(snapshot: Snapshot) -> None:
    first = ask(snapshot, "ConnectionPool").results[0]

    assert first.chunk.path == "src/pool.py"
    assert first.chunk.symbol is not None
    assert "`ConnectionPool`" in told(first, "defines the name")


def test_words_side_by_side_find_the_name_they_make(snapshot: Snapshot) -> None:
    assert paths(ask(snapshot, "connection pool"))[0] == "src/pool.py"


@pytest.mark.parametrize("per_file", [1, 2, 3])
@pytest.mark.parametrize("text", ["retry the call", "ConnectionPool", "send x lang:python", "call"])
def test_the_parts_add_up_to_the_score_and_the_score_orders_the_page(
    snapshot: Snapshot, text: str, per_file: int
) -> None:
    answer = ask(snapshot, text, per_file=per_file)
    scores = [result.score for result in answer.results]

    assert scores == sorted(scores, reverse=True)
    for result in answer.results:
        assert result.score == math.fsum(part.value for part in result.reason.parts)
        assert not [part for part in result.reason.parts if not part.value]


def test_further_chunks_of_a_file_say_that_they_are(snapshot: Snapshot) -> None:
    answer = ask(snapshot, "retry the call", per_file=2)
    client = [result for result in answer.results if result.chunk.path == "src/client.py"]

    assert len(client) == 2
    assert [part.name for part in client[1].reason.parts][-1] == "further chunk"


def test_a_reason_says_which_word_met_which_name(snapshot: Snapshot) -> None:
    first = ask(snapshot, "where are calls retried").results[0]

    assert told(first, "file name").endswith('`retry` meets "retried"')


def test_conditions_alone_and_chunks_as_results_are_not_ranked_by_file(snapshot: Snapshot) -> None:
    conditions, chunks = ask(snapshot, "lang:python"), ask(snapshot, "retry", per_file=0)

    assert {result.reason.name for result in conditions.results} == {"lexical"}
    assert {result.reason.name for result in chunks.results} == {"lexical"}


def test_a_longer_list_begins_with_the_shorter_one(tmp_path: Path) -> None:
    many = [file(f"f{n:03}.py", "word " * (1 + n % 7) + f"filler{n}\n" * n) for n in range(220)]
    store = EmbeddedStore(tmp_path, "words")
    store.commit(map(_analysed, many))
    found = store.snapshot()
    short, long = ask(found, "word", limit=10), ask(found, "word", limit=200)
    found.close()

    assert paths(long)[:10] == paths(short)
    assert [one.score for one in long.results[:10]] == [one.score for one in short.results]


def test_an_explanation_tells_the_story_of_the_page(snapshot: Snapshot) -> None:
    searcher = Searcher(snapshot, [LANE], PLANNER)
    query = Query("retry the call", parse("retry the call").wanted)
    third = searcher.search(query).results[2]
    place = searcher.explain(query, third.chunk.id)

    assert place is not None
    assert (place.rank, place.reason, place.shown) == (3, third.reason, third.chunk.id)


def test_another_chunk_of_a_file_is_explained_by_the_one_that_is_shown(snapshot: Snapshot) -> None:
    searcher = Searcher(snapshot, [LANE], PLANNER)
    query = Query("retry the call", parse("retry the call").wanted)
    place = searcher.explain(query, ChunkId("r", "src/client.py", 0))

    assert place is not None
    assert place.shown == ChunkId("r", "src/client.py", 1)
    assert place.is_found


def test_every_signal_has_a_name_of_its_own_and_says_what_it_means() -> None:
    assert len({signal.name for signal in SIGNALS}) == len(SIGNALS)
    assert all(signal.means and signal.weight for signal in SIGNALS)


def test_a_lane_that_is_set_to_count_for_nothing_does(snapshot: Snapshot) -> None:
    silenced = Planner(("lexical",), file_ranking=True, scales={"lexical": 0.0})
    query = Query("retry the call", parse("retry the call").wanted)
    answer = Searcher(snapshot, [LANE], silenced).search(query)

    assert not [
        part
        for result in answer.results
        for part in result.reason.parts
        if part.name.startswith("lexical") and part.value
    ]
    assert all(result.score == result.reason.value for result in answer.results)


def test_a_typed_path_puts_its_file_first(snapshot: Snapshot) -> None:
    assert paths(ask(snapshot, "tests/test_retry.py"))[0] == "tests/test_retry.py"
    assert paths(ask(snapshot, "client.py:2"))[0] == "src/client.py"
    assert paths(ask(snapshot, "tests/test_retry.py lang:python"))[0] == "tests/test_retry.py"
    assert paths(ask(snapshot, "deeper/retry.py"))[0] == "src/deep/er/and/deeper/retry.py"


def test_a_question_about_tests_is_answered_by_tests(snapshot: Snapshot) -> None:
    first = ask(snapshot, "where are the tests for retry").results[0]

    assert first.chunk.path == "tests/test_retry.py"
    assert told(first, "test") == "test: a test, as the question asks"


def test_the_name_of_a_test_finds_it_and_a_name_like_one_finds_the_code(
    snapshot: Snapshot,
) -> None:
    assert paths(ask(snapshot, "test_pool"))[0] == "tests/test_pool.py"
    assert paths(ask(snapshot, "test_client"))[0] == "src/app.py"


@pytest.mark.parametrize("method", ["files", "definitions", "roots"])
def test_a_store_that_does_not_tell_of_files_in_time_leaves_them_as_fused(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    query = Query("ConnectionPool retry", parse("ConnectionPool retry").wanted)
    fused = Searcher(snapshot, [LANE], Planner(("lexical",))).search(query)

    def late(*_: object) -> None:
        raise OutOfTime("no answer")

    monkeypatch.setattr(snapshot, method, late)
    answer = Searcher(snapshot, [LANE], PLANNER).search(query)

    assert paths(answer) == paths(fused)
    assert [note.code for note in answer.notes] == [UNRANKED]
    assert "no answer" in answer.notes[0]


def test_what_is_asked_of_a_store_has_the_time_of_the_search(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: dict[str, float] = {}
    for method in ("files", "definitions", "roots"):
        real = getattr(snapshot, method)

        def noted(*asked: object, method: str = method, real: Any = real) -> object:
            told[method] = float(asked[-1])  # type: ignore[arg-type]  # the last is the time
            return real(*asked)

        monkeypatch.setattr(snapshot, method, noted)
    began = time.monotonic()
    planner = replace(PLANNER, within_s=7.0)
    Searcher(snapshot, [LANE], planner).search(Query("send", parse("send").wanted))

    assert told.keys() == {"files", "definitions", "roots"}
    assert all(began + 7 <= until <= time.monotonic() + 7 for until in told.values())


def test_what_is_shown_meets_every_condition(snapshot: Snapshot) -> None:
    first = ask(snapshot, "ConnectionPool -kind:class").results[0]
    shown = {one.chunk.kind for one in ask(snapshot, "ConnectionPool -kind:class").results}

    assert "class" not in shown
    assert first.chunk.path in ("src/pool.py", "src/users.py")
