"""Telling: what whoever runs a program should know of the network, once and in a sentence.

It imports nothing that takes time, so that an interface can listen before anything is asked.
"""

from __future__ import annotations

from collections.abc import Callable

Listener = Callable[[str], None]
_listeners: list[Listener] = []
_told: set[str] = set()


def listen(listener: Listener) -> None:
    """Hear from now on what there is to tell, in place of who listened before."""
    _listeners[:] = [listener]
    _told.clear()


def tell(words: str) -> None:
    """Say something, unless it was said already; to the log if nobody listens."""
    if words in _told:
        return
    _told.add(words)
    for listener in _listeners:
        listener(words)
    if not _listeners:
        import logging

        logging.getLogger("plait").warning(words)
