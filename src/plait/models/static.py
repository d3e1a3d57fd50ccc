"""The static model: one vector per word piece, a text is the weighted sum of its pieces.

    vector(passage)  = unit( sum over t of ( sqrt(n_text[t]) + w * n_name[t] ) * E[t] )
    vector(question) = the same without a name

The square root keeps a word that is repeated from drowning the others, and the name of what
is defined counts by itself. No layers are computed, so a function costs a few hundred
microseconds and nothing is needed but numpy.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plait.errors import ModelError
from plait.models.safetensors import read_tensor
from plait.models.wordpiece import WordPieces, load_word_pieces
from plait.types import Passage, Vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

WEIGHTS, TOKENIZER, CONFIG = "model.safetensors", "tokenizer.json", "config.json"
TABLE = "embeddings"
NAME_WEIGHT = 3.0  # measured best of 0 to 6 over six dev sets
MAX_PIECES = 512  # of one text; what follows changes little and costs as much


class StaticModel:
    """A table of token vectors in a folder.

    Args:
        folder: Where ``model.safetensors`` and ``tokenizer.json`` lie.
        name: What it is called.

    Raises:
        ModelError: A file is missing, damaged or of another kind.
    """

    def __init__(self, folder: Path, name: str = "") -> None:
        self._folder = folder
        self.name = name or folder.name
        self._pieces: WordPieces = load_word_pieces(folder / TOKENIZER)
        self._table: NDArray[Any] = read_tensor(folder / WEIGHTS, TABLE)
        if self._table.ndim != 2:
            raise ModelError(f"{folder / WEIGHTS} holds no table of vectors")
        if len(self._table) < self._pieces.size:
            raise ModelError(
                f"{folder} has {len(self._table)} vectors for {self._pieces.size} pieces"
            )
        self._name_weight = _name_weight(folder / CONFIG)

    @property
    def dimension(self) -> int:
        return int(self._table.shape[1])

    @cached_property
    def digest(self) -> str:
        """Of everything a vector depends on: vectors of another digest are of another model."""
        seen = hashlib.sha256(f"static 1 {self._name_weight} {MAX_PIECES}".encode())
        for name in (WEIGHTS, TOKENIZER):
            with (self._folder / name).open("rb") as file:
                seen.update(hashlib.file_digest(file, "sha256").digest())
        return seen.hexdigest()[:32]

    def questions(self, texts: Sequence[str]) -> Vectors:
        """The vectors of questions."""
        return self._vectors([Passage("", text) for text in texts])

    def passages(self, passages: Sequence[Passage]) -> Vectors:
        """The vectors of pieces of code."""
        return self._vectors(passages)

    def _vectors(self, passages: Sequence[Passage]) -> Vectors:
        import numpy

        made = numpy.zeros((len(passages), self.dimension), dtype="<f4")
        ids, table = self._pieces.ids, self._table
        for row, (name, text) in enumerate(passages):
            counts = Counter(ids(text)[:MAX_PIECES])
            weights = {token: count**0.5 for token, count in counts.items()}
            for token in ids(name):
                weights[token] = weights.get(token, 0.0) + self._name_weight
            if weights:
                tokens = numpy.fromiter(weights, dtype=numpy.intp, count=len(weights))
                factors = numpy.fromiter(weights.values(), dtype="<f4", count=len(weights))
                made[row] = factors @ table[tokens].astype("<f4")
        lengths = numpy.sqrt(numpy.einsum("ij,ij->i", made, made))
        lengths[lengths == 0] = 1  # a text without a known piece is no direction at all
        made /= lengths[:, None]
        return Vectors(self.dimension, made.tobytes())


def _name_weight(path: Path) -> float:
    """What the model's own configuration says of names; the default where it is silent."""
    if not path.is_file():
        return NAME_WEIGHT
    try:
        return float(json.loads(path.read_text(encoding="utf-8")).get("name_weight", NAME_WEIGHT))
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise ModelError(f"cannot read {path}: {error}") from error
