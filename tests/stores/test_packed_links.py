"""Packed links: damage is told, and what lies in them is nobody else's."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.errors import IndexCorrupt
from plait.stores.embedded import layer
from plait.stores.embedded.packed_links import packed, unpacked
from plait.types import NO_LINKS, Links, Reference, Relation, Snapshot
from tests.contract.notation import file, ids, piece
from tests.stores.folder import opened

ONE = Links.of([Reference(Relation.CALLS, "send", "client", 3)], first=2)


@pytest.fixture
def snapshot(place: Path) -> Snapshot:
    store = opened(place / "store")
    store.commit([file("a.py", piece("x\n", "f", *ONE.references), "y\n"), file("b.py", "z\n")])
    return store.snapshot()


def test_links_are_unpacked_as_they_were() -> None:
    assert unpacked(packed([ONE, NO_LINKS, ONE])) == [ONE, NO_LINKS, ONE]
    assert packed([NO_LINKS, NO_LINKS]) == b""


@pytest.mark.parametrize("at", [0, 5, -1])
def test_a_flipped_byte_is_noticed(at: int) -> None:
    raw = bytearray(packed([ONE] * 9))
    raw[at] ^= 0x40

    with pytest.raises(ValueError, match="links"):
        unpacked(bytes(raw))


@pytest.mark.parametrize("found", [[ONE], [ONE, ONE, ONE]], ids=["too-few", "too-many"])
def test_links_of_other_chunks_are_told_as_damage(
    snapshot: Snapshot, found: list[Links], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layer, "unpacked", lambda _: found)

    with pytest.raises(IndexCorrupt, match=r"links of a\.py are not those of its chunks"):
        snapshot.links(ids("a.py"))


def test_fetching_chunks_unpacks_no_links(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layer, "unpacked", lambda _: pytest.fail("links were unpacked"))

    assert snapshot.fetch(ids("a.py"))[ids("a.py")[0]].text == "x\n"
