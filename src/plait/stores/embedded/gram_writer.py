"""Gram writer: a finished layer into the file by which patterns find its lines.

Files are cut into blocks of whole lines. Blocks are numbered in the order in which a search
shows them: ordinary files before tests and the like, each of them by path. So the first
blocks that match are the best, and a search that wants few lines need not look at the rest.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plait.stores.embedded.gram_keys import BLOCKS_PER_BATCH, Keys, keys_of
from plait.stores.embedded.layer import Layer
from plait.stores.embedded.name_index import name_tables
from plait.stores.embedded.postings_writer import BLOCKS_PER_PART, packed
from plait.stores.embedded.tables import write_tables

BLOCK_BYTES = 2_048


class Block(NamedTuple):
    """Whole lines of a file."""

    file: int  # row
    begin: int  # in the file
    line: int  # the first, from 1
    text: bytes


def write_grams(layer: Layer, path: Path, block_bytes: int = BLOCK_BYTES) -> None:
    """Write the grams of a layer. The caller makes them durable."""
    first, later = layer.rows_by_rank()
    parts = _Parts()
    for rows in (first, later):
        for row in rows:
            parts.add(layer.file_row(row).begin, blocks_of(layer, row, block_bytes))
        parts.end_shelf()
    names = name_tables(layer, [*first, *later])
    write_tables(path, {**parts.tables(layer.file_count), **names})


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


class _Parts:
    """Blocks into batches, batches into parts, parts onto shelves.

    All blocks of a file are in one part, all parts of a shelf follow each other.
    """

    def __init__(self) -> None:
        self._blocks: list[tuple[int, Block]] = []  # of a batch, each with its place in the text
        self._batches: list[Keys] = []
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
        }
        return {**{name: made.tobytes() for name, made in columns.items()}, **self._tables}

    def _end_batch(self) -> None:
        blocks, self._blocks = self._blocks, []
        rows = [(at, len(block.text), block.file, block.line) for at, block in blocks]
        self._columns.append(np.array(rows, np.uint64).T)
        self._batches.append(keys_of([block.text for _, block in blocks]))

    def _end_part(self) -> None:
        if self._blocks:
            self._end_batch()
        if not self._in_part:
            return
        for name, table in packed(self._batches, self._in_part).items():
            self._tables[f"{len(self._parts)}.{name}"] = table.tobytes()
        self._batches = []
        self._parts.append((self._first, self._in_part, self._shelf))
        self._first += self._in_part
        self._in_part = 0
