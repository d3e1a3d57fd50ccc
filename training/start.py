"""Start: vectors of the vocabulary from a sentence model, before any training.

Every entry is given to the model by itself; the vectors are centred, turned to their main
directions, cut to the dimension wanted, and made the shorter the more common the word is.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.vocabulary import PREFIX

Matrix = NDArray[np.float32]
BATCH = 64
SMOOTH = 1e-3  # of how common a word is, below which it counts in full
MOST_TOKENS = 64


class Sentences:
    """A sentence model in a folder: ``model.onnx`` and ``tokenizer.json``, mean pooled."""

    def __init__(self, folder: Path, threads: int = 1) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self._session = onnxruntime.InferenceSession(str(folder / "model.onnx"), options)
        self._inputs = {each.name for each in self._session.get_inputs()}
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MOST_TOKENS)
        whole = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
        self.vocabulary: dict[str, int] = whole["model"]["vocab"]

    def entries(self, entries: Sequence[str]) -> Matrix:
        """The vectors of entries of a vocabulary; a piece it has is given as it is."""
        first, last = self.vocabulary["[CLS]"], self.vocabulary["[SEP]"]
        ids = [
            [first, self.vocabulary[entry], last]
            if entry in self.vocabulary
            else self._tokenizer.encode(entry.removeprefix(PREFIX)).ids
            for entry in entries
        ]
        return self._run(ids)

    def texts(self, texts: Sequence[str]) -> Matrix:
        """The vectors of texts."""
        return self._run([each.ids for each in self._tokenizer.encode_batch(list(texts))])

    def _run(self, lists: list[list[int]]) -> Matrix:
        order = sorted(range(len(lists)), key=lambda at: len(lists[at]))
        made: Matrix | None = None
        for start in range(0, len(order), BATCH):
            at = order[start : start + BATCH]
            longest = max(len(lists[each]) for each in at)
            ids = np.zeros((len(at), longest), dtype=np.int64)
            mask = np.zeros_like(ids)
            for row, each in enumerate(at):
                ids[row, : len(lists[each])] = lists[each]
                mask[row, : len(lists[each])] = 1
            given: dict[str, Any] = {
                "input_ids": ids,
                "attention_mask": mask,
                "token_type_ids": np.zeros_like(ids),
            }
            given = {name: value for name, value in given.items() if name in self._inputs}
            states = self._session.run(None, given)[0]
            shown = mask[:, :, None].astype(np.float32)
            vectors = (states * shown).sum(1) / shown.sum(1)
            vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
            if made is None:
                made = np.zeros((len(lists), vectors.shape[1]), dtype=np.float32)
            made[at] = vectors
        assert made is not None, "no texts"
        return made


def directions(vectors: Matrix, width: int) -> tuple[Matrix, Matrix]:
    """The mean of vectors and their main directions, as columns."""
    mean = vectors.mean(0)
    centred = vectors - mean
    _, turned = np.linalg.eigh(centred.T @ centred)
    main = turned[:, ::-1][:, :width]
    # The sign of a direction is free: fixed here, so that machines agree.
    main = main * np.sign(main[np.abs(main).argmax(0), np.arange(main.shape[1])])
    return mean, np.ascontiguousarray(main, dtype=np.float32)


def start_table(vectors: Matrix, share: NDArray[np.float64], width: int) -> Matrix:
    """The table to start from; ``share`` is how large a part of all tokens each entry is."""
    mean, main = directions(vectors, width)
    table = (vectors - mean) @ main
    table /= np.maximum(np.linalg.norm(table, axis=1, keepdims=True), 1e-9)
    weights = SMOOTH / (SMOOTH + share)
    return np.asarray(table * weights[:, None], dtype=np.float32)
