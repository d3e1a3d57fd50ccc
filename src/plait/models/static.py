"""The static model: one vector per word piece, a text is the weighted sum of its pieces.

    sum(text)        = sum over t of sqrt(n_text[t]) * E[t]
    vector(passage)  = unit( unit(sum(text)) + n * unit(sum(name)) + c * unit(sum(container))
                             + l * unit(sum(lead)) )
    vector(question) = unit( sum over t of sqrt(n_text[t]) * a[t] * E[t] )

The square root keeps a word that is repeated from drowning the others. What is defined, what
encloses it (a name's part before its last dot) and how it begins (the lead: a function's head)
count by themselves, however long the rest is. What a word weighs in a question (``how``,
``python``) may differ from what it weighs in code: a model may bring those weights ``a``, else
they are one. A model whose configuration names no ``lead_weight`` is of the older kind, where
a piece of the name weighs ``n`` more in the text:

    vector(passage)  = unit( sum over t of ( sqrt(n_text[t]) + n * n_name[t] ) * E[t] )

No layers are computed, so a function costs a few hundred microseconds and nothing is needed
but numpy.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from plait.errors import ModelError
from plait.models.safetensors import read_tensor
from plait.models.wordpiece import WordPieces, load_word_pieces
from plait.types import Passage, Vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

WEIGHTS, TOKENIZER, CONFIG = "model.safetensors", "tokenizer.json", "config.json"
TABLE = "embeddings"
ASKING = "asking"  # the tensor, and the key of the configuration that says there is one
NAME_WEIGHT = 3.0  # measured best of 0 to 6 over six dev sets
LEAD_PIECES = 12  # the beginning of a text: of a function, its head
MAX_PIECES = 512  # of one text; what follows changes little and costs as much


class _Status(NamedTuple):
    """What tells a file that was written to from what it was; links move ``ctime`` alone."""

    inode: int
    size: int
    mtime_ns: int
    ctime_ns: int


class StaticModel:
    """A table of token vectors in a folder.

    Args:
        folder: Where ``model.safetensors`` and ``tokenizer.json`` lie.
        name: What it is called.

    Raises:
        ModelError: A file is missing, damaged or of another kind.
    """

    waits = False  # a table in memory

    def __init__(self, folder: Path, name: str = "") -> None:
        self._folder = folder
        self.name = name or folder.name
        self._pieces: WordPieces = load_word_pieces(folder / TOKENIZER)
        self._seen = _status(folder / WEIGHTS)
        self._table: NDArray[Any] = read_tensor(folder / WEIGHTS, TABLE)
        if self._table.ndim != 2 or not self._table.shape[1]:
            raise ModelError(f"{folder / WEIGHTS} holds no table of vectors")
        if len(self._table) < self._pieces.size:
            raise ModelError(
                f"{folder} has {len(self._table)} vectors for {self._pieces.size} pieces"
            )
        config = _config(folder / CONFIG)
        self._name_weight = _number(folder / CONFIG, config, "name_weight", NAME_WEIGHT)
        self._lead_weight: float | None = None
        if "lead_weight" in config:
            self._lead_weight = _number(folder / CONFIG, config, "lead_weight", 0.0)
        self._container_weight = _number(folder / CONFIG, config, "container_weight", 0.0)
        self._asking: NDArray[Any] | None = None
        if config.get(ASKING):
            self._asking = read_tensor(folder / WEIGHTS, ASKING)
            if self._asking.shape != self._table.shape[:1]:
                raise ModelError(f"{folder / WEIGHTS} does not weigh every piece of a question")

    @property
    def dimension(self) -> int:
        return int(self._table.shape[1])

    @cached_property
    def digest(self) -> str:
        """Of everything a vector depends on: vectors of another digest are of another model."""
        return self._digest()

    def _digest(self) -> str:
        formula = f"static 1 {self._name_weight} {MAX_PIECES}"
        if self._lead_weight is not None:
            formula += f" lead {self._lead_weight} {LEAD_PIECES} {self._container_weight}"
        if self._asking is not None:
            formula += " asking"
        seen = hashlib.sha256(formula.encode())
        for name in (WEIGHTS, TOKENIZER):
            with (self._folder / name).open("rb") as file:
                seen.update(hashlib.file_digest(file, "sha256").digest())
        return seen.hexdigest()[:32]

    def questions(self, texts: Sequence[str]) -> Vectors:
        """The vectors of questions."""
        import numpy

        self._look()
        ids = self._pieces.ids
        with numpy.errstate(over="ignore", invalid="ignore"):  # what comes of it is looked at
            summed = [self._sum(_roots(ids(text)[:MAX_PIECES]), self._asking) for text in texts]
            return self._packed(self._stacked(summed))

    def passages(self, passages: Sequence[Passage]) -> Vectors:
        """The vectors of pieces of code."""
        import numpy

        self._look()
        made = self._mixed if self._lead_weight is None else self._by_field
        with numpy.errstate(over="ignore", invalid="ignore"):  # what comes of it is looked at
            return self._packed(made(passages))

    def _look(self) -> None:
        """Make sure that the weights, which are mapped, are those that were opened.

        Raises:
            ModelError: Somebody has written to them. Cut short they would kill the process.
        """
        now, before = _status(self._folder / WEIGHTS), self._seen
        if now == before or now is None or before is None or now.inode != before.inode:
            return  # one that was removed or replaced stays whole for who has mapped it
        is_touched = now[:3] == before[:3] and "digest" in vars(self)
        if not is_touched or self._digest() != self.digest:
            raise ModelError(
                f"{self._folder / WEIGHTS} was changed while it was in use", hint="ask again"
            )
        self._seen = now

    def _by_field(self, passages: Sequence[Passage]) -> NDArray[Any]:
        """Text, name, container and lead, each of length one before they are added."""
        ids = self._pieces.ids
        texts, names, containers, leads = [], [], [], []
        for name, text in passages:
            pieces = ids(text)[:MAX_PIECES]
            container, _, own = name.rpartition(".")
            texts.append(self._sum(_roots(pieces)))
            names.append(self._sum(_roots(ids(own)[:MAX_PIECES])))
            containers.append(self._sum(_roots(ids(container)[:MAX_PIECES])))
            leads.append(self._sum(_roots(pieces[:LEAD_PIECES])))
        whole = _unit(self._stacked(texts))
        whole += self._name_weight * _unit(self._stacked(names))
        whole += self._container_weight * _unit(self._stacked(containers))
        whole += (self._lead_weight or 0.0) * _unit(self._stacked(leads))
        return whole

    def _mixed(self, passages: Sequence[Passage]) -> NDArray[Any]:
        """Text and name in one sum."""
        ids = self._pieces.ids
        summed = []
        for name, text in passages:
            weights = _roots(ids(text)[:MAX_PIECES])
            for token in ids(name):
                weights[token] = weights.get(token, 0.0) + self._name_weight
            summed.append(self._sum(weights))
        return self._stacked(summed)

    def _sum(self, weights: dict[int, float], asking: NDArray[Any] | None = None) -> NDArray[Any]:
        import numpy

        if not weights:
            return numpy.zeros(self.dimension, dtype="<f4")
        tokens = numpy.fromiter(weights, dtype=numpy.intp, count=len(weights))
        factors = numpy.fromiter(weights.values(), dtype="<f4", count=len(weights))
        if asking is not None:
            factors *= asking[tokens]
        summed: NDArray[Any] = factors @ self._table[tokens].astype("<f4")
        return summed

    def _stacked(self, rows: list[NDArray[Any]]) -> NDArray[Any]:
        import numpy

        return numpy.array(rows, dtype="<f4").reshape(len(rows), self.dimension)

    def _packed(self, rows: NDArray[Any]) -> Vectors:
        """Rows as unit vectors.

        Raises:
            ModelError: A number is none: the table holds what is no number, or too large a one.
        """
        import numpy

        vectors = _unit(rows).astype("<f4", copy=False)
        if not numpy.isfinite(vectors).all():
            raise ModelError(f"{self.name} gave a vector with a number that is none")
        return Vectors(self.dimension, vectors.tobytes())


def _roots(pieces: Sequence[int]) -> dict[int, float]:
    """What each piece weighs in a text: the square root of how often it occurs."""
    return {token: count**0.5 for token, count in Counter(pieces).items()}


def _unit(vectors: NDArray[Any]) -> NDArray[Any]:
    """Rows of length one; a text without a known piece is no direction at all."""
    import numpy

    lengths = numpy.sqrt(numpy.einsum("ij,ij->i", vectors, vectors))
    lengths[lengths == 0] = 1
    vectors /= lengths[:, None]
    return vectors


def _status(path: Path) -> _Status | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return _Status(found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def _config(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ModelError(f"cannot read {path}: {error}") from error
    if not isinstance(config, dict):
        raise ModelError(f"{path} is no table of settings")
    return config


def _number(path: Path, config: dict[str, Any], key: str, default: float) -> float:
    """A number of the configuration; the default where it is silent."""
    try:
        number = float(config.get(key, default))
    except (ValueError, TypeError, OverflowError) as error:
        raise ModelError(f"cannot read {path}: {error}") from error
    if not math.isfinite(number):
        raise ModelError(f"{key} in {path} must be a finite number, got {number}")
    return number
