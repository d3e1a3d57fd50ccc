"""Vectors: what one model makes of the chunks of one layer, in one immutable file.

    keys      16 bytes a row: what was encoded, so that the same text is never encoded twice
    scales    4 bytes: a row's largest coordinate over 127
    codes     one signed byte a coordinate
    bits      one bit a coordinate: whether it is positive

Rows are those of the layer's chunks, in order. A search looks at the bits of all rows, and
at the codes of those whose bits lie nearest; both are read where the file is mapped.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plait.errors import IndexCorrupt
from plait.stores.embedded.tables import read_tables, write_tables
from plait.types import Passage, Vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

KEY_BYTES = 16
ABSENT = bytes(KEY_BYTES)  # the key of a row without a vector
CODE_LIMIT = 127
TABLES = ("keys", "scales", "codes", "bits")


def key_of(passage: Passage) -> bytes:
    """What is encoded, as a key; no two texts will meet by chance."""
    said = f"{passage.name}\0{passage.text}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(said, digest_size=KEY_BYTES).digest()


class VectorFile:
    """The vectors of one layer, mapped.

    Raises:
        IndexCorrupt: The file is damaged, or of another model or layer.
    """

    def __init__(self, path: Path, model: str, rows: int) -> None:
        import numpy

        tables = read_tables(path)
        try:
            head = json.loads(bytes(tables["head"]))
            dimension = int(head["dimension"])
            if head["model"] != model or dimension <= 0 or dimension % 64:
                raise ValueError(f"they are of model {head['model']!r}, dimension {dimension}")
            self.keys = bytes(tables["keys"]) if rows else b""
            self.scales: NDArray[Any] = numpy.frombuffer(tables["scales"], "<f4")
            self.codes: NDArray[Any] = numpy.frombuffer(tables["codes"], "i1")
            self.bits: NDArray[Any] = numpy.frombuffer(tables["bits"], "<u8")
            self.codes = self.codes.reshape(rows, dimension)
            self.bits = self.bits.reshape(rows, dimension // 64)
            if len(self.keys) != rows * KEY_BYTES or len(self.scales) != rows:
                raise ValueError(f"they are not those of {rows} chunks")
        except (KeyError, ValueError, TypeError) as error:
            raise IndexCorrupt(f"the vectors {path.name} cannot be used: {error}") from error
        self.rows, self.dimension = rows, dimension
        self.missing = int(head["missing"])

    def key(self, row: int) -> bytes:
        """What was encoded for a row; ``ABSENT`` if nothing was."""
        return self.keys[row * KEY_BYTES : (row + 1) * KEY_BYTES]

    def floats(self, rows: NDArray[Any] | slice) -> NDArray[Any]:
        """Rows as vectors again."""
        found: NDArray[Any] = self.codes[rows].astype("<f4") * self.scales[rows, None]
        return found


class VectorWriter:
    """Gathers the vectors of a layer's chunks, row by row, and writes them."""

    def __init__(self, model: str, dimension: int) -> None:
        self._model = model
        self.dimension = dimension
        self._keys = bytearray()
        self._scales = bytearray()
        self._codes = bytearray()
        self._bits = bytearray()
        self.missing = 0

    @property
    def rows(self) -> int:
        return len(self._scales) // 4

    def add(self, keys: Sequence[bytes], vectors: Vectors) -> None:
        """Rows that were encoded just now, each with the key of what was encoded."""
        import numpy

        floats = numpy.frombuffer(vectors.data, "<f4").reshape(-1, self.dimension)
        largest = numpy.abs(floats).max(axis=1, initial=0.0)
        scales = (largest / CODE_LIMIT).astype("<f4")
        divisors = numpy.where(scales > 0, scales, 1)
        codes = numpy.rint(floats / divisors[:, None]).astype("i1")
        self._keys += b"".join(keys)
        self._scales += scales.tobytes()
        self._codes += codes.tobytes()
        self._bits += numpy.packbits(codes > 0, axis=1).tobytes()

    def copy(self, file: VectorFile, row: int) -> None:
        """A row that another file has already."""
        key = file.key(row)
        self._keys += key
        self._scales += file.scales[row : row + 1].tobytes()
        self._codes += file.codes[row].tobytes()
        self._bits += file.bits[row].tobytes()
        self.missing += key == ABSENT

    def leave_out(self, *, is_dead: bool = False) -> None:
        """A row without a vector: its chunk is not encoded yet, or dead."""
        self._keys += ABSENT
        self._scales += bytes(4)
        self._codes += bytes(self.dimension)
        self._bits += bytes(self.dimension // 8)
        self.missing += not is_dead

    def write(self, path: Path) -> None:
        """Write the file. The caller makes it durable."""
        head = {"model": self._model, "dimension": self.dimension, "missing": self.missing}
        tables = (self._keys, self._scales, self._codes, self._bits)
        write_tables(
            path,
            {
                "head": bytearray(json.dumps(head).encode()),
                **dict(zip(TABLES, tables, strict=True)),
            },
        )
