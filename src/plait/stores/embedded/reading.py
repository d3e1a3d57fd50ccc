"""Reading: what a damaged file does to a reader, turned into a word about it."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from plait.errors import IndexCorrupt, QueryError
from plait.stores.embedded.manifest import REBUILD

T = TypeVar("T")


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Say that the index is damaged if reading it fails.

    Raises:
        IndexCorrupt: It is.
    """
    try:
        yield
    except UnicodeEncodeError as error:  # only a query can hold half a character
        raise QueryError("the query holds characters that are no text") from error
    except IndexCorrupt as error:
        error.hint = error.hint or REBUILD
        raise
    except (LookupError, UnicodeDecodeError, ValueError, OSError, struct.error) as error:
        raise IndexCorrupt(f"the index cannot be read ({what}): {error}", hint=REBUILD) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # tantivy's, which derives from no Exception
            raise
        raise IndexCorrupt(f"the index cannot be read ({what}): {error}", hint=REBUILD) from None


def reading_each(values: Iterator[T], what: str) -> Iterator[T]:
    """The same for what is read bit by bit."""
    with reading(what):
        yield from values
