"""Symbols by name, the outline of a file, definitions and the names that may have been meant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from plait.lanes.lexical import Lexical
from plait.search.definitions import definitions
from plait.search.places import Place, chunk_around, parse_place
from plait.search.symbols import outline, symbols_named
from plait.stores.embedded.store import EmbeddedStore
from plait.types import Change, Chunk, Scope, Snapshot
from tests.contract.notation import Piece, file, piece

ALL = Scope()
FILES = (
    file(
        "client.py",
        piece("class Client:\n    pass\n", "Client", kind="class"),
        piece("def send(request):\n    pass\n", "Client.send", kind="method"),
        piece("def send_all(requests):\n    pass\n", "Client.send_all", kind="method"),
        Piece("    more\n", "Client.send_all", part=1),
        "no symbol at all\n",
    ),
    file("queue.py", piece("def send():\n    pass\n", "send"), repo="other"),
    file("upper.go", piece("func Send() {}\n", "Send"), language="go"),
)


@pytest.fixture(params=[True, False], ids=["stems", "words"])
def lane(request: pytest.FixtureRequest) -> Lexical:
    return Lexical(stemming=request.param)


@pytest.fixture
def snapshot(tmp_path: Path, lane: Lexical) -> Iterator[Snapshot]:
    store = EmbeddedStore(tmp_path / "index", "words")
    store.commit([analysed(change, lane) for change in FILES])
    found = store.snapshot()
    yield found
    found.close()


def analysed(change: Change, lane: Lexical) -> Change:
    entries = (replace(entry, terms=lane.terms(entry.chunk)) for entry in change.entries)
    return replace(change, entries=tuple(entries))


def named(chunks: tuple[Chunk, ...]) -> list[str]:
    return [
        f"{chunk.repo}:{chunk.symbol.qualified_name}" if chunk.symbol else "?" for chunk in chunks
    ]


def test_an_outline_has_each_symbol_once_in_the_order_of_the_file(snapshot: Snapshot) -> None:
    assert named(outline(snapshot, "r", "client.py")) == [
        "r:Client",
        "r:Client.send",
        "r:Client.send_all",
    ]
    assert outline(snapshot, "r", "none.py") == ()


def test_the_same_name_comes_before_other_cases_and_longer_names(
    snapshot: Snapshot, lane: Lexical
) -> None:
    found = named(symbols_named(snapshot, lane, "send", Scope(repos=frozenset({"r"}))))

    assert found == ["r:Client.send", "r:Send", "r:Client.send_all"]


def test_a_container_whose_name_has_the_words_does_not_name_its_members(
    snapshot: Snapshot, lane: Lexical
) -> None:
    assert named(symbols_named(snapshot, lane, "client", ALL)) == ["r:Client"]
    assert named(symbols_named(snapshot, lane, "Client.send_all", ALL)) == ["r:Client.send_all"]


def test_words_in_another_form_are_found_by_an_index_of_stems_alone(
    snapshot: Snapshot, lane: Lexical
) -> None:
    found = named(symbols_named(snapshot, lane, "sends", ALL))

    assert bool(found) is lane.stemming


def test_without_a_name_every_symbol_in_scope_is_listed(snapshot: Snapshot, lane: Lexical) -> None:
    assert len(symbols_named(snapshot, lane, "", ALL)) == 5
    assert named(symbols_named(snapshot, lane, "", Scope(repos=frozenset({"other"})))) == [
        "other:send"
    ]


@pytest.mark.parametrize("name", ["Client.send", "Client::send", "Client#send", "Client.send()"])
def test_a_qualified_name_is_defined_once_however_it_is_written(
    snapshot: Snapshot, lane: Lexical, name: str
) -> None:
    assert named(definitions(snapshot, lane, name, ALL).found) == ["r:Client.send"]


def test_definitions_in_the_case_that_was_typed_come_first(
    snapshot: Snapshot, lane: Lexical
) -> None:
    lower = named(definitions(snapshot, lane, "send", ALL).found)
    upper = named(definitions(snapshot, lane, "Send", ALL).found)

    assert set(lower) == {"r:Client.send", "other:send", "r:Send"}
    assert lower[-1] == upper[0] == "r:Send"


def test_a_name_that_is_not_there_has_the_nearest_ones_and_only_those_in_scope(
    snapshot: Snapshot, lane: Lexical
) -> None:
    everywhere = definitions(snapshot, lane, "sendd", ALL)
    elsewhere = definitions(snapshot, lane, "sendd", Scope(repos=frozenset({"other"})))

    assert everywhere.found == ()
    assert set(everywhere.near) == {"Client.send", "Send", "send"}
    assert elsewhere.near == ("send",)
    assert definitions(snapshot, lane, "zebra", ALL).near == ()
    assert definitions(snapshot, lane, "all", ALL).near == ("Client.send_all",)
    assert definitions(snapshot, lane, "all", Scope(repos=frozenset({"other"}))).near == ()


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a.py:12", Place("a.py", 12)),
        ("C:/a.py:1", Place("C:/a.py", 1)),
        ("a.py", None),
        ("a.py:0", None),
        ("a.py:x", None),
        (":3", None),
        ("", None),
    ],
)
def test_a_place_is_a_file_and_a_line(text: str, place: Place | None) -> None:
    assert parse_place(text) == place


def test_the_chunk_at_a_line_is_the_smallest_around_it(tmp_path: Path) -> None:
    whole = file("a.py", piece("def a():\n  def b():\n    pass\n", "a"))
    entry = whole.entries[0]
    key, span = entry.chunk.id, entry.chunk.span
    chunk = entry.chunk._replace(id=key._replace(ordinal=1), span=span._replace(first=2))
    inner = replace(entry, chunk=chunk)
    store = EmbeddedStore(tmp_path / "index", "words")
    store.commit([replace(whole, entries=(entry, inner))])
    snapshot = store.snapshot()

    def at(line: int) -> int | None:
        found = chunk_around(snapshot, "r", Place("a.py", line))
        return found.id.ordinal if found else None

    assert [at(line) for line in (1, 2, 3, 4)] == [0, 1, 1, None]
    assert chunk_around(snapshot, "r", Place("b.py", 1)) is None
