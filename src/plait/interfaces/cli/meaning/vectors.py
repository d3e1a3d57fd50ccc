"""The index of a path, opened to compare its code by meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from plait.interfaces.cli.opened import Opened, open_path
from plait.interfaces.cli.refreshing import shown

if TYPE_CHECKING:
    from plait.answering.meaning import Meaning


class Compared(NamedTuple):
    """An index, and the generation of it whose chunks are compared."""

    opened: Opened
    meaning: Meaning


def with_vectors(path: str, *, fresh: bool | None = None, store: str = "") -> Compared:
    """Open the index of a path and give every chunk its vector, however long that takes.

    Args:
        path: A folder or a file.
        fresh: Whether to bring the index up to date first; None for the setting.
        store: Where the index is; "" for the setting.

    Raises:
        ModelError: There is no model.
    """
    from plait.answering import meaning

    opened = open_path(path, mode="dense", store=store)
    with shown() as watch:
        return Compared(opened, meaning.with_vectors(opened.index, watch, fresh=fresh))
