"""A transformer without layers: every token looks up its vector. Written byte by byte."""

from __future__ import annotations

import json
from pathlib import Path

import numpy

WORDS = ("[UNK]", "get", "user", "http", "server", "query", "passage", "by", "id")
VOCABULARY = {word: number for number, word in enumerate(WORDS)}
FLOAT, INT64 = 1, 7
Table = numpy.ndarray[tuple[int, ...], numpy.dtype[numpy.float32]]
TABLE: Table = numpy.random.default_rng(5).normal(size=(len(WORDS), 64)).astype(numpy.float32)


def save_onnx(folder: Path, table: Table = TABLE, file: str = "model.onnx") -> Path:
    """A folder that holds such a model and its tokeniser."""
    (folder / file).parent.mkdir(parents=True, exist_ok=True)
    (folder / file).write_bytes(_model(table))
    (folder / "tokenizer.json").write_text(json.dumps(TOKENIZER))
    return folder


TOKENIZER: dict[str, object] = {
    "version": "1.0",
    "truncation": {"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0},
    "padding": {
        "strategy": {"Fixed": 9},
        "direction": "Right",
        "pad_to_multiple_of": None,
        "pad_id": 3,
        "pad_type_id": 0,
        "pad_token": "http",
    },
    "added_tokens": [],
    "normalizer": {"type": "Lowercase"},
    "pre_tokenizer": {"type": "Whitespace"},
    "post_processor": None,
    "decoder": None,
    "model": {"type": "WordLevel", "vocab": VOCABULARY, "unk_token": "[UNK]"},
}


def _model(table: Table) -> bytes:
    node = _field(1, b"table") + _field(1, b"input_ids") + _field(2, b"out") + _field(4, b"Gather")
    dims = b"".join(_number(1, size) for size in table.shape)
    weights = dims + _number(2, FLOAT) + _field(8, b"table") + _field(9, table.tobytes())
    graph = b"".join(
        (
            _field(1, node),
            _field(2, b"tiny"),
            _field(5, weights),
            _field(11, _value(b"input_ids", INT64, 2)),
            _field(11, _value(b"attention_mask", INT64, 2)),
            _field(12, _value(b"out", FLOAT, 3)),
        )
    )
    return _number(1, 8) + _field(7, graph) + _field(8, _number(2, 13))


def _value(name: bytes, kind: int, axes: int) -> bytes:
    shape = b"".join(_field(1, _field(2, b"d%d" % axis)) for axis in range(axes))
    return _field(1, name) + _field(2, _field(1, _number(1, kind) + _field(2, shape)))


def _field(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _number(number: int, value: int) -> bytes:
    return _varint(number << 3) + _varint(value)


def _varint(value: int) -> bytes:
    made = bytearray()
    while value > 127:
        made.append(value & 127 | 128)
        value >>= 7
    return bytes((*made, value))
