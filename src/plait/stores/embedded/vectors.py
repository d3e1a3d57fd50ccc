"""Vectors: what one model makes of the chunks of one layer, in one immutable file.

    keys      16 bytes a row: what was encoded, so that the same text is never encoded twice;
              in rising order, so that a few can be found among a million by halving
    places    4 bytes: the row of each key
    scales    4 bytes: a row's largest coordinate over 127
    codes     one signed byte a coordinate
    signs     one bit a coordinate: whether it is positive; word by word, not row by row
    checks    4 bytes: of a row's key, scale and codes, looked at when it is copied, so that a
              damaged row never becomes a sound one of another file

Rows are those of the layer's chunks, in order. A search looks at the signs of all rows, and
at the codes of those whose signs promise most; both are read where the file is mapped.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from plait.errors import IndexCorrupt
from plait.stores.embedded.tables import read_tables, write_tables
from plait.stores.quantized import quantized
from plait.types import KEY_BYTES, Vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

ABSENT = bytes(KEY_BYTES)  # the key of a row without a vector
WORD_BITS = 64
CHECK_STEP = 0x3C6EF35F  # any large odd number


def row_checks(keys: NDArray[Any], scales: NDArray[Any], codes: NDArray[Any]) -> NDArray[Any]:
    """A number of each row that changes with any of its bytes.

    Each word is multiplied by an odd number of its own and the products are added up: a word
    that is not what it was moves the sum, since odd numbers divide no power of two.
    """
    import numpy

    total = numpy.zeros(len(keys), "<u4")
    seed = numpy.uint32(1)
    for table in (keys, scales[:, None], codes):
        words = numpy.ascontiguousarray(table).view("<u4")
        factors = seed + numpy.arange(words.shape[1], dtype="<u4") * numpy.uint32(2 * CHECK_STEP)
        total += numpy.einsum("ij,j->i", words, factors)
        seed = factors[-1] + numpy.uint32(2)
    return total


class CodedRows(NamedTuple):
    """Rows as a file keeps them."""

    keys: NDArray[Any]  # two words each
    scales: NDArray[Any]
    codes: NDArray[Any]

    def at(self, rows: NDArray[Any]) -> CodedRows:
        """Some of them, in the order asked for."""
        return CodedRows(self.keys[rows], self.scales[rows], self.codes[rows])


def coded(keys: Sequence[bytes], vectors: Vectors) -> CodedRows:
    """Rows that were encoded just now, each with the key of what was encoded."""
    import numpy

    codes, scales = quantized(vectors)
    return CodedRows(numpy.frombuffer(b"".join(keys), "<u8").reshape(-1, 2), scales, codes)


class VectorFile:
    """The vectors of one layer, mapped.

    Raises:
        IndexCorrupt: The file is damaged, or of another model or layer.
    """

    def __init__(self, path: Path, model: str, rows: int, view: memoryview | None = None) -> None:
        import numpy

        tables = read_tables(path, view)
        try:
            head = json.loads(bytes(tables["head"]))
            dimension = int(head["dimension"])
            if head["model"] != model or dimension <= 0 or dimension % WORD_BITS:
                raise ValueError(f"they are of model {head['model']!r}, dimension {dimension}")
            self._keys: NDArray[Any] = numpy.frombuffer(tables["keys"], "<u8").reshape(rows, 2)
            self._places: NDArray[Any] = numpy.frombuffer(tables["places"], "<u4")
            self.scales: NDArray[Any] = numpy.frombuffer(tables["scales"], "<f4")
            self.codes: NDArray[Any] = numpy.frombuffer(tables["codes"], "i1")
            self.signs: NDArray[Any] = numpy.frombuffer(tables["signs"], "<u8")
            self.codes = self.codes.reshape(rows, dimension)
            self.signs = self.signs.reshape(dimension // WORD_BITS, rows)
            self.checks: NDArray[Any] = numpy.frombuffer(tables["checks"], "<u4")
            if {len(self._places), len(self.scales), len(self.checks)} != {rows}:
                raise ValueError(f"they are not those of {rows} chunks")
            self.missing = int(head["missing"])
        except (KeyError, ValueError, TypeError) as error:
            raise IndexCorrupt(f"the vectors {path.name} cannot be used: {error}") from error
        self.name = path.name
        self.rows, self.dimension = rows, dimension

    @cached_property
    def keys(self) -> NDArray[Any]:
        """What was encoded for each row, as two words; ``ABSENT`` if nothing was."""
        import numpy

        found: NDArray[Any] = numpy.zeros((self.rows, 2), "<u8")
        found[self._places] = self._keys
        return found

    @cached_property
    def present(self) -> NDArray[Any]:
        """Which rows have a vector."""
        import numpy

        found: NDArray[Any] = numpy.ones(self.rows, numpy.bool_)
        found[self._places[: int(numpy.searchsorted(self._keys[:, 0], 1))]] = False
        return found

    def find(self, keys: NDArray[Any]) -> NDArray[Any]:
        """The rows of keys, each two words; -1 for those that are not here."""
        import numpy

        if not self.rows:
            return numpy.full(len(keys), -1)
        at = numpy.searchsorted(self._keys[:, 0], keys[:, 0])
        at[at == self.rows] = 0
        is_found = (self._keys[at] == keys).all(axis=1)
        return numpy.where(is_found, self._places[at].astype(numpy.intp), -1)

    def checked(self, rows: NDArray[Any] | slice) -> CodedRows:
        """Rows to be copied.

        Raises:
            IndexCorrupt: One of them is not what was written.
        """
        try:
            found = CodedRows(self.keys[rows], self.scales[rows], self.codes[rows])
            if not (row_checks(*found) == self.checks[rows]).all():
                raise IndexError("a row is not what was written")
        except IndexError as error:
            raise IndexCorrupt(f"the vectors {self.name} are damaged: {error}") from error
        return found

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
        self._signs = bytearray()
        self.missing = 0  # rows without a vector; who knows of dead ones takes them off

    @property
    def rows(self) -> int:
        return len(self._scales) // 4

    def add(self, keys: Sequence[bytes], vectors: Vectors) -> None:
        """Rows that were encoded just now, each with the key of what was encoded."""
        self._append(coded(keys, vectors))

    def copy(self, file: VectorFile, rows: NDArray[Any] | slice) -> None:
        """Rows that another file has already.

        Raises:
            IndexCorrupt: One of them is not what was written.
        """
        found = file.checked(rows)
        self._append(found)
        self.missing += int((found.keys[:, 0] == 0).sum())

    def _append(self, rows: CodedRows) -> None:
        import numpy

        self._keys += rows.keys.tobytes()
        self._scales += rows.scales.tobytes()
        self._codes += rows.codes.tobytes()
        self._signs += numpy.packbits(rows.codes > 0, axis=1).tobytes()

    def fill(self, at: NDArray[Any], rows: CodedRows) -> None:
        """Give rows that were left out their vectors."""
        import numpy

        written = self.written()
        written.keys[at], written.scales[at], written.codes[at] = rows
        signs = numpy.frombuffer(self._signs, "u1").reshape(self.rows, -1)
        signs[at] = numpy.packbits(rows.codes > 0, axis=1)
        self.missing -= len(at)

    def written(self) -> CodedRows:
        """All rows so far; nothing can be added while somebody holds on to them."""
        import numpy

        return CodedRows(
            numpy.frombuffer(self._keys, "<u8").reshape(self.rows, 2),
            numpy.frombuffer(self._scales, "<f4"),
            numpy.frombuffer(self._codes, "i1").reshape(self.rows, self.dimension),
        )

    def leave_out(self, rows: int) -> None:
        """Rows without a vector: their chunks are not encoded yet."""
        self._keys += ABSENT * rows
        self._scales += bytes(4 * rows)
        self._codes += bytes(self.dimension * rows)
        self._signs += bytes(self.dimension // 8 * rows)
        self.missing += rows

    def write(self, path: Path) -> None:
        """Write the file. The caller makes it durable."""
        import numpy

        keys, scales, codes = self.written()
        places = numpy.argsort(keys[:, 0], kind="stable").astype("<u4")
        words = self.dimension // WORD_BITS
        signs = numpy.frombuffer(self._signs, "<u8").reshape(self.rows, words)
        head = {"model": self._model, "dimension": self.dimension, "missing": self.missing}
        write_tables(
            path,
            {
                "head": bytearray(json.dumps(head).encode()),
                "keys": bytearray(keys[places]),
                "places": bytearray(places),
                "scales": self._scales,
                "codes": self._codes,
                "signs": bytearray(numpy.ascontiguousarray(signs.T)),
                "checks": bytearray(row_checks(keys, scales, codes)),
            },
        )
