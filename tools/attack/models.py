"""Models made by somebody else: refused in words, or read as data.

No file of theirs may run code, name a file elsewhere, or take more memory than it is worth.
"""

from __future__ import annotations

import json
import pickle
import struct
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from tools.attack.bench import DEEP, GOOD_WORD, Bench, Case

WORDS = ("[UNK]", "good", "neighbour", "first", "second")
VOCABULARY = {word: number for number, word in enumerate(WORDS)}
SHAPE = json.loads(
    """{"normalizer": {"type": "Sequence", "normalizers": [
    {"type": "Replace", "pattern": {"Regex": "(?<=[a-z0-9])(?=[A-Z])"}, "content": " "},
    {"type": "Replace", "pattern": {"Regex": "(?<=[A-Z])(?=[A-Z][a-z])"}, "content": " "},
    {"type": "Lowercase"}]},
    "pre_tokenizer": {"type": "Split", "pattern": {"Regex": "[a-z]+|[0-9]+"},
    "behavior": "Removed", "invert": true}}"""
)
RUNTIME_READS = (  # what ONNX Runtime asks of the machine
    *("/.dockerenv", "/run/.containerenv", "/etc/os-release", "/sys/bus/pci", "/sys/devices"),
)


class _Runs:
    """Unpickled, it leaves a trace."""

    def __init__(self, trace: Path) -> None:
        self._trace = trace

    def __reduce__(self) -> tuple[Any, ...]:
        return open, (str(self._trace), "w")


def tokenizer(**model: object) -> dict[str, Any]:
    """A tokeniser as a static model has it."""
    parts: dict[str, Any] = {"type": "WordPiece", "vocab": VOCABULARY, "unk_token": "[UNK]"}
    parts |= {"continuing_subword_prefix": "##", "max_input_chars_per_word": 40}
    return {**SHAPE, "added_tokens": [], "model": {**parts, **model}}


def tensors(header: object, data: bytes = b"", length: int | None = None) -> bytes:
    """A safetensors file with any header, of any claimed length."""
    raw = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(raw) if length is None else length) + raw + data


def table(
    dtype: str = "F32", shape: object = (5, 64), offsets: object = (0, 1280)
) -> dict[str, Any]:
    """The header of a table of vectors."""
    return {"embeddings": {"dtype": dtype, "shape": shape, "data_offsets": offsets}}


