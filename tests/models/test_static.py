"""The static model: pooling by hand, and files that are refused."""

from __future__ import annotations

import json
import os
import struct
from pathlib import Path

import numpy
import pytest

from plait.errors import ModelError
from plait.models.safetensors import read_tensor
from plait.models.static import StaticModel
from plait.types import Passage, Vectors
from tests.models.test_wordpiece import VOCABULARY, write

TABLE = numpy.arange(len(VOCABULARY) * 3, dtype=numpy.float32).reshape(-1, 3) ** 1.5


def tensors(path: Path, header: dict[str, object], data: bytes) -> Path:
    raw = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(raw)) + raw + data)
    return path


def save(folder: Path, table: numpy.ndarray[tuple[int, ...], numpy.dtype[numpy.float32]]) -> Path:
    folder.mkdir(exist_ok=True)
    write(folder / "tokenizer.json")
    place = {"dtype": "F32", "shape": list(table.shape), "data_offsets": [0, table.nbytes]}
    tensors(folder / "model.safetensors", {"embeddings": place}, table.tobytes())
    return folder


@pytest.fixture
def model(tmp_path: Path) -> StaticModel:
    return StaticModel(save(tmp_path / "tiny", TABLE))


def rows(vectors: Vectors) -> list[list[float]]:
    flat = numpy.frombuffer(vectors.data, dtype="<f4").reshape(-1, vectors.dimension)
    listed: list[list[float]] = flat.tolist()
    return listed


def by_hand(weights: dict[str, float]) -> list[float]:
    total = sum(weight * TABLE[VOCABULARY[piece]] for piece, weight in weights.items())
    unit: list[float] = (total / numpy.linalg.norm(total)).tolist()
    return unit


def test_a_repeated_word_counts_by_its_square_root(model: StaticModel) -> None:
    (made,) = rows(model.questions(["get get get get user"]))

    assert made == pytest.approx(by_hand({"get": 2.0, "user": 1.0}), abs=1e-6)


def test_a_name_counts_three_times_beside_the_text(model: StaticModel) -> None:
    (made,) = rows(model.passages([Passage("getUser", "get http")]))

    assert made == pytest.approx(by_hand({"get": 4.0, "http": 1.0, "user": 3.0}), abs=1e-6)


def test_a_folder_may_say_how_much_a_name_counts(tmp_path: Path) -> None:
    folder = save(tmp_path / "tiny", TABLE)
    (folder / "config.json").write_text('{"name_weight": 1}')
    (made,) = rows(StaticModel(folder).passages([Passage("getUser", "get http")]))

    assert made == pytest.approx(by_hand({"get": 2.0, "http": 1.0, "user": 1.0}), abs=1e-6)


def test_vectors_are_of_unit_length_and_an_empty_text_has_none(model: StaticModel) -> None:
    full, empty = rows(model.questions(["http server", "+++"]))

    assert numpy.linalg.norm(full) == pytest.approx(1.0)
    assert empty == [0.0, 0.0, 0.0]
    assert len(model.questions([])) == 0


def test_the_digest_tells_models_apart(tmp_path: Path) -> None:
    first = StaticModel(save(tmp_path / "a", TABLE))
    same = StaticModel(save(tmp_path / "b", TABLE))
    other = StaticModel(save(tmp_path / "c", TABLE + 1))

    assert first.digest == same.digest != other.digest


@pytest.mark.parametrize(
    ("place", "data"),
    [
        ({"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, b"short"),
        ({"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 20]}, bytes(24)),
        ({"dtype": "F32", "shape": [-2, -3], "data_offsets": [0, 24]}, bytes(24)),
        ({"dtype": "F32", "shape": [2, 3], "data_offsets": [-8, 16]}, bytes(24)),
        ({"dtype": "PICKLE", "shape": [2, 3], "data_offsets": [0, 24]}, bytes(24)),
        ({"shape": [2, 3]}, bytes(24)),
        ([], bytes(24)),
    ],
)
def test_damaged_weights_are_refused(tmp_path: Path, place: object, data: bytes) -> None:
    path = tensors(tmp_path / "model.safetensors", {"embeddings": place}, data)

    with pytest.raises(ModelError, match="cannot read the weights"):
        read_tensor(path, "embeddings")


@pytest.mark.parametrize(
    "raw", [b"", b"\x01", struct.pack("<Q", 1 << 60), struct.pack("<Q", 3) + b"x"]
)
def test_a_header_that_is_none_is_refused(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "model.safetensors").write_bytes(raw)

    with pytest.raises(ModelError, match="cannot read the weights"):
        read_tensor(tmp_path / "model.safetensors", "embeddings")


def test_too_few_vectors_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="vectors for"):
        StaticModel(save(tmp_path / "tiny", TABLE[:-1]))


@pytest.mark.parametrize("how", ["cut", "changed", "changed, its time put back"])
@pytest.mark.skipif(os.name == "nt", reason="what is mapped cannot be written to there")
def test_weights_that_are_written_to_while_in_use_are_refused(tmp_path: Path, how: str) -> None:
    """Cut short they would kill the process."""
    model = StaticModel(save(tmp_path / "tiny", TABLE))
    assert model.digest
    model.questions(["get user"])
    weights = tmp_path / "tiny" / "model.safetensors"
    before = weights.stat()
    with weights.open("r+b") as file:
        if how == "cut":
            file.truncate(0)
        else:
            file.seek(-1, os.SEEK_END)
            file.write(b"\x01")
    if how.endswith("put back"):
        os.utime(weights, ns=(before.st_atime_ns, before.st_mtime_ns))

    with pytest.raises(ModelError, match="was changed while it was in use"):
        model.questions(["get user"])
    with pytest.raises(ModelError, match="was changed while it was in use"):
        model.passages([Passage("a", "get user")])


def test_weights_that_are_removed_replaced_or_linked_while_in_use_go_on(tmp_path: Path) -> None:
    model = StaticModel(save(tmp_path / "tiny", TABLE))
    assert model.digest
    expected = rows(model.questions(["get user"]))
    weights = tmp_path / "tiny" / "model.safetensors"
    (tmp_path / "link").hardlink_to(weights)

    assert rows(model.questions(["get user"])) == expected
    if os.name == "posix":
        save(tmp_path / "other", TABLE * 2)
        (tmp_path / "other" / "model.safetensors").replace(weights)
        assert rows(model.questions(["get user"])) == expected
        weights.unlink()
        assert rows(model.questions(["get user"])) == expected
