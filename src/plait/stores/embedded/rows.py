"""Rows: what a layer records of a file, a chunk and a symbol, and how it is packed."""

from __future__ import annotations

from struct import Struct
from typing import NamedTuple

from plait.types import Relation


class FileRow(NamedTuple):
    """A file of a layer. Repository to tags are numbers of strings."""

    repo: int
    path: int
    digest: int
    language: int
    tags: int  # space-separated
    begin: int  # in the layer's text
    size: int
    chunk: int  # row of its first chunk
    chunks: int
    symbols: int


class ChunkRow(NamedTuple):
    """A chunk of a layer. Its number is the layer's first one plus its row, or, in a layer
    with gaps, in a table of its own."""

    file: int  # row
    first: int  # line
    begin: int  # in the file
    size: int
    check: int  # CRC-32 of its text
    symbol: int  # row + 1; 0 for none
    references: int  # where its references end
    lines: int
    part: int


class SymbolRow(NamedTuple):
    """A symbol of a layer. Name, container and kind are numbers of strings."""

    name: int
    container: int
    first: int  # line
    lines: int
    signature: int  # where it begins in the file
    docstring: int
    signature_size: int
    docstring_size: int
    kind: int  # in a list of their own, since there are few


FILE = Struct("<IIIIIQIIII")
EXTENT, EXTENT_OFFSET = Struct("<QI"), Struct("<IIIII").size  # begin and size of a file
FILE_COLUMNS = [
    (name, f"<u{8 if code == 'Q' else 4}")
    for name, code in zip(FileRow._fields, FILE.format[1:], strict=True)
]
CHUNK = Struct("<IIIIIIIIH")
FILE_OF_CHUNK = Struct("<I")  # the beginning of a chunk
SYMBOL = Struct("<IIIIIIIIB")
REFERENCE = Struct("<I")
NUMBER = Struct("<Q")
MAX_PART = 0xFFFF
# A reference is the number of its target's string, and below that its relation.
RELATIONS = tuple(Relation)
CODES = {relation: code for code, relation in enumerate(RELATIONS)}
RELATION_BITS = 3