SOUND = struct.pack("<320f", *[0.5] * 320)
WEIGHTS: dict[str, bytes] = {
    "empty": b"",
    "seven bytes": b"1234567",
    "header of 2^63": tensors(table(), SOUND, 1 << 63),
    "header of 2^64-1": tensors(table(), SOUND, (1 << 64) - 1),
    "header of 1 GB": tensors(table(), SOUND, 1 << 30),
    "header of zero": tensors(table(), SOUND, 0),
    "header of garbage": tensors(b"\xff" * 100, SOUND),
    "deep header": tensors(DEEP.encode(), SOUND),
    "deep objects": tensors(b'{"a":' * 100_000, SOUND),
    "a list": tensors([1], SOUND),
    "a number": tensors(1, SOUND),
    "null": tensors(None, SOUND),
    "embeddings null": tensors({"embeddings": None}, SOUND),
    "a pickle": pickle.dumps({"embeddings": 1}),
    "zeros": bytes(1000),
    "NaN header": tensors(b'{"embeddings": NaN}', SOUND),
    "many names": tensors({f"t{n}": {} for n in range(50_000)}, SOUND),
    "keys twice": tensors(b'{"embeddings": {}, "embeddings": 1}', SOUND),
    **{
        f"shape {shape}": tensors(table(shape=shape), SOUND)
        for shape in (
            *([-5, -64], [5, -64], [1 << 62, 4], [1 << 64, 0], [0, 0], [0, 64], [320], [5, 64, 1]),
            *([5.5, 64], ["5", "64"], [], None, "ab", [[5], [64]], [1] * 100, [True, 320], [40, 8]),
        )
    },
    **{
        f"offsets {offsets}": tensors(table(offsets=offsets), SOUND)
        for offsets in (
            *([-1280, 0], [0, 1 << 62], [1280, 0], [1, 1281], [0, 1279], [0], [0, 1, 2], None),
            *(["0", "1280"], [0.5, 1280.5], [1 << 64, (1 << 64) + 1280], [-1, -1]),
        )
    },
    **{
        f"type {kind}": tensors(table(dtype=kind), SOUND)
        for kind in ("F64", "BF16", "O", "object", "V8", "<U10", "", "pickle", "F16", "I64")
    },
    "NaN vectors": tensors(table(), struct.pack("<320f", *[float("nan")] * 320)),
    "infinite vectors": tensors(table(), struct.pack("<320f", *[float("inf")] * 320)),
    "huge vectors": tensors(table(), struct.pack("<320f", *[3e38] * 320)),
    "no vectors": tensors(table(shape=[5, 0], offsets=[0, 0])),
}
TOKENIZERS: dict[str, str] = {
    "empty": "",
    "deep": DEEP,
    "deep object": '{"a":' * 100_000,
    "no object": "[1]",
    "unknown missing": json.dumps(tokenizer(unk_token="none")),  # noqa: S106 - a word
    "unknown a list": json.dumps(tokenizer(unk_token=[1])),
    "longest text": json.dumps(tokenizer(max_input_chars_per_word="x")),
    "longest huge": json.dumps(tokenizer(max_input_chars_per_word=10**12)),
    "longest null": json.dumps(tokenizer(max_input_chars_per_word=None)),
    "prefix number": json.dumps(tokenizer(continuing_subword_prefix=1)),
    "prefix empty": json.dumps(tokenizer(continuing_subword_prefix="")),
    "ids negative": json.dumps(tokenizer(vocab={**VOCABULARY, "good": -5})),
    "ids huge": json.dumps(tokenizer(vocab={**VOCABULARY, "good": 10**12})),
    "ids text": json.dumps(tokenizer(vocab={**VOCABULARY, "good": "1"})),
    "ids broken": json.dumps(tokenizer(vocab={**VOCABULARY, "good": 1.5})),
    "ids null": json.dumps(tokenizer(vocab={**VOCABULARY, "good": None})),
    "ids true": json.dumps(tokenizer(vocab={**VOCABULARY, "good": True})),
    "no words": json.dumps(tokenizer(vocab={})),
    "words a list": json.dumps(tokenizer(vocab=["a"])),
    "a regex bomb": json.dumps({**tokenizer(), "pre_tokenizer": {"Regex": "(a+)+$" * 100}}),
    "30 MB of words": "",  # made when it is asked for
    "surrogates": '{"model": "\\ud800"}',
}
CONFIGS: dict[str, str] = {
    "deep": DEEP,
    "a list": "[]",
    "weights infinite": '{"name_weight": 1e999, "lead_weight": -1e999}',
    "weights text": '{"name_weight": "x", "lead_weight": []}',
    "weights NaN": '{"name_weight": NaN, "lead_weight": NaN, "container_weight": NaN}',
    "asking without": '{"asking": true}',
    "asking a path": '{"asking": "../../../etc/passwd"}',
    "2 MB": '{"x": "' + "y" * 2_000_000 + '"}',
}
DIGESTS: dict[str, str] = {
    "names outside": json.dumps({"../../victim/secret": "0" * 64}),
    "names absolute": json.dumps({"/etc/passwd": "0" * 64}),
    "names /dev/zero": json.dumps({"/dev/zero": "0" * 64}),
    "deep": DEEP,
    "a list": "[1]",
    "names a folder": json.dumps({".": "0" * 64}),
    "wrong": json.dumps({"model.safetensors": "0" * 64}),
}
PICKLED = (
    *("pytorch_model.bin", "model.pt", "model.pth", "model.pkl", "model.ckpt", "weights.npy"),
    *("vectors.npz", "model.joblib", "tokenizer.pickle", "scheduler.pt", "model.safetensors"),
    *("model.onnx", "training_args.bin", "tokenizer.json", "config.json", "digests.json"),
)


def cases() -> Iterator[Case]:
    """Weights, what goes with them, pickles, and models of ONNX."""
    for label, raw in WEIGHTS.items():
        yield _model(f"weights: {label}", "model.safetensors", raw)
    for label, text in TOKENIZERS.items():
        yield _model(f"tokenizer: {label}", "tokenizer.json", text.encode("utf-8", "surrogatepass"))
    for label, text in CONFIGS.items():
        yield _model(f"config: {label}", "config.json", text.encode())
    for label, text in DIGESTS.items():
        yield _model(f"digests: {label}", "digests.json", text.encode())
    for name in PICKLED:
        yield Case(f"pickle: {name}", (f"pickle: {name}",), _pickled)
    for name in ONNX:
        yield Case(f"onnx: {name}", (f"onnx: {name}",), _onnx)


def make_model(folder: Path) -> Path:
    """A static model of five words."""
    folder.mkdir(parents=True)
    (folder / "model.safetensors").write_bytes(tensors(table(), SOUND))
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer()))
    (folder / "config.json").write_text("{}")
    return folder


