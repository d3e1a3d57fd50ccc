"""Grams: what is packed comes back, and no block that holds a text is missed."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from plait.patterns.gram_codes import GRAMS, code_of
from plait.patterns.required import required
from plait.stores.embedded.gram_file import LayerGrams
from plait.stores.embedded.gram_keys import BATCH_BITS, BLOCKS_PER_BATCH, keys_of
from plait.stores.embedded.gram_writer import write_grams
from plait.stores.embedded.grep import Grep
from plait.stores.embedded.layer import Layer
from plait.stores.embedded.line_scope import see_all
from plait.stores.embedded.manifest import read_current
from plait.stores.embedded.postings import CodedNeed, Postings
from plait.stores.embedded.postings_writer import BLOCKS_PER_PART, packed
from plait.stores.embedded.store import EmbeddedStore
from plait.types import FileLines, LineQuery, Order, Pattern
from tests.contract.notation import file

WORDS = (
    *"alpha beta gamma delta return import self value_of TODO naïve 日本 x1 -> {}".split(),
    "\u017f",
    "\u212a",
)


def opened(grams: dict[int, list[int]], blocks: int) -> Postings:
    """Postings with these blocks for each gram."""
    batches = []
    for first in range(0, blocks, BLOCKS_PER_BATCH):
        keys = sorted(
            gram << int(BATCH_BITS) | block - first
            for gram, found in grams.items()
            for block in found
            if first <= block < first + BLOCKS_PER_BATCH
        )
        batches.append(np.array(keys, np.uint32))
    tables = {name: memoryview(table.tobytes()) for name, table in packed(batches, blocks).items()}
    return Postings(tables, blocks)


def read(postings: Postings, gram: int) -> list[int]:
    (place,), (count,) = postings.find(np.array([gram], np.uint32))
    if count == 0:
        return []
    if postings.is_bitmap(place):
        found = np.flatnonzero(np.unpackbits(postings.bitmap(place), bitorder="little"))
    else:
        found = postings.numbers(place)
    numbers: list[int] = found.tolist()
    return numbers


@pytest.mark.parametrize("share", [0.0002, 0.002, 0.01, 0.05, 0.2, 0.9])
@pytest.mark.parametrize("blocks", [1, 7, 100, 5_000, BLOCKS_PER_PART])
def test_what_is_packed_comes_back(share: float, blocks: int) -> None:
    rng = random.Random(f"{share} {blocks}")
    grams = {
        rng.randrange(GRAMS): sorted(rng.sample(range(blocks), max(int(share * blocks), 1)))
        for _ in range(4)
    }
    grams[GRAMS - 1] = [blocks - 1]
    grams[0] = list(range(blocks))
    postings = opened(grams, blocks)
    assert {gram: read(postings, gram) for gram in grams} == grams
    assert read(postings, 5) == grams.get(5, [])


@given(
    st.lists(
        st.text(alphabet=st.sampled_from("aAkKsSé\u212a\u017f_\t(日"), max_size=12), max_size=6
    )
)
def test_every_piece_of_every_text_is_a_key_of_its_block(texts: list[str]) -> None:
    keys = set(keys_of([text.encode() for text in texts] or [b""]).tolist())
    for number, text in enumerate(texts):
        folded = text.replace("\u212a", "k").replace("\u017f", "s")
        for form in (text.encode(), folded.encode()):
            lower = form.lower()
            for at in range(len(lower) - 2):
                (code,) = code_of([lower[at : at + 3]])
                assert int(code) << int(BATCH_BITS) | number in keys


@pytest.fixture(scope="module")
def layer(tmp_path_factory: pytest.TempPathFactory) -> Layer:
    """Many lines in files of all sizes, one of them without an end."""
    rng = random.Random(6)
    root = tmp_path_factory.mktemp("grams")
    store = EmbeddedStore(root, "test")
    changes = []
    for number in range(120):
        lines = rng.choice([0, 1, 3, 40, 400])
        text = "".join(
            " ".join(rng.choices(WORDS, k=rng.randrange(9))) + "\n" for _ in range(lines)
        )
        tags = ("test",) if number % 5 == 0 else ()
        changes.append(file(f"f{number:03d}.py", text + "last line", tags=tags))
    changes.append(file("long.js", "x1 " * 3_000 + "\n" + "beta\n"))
    store.commit(changes)
    (record,) = read_current(root).layers
    return Layer(root / "layers", record.name)


@pytest.mark.parametrize("size", [32, 200, 4_096])
def test_no_line_is_missed_whatever_the_size_of_blocks(
    layer: Layer, tmp_path: Path, size: int
) -> None:
    write_grams(layer, tmp_path / "grams", size)
    grams = LayerGrams(tmp_path / "grams")
    assert sum(part.blocks for part in grams.parts) == len(grams.begins)
    if size == 32:
        assert max(part.blocks for part in grams.parts) > BLOCKS_PER_BATCH
    for text in ("alpha", "beta gamma", "TODO na", "日本", "-> {}", "last", "x1 x1", "nope", "e\n"):
        wanted = {
            (layer.file_key(row)[1], number)
            for row in range(layer.file_count)
            for number, line in enumerate(bytes(layer.content(row)).split(b"\n"), start=1)
            if text.encode() in line
        }
        for order in Order:
            asked = LineQuery((Pattern(re2.escape(text)),), order=order)
            *files, tally = Grep([(layer, grams)], asked, see_all).run()
            found = [
                (one.path, line.number)
                for one in files
                if isinstance(one, FileLines)
                for line in one.lines
            ]
            assert len(found) == len(set(found))
            assert set(found) == wanted
            assert tally.lines == len(wanted)


def test_candidates_are_few(layer: Layer, tmp_path: Path) -> None:
    write_grams(layer, tmp_path / "grams", 200)
    grams = LayerGrams(tmp_path / "grams")
    need = CodedNeed.of(required("value_of TODO"))
    for part in grams.parts:
        found = grams.candidates(part, need)
        assert found is not None
        assert 0 < len(found.all()) < part.blocks / 3


def test_blocks_are_ordered_by_rank_and_path(layer: Layer, tmp_path: Path) -> None:
    write_grams(layer, tmp_path / "grams", 200)
    grams = LayerGrams(tmp_path / "grams")
    shelves = [[layer.file_key(row)[1] for row in grams.rows(part)] for part in grams.parts]
    assert [paths == sorted(paths) for paths in shelves] == [True, True]
    assert [part.shelf for part in grams.parts] == [0, 1]
    assert "f000.py" in shelves[1]
    assert "f001.py" in shelves[0]


@pytest.mark.slow
def test_parts_hold_whole_files(tmp_path: Path) -> None:
    """More blocks than a part can number."""
    store = EmbeddedStore(tmp_path / "store", "test")
    lines = [f"{n:07d}" for n in range(9_000)]
    text = "\n".join(lines)
    store.commit(file(f"{letter}.txt", f"{letter}\n{text}\n") for letter in "abcdefgh")
    (record,) = read_current(tmp_path / "store").layers
    layer = Layer(tmp_path / "store" / "layers", record.name)
    write_grams(layer, tmp_path / "grams", 8)
    grams = LayerGrams(tmp_path / "grams")
    assert len(grams.parts) == 2
    assert [len(grams.rows(part)) for part in grams.parts] == [7, 1]
    for asked in ("0008999", "0004"):
        *_, tally = Grep([(layer, grams)], LineQuery((Pattern(asked),)), see_all).run()
        assert tally.lines == 8 * sum(asked in line for line in lines)
