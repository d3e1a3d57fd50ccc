"""Definitions: where a name is defined, or which names it may have meant."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher

from plait.search.symbols import NameWords, symbols_named, symbols_that
from plait.types import Chunk, Defines, Or, Scope, Snapshot

NEAR = 5  # names that are suggested


@dataclass(frozen=True, slots=True)
class Definitions:
    """The chunks that define a name, and similar names if there are none."""

    found: tuple[Chunk, ...]
    near: tuple[str, ...] = ()  # qualified, the most similar first


def definitions(snapshot: Snapshot, words: NameWords, name: str, scope: Scope) -> Definitions:
    """Where a name is defined, those first whose own name it is in this very case.

    Args:
        snapshot: What is searched.
        words: How the names of the index were cut into words.
        name: Plain or qualified, as any language writes it: ``send``, ``Client.send``,
            ``Client::send``, ``Client#send``, ``send()``.
        scope: Where to look.
    """
    wanted = name.removesuffix("()").replace("::", ".").replace("#", ".")
    last = wanted.rpartition(".")[2]
    found = symbols_that(snapshot, Defines(wanted), scope)
    if not found:
        return Definitions((), _near(snapshot, words, last, scope))
    return Definitions(tuple(sorted(found, key=lambda chunk: _own_name(chunk) != last)))


def _near(snapshot: Snapshot, words: NameWords, last: str, scope: Scope) -> tuple[str, ...]:
    """Names that a slip of the finger, or a part of the name, would have meant."""
    whole = last.replace("_", "").lower()
    spellings = [*snapshot.spellings(last.lower(), NEAR), *snapshot.spellings(whole, NEAR)]
    found = list(symbols_that(snapshot, Or(tuple(map(Defines, spellings))), scope))
    for spelling in () if found else spellings:
        found += symbols_named(snapshot, words, spelling, scope)
    found += symbols_named(snapshot, words, last, scope)
    closeness = {
        chunk.symbol.qualified_name: SequenceMatcher(None, last, chunk.symbol.name).ratio()
        for chunk in found
        if chunk.symbol
    }
    return tuple(sorted(closeness, key=lambda full: (-closeness[full], full))[:NEAR])


def _own_name(chunk: Chunk) -> str:
    return chunk.symbol.name if chunk.symbol else ""
