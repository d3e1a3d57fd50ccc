"""Weights that were tampered with, or cut short on their way, are refused in words.

The model plait brings is proved against the checksums that came with it; a model of the
user's own has none, so whatever its files hold must at least not end the process.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from plait.errors import ModelError
from plait.models.bundle import BUNDLED, DIGESTS
from plait.models.choose import open_model
from plait.models.safetensors import read_tensor
from plait.models.static import ASKING, CONFIG, TABLE, TOKENIZER, WEIGHTS, StaticModel

NOWHERE = Path("nowhere")

pytestmark = pytest.mark.skipif(not BUNDLED.is_dir(), reason="this source tree brings no weights")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the bundled model."""
    return shutil.copytree(BUNDLED, tmp_path_factory.mktemp("weights") / "bundled")


@contextmanager
def damaged(path: Path, content: bytes) -> Iterator[None]:
    """Another content for a while."""
    sound = path.read_bytes()
    path.write_bytes(content)
    try:
        yield
    finally:
        path.write_bytes(sound)


@contextmanager
def flipped(path: Path, at: int, mask: int) -> Iterator[None]:
    """Other bits in one byte for a while."""
    with path.open("r+b", buffering=0) as file:
        file.seek(at)
        (sound,) = file.read(1)
        file.seek(at)
        file.write(bytes([sound ^ mask]))
        try:
            yield
        finally:
            file.seek(at)
            file.write(bytes([sound]))


def test_the_model_plait_brings_can_be_used(folder: Path) -> None:
    model = open_model("", NOWHERE, bundled=folder)

    assert len(model.questions(["retry with exponential backoff"])) == 1


@pytest.mark.parametrize("name", [WEIGHTS, TOKENIZER, CONFIG])
@pytest.mark.parametrize("share", [0.0, 0.5, 0.999])
def test_a_wrong_byte_of_the_bundled_model_is_refused(
    folder: Path, name: str, share: float
) -> None:
    path = folder / name
    with (
        flipped(path, int(path.stat().st_size * share), 1),
        pytest.raises(ModelError, match=f"{name} in .* its checksum is wrong") as caught,
    ):
        open_model("", NOWHERE, bundled=folder)

    assert caught.value.hint == "reinstall plait"


@pytest.fixture
def unproved(folder: Path) -> Iterator[Path]:
    """The same without checksums, as a user's own model is."""
    away = folder.parent / DIGESTS
    (folder / DIGESTS).rename(away)
    yield folder
    away.rename(folder / DIGESTS)


def test_weights_that_were_cut_are_refused(unproved: Path) -> None:
    """Mapped, a file that is shorter than its header says would end the process."""
    path = unproved / WEIGHTS
    content = path.read_bytes()
    for size in (0, 7, 100, 5_000, len(content) // 2, len(content) - 1):
        with damaged(path, content[:size]), pytest.raises(ModelError, match="cannot read the we"):
            StaticModel(unproved)


def test_numbers_of_another_type_are_refused(unproved: Path) -> None:
    path = unproved / WEIGHTS
    content = path.read_bytes()
    assert b'"dtype": "I8"' in content[:200]
    for told in (b'"F16"', b'"F32"', b'"BF1"', b'"O"', b"null"):
        header = content[8:184].replace(b'"I8"', told, 1).rstrip().ljust(200)
        changed = len(header).to_bytes(8, "little") + header + content[184:]
        with damaged(path, changed), pytest.raises(ModelError, match="cannot read the weights"):
            StaticModel(unproved)


@pytest.mark.parametrize("tensor", [TABLE, ASKING])
@pytest.mark.parametrize("mask", [0x01, 0x10, 0x55, 0xFF])
def test_no_byte_of_a_header_can_do_more_than_be_refused(
    unproved: Path, tensor: str, mask: int
) -> None:
    path = unproved / WEIGHTS
    refused = 0
    for at in range(184):
        with flipped(path, at, mask):
            try:
                read_tensor(path, tensor)[:1].sum()
            except ModelError:
                refused += 1

    assert refused > 50


def test_a_tokeniser_that_was_cut_is_refused(unproved: Path) -> None:
    path = unproved / TOKENIZER
    content = path.read_bytes()
    for size in (0, 1, 1_000, len(content) // 2, len(content) - 3):
        with damaged(path, content[:size]), pytest.raises(ModelError, match="cannot read the to"):
            StaticModel(unproved)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"WordPiece"', b'"Unigram"'),
        (b'"Lowercase"', b'"Uppercase"'),
        (b'"vocab"', b'"vocal"'),
        (b'"continuing_subword_prefix"', b'"prefix"'),
    ],
)
def test_a_tokeniser_of_another_kind_is_refused(unproved: Path, old: bytes, new: bytes) -> None:
    path = unproved / TOKENIZER
    content = path.read_bytes().replace(b'":', b'": ').replace(b":  ", b": ")
    assert old in content
    with damaged(path, content.replace(old, new, 1)), pytest.raises(ModelError):
        StaticModel(unproved)


def test_other_weights_make_another_model(unproved: Path) -> None:
    """Their vectors are never compared with those of the weights before."""
    before = StaticModel(unproved).digest
    with flipped(unproved / WEIGHTS, 1_000_000, 1):
        after = StaticModel(unproved).digest

    assert before != after
