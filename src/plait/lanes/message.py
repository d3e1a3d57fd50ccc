"""The message lane: pasted text is found by the line of code that wrote it.

What it stores: nothing; it asks the index of patterns for lines that hold what is fixed in a
message, the most telling text first. What it ranks by: how much of the message a line says, in
order, with the lines around it where a literal is broken over several.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf

from plait.lanes.dense import conditions
from plait.lanes.lexical import Lexical
from plait.lanes.said_lines import Said, said_by
from plait.messages.covering import Wanted
from plait.messages.pasted import Message, messages_in
from plait.types import ChunkId, Hit, LineQuery, Order, Query, Ranking, Reason, Snapshot

NAME = "message"
MAX_LINES = 300  # looked at for one lookup
WITHIN_S = 1.0  # for all lookups of a message
NEARLY = 0.6  # of the best score: what is below is another message
SHOWN = 100  # letters of a line in a reason


@dataclass(frozen=True, slots=True)
class Messages:
    """The lane of messages.

    Args:
        lexical: What reads words that must not occur.
    """

    lexical: Lexical

    @property
    def name(self) -> str:
        return NAME

    def waits(self, snapshot: Snapshot) -> bool:
        """Whether the text is kept elsewhere."""
        return snapshot.is_remote

    def ask(self, query: Query, snapshot: Snapshot, until: float = inf) -> AskedMessage:
        """Look for the lines that wrote what was pasted."""
        where = conditions(query.wanted, self.lexical, snapshot)
        asked = LineQuery((), where, query.scope, Order.PATH, MAX_LINES, is_marked=False)
        told = messages_in(query.text)
        messages = told or (Message(" ".join(query.text.split())),)
        return AskedMessage(messages, asked, snapshot, until, is_sure=bool(told))


@dataclass(slots=True)
class AskedMessage:
    """A pasted text as the message lane understood it."""

    messages: Sequence[Message]
    asked: LineQuery
    snapshot: Snapshot
    until: float = inf
    is_sure: bool = True  # that it is a message
    _said: dict[ChunkId, Said] | None = None  # looked for once

    @property
    def roots(self) -> Sequence[str]:
        """The text that was looked for, in runs of two words, so that its line is shown."""
        rows = [message.text.lower().split() for message in self.messages[:1]]
        return [" ".join(row[at : at + 2]) for row in rows for at in range(len(row) - 1)]

    def ranking(self, limit: int) -> Ranking:
        """The chunks with the lines that say most of the message."""
        if self._said is None:
            self._said = self._look()
        hits = (Hit(key, Reason(NAME, said.score)) for key, said in self._said.items())
        ranking = Ranking.best_first(NAME, hits)
        return ranking._replace(hits=ranking.hits[:limit])

    def reasons(self, ids: Sequence[ChunkId]) -> Mapping[ChunkId, Reason]:
        """Which line says it, and how much of it."""
        said = self._said or {}
        return {key: _reason(said[key]) for key in ids if key in said}

    def _look(self) -> dict[ChunkId, Said]:
        """What says the first message that anything says: those behind it are its causes."""
        end = min(self.until, time.monotonic() + WITHIN_S)
        for message in self.messages:
            found = said_by(self.snapshot, self.asked, Wanted(message), end, is_sure=self.is_sure)
            if found:
                least = NEARLY * max(said.score for said in found.values())
                return {key: said for key, said in found.items() if said.score >= least}
        return {}


def _reason(said: Said) -> Reason:
    shown = said.text if len(said.text) <= SHOWN else f"{said.text[:SHOWN]}…"
    share = min(said.cover.covered, 1.0)
    return Reason("line", said.score, words=f"line {said.line} says {share:.0%} of it: {shown}")
