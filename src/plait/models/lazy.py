"""A model that is opened when it is first asked something: a search by words never pays."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

from plait.types import Encoder, Passage, Vectors


@runtime_checkable
class Hurried(Protocol):
    """A model that can be given less time."""

    def within(self, seconds: float) -> Encoder: ...


class LazyEncoder:
    """An encoder that knows its name and how to be opened.

    Args:
        name: What it is called.
        load: Opens it; what it raises, the first question raises.
        waits: Whether a question may take as long as somebody else likes, or long to encode.
    """

    def __init__(self, name: str, load: Callable[[], Encoder], *, waits: bool = True) -> None:
        self.name = name
        self.waits = waits
        self._load = load
        self._lock = threading.Lock()
        self._opened: Encoder | None = None

    @property
    def opened(self) -> Encoder:
        """The model itself; however many ask at the same time, it is loaded once."""
        with self._lock:
            if self._opened is None:
                self._opened = self._load()
            return self._opened

    def within(self, seconds: float) -> Encoder:
        """The model for who has no more time than that; only one behind an address can tell."""
        opened = self.opened
        return opened.within(seconds) if isinstance(opened, Hurried) else opened

    @property
    def dimension(self) -> int:
        return self.opened.dimension

    @property
    def digest(self) -> str:
        return self.opened.digest

    def questions(self, texts: Sequence[str]) -> Vectors:
        """The vectors of questions."""
        return self.opened.questions(texts)

    def passages(self, passages: Sequence[Passage]) -> Vectors:
        """The vectors of pieces of code."""
        return self.opened.passages(passages)
