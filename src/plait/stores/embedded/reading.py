"""Reading: what a damaged file does to a reader, turned into a word about it."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from types import TracebackType
from typing import TypeVar

from plait.errors import IndexCorrupt, QueryError, StoreError
from plait.stores.embedded.manifest import REBUILD

T = TypeVar("T")
FAULTS = (LookupError, UnicodeDecodeError, ValueError, OSError, struct.error)


def is_panic(error: BaseException) -> bool:
    """Whether the word index's engine gave up; its panics derive from no Exception."""
    return type(error).__name__ == "PanicException"


class reading:  # noqa: N801 - used as a statement: with reading("vectors"):
    """Say that the index is damaged if reading it fails.

    Raises:
        IndexCorrupt: It is.
        StoreError: Nothing is wrong with it, but there is no memory to read it in.
    """

    __slots__ = ("_what",)  # made dozens of times for a search

    def __init__(self, what: str) -> None:
        self._what = what

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        if error is None:
            return
        if isinstance(error, UnicodeEncodeError):  # only a query can hold half a character
            raise QueryError("the query holds characters that are no text") from error
        if isinstance(error, IndexCorrupt):
            error.hint = error.hint or REBUILD
        elif isinstance(error, FAULTS):
            raise IndexCorrupt(self._words(error), hint=REBUILD) from error
        elif isinstance(error, MemoryError):
            reason = str(error) or "memory is exhausted"
            raise StoreError(f"the index cannot be read now ({self._what}): {reason}") from error
        elif is_panic(error):
            raise IndexCorrupt(self._words(error), hint=REBUILD) from None

    def _words(self, error: BaseException) -> str:
        return f"the index cannot be read ({self._what}): {error}"


def reading_each(values: Iterator[T], what: str) -> Iterator[T]:
    """The same for what is read bit by bit."""
    with reading(what):
        yield from values
