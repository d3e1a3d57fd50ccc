"""Models made by somebody else: refused in words, and never a reason to open another file."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import pytest

from plait.errors import ModelError
from plait.models.choose import open_model
from plait.models.static import StaticModel
from plait.types import Passage
from tools.attack.bench import DEEP
from tools.attack.models import SOUND, VOCABULARY, table, tensors, tokenizer


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A sound model of five words."""
    (tmp_path / "model.safetensors").write_bytes(tensors(table(), SOUND))
    (tmp_path / "tokenizer.json").write_text(json.dumps(tokenizer()))
    return tmp_path


def opened(folder: Path) -> StaticModel:
    model = open_model(str(folder), folder / "hub")
    assert isinstance(model, StaticModel)
    return model


def test_the_sound_model_is_one(folder: Path) -> None:
    assert opened(folder).questions(["good"]).dimension == 64


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(tensors(DEEP.encode()), id="deep-header"),
        pytest.param(tensors(table(shape=[5, 0], offsets=[0, 0])), id="no-numbers"),
        pytest.param(tensors(table(), SOUND, 1 << 63), id="huge-header"),
        pytest.param(tensors(table(offsets=[-1280, 0]), SOUND), id="before-the-file"),
        pytest.param(tensors(table(shape=[-5, -64]), SOUND), id="negative-shape"),
    ],
)
def test_weights_that_are_none_are_refused(folder: Path, raw: bytes) -> None:
    (folder / "model.safetensors").write_bytes(raw)

    with pytest.raises(ModelError):
        opened(folder)


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"vocab": {**VOCABULARY, "good": -1}}, id="negative-id"),
        pytest.param({"vocab": {**VOCABULARY, "good": 1.5}}, id="broken-id"),
        pytest.param({"vocab": {**VOCABULARY, "good": True}}, id="id-is-true"),
        pytest.param({"max_input_chars_per_word": "x"}, id="longest-is-text"),
        pytest.param({"max_input_chars_per_word": None}, id="longest-is-null"),
        pytest.param({"continuing_subword_prefix": 1}, id="prefix-is-a-number"),
    ],
)
def test_a_tokeniser_that_is_none_is_refused(folder: Path, changed: dict[str, Any]) -> None:
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer(**changed)))

    with pytest.raises(ModelError, match="cannot read the tokeniser"):
        opened(folder)


@pytest.mark.parametrize("name", ["tokenizer.json", "config.json", "digests.json"])
def test_a_file_of_a_hundred_thousand_brackets_is_refused(folder: Path, name: str) -> None:
    (folder / name).write_text(DEEP)

    with pytest.raises(ModelError):
        opened(folder)


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN"])
def test_a_weight_that_is_no_number_is_refused(folder: Path, number: str) -> None:
    (folder / "config.json").write_text(f'{{"name_weight": {number}}}')

    with pytest.raises(ModelError, match="must be a finite number"):
        opened(folder)


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_vector_that_is_none_is_not_handed_on(folder: Path, number: float) -> None:
    raw = struct.pack("<320f", *[number] * 320)
    (folder / "model.safetensors").write_bytes(tensors(table(), raw))
    model = opened(folder)

    with pytest.raises(ModelError, match="a number that is none"):
        model.questions(["good"])
    with pytest.raises(ModelError, match="a number that is none"):
        model.passages([Passage("good", "good neighbour")])


@pytest.mark.parametrize("name", ["../outside", "/dev/zero", "a/../../outside", ".."])
def test_checksums_are_of_the_models_own_files(folder: Path, name: str) -> None:
    """One of /dev/zero would be taken for ever."""
    (folder / "digests.json").write_text(json.dumps({name: "0" * 64}))

    with pytest.raises(ModelError, match="is no file of the model"):
        opened(folder)
