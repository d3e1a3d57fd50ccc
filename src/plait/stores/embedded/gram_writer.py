"""Gram writer: a finished layer into the file by which patterns find its lines.

Files are cut into blocks of whole lines. Blocks are numbered in the order in which a search
shows them: ordinary files before tests and the like, each of them by path. So the first
blocks that match are the best, and a search that wants few lines need not look at the rest.
"""

from __future__ import annotations

from pathlib import Path
from string import ascii_letters, digits
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plait.stores.embedded.gram_codes import FOLDED, codes
from plait.stores.embedded.layer import Layer
from plait.stores.embedded.postings import (
    BATCH_BITS,
    BLOCKS_PER_BATCH,
    BLOCKS_PER_PART,
    Keys,
    distinct,
    packed,
)
from plait.stores.embedded.tables import write_tables

BLOCK_BYTES = 4_096
TEXT, NAME = "text", "name"  # what the postings are of
MAX_NAME_BYTES = 0xFFFF
WORD = frozenset(letter.encode() for letter in f"{ascii_letters}{digits}_")


class Block(NamedTuple):
    """Whole lines of a file."""

    file: int  # row
    begin: int  # in the file
    line: int  # the first, from 1
    text: bytes


class Names(NamedTuple):
    """Where in the layer's text the names of what is defined stand, rising."""

    begins: NDArray[np.uint64]
    sizes: NDArray[np.uint16]


def write_grams(layer: Layer, path: Path, block_bytes: int = BLOCK_BYTES) -> None:
    """Write the grams of a layer. The caller makes them durable."""
    parts = _Parts(name_places(layer))
    for rows in layer.rows_by_rank():
        for row in rows:
            parts.add(layer.file_row(row).begin, blocks_of(layer, row, block_bytes))
        parts.end_shelf()
    write_tables(path, parts.tables(layer.file_count))


def blocks_of(layer: Layer, row: int, block_bytes: int) -> list[Block]:
    """A file cut into blocks."""
    content = bytes(layer.content(row))
    size, begin, line = len(content), 0, 1
    blocks = []
    while begin < size:
        end = size
        if size - begin > block_bytes:
            end = content.rfind(b"\n", begin, begin + block_bytes) + 1
            if end == 0:  # a line longer than a block stays whole
                end = content.find(b"\n", begin + block_bytes) + 1 or size
        text = content[begin:end]
        blocks.append(Block(row, begin, line, text))
        line += text.count(b"\n")
        begin = end
    return blocks


def name_places(layer: Layer) -> Names:
    """Where the symbols of a layer have their names: in the signature, as a word."""
    places: dict[int, int] = {}
    for row in range(layer.file_count):
        content, base = bytes(layer.content(row)), layer.file_row(row).begin
        for name, begin, end in layer.signatures(row):
            at = _find_word(content, name, begin, end)
            if at >= 0 and len(name) <= MAX_NAME_BYTES:
                places[base + at] = len(name)
    begins = np.fromiter(places.keys(), np.uint64, len(places))
    order = np.argsort(begins, kind="stable")
    sizes = np.fromiter(places.values(), np.uint16, len(places))
    return Names(begins[order], sizes[order])


def _find_word(content: bytes, name: bytes, begin: int, end: int) -> int:
    """Where a name stands as a word between two places; else where it stands at all."""
    first = at = content.find(name, begin, end)
    while at >= 0:
        behind = at + len(name)
        if content[at - 1 : at] not in WORD and content[behind : behind + 1] not in WORD:
            return at
        at = content.find(name, at + 1, end)
    return first


