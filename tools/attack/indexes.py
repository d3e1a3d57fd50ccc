"""Indexes made by somebody else: a manifest, a pointer and files that lie."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from tools.attack.bench import DEEP, GOOD_NAME, GOOD_WORD, Bench, Case

Change = Callable[[Bench, Path], None]


def cases() -> Iterator[Case]:
    """Everything that can be wrong with an index."""
    for name in INDEXES:
        yield Case(f"index: {name}", (f"index: {name}",), _index)


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