def ask_model(
    bench: Bench,
    folder: Path,
    thing: str,
    reads: tuple[str, ...] = (),
    writes: tuple[str, ...] = (),
) -> None:
    """Index and search by a model; words must answer, whatever becomes of meaning."""
    env = {"PLAIT_MODEL": str(folder)}
    options: dict[str, Any] = {"thing": thing, "env": env, "seconds": 60}
    options["readable"] = (*bench.rules.readable, str(folder), *reads)
    options["writable"] = (*bench.rules.writable, *writes)
    bench.run("index", bench.tree, **options)
    bench.run(GOOD_WORD, bench.tree, "--mode", "dense", **options)
    bench.finds_good(thing=thing, env={}, seconds=60)


def _model(label: str, name: str, raw: bytes) -> Case:
    def act(bench: Bench, things: Sequence[str]) -> None:
        bench.plant_good()
        folder = make_model(bench.folder / "model")
        content = raw
        if label.endswith("30 MB of words"):
            many = {**VOCABULARY, **{f"w{n:024d}": n for n in range(5, 800_000)}}
            content = json.dumps(tokenizer(vocab=many)).encode()
        (folder / name).write_bytes(content)
        ask_model(bench, folder, things[0])

    return Case(label, (label,), act)


def _pickled(bench: Bench, things: Sequence[str]) -> None:
    (thing,) = things
    name = thing.partition(": ")[2]
    bench.plant_good()
    for number, alone in enumerate((True, False)):
        folder = bench.folder / f"model{number}"
        if alone:
            folder.mkdir()
        else:
            make_model(folder)
        (folder / name).write_bytes(pickle.dumps(_Runs(bench.traces / thing)))
        ask_model(bench, folder, thing)


def _varint(value: int) -> bytes:
    made = bytearray()
    while value > 127:
        made.append(value & 127 | 128)
        value >>= 7
    return bytes((*made, value))


def _field(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _number(number: int, value: int) -> bytes:
    return _varint(number << 3) + _varint(value)


def _external(path: str) -> bytes:
    """A model whose table of vectors lies in another file."""

    def value(name: bytes, kind: int, axes: int) -> bytes:
        shape = b"".join(_field(1, _field(2, b"d%d" % axis)) for axis in range(axes))
        return _field(1, name) + _field(2, _field(1, _number(1, kind) + _field(2, shape)))

    def entry(key: bytes, text: bytes) -> bytes:
        return _field(13, _field(1, key) + _field(2, text))

    node = _field(1, b"table") + _field(1, b"input_ids") + _field(2, b"out") + _field(4, b"Gather")
    place = entry(b"location", path.encode()) + entry(b"offset", b"0") + entry(b"length", b"64")
    weights = _number(1, 2) + _number(1, 8) + _number(2, 1) + _field(8, b"table")
    weights += place + _number(14, 1)
    graph = _field(1, node) + _field(2, b"tiny") + _field(5, weights)
    graph += _field(11, value(b"input_ids", 7, 2)) + _field(11, value(b"attention_mask", 7, 2))
    graph += _field(12, value(b"out", 1, 3))
    return _number(1, 8) + _field(7, graph) + _field(8, _number(2, 13))


ONNX: dict[str, Callable[[Bench], bytes]] = {
    "empty": lambda _: b"",
    "garbage": lambda _: b"\xff" * 10_000,
    "a pickle": lambda bench: pickle.dumps(_Runs(bench.traces / "onnx: a pickle")),
    "weights outside": lambda _: _external("../victim/secret"),
    "weights absolute": lambda bench: _external(str(bench.victim / "secret")),
    "weights /etc/passwd": lambda _: _external("../" * 12 + "etc/passwd"),
    "weights its environment": lambda _: _external("/proc/self/environ"),
    "weights a device": lambda _: _external("/dev/zero"),
    "a field of 2^60 bytes": lambda _: _varint(7 << 3 | 2) + _varint(1 << 60),
    "nested graphs": lambda _: _nested(3000),
}


def _nested(levels: int) -> bytes:
    inner = b""
    for _ in range(levels):
        inner = _field(7, inner)
    return _number(1, 8) + inner


def _onnx(bench: Bench, things: Sequence[str]) -> None:
    (thing,) = things
    bench.plant_good()
    folder = bench.folder / "model"
    folder.mkdir()
    (folder / "model.onnx").write_bytes(ONNX[thing.partition(": ")[2]](bench))
    plain = {"type": "WordLevel", "vocab": VOCABULARY, "unk_token": "[UNK]"}
    whole = {"version": "1.0", "added_tokens": [], "normalizer": {"type": "Lowercase"}}
    whole |= {"pre_tokenizer": {"type": "Whitespace"}, "model": plain}
    (folder / "tokenizer.json").write_text(json.dumps(whole))
    (folder / "linked").symlink_to(bench.victim)
    ask_model(bench, folder, thing, RUNTIME_READS, (str(bench.home / ".cache"),))