class _Parts:
    """Blocks into batches, batches into parts, parts onto shelves.

    All blocks of a file are in one part, all parts of a shelf follow each other.
    """

    def __init__(self, names: Names) -> None:
        self._names = names
        self._blocks: list[tuple[int, Block]] = []  # of a batch, each with its place in the text
        self._batches: dict[str, list[Keys]] = {TEXT: [], NAME: []}
        self._columns: list[NDArray[np.uint64]] = []
        self._tables: dict[str, bytes] = {}
        self._parts: list[tuple[int, int, int]] = []  # first block, blocks, shelf
        self._first = self._in_part = self._shelf = 0

    def add(self, base: int, blocks: list[Block]) -> None:
        """The next file, which begins at a place of the layer's text."""
        if self._in_part + len(blocks) > BLOCKS_PER_PART:
            self._end_part()
        for block in blocks:
            self._blocks.append((base + block.begin, block))
            if len(self._blocks) == BLOCKS_PER_BATCH:
                self._end_batch()
        self._in_part += len(blocks)

    def end_shelf(self) -> None:
        """What comes next is shown later."""
        self._end_part()
        self._shelf += 1

    def tables(self, files: int) -> dict[str, bytes]:
        """All that was added."""
        none = np.zeros((4, 0), np.uint64)
        begins, sizes, rows, lines = np.concatenate([none, *self._columns], axis=1)
        first = np.zeros(files, np.uint32)
        first[rows[::-1]] = np.arange(len(rows))[::-1]
        counts = np.bincount(rows.astype(np.intp), minlength=files)
        columns = {
            "parts": np.array(self._parts, np.uint32),
            "block_begins": begins,
            "block_sizes": sizes.astype(np.uint32),
            "block_files": rows.astype(np.uint32),
            "block_lines": lines.astype(np.uint32),
            "file_blocks": np.stack([first, first + counts], axis=1).astype(np.uint32),
            "name_begins": self._names.begins,
            "name_sizes": self._names.sizes,
        }
        return {**{name: made.tobytes() for name, made in columns.items()}, **self._tables}

    def _end_batch(self) -> None:
        blocks, self._blocks = self._blocks, []
        rows = [(at, len(block.text), block.file, block.line) for at, block in blocks]
        columns = np.array(rows, np.uint64).T
        self._columns.append(columns)
        keys, coded = _keys([block.text for _, block in blocks])
        self._batches[TEXT].append(keys)
        begins, sizes = columns[:2].astype(np.intp)
        self._batches[NAME].append(_name_keys(self._names, begins, sizes, coded))

    def _end_part(self) -> None:
        if self._blocks:
            self._end_batch()
        if not self._in_part:
            return
        for kind, batches in self._batches.items():
            for name, table in packed(batches, self._in_part).items():
                self._tables[f"{len(self._parts)}.{kind}.{name}"] = table.tobytes()
            batches.clear()
        self._parts.append((self._first, self._in_part, self._shelf))
        self._first += self._in_part
        self._in_part = 0


class _Coded(NamedTuple):
    """The text of a batch, coded."""

    codes: NDArray[np.uint32]
    is_gram: NDArray[np.bool_]
    begins: NDArray[np.intp]  # of each block


def _keys(texts: list[bytes]) -> tuple[Keys, _Coded]:
    """Every gram of every block of a batch."""
    joined = b"\n".join(texts) + b"\n\n\n"
    sizes = np.fromiter((len(text) + 1 for text in texts), np.intp, len(texts))
    made, is_gram = codes(joined)
    begins = np.cumsum(sizes) - sizes
    sizes[-1] += len(made) - int(sizes.sum())
    numbers = np.repeat(np.arange(len(texts), dtype=np.uint32), sizes)
    keys = ((made << BATCH_BITS) | numbers)[is_gram]
    extra = _folded_keys(texts) if any(letter in joined for letter, _ in FOLDED) else []
    if extra:
        keys = np.concatenate([keys, *extra])
    return distinct(keys), _Coded(made, is_gram, begins)


def _folded_keys(texts: list[bytes]) -> list[Keys]:
    """What letters that match k and s without regard to case add."""
    found = []
    for number, text in enumerate(texts):
        if not any(letter in text for letter, _ in FOLDED):
            continue
        for letter, plain in FOLDED:
            text = text.replace(letter, plain)
        made, is_gram = codes(text + b"\n\n")
        found.append((made[is_gram] << BATCH_BITS) | np.uint32(number))
    return found


def _name_keys(
    names: Names, begins: NDArray[np.intp], sizes: NDArray[np.intp], coded: _Coded
) -> Keys:
    """The grams of the names that stand in the blocks of a batch."""
    first = np.searchsorted(names.begins, begins.astype(np.uint64))
    last = np.searchsorted(names.begins, (begins + sizes).astype(np.uint64))
    which, block = _runs(first, last - first)
    lengths = np.maximum(names.sizes[which].astype(np.intp) - 2, 0)
    starts = names.begins[which].astype(np.intp) - begins[block] + coded.begins[block]
    at, name = _runs(starts, lengths)
    keys = (coded.codes[at] << BATCH_BITS) | block[name].astype(np.uint32)
    return distinct(keys[coded.is_gram[at]])


def _runs(
    begins: NDArray[np.intp], lengths: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """All numbers of runs, one run after another, and the run each is of."""
    run = np.repeat(np.arange(len(begins)), lengths)
    before = np.cumsum(lengths) - lengths
    return np.arange(len(run)) - (before - begins)[run], run
