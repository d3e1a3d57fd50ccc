"""Tables: one immutable file of named tables, read where it lies.

A snapshot must open in milliseconds whatever its size, so nothing is parsed or copied: the
file is mapped, and a row is unpacked when it is asked for. Layout: a magic line, the length
of a JSON header, the header (name, place, length and row format of every table), then the
tables, each aligned to eight bytes. Numbers are little-endian.
"""

from __future__ import annotations

import json
import mmap
import struct
from collections.abc import Mapping
from pathlib import Path

from plait.errors import IndexCorrupt

MAGIC = b"PLAIT-TABLES-1\n"
LENGTH = struct.Struct("<Q")
STRING_END = struct.Struct("<I")
STRINGS_REMEMBERED = 100_000


def write_tables(path: Path, tables: Mapping[str, bytes | bytearray]) -> None:
    """Write a table file. The caller makes it durable."""
    places: dict[str, tuple[int, int]] = {}
    offset = 0
    for name, table in tables.items():
        places[name] = (offset, len(table))
        offset += -(-len(table) // 8) * 8
    header = json.dumps(places).encode()
    header += b" " * (-(len(MAGIC) + LENGTH.size + len(header)) % 8)
    with path.open("wb") as file:
        file.write(MAGIC + LENGTH.pack(len(header)) + header)
        for table in tables.values():
            file.write(table)
            file.write(b"\0" * (-len(table) % 8))


def mapped(path: Path) -> memoryview:
    """A file, mapped: it can be read even after it was removed."""
    with path.open("rb") as file:
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


def read_tables(path: Path, view: memoryview | None = None) -> dict[str, memoryview]:
    """Map a table file, unless it is mapped already: a view of each table.

    Raises:
        IndexCorrupt: It is not a table file.
    """
    view = mapped(path) if view is None else view
    start = len(MAGIC) + LENGTH.size
    try:
        if view[: len(MAGIC)] != MAGIC:
            raise ValueError("wrong magic")
        (length,) = LENGTH.unpack(view[len(MAGIC) : start])
        places: dict[str, tuple[int, int]] = json.loads(bytes(view[start : start + length]))
        body = view[start + length :]
        tables = {name: body[offset : offset + size] for name, (offset, size) in places.items()}
        if any(len(tables[name]) != size for name, (_, size) in places.items()):
            raise ValueError("a table ends outside the file")
    except (ValueError, TypeError, AttributeError, struct.error) as error:
        raise IndexCorrupt(f"{path.name} is not a table file: {error}") from error
    return tables


class StringsWriter:
    """Distinct strings, numbered in the order they are first met."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self.ends = bytearray()
        self.blob = bytearray()

    def add(self, text: str) -> int:
        number = self._numbers.get(text)
        if number is None:
            number = self._numbers[text] = len(self._numbers)
            self.blob += text.encode()
            self.ends += STRING_END.pack(len(self.blob))
        return number


class Strings(dict[int, str]):
    """Strings by number, decoded when first asked for and remembered."""

    def __init__(self, ends: memoryview, blob: memoryview) -> None:
        self._ends = ends.cast("I")
        self._blob = blob

    def text(self, number: int) -> str:
        """A string that need not be remembered."""
        begin = self._ends[number - 1] if number else 0
        return str(self._blob[begin : self._ends[number]], "utf-8")

    def __missing__(self, number: int) -> str:
        text = self.text(number)
        if len(self) >= STRINGS_REMEMBERED:
            self.clear()
        self[number] = text
        return text
