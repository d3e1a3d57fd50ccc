"""Loading: models, indexes and datasets made by somebody else, refused in words or read as data.

No file of theirs may run code, name a file elsewhere, or take more memory than it is worth.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import pickle
import shutil
import struct
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.attack.bench import CANARY, GOOD_NAME, GOOD_WORD, Bench, Case
from benchmarks.attack.modules import plant_dataset

Change = Callable[[Bench, Path], None]
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
DEEP = "[" * 200_000
RUNTIME_READS = (  # what ONNX Runtime asks of the machine
    *("/.dockerenv", "/run/.containerenv", "/etc/os-release", "/sys/bus/pci", "/sys/devices"),
)
MB = 1 << 20


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
    """Models, then indexes, then datasets."""
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
    for name in INDEXES:
        yield Case(f"index: {name}", (f"index: {name}",), _index)
    for name in DATASETS:
        yield Case(f"dataset: {name}", (f"dataset: {name}",), _dataset)


# ---------------------------------------------------------------- models


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


# ---------------------------------------------------------------- indexes


def _manifest(change: Callable[[dict[str, Any], Bench], None]) -> Change:
    """Change the manifest and the pointer that proves it, as an attacker would."""

    def act(bench: Bench, store: Path) -> None:
        pointer = (store / "CURRENT").read_text().split()
        path = store / "generations" / f"{int(pointer[0]):06d}" / "manifest.json"
        values = json.loads(path.read_bytes())
        change(values, bench)
        raw = json.dumps(values, sort_keys=True, separators=(",", ":")).encode()
        path.write_bytes(raw)
        _point(store, pointer[0], raw, pointer[2:])

    return act


def _point(store: Path, generation: str, raw: bytes, rest: Sequence[str] = ()) -> None:
    digest = hashlib.sha256(raw).hexdigest()
    (store / "CURRENT").write_text(" ".join((generation, digest, *rest)) + "\n")


def _renamed(to: str) -> Change:
    def change(values: dict[str, Any], bench: Bench) -> None:
        name = to.format(bench=bench)
        files = values["files"]
        values["files"] = {name if n == 0 else old: files[old] for n, old in enumerate(files)}
        for record in values.get("vectors", ()):
            record["file"] = name
        for record in values.get("layers", ()):
            record["name"] = name

    return _manifest(change)


def _set(key: str, value: object) -> Change:
    def change(values: dict[str, Any], bench: Bench) -> None:
        del bench
        values[key] = value

    return _manifest(change)


def _sizes(size: object) -> Change:
    def change(values: dict[str, Any], bench: Bench) -> None:
        del bench
        values["files"] = {name: [size, digest] for name, (_, digest) in values["files"].items()}

    return _manifest(change)


def _vectors(**wrong: object) -> Change:
    def change(values: dict[str, Any], bench: Bench) -> None:
        del bench
        for record in values.get("vectors", ()):
            record.update(wrong)

    return _manifest(change)


def _layers(**wrong: object) -> Change:
    def change(values: dict[str, Any], bench: Bench) -> None:
        del bench
        for record in values.get("layers", ()):
            record.update(wrong)

    return _manifest(change)


def _current(text: str | bytes) -> Change:
    def act(bench: Bench, store: Path) -> None:
        del bench
        (store / "CURRENT").write_bytes(text if isinstance(text, bytes) else text.encode())

    return act


def _raw_manifest(raw: bytes) -> Change:
    def act(bench: Bench, store: Path) -> None:
        del bench
        pointer = (store / "CURRENT").read_text().split()
        path = store / "generations" / f"{int(pointer[0]):06d}" / "manifest.json"
        path.write_bytes(raw)
        _point(store, pointer[0], raw, pointer[2:])

    return act


def _every_file(change: Callable[[Bench, Path], None]) -> Change:
    def act(bench: Bench, store: Path) -> None:
        for path in sorted(store.rglob("*")):
            if path.is_file() and not path.is_symlink() and path.name != "CURRENT":
                change(bench, path)

    return act


def _to_link(bench: Bench, path: Path) -> None:
    path.unlink()
    path.symlink_to(bench.victim / "secret")


def _to_fifo(bench: Bench, path: Path) -> None:
    del bench
    path.unlink()
    os.mkfifo(path)


def _stamps(text: str) -> Change:
    def act(bench: Bench, store: Path) -> None:
        del bench
        for path in (store / "stamps").glob("*"):
            path.write_text(text)

    return act


def _folder_link(name: str) -> Change:
    def act(bench: Bench, store: Path) -> None:
        if (store / name).is_dir():
            shutil.rmtree(store / name)
        (store / name).symlink_to(bench.victim)

    return act


WRONG_SIZES: tuple[object, ...] = (-1, 0, 1 << 62, 1e308, "x", None, [], True)
INDEXES: dict[str, Change] = {
    **{
        f"file named {name!r}": _renamed(name)
        for name in (
            *("../../victim/secret", "{bench.victim}/secret", "/etc/passwd", "/dev/zero", ".", ""),
            *(
                "..",
                "a\0b",
                "x" * 5000,
                "generations/../../../victim/secret",
                "CURRENT",
                "/proc/1/mem",
            ),
        )
    },
    **{f"size {size!r}": _sizes(size) for size in WRONG_SIZES},
    **{
        f"{key} = {str(value)[:30]}": _set(key, value)
        for key in ("generation", "next_number", "totals", "layers", "files", "vectors", "repos")
        for value in (-1, 10**30, None, "x", [], {}, [None], {"a": None})
    },
    **{f"format {value!r}": _set("format", value) for value in (0, 3, 5, 10**9, "4", None, [4])},
    **{
        f"vectors {key} = {value!r}": _vectors(**{key: value})
        for key in ("dimension", "rows", "missing")
        for value in (-1, 0, 1 << 40, "x", None)
    },
    **{
        f"layers {key} = {str(value)[:30]}": _layers(**{key: value})
        for key in ("dead", "source_bytes")
        for value in (-1, [-1], [1 << 40], list(range(100_000)), "x", None)
    },
    "unknown key": _set("evil", 1),
    "manifest deep": _raw_manifest(DEEP.encode()),
    "manifest null": _raw_manifest(b"null"),
    "manifest empty": _raw_manifest(b""),
    "manifest of 100 MB": _raw_manifest(b'{"a": "' + b"x" * 100_000_000 + b'"}'),
    "manifest a pickle": _raw_manifest(pickle.dumps({"format": 4})),
    "pointer empty": _current(""),
    "pointer garbage": _current(b"\xff\xfe\0"),
    "pointer long": _current("1" * 5_000_000),
    "pointer negative": _current("-1 " + "0" * 64),
    "pointer a path": _current("../../../victim " + "0" * 64),
    "pointer huge": _current("9" * 400 + " " + "0" * 64),
    "pointer of another script": _current("\u0661 " + "0" * 64),
    "every file a link": _every_file(_to_link),
    "every file a fifo": _every_file(_to_fifo),
    "stamps deep": _stamps(DEEP),
    "stamps null": _stamps("null"),
    "stamps of another kind": _stamps('{"a.py": [1, 2, "x", null]}'),
    "generations a link": _folder_link("generations"),
    "layers a link": _folder_link("layers"),
    "stamps a link": _folder_link("stamps"),
}


def _index(bench: Bench, things: Sequence[str]) -> None:
    (thing,) = things
    bench.plant_good()
    bench.run("index", bench.tree, thing=thing)
    (pointer,) = bench.cache.rglob("CURRENT")
    store = pointer.parent
    INDEXES[thing.partition(": ")[2]](bench, store)
    for arguments in (
        (GOOD_WORD, str(bench.tree), "--no-refresh"),
        ("index", "--check", str(bench.tree)),
        ("status", str(bench.tree)),
    ):
        bench.run(*arguments, thing=thing, seconds=60)
    if thing.removeprefix("index: ") in ("generations a link", "layers a link", "stamps a link"):
        bench.run(GOOD_WORD, bench.tree, thing=thing, seconds=60)
        return  # a cache that is tampered with so may be refused altogether
    ran = bench.run(GOOD_WORD, bench.tree, "--json", thing=thing, seconds=60)
    if ran.exit in (0, 1) and GOOD_NAME not in ran.out:
        bench.breaks(thing, f"a wrong answer without a word: {ran.said[-200:]!r}")
    bench.run("clear", bench.tree, thing=thing)


# ---------------------------------------------------------------- datasets


def _file(name: str, raw: bytes | str) -> Change:
    def act(bench: Bench, folder: Path) -> None:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = raw.encode("utf-8", "surrogatepass") if isinstance(raw, str) else raw
        path.write_bytes(text.replace(b"{victim}", os.fsencode(bench.victim)))

    return act


def _bomb(name: str, size: int, filling: bytes, head: bytes = b"", tail: bytes = b"") -> Change:
    def act(bench: Bench, folder: Path) -> None:
        del bench
        (folder / name.removesuffix(".gz")).unlink(missing_ok=True)
        with gzip.open(folder / name, "wb", compresslevel=1) as file:
            file.write(head)
            for _ in range(size // MB):
                file.write(filling * MB)
            file.write(tail)

    return act


def _linked_file(name: str) -> Change:
    def act(bench: Bench, folder: Path) -> None:
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(bench.victim / "secret")

    return act


def _broken_gzip(bench: Bench, folder: Path) -> None:
    del bench
    (folder / "corpus.jsonl").unlink()
    (folder / "corpus.jsonl.gz").write_bytes(b"\x1f\x8b garbage")


DATASETS: dict[str, Change] = {
    "corpus deep": _file("corpus.jsonl", DEEP),
    "corpus null": _file("corpus.jsonl", "null\n"),
    "corpus no ids": _file("corpus.jsonl", '{"text": 1}\n'),
    "corpus of numbers": _file("corpus.jsonl", '{"_id": 1, "text": 2, "title": []}\n'),
    "corpus language": _file(
        "corpus.jsonl", '{"_id": "d1", "text": "a", "metadata": {"language": "../../x"}}\n'
    ),
    "corpus metadata a list": _file("corpus.jsonl", '{"_id": "d1", "text": "a", "metadata": []}\n'),
    "corpus path ids": _file(
        "corpus.jsonl", '{"_id": "../../victim/secret", "text": "a"}\n{"_id": "d1", "text": "b"}\n'
    ),
    "corpus control ids": _file(
        "corpus.jsonl", '{"_id": "\\u001b[2J\\u202e", "text": "a"}\n{"_id": "d1", "text": "b"}\n'
    ),
    "corpus surrogates": _file("corpus.jsonl", '{"_id": "d1", "text": "\\ud800"}\n'),
    "corpus zeros": _file("corpus.jsonl", bytes(10_000)),
    "corpus a long line": _file("corpus.jsonl", '{"_id": "d1", "text": "' + "x" * 3_000_000 + '"}'),
    "corpus a bomb": _bomb("corpus.jsonl.gz", 1024 * MB, b" "),
    "corpus a bomb of text": _bomb(
        "corpus.jsonl.gz", 512 * MB, b"x", b'{"_id": "d1", "text": "', b'"}'
    ),
    "corpus no gzip": _broken_gzip,
    "corpus a link": _linked_file("corpus.jsonl"),
    "queries deep": _file("queries.jsonl", '{"a":' * 100_000),
    "queries no text": _file("queries.jsonl", '{"_id": "q1"}\n'),
    "queries metadata": _file("queries.jsonl", '{"_id": "q1", "text": "a", "metadata": 5}\n'),
    "queries hostile": _file(
        "queries.jsonl", '{"_id": "q1", "text": "/(a+)+$/ \\u001b[2J path:../.. \\u202e"}\n'
    ),
    "queries a bomb": _bomb("queries.jsonl.gz", 256 * MB, b"\n"),
    "queries a link": _linked_file("queries.jsonl"),
    "qrels garbage": _file("qrels/test.tsv", b"\xff\xfe\0"),
    "qrels grades": _file("qrels/test.tsv", "q1\td1\t" + "9" * 10_000 + "\n"),
    "qrels negative": _file("qrels/test.tsv", "q1\td1\t-1\n"),
    "qrels paths": _file("qrels/test.tsv", "q1\t../../victim/secret\t1\nq1\td1\t1\n"),
    "qrels a link": _linked_file("qrels/test.tsv"),
    "mined outside": _file(
        "mined.json", '{"name": "x", "repository": "{victim}", "revision": "HEAD"}'
    ),
    "mined an option": _file(
        "mined.json", '{"name": "x", "repository": "--upload-pack=touch x", "revision": "--all"}'
    ),
    "mined ext": _file(
        "mined.json", '{"name": "x", "repository": "ext::sh -c touch x", "revision": "HEAD"}'
    ),
    "mined deep": _file("mined.json", DEEP),
    "mined a list": _file("mined.json", "[]"),
    "mined of numbers": _file("mined.json", '{"name": 1, "repository": 2, "revision": 3}'),
    "mined path name": _file(
        "mined.json", '{"name": "../../../x", "repository": ".", "revision": "HEAD"}'
    ),
}


def _dataset(bench: Bench, things: Sequence[str]) -> None:
    (thing,) = things
    label = thing.partition(": ")[2]
    folder = plant_dataset(bench.folder / "dataset")
    if label.startswith("mined"):
        (folder / "corpus.jsonl").unlink()
        (folder / "qrels" / "symbols.tsv").write_text("q1\td1\t1\n")
    DATASETS[label](bench, folder)
    readable = (*bench.rules.readable, str(folder))
    is_link = label.endswith("a link")  # the user named the dataset: its links are followed
    ran = bench.run("eval", "run", folder, "--out", bench.scratch / "run", thing=thing, seconds=90,
                    readable=(*readable, str(bench.victim)) if is_link else readable)  # fmt: skip
    if CANARY in ran.said:
        bench.breaks(thing, "it prints what lies outside")
