"""Reading: what goes wrong while an index is read, and whether the index is to blame.

An index is damaged if a file is not what its manifest says: another length, other bytes, another
format. Whatever else fails in a reader fails for another reason, and building the index anew
would not help. So a failure that damage could explain has the files read and compared; only if
one of them differs is it damage.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import TypeVar

from plait.errors import IndexCorrupt, QueryError, StoreError
from plait.stores.embedded.manifest import REBUILD

T = TypeVar("T")
FAULTS = (LookupError, ValueError, OSError, struct.error)  # that damage could explain
LOOK_INTO_IT = "plait doctor looks for damage; if it finds none, please report this as a bug"


def is_panic(error: BaseException) -> bool:
    """Whether the word index's engine gave up; its panics derive from no Exception."""
    return type(error).__name__ == "PanicException"


class reading:  # noqa: N801 - used as a statement: with reading("vectors", check):
    """Tell damage from other failures.

    Args:
        what: What is done.
        check: Compares every file with its manifest.

    Raises:
        IndexCorrupt: A file is not what was written.
        StoreError: Reading failed, and no file is to blame.
    """

    __slots__ = ("_check", "_what")  # made dozens of times for a search

    def __init__(self, what: str, check: Callable[[], None]) -> None:
        self._what = what
        self._check = check

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        if error is None:
            return
        if isinstance(error, UnicodeEncodeError):  # only a query can hold half a character
            raise QueryError("the query holds characters that are no text") from error
        if isinstance(error, FileNotFoundError):
            return  # while it is opened: a writer may have collected it, which the store looks into
        if isinstance(error, IndexCorrupt):
            error.hint = error.hint or REBUILD
        elif isinstance(error, MemoryError):
            reason = str(error) or "memory is exhausted"
            raise StoreError(f"the index cannot be read now ({self._what}): {reason}") from error
        elif isinstance(error, FAULTS) or is_panic(error):
            self._check()
            told = (
                f"the index could not be read ({self._what}): {str(error) or type(error).__name__}"
            )
            raise StoreError(told, hint=LOOK_INTO_IT) from error


def reading_each(values: Iterator[T], what: str, check: Callable[[], None]) -> Iterator[T]:
    """The same for what is read bit by bit."""
    with reading(what, check):
        yield from values
