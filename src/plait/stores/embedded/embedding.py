"""Embedding: the chunks of layers are given the vectors they lack, layer after layer.

What a layer has already is copied. So is the vector of a text that any layer holds, or held
before its chunks were dropped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from plait.errors import IndexCorrupt, ModelError
from plait.stores.embedded.layer import Layer
from plait.stores.embedded.vector_set import VectorSet
from plait.stores.embedded.vectors import CodedRows, VectorFile, VectorWriter, coded
from plait.stores.whole_files import whole_files
from plait.types import Chunk, ChunkId, Model, Vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

WIDTH = 64  # a vector's signs are kept as whole words of bits
MAX_COPIED = 32_768  # rows copied in one go
UNKNOWN = -1  # instead of a file's number: no file has the text
OF_LAYER = -2  # the layer that is being written has it


class EmbeddedSession:
    """Layers that lack vectors of a model are given them, one after the other.

    Args:
        vectors: Where they are written.
        layers: The layers that lack some.
        model: Whose vectors they are.
        generation: The current one.

    Raises:
        ModelError: They are of a width that cannot be kept.
    """

    writers = 0

    def __init__(
        self, vectors: VectorSet, layers: Sequence[Layer], model: Model, generation: int
    ) -> None:
        if layers and model.dimension % WIDTH:
            raise ModelError(
                f"{model.name} gives vectors of {model.dimension} numbers; "
                f"only multiples of {WIDTH} can be kept"
            )
        files = vectors.files(model.digest)
        self.generation = generation
        self._vectors = vectors
        self._model = model
        self._known = [file for file in files.values() if file.rows]
        self._waiting = [_Waiting.of(layer, files.get(layer.name)) for layer in layers]
        self._begun: tuple[Layer, VectorWriter] | None = None
        self._has_written = False
        self.missing = sum(waiting.missing for waiting in self._waiting)

    def batches(self, size: int) -> Iterator[EmbeddedBatch]:
        """Whole files, those of one layer at a time."""
        while self._waiting:
            layer, *_ = waiting = self._waiting.pop(0)
            writer = waiting.writer(self._model)
            self._begun = layer, writer
            made: dict[bytes, int] = {}
            for rows in whole_files(map(layer.chunk_rows, waiting.files), size):
                yield EmbeddedBatch(layer, rows, self._known, writer, made)
            self._keep()

    def finish(self) -> bool:
        """Write what was begun; whether anything was written in this session."""
        self._keep()
        for waiting in self._waiting:
            if not waiting.missing:  # nothing of it is alive
                self._begun = waiting.layer, waiting.writer(self._model)
                self._keep()
        return self._has_written

    def _keep(self) -> None:
        if self._begun is not None:
            layer, writer = self._begun
            self._begun = None
            self._known.append(self._vectors.keep(layer.name, self._model.digest, writer))
            self._has_written = True


class _Waiting(NamedTuple):
    """A layer whose files wait for vectors."""

    layer: Layer
    own: VectorFile | None  # the vectors it has
    files: list[int]  # rows of those that are alive and have none
    missing: int  # their chunks

    @classmethod
    def of(cls, layer: Layer, own: VectorFile | None) -> _Waiting:
        if own is not None and own.rows != layer.chunk_count:
            raise IndexCorrupt(f"the vectors {own.name} are not those of layer {layer.name}")
        rows = {file: layer.chunk_rows(file) for file in layer.file_rows()}
        if own is not None:
            rows = {f: r for f, r in rows.items() if not own.present[r.start : r.stop].all()}
        return cls(layer, own, list(rows), sum(map(len, rows.values())))

    def writer(self, model: Model) -> VectorWriter:
        """The vectors there are; those of dead chunks too, whose texts may have moved."""
        writer = VectorWriter(model.digest, model.dimension)
        if self.own is None:
            writer.leave_out(self.layer.chunk_count)
        else:
            for begin in range(0, self.own.rows, MAX_COPIED):
                writer.copy(self.own, slice(begin, begin + MAX_COPIED))
        writer.missing = self.missing  # the dead are not waited for
        return writer


class EmbeddedBatch:
    """Some files of a layer.

    Args:
        layer: The layer.
        rows: Those of the files' chunks.
        files: Where texts have vectors.
        writer: What the layer gets.
        made: Rows of the layer that were encoded in this session, by the keys of their texts.
    """

    def __init__(
        self,
        layer: Layer,
        rows: Sequence[int],
        files: Sequence[VectorFile],
        writer: VectorWriter,
        made: dict[bytes, int],
    ) -> None:
        self._layer = layer
        self._rows = rows
        self._files = files
        self._writer = writer
        self._made = made
        self._keys: Sequence[bytes] = ()

    @property
    def chunks(self) -> Iterator[Chunk]:
        """Made as they are read: few are alive at a time."""
        for file, rows in groupby(self._rows, self._layer.file_of):
            key = self._layer.file_key(file)
            for ordinal, row in enumerate(rows):
                yield self._layer.chunk(row, ChunkId(*key, ordinal))

    def known(self, keys: Sequence[bytes]) -> frozenset[bytes]:
        """Which texts have a vector; for each, the file and the row it is copied from."""
        import numpy

        wanted = numpy.frombuffer(b"".join(keys), "<u8").reshape(-1, 2)
        self._keys = keys
        self._places: NDArray[Any] = numpy.array([self._made.get(key, UNKNOWN) for key in keys])
        self._numbers: NDArray[Any] = numpy.where(self._places == UNKNOWN, UNKNOWN, OF_LAYER)
        for number, file in enumerate(self._files):
            found = file.find(wanted)
            is_new = (found >= 0) & (self._numbers == UNKNOWN)
            self._numbers[is_new] = number
            self._places[is_new] = found[is_new]
        return frozenset(keys[at] for at in numpy.flatnonzero(self._numbers != UNKNOWN).tolist())

    def put(self, made: Mapping[bytes, Vectors]) -> None:
        """Fill the rows of the chunks."""
        import numpy

        rows = numpy.array(self._rows)
        for number in numpy.unique(self._numbers).tolist():
            chosen = numpy.flatnonzero(self._numbers == number)
            if number == UNKNOWN:
                found = self._encoded(chosen.tolist(), made)
            elif number == OF_LAYER:
                found = self._writer.written().at(self._places[chosen])
            else:
                found = self._files[number].checked(self._places[chosen])
            self._writer.fill(rows[chosen], found)

    def _encoded(self, chosen: list[int], made: Mapping[bytes, Vectors]) -> CodedRows:
        """Rows of texts that were encoded just now, each coded once."""
        import numpy

        at: dict[bytes, int] = {}
        order = [at.setdefault(self._keys[one], len(at)) for one in chosen]
        self._made.update((self._keys[one], self._rows[one]) for one in chosen)
        data = b"".join(made[key].data for key in at)
        return coded(list(at), Vectors(self._writer.dimension, data)).at(numpy.array(order))
