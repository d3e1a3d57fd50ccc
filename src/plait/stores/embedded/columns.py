"""Columns: one immutable file of named arrays, read where it lies.

A snapshot must open in milliseconds whatever its size, so nothing is parsed or copied:
the file is mapped and each column is a view into it. Layout: a magic line, the length of
a JSON header, the header (name, type, place and length of every column, and small facts),
then the columns, each aligned to eight bytes. Numbers are little-endian.
"""

from __future__ import annotations

import json
import mmap
import struct
import sys
from array import array
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from plait.errors import FormatMismatch, IndexCorrupt

MAGIC = b"PLAITCOLUMNS-1\n"
LENGTH = struct.Struct("<Q")
STRINGS_REMEMBERED = 100_000


def write_columns(
    path: Path, columns: Mapping[str, array[int] | bytearray], facts: Mapping[str, Any]
) -> None:
    """Write a column file. The caller makes it durable."""
    if sys.byteorder != "little":
        raise FormatMismatch("plait's index files need a little-endian machine")
    places: dict[str, tuple[str, int, int]] = {}
    offset = 0
    for name, column in columns.items():
        kind = column.typecode if isinstance(column, array) else "B"
        size = memoryview(column).nbytes
        places[name] = (kind, offset, size)
        offset += -(-size // 8) * 8
    header = json.dumps({"columns": places, "facts": facts}).encode()
    header += b" " * (-(len(MAGIC) + LENGTH.size + len(header)) % 8)
    with path.open("wb") as file:
        file.write(MAGIC + LENGTH.pack(len(header)) + header)
        for column in columns.values():
            view = memoryview(column)
            file.write(view)
            file.write(b"\0" * (-view.nbytes % 8))


class ColumnFile:
    """A column file, mapped."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        view = memoryview(self._map)
        start = len(MAGIC) + LENGTH.size
        try:
            if view[: len(MAGIC)] != MAGIC:
                raise ValueError("wrong magic")
            (length,) = LENGTH.unpack(view[len(MAGIC) : start])
            header = json.loads(bytes(view[start : start + length]))
            self.facts: dict[str, Any] = header["facts"]
            body = view[start + length :]
            self.columns: dict[str, memoryview] = {}
            for name, (kind, offset, size) in header["columns"].items():
                if offset + size > len(body):
                    raise ValueError(f"column {name} ends outside the file")
                self.columns[name] = body[offset : offset + size].cast(kind)
        except (ValueError, KeyError, TypeError, struct.error, UnicodeDecodeError) as error:
            raise IndexCorrupt(f"{path.name} is not a column file: {error}") from error


class StringsWriter:
    """Distinct strings, numbered in the order they are first met."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self.ends = array("Q")
        self.blob = bytearray()

    def add(self, text: str) -> int:
        number = self._numbers.get(text)
        if number is None:
            number = self._numbers[text] = len(self.ends)
            self.blob += text.encode()
            self.ends.append(len(self.blob))
        return number


class Strings(dict[int, str]):
    """Strings by number, decoded when first asked for and remembered."""

    def __init__(self, ends: memoryview, blob: memoryview) -> None:
        self._ends = ends
        self._blob = blob

    def __missing__(self, number: int) -> str:
        begin = self._ends[number - 1] if number else 0
        text = str(self._blob[begin : self._ends[number]], "utf-8")
        if len(self) >= STRINGS_REMEMBERED:
            self.clear()
        self[number] = text
        return text


def bisect_column(column: Sequence[int], value: int) -> int:
    """The row of a value in a rising column, or -1."""
    row = bisect_left(column, value)
    return row if row < len(column) and column[row] == value else -1
