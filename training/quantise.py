"""Quantise: a trained table as the files plait runs.

The vectors are first turned so that their signs tell as much as signs can (iterative
quantisation; cosines do not change), then rounded to bytes with one scale for the whole table,
which cancels in the normalisation.
"""

from __future__ import annotations

import json
import struct
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plait.models.static import ASKING, CONFIG, TABLE, WEIGHTS
from training.model import Matrix, Model

TURNS = 30
CLIP = 0.9999  # of all numbers keep their size; the few beyond are cut


def turned(model: Model, vectors: Matrix, seed: int) -> Model:
    """The model, turned so that the signs of unit ``vectors`` lie as near to them as possible."""
    width = vectors.shape[1]
    turn = np.linalg.qr(np.random.default_rng(seed).standard_normal((width, width)))[0]
    turn = turn.astype(np.float32)
    for _ in range(TURNS):
        signs = np.where(vectors @ turn >= 0, np.float32(1), np.float32(-1))
        left, _, right = np.linalg.svd(vectors.T @ signs)
        turn = (left @ right).astype(np.float32)
    return replace(model, table=model.table @ turn)


def rounded(table: Matrix) -> NDArray[np.int8]:
    """The table in bytes, with one scale."""
    largest = float(np.quantile(np.abs(table), CLIP))
    made: NDArray[np.int8] = np.clip(np.rint(table * (127 / largest)), -127, 127).astype(np.int8)
    return made


def write_model(folder: Path, model: Model) -> None:
    """Write the weights and what is to be known of them; the tokeniser lies there already."""
    table = rounded(model.table)
    asking = np.ascontiguousarray(model.asking[:, 0], dtype=np.float32)
    _write_tensors(folder / WEIGHTS, {TABLE: table, ASKING: asking})
    config = {
        "model_type": "model2vec",
        "architectures": ["StaticModel"],
        "hidden_dim": int(table.shape[1]),
        "normalize": True,
        "pooling": "fields",
        "embedding_dtype": "int8",
        **{f"{field}_weight": weight for field, weight in model.weights._asdict().items()},
        ASKING: True,
    }
    (folder / CONFIG).write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")


def _write_tensors(path: Path, tensors: dict[str, NDArray[Any]]) -> None:
    header: dict[str, Any] = {}
    at = 0
    for name, tensor in tensors.items():
        kind = {"int8": "I8", "float32": "F32"}[tensor.dtype.name]
        places = [at, at + tensor.nbytes]
        header[name] = {"dtype": kind, "shape": list(tensor.shape), "data_offsets": places}
        at += tensor.nbytes
    raw = json.dumps(header).encode()
    raw += b" " * (-len(raw) % 8)
    data = b"".join(tensor.tobytes() for tensor in tensors.values())
    path.write_bytes(struct.pack("<Q", len(raw)) + raw + data)
