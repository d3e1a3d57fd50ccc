"""The ONNX model: a transformer run by onnxruntime, its tokens pooled into one vector.

    vector(question) = unit( pool( query_prefix + text ) )
    vector(passage)  = unit( unit( pool( document_prefix + name words + newline + text ) )
                             + w * unit( pool( document_prefix + name words ) ) )

Each text is run by itself. On a processor that is faster than batches (76 functions a CPU-s
against 49 in batches of 32, MiniLM int8), wastes nothing on padding, and a text's vector does
not depend on its neighbours: where activations are quantised on the fly, a batch moves it (by
a cosine of up to 0.015). Several threads take a text each.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plait.errors import ModelError
from plait.models.onnx_config import OnnxConfig, read_onnx_config
from plait.models.units import titled, unit_vectors, width_of, words_of
from plait.types import Passage, Vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMULA = "onnx 1"  # raise it when the same files come to give other vectors
TOKENIZER = "tokenizer.json"
PREFERRED = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx")
HINT = 'pip install "plait[onnx]"'


class OnnxModel:
    """A transformer in a folder: ``tokenizer.json`` and an ``.onnx`` file.

    Args:
        folder: Where they lie.
        name: What it is called.
        known: What is known of it where the folder is silent.
        threads: How many texts are encoded at once; 0 for one per core.

    Raises:
        ModelError: The extra ``onnx`` is not installed; a file is missing, damaged or of
            another kind.
    """

    waits = True  # it may take its time

    def __init__(
        self, folder: Path, name: str = "", known: OnnxConfig | None = None, threads: int = 1
    ) -> None:
        self.name = name or folder.name
        self.config = read_onnx_config(folder, known)
        self._weights = find_onnx(folder)
        self._tokenizer_file = folder / TOKENIZER
        if not self._tokenizer_file.is_file():
            raise ModelError(f"{folder} has no {TOKENIZER}")
        self._threads = threads or os.cpu_count() or 1
        self._tokenizer = _tokenizer(self._tokenizer_file, self.config.max_tokens)
        self._session = _session(self._weights)
        self._inputs = [asked.name for asked in self._session.get_inputs()]
        strange = set(self._inputs) - {"input_ids", "attention_mask", "token_type_ids"}
        if strange or "input_ids" not in self._inputs:
            raise ModelError(f"{self._weights} does not take tokens: inputs {self._inputs}")
        self._output = _output(self._weights, self._session.get_outputs())

    @cached_property
    def dimension(self) -> int:
        return width_of(self._pooled("dimension").shape[0])

    @cached_property
    def digest(self) -> str:
        """Of everything a vector depends on."""
        seen = hashlib.sha256(f"{FORMULA} {self.config}".encode())
        for path in (self._weights, self._tokenizer_file):
            with path.open("rb") as file:
                seen.update(hashlib.file_digest(file, "sha256").digest())
        return seen.hexdigest()[:32]

    def questions(self, texts: Sequence[str]) -> Vectors:
        """The vectors of questions."""
        prefix = self.config.query_prefix
        return self._packed(self._all([prefix + text for text in texts]))

    def passages(self, passages: Sequence[Passage]) -> Vectors:
        """The vectors of pieces of code, each name counted once more by itself."""
        import numpy

        prefix, weight = self.config.document_prefix, self.config.name_weight
        made = self._all([prefix + titled(passage) for passage in passages])
        named = [(row, words_of(name)) for row, (name, _) in enumerate(passages)]
        named = [(row, words) for row, words in named if words and weight]
        if named:
            rows = [row for row, _ in named]
            names = self._all([prefix + words for _, words in named])
            for some in (made, names):
                lengths = numpy.linalg.norm(some, axis=1, keepdims=True)
                some /= numpy.where(lengths == 0, 1, lengths)
            made[rows] += weight * names
        return self._packed(made)

    def _packed(self, rows: NDArray[Any]) -> Vectors:
        if not len(rows):
            return Vectors(self.dimension, b"")
        return unit_vectors(rows, self.name)

    def _all(self, texts: Sequence[str]) -> NDArray[Any]:
        import numpy

        if not texts:
            return numpy.zeros((0, self.dimension), dtype="<f4")
        if self._threads == 1 or len(texts) == 1:
            return numpy.stack([self._pooled(text) for text in texts])
        with ThreadPoolExecutor(self._threads) as pool:
            return numpy.stack(list(pool.map(self._pooled, texts)))

    def _pooled(self, text: str) -> NDArray[Any]:
        """One text: its tokens through the layers, and what they say together."""
        import numpy

        ids = self._tokenizer.encode(text).ids
        feed = {"input_ids": numpy.array([ids], dtype=numpy.int64)}
        feed["attention_mask"] = numpy.ones_like(feed["input_ids"])
        feed["token_type_ids"] = numpy.zeros_like(feed["input_ids"])
        try:
            (made,) = self._session.run([self._output], {name: feed[name] for name in self._inputs})
        except Exception as error:  # onnxruntime has no family of its own
            raise ModelError(f"{self.name} cannot be run: {error}") from error
        tokens: NDArray[Any] = numpy.asarray(made, dtype="<f4")[0]
        if tokens.ndim == 1:
            return tokens  # pooled inside
        if not len(tokens):
            return numpy.zeros(tokens.shape[-1], dtype="<f4")
        pooled: NDArray[Any] = tokens[0] if self.config.pooling == "cls" else tokens.mean(axis=0)
        return pooled


def find_onnx(folder: Path) -> Path:
    """The weights in a folder: under a usual name, or the only ones there are.

    Raises:
        ModelError: There are none, or several and none has a usual name.
    """
    for name in PREFERRED:
        if (folder / name).is_file():
            return folder / name
    found = sorted({*folder.glob("*.onnx"), *folder.glob("onnx/*.onnx")})
    if len(found) == 1:
        return found[0]
    names = ", ".join(path.relative_to(folder).as_posix() for path in found)
    raise ModelError(
        f"{folder} has no ONNX weights" if not found else f"{folder} has several models: {names}",
        hint="" if not found else f"give the one that is wanted the name {PREFERRED[0]}",
    )


def _tokenizer(path: Path, max_tokens: int) -> Any:
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise ModelError("an ONNX model needs the package tokenizers", hint=HINT) from error
    try:
        made = Tokenizer.from_file(str(path))
        made.no_padding()
        made.enable_truncation(max_tokens)
    except Exception as error:  # the library raises nothing narrower
        raise ModelError(f"cannot read the tokeniser {path}: {error}") from error
    return made


def _session(weights: Path) -> Any:
    try:
        import onnxruntime
    except ImportError as error:
        raise ModelError("an ONNX model needs the package onnxruntime", hint=HINT) from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4  # what is wrong is raised
    try:
        return onnxruntime.InferenceSession(
            str(weights), options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # onnxruntime has no family of its own
        raise ModelError(f"cannot read the weights {weights}: {error}") from error


def _output(weights: Path, outputs: Sequence[Any]) -> str:
    """The output that holds a vector for each token, or else one for the text."""
    shaped = {out.name: len(out.shape or ()) for out in outputs}
    for wanted in (3, 2):
        for name, axes in shaped.items():
            if axes == wanted:
                return str(name)
    raise ModelError(f"{weights} gives no vectors: outputs {shaped}")
