"""Datasets made by somebody else, named by the user to be evaluated."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tools.attack.bench import CANARY, DEEP, Bench, Case
from tools.attack.modules import plant_dataset

Change = Callable[[Bench, Path], None]
MB = 1 << 20


def cases() -> Iterator[Case]:
    """Every file of a dataset, wrong in every way."""
    for name in DATASETS:
        yield Case(f"dataset: {name}", (f"dataset: {name}",), _dataset)


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
