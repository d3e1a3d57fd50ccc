"""The lane of messages finds the same lines in every store."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from plait.lanes.lexical import Lexical
from plait.lanes.message import AskedMessage, Messages
from plait.search.parse import parse
from plait.types import ChunkId, Query, Scope, Snapshot
from tests.contract.conftest import NewStore
from tests.contract.notation import Piece, file

BROKEN = 'raise ValueError(\n    "the frob of %s has "\n    "no handle to %s it by" % (a, b)\n)\n'
CORPUS = [
    file("src/z.py", "import os\n", Piece(f"def grip(a, b):\n{BROKEN}", "grip")),
    file(
        "src/a.py",
        "# opening files\n",
        Piece('def open_it(p):\n    raise OSError(f"cannot open {p} for gripping")\n', "open_it"),
        Piece('def shut(p):\n    log.warn("cannot shut %s", p)\n', "shut"),
    ),
    file("tests/test_a.py", 'assert text == "cannot open x for gripping"\n', tags=("test",)),
    file("other.go", 'panic("cannot open " + p + " for gripping")\n', repo="other", language="go"),
]
OPEN, GRIP = ChunkId("r", "src/a.py", 1), ChunkId("r", "src/z.py", 1)


@pytest.fixture(scope="module")
def snapshot(new_store: NewStore) -> Iterator[Snapshot]:
    """The corpus, opened."""
    with new_store() as store:
        store.commit(CORPUS)
        opened = store.snapshot()
        yield opened
        opened.close()


def asked(snapshot: Snapshot, text: str, scope: Scope | None = None) -> AskedMessage:
    """A text put to the lane."""
    query = Query(text, parse(text).wanted, scope or Scope(repos=frozenset({"r"})))
    return Messages(Lexical()).ask(query, snapshot)


def test_the_line_that_wrote_a_message_comes_before_the_test_that_quotes_it(
    snapshot: Snapshot,
) -> None:
    hits = asked(snapshot, "OSError: cannot open '/tmp/a.txt' for gripping").ranking(5).hits
    assert [hit.chunk.path for hit in hits] == ["src/a.py", "tests/test_a.py"]
    assert hits[0].chunk == OPEN


def test_a_message_with_a_name_filled_in_is_found_by_runs_of_its_words(snapshot: Snapshot) -> None:
    hits = asked(snapshot, "2026-01-02 10:11:12 ERROR cannot open bolmart for gripping").ranking(5)
    assert hits.hits[0].chunk == OPEN


def test_a_literal_that_is_broken_over_lines_is_found_whole(snapshot: Snapshot) -> None:
    message = asked(snapshot, "ValueError: the frob of kelim has no handle to wanzor it by")
    ranking = message.ranking(5)
    assert [hit.chunk for hit in ranking.hits] == [GRIP]
    assert "no handle to" in message.reasons([GRIP])[GRIP].words


def test_a_reason_names_the_line_and_what_it_says(snapshot: Snapshot) -> None:
    message = asked(snapshot, "OSError: cannot open 'a' for gripping")
    message.ranking(5)
    words = message.reasons([OPEN])[OPEN].words
    assert words.startswith("line 3 says 100% of it: raise OSError(")


def test_only_what_is_in_scope_is_looked_at(snapshot: Snapshot) -> None:
    other = Scope(repos=frozenset({"other"}))
    hits = asked(snapshot, "panic: cannot open 'a' for gripping", other).ranking(5).hits
    assert [hit.chunk.path for hit in hits] == ["other.go"]


def test_conditions_hold_of_what_is_found(snapshot: Snapshot) -> None:
    hits = asked(snapshot, "OSError: cannot open 'a' for gripping -is:test").ranking(5).hits
    assert [hit.chunk for hit in hits] == [OPEN]


def test_a_message_that_no_line_says_is_found_nowhere(snapshot: Snapshot) -> None:
    assert asked(snapshot, "OSError: the moon is made of cheese").ranking(5).hits == ()


def test_words_that_may_be_no_message_are_found_only_where_a_literal_says_them(
    snapshot: Snapshot,
) -> None:
    assert asked(snapshot, "opening files for gripping").ranking(5).hits == ()
    assert asked(snapshot, "all of cannot shut").ranking(5).hits == ()
