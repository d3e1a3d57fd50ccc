"""Texts: the pairs as numbers of words, read once and kept.

Words are cut as the model cuts them, but not yet into pieces, so that another vocabulary
needs no second reading. Everything is kept in one file of arrays.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plait.models.wordpiece import words
from training.phrasing import as_question
from training.rows import Ragged, chained, packed
from training.write import KINDS

MOST_WORDS = 220  # of a function; what follows changes little
FIELDS = ("code", "query", "question", "name")


@dataclass(frozen=True)
class Texts:
    """All pairs: of each its kind, language, package, and its fields as numbers of words."""

    words: list[str]
    languages: list[str]
    packages: list[str]
    kind: NDArray[np.int8]
    language: NDArray[np.int8]
    package: NDArray[np.int32]
    fields: dict[str, Ragged]

    def __len__(self) -> int:
        return len(self.kind)


class _Numbers(dict[str, int]):
    """A number for every string, given when first seen."""

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number


def read_texts(work: Path, shards: Iterable[Path]) -> Texts:
    """The pairs of the shards; what was read before comes from the working folder."""
    folder = work / "texts"
    folder.mkdir(parents=True, exist_ok=True)
    return _joined(_shard(shard, folder / f"{shard.name}.npz") for shard in sorted(shards))


def _shard(shard: Path, kept: Path) -> Texts:
    if not kept.is_file() or kept.stat().st_mtime < shard.stat().st_mtime:
        _write(kept, _cut(_rows(shard)))
    return _read(kept)


def _joined(parts: Iterable[Texts]) -> Texts:
    words, languages, packages = _Numbers(), _Numbers(), _Numbers()
    kinds, spoken, owners = [], [], []
    lists: dict[str, list[Ragged]] = {name: [] for name in FIELDS}
    for part in parts:
        renumbered = np.array([words[word] for word in part.words], dtype=np.int32)
        tongues = np.array([languages[each] for each in part.languages], dtype=np.int8)
        boxes = np.array([packages[each] for each in part.packages], dtype=np.int32)
        kinds.append(part.kind)
        spoken.append(tongues[part.language])
        owners.append(boxes[part.package])
        for name, field in part.fields.items():
            lists[name].append(Ragged(renumbered[field.ids], field.ends))
    return Texts(
        list(words),
        list(languages),
        list(packages),
        np.concatenate(kinds),
        np.concatenate(spoken),
        np.concatenate(owners),
        {name: chained(each) for name, each in lists.items()},
    )


def _rows(shard: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(shard, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def _cut(rows: Iterable[dict[str, Any]]) -> Texts:
    numbers, languages, packages = _Numbers(), _Numbers(), _Numbers()
    fields: dict[str, list[list[int]]] = {name: [] for name in FIELDS}
    kind, language, package = [], [], []
    for row in rows:
        kind.append(KINDS.index(row["kind"]))
        language.append(languages[row["language"]])
        package.append(packages[row["package"]])
        question = as_question(row["query"], row["name"], row.get("sentence") or 0)
        texts = (row["code"], row["query"], question, row["name"])
        for name, text in zip(FIELDS, texts, strict=True):
            fields[name].append(list(map(numbers.__getitem__, words(text)))[:MOST_WORDS])
    return Texts(
        list(numbers),
        list(languages),
        list(packages),
        np.array(kind, dtype=np.int8),
        np.array(language, dtype=np.int8),
        np.array(package, dtype=np.int32),
        {name: packed(lists, most=MOST_WORDS) for name, lists in fields.items()},
    )


def _write(path: Path, made: Texts) -> None:
    arrays: dict[str, Any] = {"kind": made.kind, "language": made.language, "package": made.package}
    for name, (ids, ends) in made.fields.items():
        arrays[f"{name}_ids"], arrays[f"{name}_ends"] = ids, ends
    for name in ("words", "languages", "packages"):
        arrays[name] = np.array("\n".join(getattr(made, name)))
    np.savez(path, **arrays)


def _read(path: Path) -> Texts:
    with np.load(path) as kept:
        return Texts(
            str(kept["words"]).split("\n"),
            str(kept["languages"]).split("\n"),
            str(kept["packages"]).split("\n"),
            kept["kind"],
            kept["language"],
            kept["package"],
            {name: Ragged(kept[f"{name}_ids"], kept[f"{name}_ends"]) for name in FIELDS},
        )
