"""A model of a few dozen words, in files as a real one's."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterable
from pathlib import Path

import numpy

from plait.models.wordpiece import SHAPE

DIMENSION = 64


def save_model(folder: Path, texts: Iterable[str]) -> Path:
    """Write a static model that knows the words of these texts, each a direction of its own."""
    words = sorted({word for text in texts for word in re.findall(r"[a-z]+", text.lower())})
    vocabulary = {word: number for number, word in enumerate(["[UNK]", *words])}
    model = {
        "type": "WordPiece",
        "vocab": vocabulary,
        "unk_token": "[UNK]",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 40,
    }
    table = numpy.random.default_rng(1).normal(size=(len(vocabulary), DIMENSION)).astype("<f4")
    table[0] = 0
    place = {"dtype": "F32", "shape": list(table.shape), "data_offsets": [0, table.nbytes]}
    header = json.dumps({"embeddings": place}).encode()
    folder.mkdir(parents=True)
    (folder / "tokenizer.json").write_text(
        json.dumps({"model": model, "added_tokens": [], **SHAPE}), encoding="utf-8"
    )
    (folder / "model.safetensors").write_bytes(
        struct.pack("<Q", len(header)) + header + table.tobytes()
    )
    return folder
