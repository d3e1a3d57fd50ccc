"""Files of vectors: what is kept, found again and copied, and what is left alone."""

from __future__ import annotations

import json
from pathlib import Path

import numpy
import pytest

from plait.errors import IndexCorrupt
from plait.index.embed import embed, passage_key
from plait.stores.embedded.vectors import ABSENT, VectorFile, VectorWriter
from plait.types import Chunk, Passage
from tests.contract.notation import file, gone
from tests.contract.test_vectors import Hashed, nearest, passage_of
from tests.stores.folder import opened

MODEL = "m" * 32
DIMENSION = 64


def key(text: str) -> bytes:
    return passage_key(Passage("", text))


def words(*keys: bytes) -> numpy.ndarray[tuple[int, int], numpy.dtype[numpy.uint64]]:
    return numpy.frombuffer(b"".join(keys), "<u8").reshape(-1, 2)


def written(writer: VectorWriter, path: Path) -> VectorFile:
    writer.write(path)
    return VectorFile(path, MODEL, writer.rows)


def example(place: Path, texts: str) -> VectorFile:
    """``example(place, "a-b")`` has vectors of "a" and "b" and, between them, none."""
    writer = VectorWriter(MODEL, DIMENSION)
    for text in texts:
        if text == "-":
            writer.leave_out(1)
        else:
            writer.add([key(text)], Hashed().questions([text]))
    return written(writer, place / f"{texts}.vectors")


def test_rows_are_found_by_what_was_encoded(place: Path) -> None:
    kept = example(place, "ca-bd-")
    found = kept.find(words(key("a"), key("x"), key("d"), key("c")))

    assert found.tolist() == [1, -1, 4, 0]
    assert kept.present.tolist() == [True, True, False, True, True, False]
    assert kept.missing == 2
    assert kept.keys[3].tobytes() == key("b")
    assert kept.keys[2].tobytes() == ABSENT


def test_copied_rows_are_the_rows_copied(place: Path) -> None:
    kept = example(place, "abc-d")
    writer = VectorWriter(MODEL, DIMENSION)
    writer.copy(kept, numpy.array([4, 0]))
    writer.leave_out(2)
    writer.copy(kept, slice(1, 4))
    copy = written(writer, place / "copy.vectors")

    assert copy.find(words(*(key(text) for text in "abcd"))).tolist() == [1, 4, 5, 0]
    assert copy.present.tolist() == [True, True, False, False, True, True, False]
    assert copy.missing == 3
    for row, source in ((0, 4), (1, 0), (4, 1), (5, 2)):
        assert (copy.codes[row] == kept.codes[source]).all()
        assert (copy.signs[:, row] == kept.signs[:, source]).all()
        assert copy.scales[row] == kept.scales[source]


@pytest.mark.parametrize("table", ["keys", "places", "scales", "codes", "checks"])
def test_a_damaged_row_is_not_copied(place: Path, table: str) -> None:
    example(place, "abcd")
    path = place / "abcd.vectors"
    raw = bytearray(path.read_bytes())
    begin = raw.index(b"{")
    header, end = json.JSONDecoder().raw_decode(raw[begin:].decode("latin-1"))
    body = -(-(begin + end) // 8) * 8
    raw[body + header[table][0] + 3] ^= 1 << 6
    path.write_bytes(raw)
    damaged = VectorFile(path, MODEL, 4)

    with pytest.raises(IndexCorrupt, match="damaged"):
        VectorWriter(MODEL, DIMENSION).copy(damaged, slice(0, 4))


def test_a_file_of_nothing_finds_nothing(place: Path) -> None:
    empty = written(VectorWriter(MODEL, DIMENSION), place / "empty.vectors")

    assert empty.find(words(key("a"))).tolist() == [-1]
    assert empty.present.tolist() == []


def test_a_file_of_another_length_is_refused(place: Path) -> None:
    example(place, "ab")

    with pytest.raises(IndexCorrupt, match=r"ab\.vectors cannot be used"):
        VectorFile(place / "ab.vectors", MODEL, 3)


def vector_files(root: Path) -> dict[str, int]:
    return {path.name: path.stat().st_ino for path in (root / "layers").glob("*.vectors")}


def test_vectors_of_an_unchanged_layer_are_not_written_again(place: Path) -> None:
    store = opened(place)
    store.commit([file(f"f{n}.py", f"text {n}\n") for n in range(20)])
    embed(store, Hashed(), passage_of)
    before = vector_files(place)
    store.commit([file("new.py", "new\n"), gone("f3.py")])
    embed(store, Hashed(), passage_of)
    after = vector_files(place)

    assert len(before) == 1
    assert before.items() <= after.items()
    assert len(after) == 2


class Seen:
    """Remembers the chunks that were read to be encoded."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def __call__(self, chunk: Chunk) -> Passage:
        self.texts.append(chunk.text)
        return passage_of(chunk)


def test_what_is_left_is_read_alone_when_embedding_goes_on(place: Path) -> None:
    store = opened(place)
    store.commit([file(f"f{n:04}.py", f"text {n}\n") for n in range(700)])
    first, second = Seen(), Seen()
    embed(store, Hashed(), first, within_s=0)
    (record,) = store.snapshot().whole.manifest.vectors
    half_way = 700 - record.missing
    embed(store, Hashed(), second)

    assert 0 < half_way == len(first.texts) < 700
    assert second.texts == [f"text {n}\n" for n in range(half_way, 700)]
    assert nearest(store.snapshot(), "text 3\n", limit=1) == ["f0003.py"]
    assert nearest(store.snapshot(), "text 699\n", limit=1) == ["f0699.py"]
    assert store.check() == []
