"""Vectors that are damaged, or of something else, are refused in words."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from plait.errors import IndexBusy, IndexCorrupt, StoreError
from plait.index.embed import embed
from plait.stores.embedded.manifest import read_current
from plait.types import And, Scope, Snapshot
from tests.contract.notation import file, gone, piece
from tests.contract.test_vectors import Hashed, floats, passage_of
from tests.stores.folder import expected, opened, present, uniform
from tests.stores.test_damage import rewrite_manifest
from tests.stores.test_together import writing

MODEL = Hashed().digest
QUESTION = Hashed().questions(["common first\n"])


@pytest.fixture
def root(place: Path) -> Path:
    """Two layers: one with vectors and a dead file, one whose last chunks have none."""
    store = opened(place / "store")
    store.commit([*uniform("first", 40), file("x.py", piece("common x\n", "x"))])
    embed(store, Hashed(), passage_of)
    store.commit([file("y.py", *[f"line {n}\n" for n in range(520)]), file("z.py", "z\n")])
    store.commit([gone("x.py")])
    embed(store, Hashed(), passage_of, within_s=0)
    manifest = read_current(store.root)
    assert [(record.rows, record.missing) for record in manifest.vectors] == [(41, 0), (521, 1)]
    assert [len(record.dead) for record in manifest.layers] == [1, 0]
    return store.root


def ask_everything(snapshot: Snapshot) -> None:
    """Use every method that reads vectors."""
    keys = [key for path in snapshot.digests("r") for key in snapshot.outline("r", path)]
    snapshot.nearest(MODEL, QUESTION, And(()), Scope(), 10)
    snapshot.nearest(MODEL, QUESTION, And(()), Scope(under="nowhere"), 10)
    snapshot.vectors(MODEL, keys)
    list(snapshot.embedded(MODEL, And(()), Scope()))
    snapshot.missing_vectors(MODEL)


def vector_files(root: Path) -> list[Path]:
    return sorted((root / "layers").glob("*.vectors"))


@pytest.mark.parametrize("how", ["removed", "emptied", "halved", "a byte short", "a byte long"])
def test_a_vector_file_that_is_not_as_long_as_it_was_is_told(root: Path, how: str) -> None:
    """A shorter file, mapped, would end the process that reads behind its end."""
    for path in vector_files(root):
        content = path.read_bytes()
        path.unlink()
        if how != "removed":
            size = {"emptied": 0, "halved": len(content) // 2}.get(how, len(content))
            path.write_bytes(
                (content + b"\0")[: size + {"a byte short": -1, "a byte long": 1}.get(how, 0)]
            )
        store = opened(root)

        for act in (
            store.snapshot,
            lambda store=store: embed(store, Hashed(), passage_of),
            lambda store=store: store.commit(uniform("second")),
        ):
            with pytest.raises(IndexCorrupt) as caught:
                act()
            assert "--rebuild" in caught.value.hint
        assert any(path.name in fault for fault in store.check())
        path.write_bytes(content)
    assert opened(root).check() == []


def test_a_file_replaced_after_the_snapshot_was_opened_does_no_harm(root: Path) -> None:
    """A snapshot answers from the file it has, or says that it cannot."""
    hints = set()
    for path in vector_files(root):
        content = path.read_bytes()
        for size in (0, 7, 200, len(content) - 8):
            snapshot = opened(root).snapshot()
            path.unlink()
            path.write_bytes(content[:size])
            try:
                ask_everything(snapshot)
            except IndexCorrupt as error:
                hints.add(error.hint)
            path.write_bytes(content)

    assert all("--rebuild" in hint for hint in hints)


@pytest.mark.slow
def test_no_byte_of_a_vector_file_can_be_wrong_without_a_word(root: Path) -> None:
    """Search may meet it or not, but never fails with anything but a StoreError; check tells."""
    for path in vector_files(root):
        content = path.read_bytes()
        size = len(content)
        head = content.index(b'"missing": ') + 20
        for at in (*range(0, head, 3), *range(head, size, size // 50)):
            path.write_bytes(content[:at] + bytes([content[at] ^ 0x55]) + content[at + 1 :])
            store = opened(root)
            with suppress(StoreError):
                ask_everything(store.snapshot())
            assert store.check(), f"{path.name} byte {at}"
        path.write_bytes(content)


def wrong(root: Path) -> list[str]:
    """The chunks whose vectors are not what the model makes of them."""
    snapshot = opened(root).snapshot()
    keys = [key for path in snapshot.digests("r") for key in snapshot.outline("r", path)]
    chunks = snapshot.fetch(keys)
    found = []
    for key, vector in snapshot.vectors(MODEL, keys).items():
        own = floats(Hashed().passages([passage_of(chunks[key])]))
        cosine = sum(a * b for a, b in zip(floats(vector), own, strict=True))
        if not 0.99 < cosine < 1.01:
            found.append(str(key))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("how", ["embedding", "merging"])
def test_damage_is_not_copied_into_the_next_generation(root: Path, how: str) -> None:
    """What is copied gets a new checksum: a wrong byte would never be found again."""
    hints: list[str] = []
    for name in [path.name for path in vector_files(root)]:
        size = (root / "layers" / name).stat().st_size
        for at in range(size // 13, size, size // 13):
            trial = root.parent / f"{name}-{at}"
            shutil.copytree(root, trial)
            content = bytearray((trial / "layers" / name).read_bytes())
            content[at] ^= 0x55
            (trial / "layers" / name).write_bytes(content)
            store = opened(trial)
            try:
                if how == "embedding":
                    embed(store, Hashed(), passage_of)
                else:  # more than half of what the older layer holds is gone
                    store.commit([gone(f"{n}.py") for n in range(30)])
            except IndexCorrupt as error:
                hints.append(error.hint)
            assert store.check() or wrong(trial) == [], f"{name} byte {at}"

    assert len(hints) > 5
    assert all("--rebuild" in hint for hint in hints)


def swap_layers(records: list[dict[str, Any]]) -> None:
    records[0]["layer"], records[1]["layer"] = records[1]["layer"], records[0]["layer"]


def swap_files(records: list[dict[str, Any]]) -> None:
    records[0]["file"], records[1]["file"] = records[1]["file"], records[0]["file"]


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(swap_layers, id="layers-swapped"),
        pytest.param(swap_files, id="files-swapped"),
        pytest.param(lambda records: records[1].update(missing=0), id="none-missing"),
        pytest.param(lambda records: records[0].update(missing=3), id="some-missing"),
        pytest.param(lambda records: records[1].update(rows=3), id="fewer-rows"),
        pytest.param(lambda records: records[0].update(model="f" * 32), id="another-model"),
        pytest.param(lambda records: records[0].update(dimension=128), id="another-dimension"),
        pytest.param(lambda records: records[0].update(layer="000099"), id="another-layer"),
        pytest.param(lambda records: records[0].update(file="layers/none"), id="another-file"),
    ],
)
def test_vectors_that_are_not_those_of_their_layer_are_found_by_the_check(
    root: Path, change: Callable[[list[dict[str, Any]]], None]
) -> None:
    def rewrite(values: dict[str, object]) -> None:
        records = values["vectors"]
        assert isinstance(records, list)
        change(records)

    rewrite_manifest(root, rewrite)
    with suppress(StoreError):
        ask_everything(opened(root).snapshot())

    assert opened(root).check()


def test_embedding_beside_another_writer_is_refused_in_words(root: Path) -> None:
    other = writing(root, "hold")
    try:
        assert other.stdout is not None
        assert other.stdout.readline() == "holding\n"
        encoder = Hashed()
        with pytest.raises(IndexBusy, match=rf"another process is writing .*\b{other.pid}\b"):
            embed(opened(root, wait_s=0.3), encoder, passage_of)

        assert encoder.given == []
        ask_everything(opened(root).snapshot())  # readers do not wait
    finally:
        other.communicate(timeout=60)
    embed(opened(root), encoder, passage_of)

    assert opened(root).check() == []
    assert present(root) == expected(root)
