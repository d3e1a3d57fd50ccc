"""Rows: what a layer records of a file, a chunk and a symbol, and how it is packed."""

from __future__ import annotations

from struct import Struct
from typing import NamedTuple


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
    links: int  # where those of its chunks end in the table of links
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
    n: int  # of its qualified name in the file
    kind: int  # in a list of their own, since there are few


FILE = Struct("<IIIIIQIIIQI")
EXTENT, EXTENT_OFFSET = Struct("<QI"), Struct("<IIIII").size  # begin and size of a file
FILE_COLUMNS = [
    (name, f"<u{8 if code == 'Q' else 4}")
    for name, code in zip(FileRow._fields, FILE.format[1:], strict=True)
]
CHUNK = Struct("<IIIIIIIH")
FILE_OF_CHUNK = Struct("<I")  # the beginning of a chunk
SYMBOL = Struct("<IIIIIIIIIB")
NUMBER = Struct("<Q")
MAX_PART = 0xFFFF
