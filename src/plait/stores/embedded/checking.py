"""Checking: whether the files of a generation, each sound by itself, agree with each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from plait.errors import IndexCorrupt
from plait.stores.embedded.gram_file import LayerGrams
from plait.stores.embedded.layer import GRAMS, Layer
from plait.stores.embedded.manifest import Manifest
from plait.stores.embedded.reading import reading
from plait.stores.embedded.vectors import VectorFile


def alive_numbers(layers: Sequence[Layer]) -> Counter[int]:
    """Every chunk number the layers hold alive."""
    return Counter(
        layer.number(row)
        for layer in layers
        for file_row in layer.file_rows()
        for row in layer.chunk_rows(file_row)
    )


def word_faults(
    layers: Sequence[Layer], indexed: Counter[int], manifest: Manifest
) -> Iterator[str]:
    """Chunks that only some of the lanes have."""
    alive = alive_numbers(layers)
    if alive != indexed:
        yield (
            f"the lanes disagree: {(alive - indexed).total()} chunks without words, "
            f"{(indexed - alive).total()} words without a chunk"
        )
    if alive.total() != manifest.totals["chunks"]:
        yield (
            f"the manifest counts {manifest.totals['chunks']} chunks, "
            f"the layers hold {alive.total()}"
        )


def _is_format() -> None:
    """Blame the format of what has the right bytes and cannot be read."""
    raise IndexCorrupt("a file of the index is not of its format")


def gram_faults(root: Path, layers: Sequence[Layer]) -> Iterator[str]:
    """Files whose blocks are not their text, each byte of it once."""
    for layer in layers:
        with reading("counting blocks", _is_format):
            grams = LayerGrams(root / "layers" / f"{layer.name}.{GRAMS}")
            begins, sizes = layer.places()
            blocks = grams.begins.astype(np.int64)
            ends = blocks + grams.sizes
            is_first = grams.lines == 1
            follows = blocks[1:] == ends[:-1]
            covered = np.bincount(grams.files, grams.sizes, minlength=layer.file_count)
            is_sound = (
                len(covered) == layer.file_count
                and bool((covered == sizes).all())
                and bool((blocks[is_first] == begins[grams.files[is_first]]).all())
                and bool((follows | is_first[1:]).all())
                and sum(part.blocks for part in grams.parts) == len(blocks)
            )
        if not is_sound:
            yield f"the grams of layer {layer.name} are not those of its files"


def vector_faults(root: Path, layers: Sequence[Layer], manifest: Manifest) -> Iterator[str]:
    """Vectors that are not those of their layer."""
    named = {layer.name: layer for layer in layers}
    for record in manifest.vectors:
        layer = named.get(record.layer)
        if record.file not in manifest.files or (record.layer and layer is None):
            yield f"the manifest has vectors {record.file} of no layer of its own"
            continue
        with reading("counting vectors", _is_format):
            file = VectorFile(root / record.file, record.model, record.rows)
            alive = (layer.chunk_rows(row) for row in layer.file_rows()) if layer else ()
            absent = sum(
                len(rows) - int(file.present[rows.start : rows.stop].sum()) for rows in alive
            )
        if layer and (file.rows, absent) != (layer.chunk_count, record.missing):
            yield (
                f"{record.file} has vectors of {file.rows} chunks and lacks {absent}, "
                f"its layer has {layer.chunk_count} chunks and should lack {record.missing}"
            )
        if file.dimension != record.dimension:
            yield f"{record.file} has {file.dimension} dimensions"
