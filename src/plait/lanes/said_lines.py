"""Said lines: the lines of an index that say a message, and how much of it each says."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from plait.lanes.chunks_at import Place, chunks_at
from plait.messages.covering import Cover, Wanted
from plait.messages.looking import lookups
from plait.types import Chunk, ChunkId, FileLines, LineQuery, Pattern, Snapshot

MAX_BEST = 16  # lines whose chunks are read
MAX_CHARACTERS = 400  # of a line; data on one line is no message
ENOUGH = 0.75  # of a message: shorter runs would find no better line
ENOUGH_WHOLE = 0.5  # the same, if the message has every word of the literal
MIN_COVERED = 0.3  # of a message, to be found by it
MIN_UNSURE = 0.6  # of what may be a message
MAX_LOOKUPS, MAX_FILLED, MAX_UNSURE = (
    6,
    2,
    1,
)  # of a message; of what may be one, with values or not
LATE = 2  # the lookup from which on anything that was found will do
AROUND = 3  # lines before and behind that may belong to the same literal
JOINED = 0.97  # for a message that several lines say together
# Other files quote messages: tests expect them, pages explain them.
QUOTING = frozenset({"test", "documentation", "generated", "vendored"})
QUOTED = 0.8


FILLED = re.compile(r"[:;'`\"\d=<\[{]|\w_\w|\.\s|\.\Z")  # signs of what a program wrote


class Said(NamedTuple):
    """A line that says a message, or some of it."""

    line: int
    text: str
    cover: Cover
    factor: float = 1.0  # of its file

    @property
    def score(self) -> float:
        return self.cover.score * self.factor


def said_by(
    snapshot: Snapshot, asked: LineQuery, wanted: Wanted, end: float, *, is_sure: bool
) -> dict[ChunkId, Said]:
    """The chunks that say enough of a message, each with its best line.

    Args:
        asked: Where to look, and how many lines to look at.
        end: When to stop looking (``time.monotonic``).
        is_sure: Whether it is known to be a message. Of what may be one, little is looked up, and
            a line has to say hardly anything else.
    """
    lines: dict[Place, Said] = {}
    given: dict[ChunkId, Said] = {}
    unsure = MAX_FILLED if FILLED.search(wanted.message.text) else MAX_UNSURE
    most = MAX_LOOKUPS if is_sure else unsure
    for number, regexes in enumerate(islice(lookups(wanted.message.text), most)):
        left_s = end - time.monotonic()
        if left_s <= 0:
            break
        patterns = tuple(Pattern(regex) for regex in regexes)
        for found in snapshot.grep(replace(asked, patterns=patterns, within_s=left_s)):
            if isinstance(found, FileLines):
                lines.update(_compared(found, wanted))
        given = _in_chunks(snapshot, lines, wanted, is_sure=is_sure)
        is_late = number >= LATE and bool(given)
        if is_late or any(_is_enough(said.cover) for said in given.values()):
            break
    return given


def _in_chunks(
    snapshot: Snapshot, lines: Mapping[Place, Said], wanted: Wanted, *, is_sure: bool
) -> dict[ChunkId, Said]:
    """The chunks of the best lines, each with the one that says most with those around it."""
    best = sorted(lines, key=lambda place: (-lines[place].score, place))[:MAX_BEST]
    given: dict[ChunkId, Said] = {}
    for place, chunk in chunks_at(snapshot, best).items():
        said = _joined(lines[place], chunk, wanted)
        before = given.get(chunk.id)
        if _is_found(said.cover, is_sure=is_sure) and (before is None or said.score > before.score):
            given[chunk.id] = said
    return given


def _is_found(cover: Cover, *, is_sure: bool) -> bool:
    if is_sure:
        return cover.covered >= MIN_COVERED
    return cover.is_whole and cover.covered >= MIN_UNSURE


def _compared(file: FileLines, wanted: Wanted) -> Iterator[tuple[Place, Said]]:
    factor = 1.0 if QUOTING.isdisjoint(file.tags) else QUOTED
    for line in file.lines:
        text = line.text.decode("utf-8", "replace")
        if len(text) > MAX_CHARACTERS:
            at = max(line.ranges[0][0] - MAX_CHARACTERS // 2, 0) if line.ranges else 0
            text = text[at : at + MAX_CHARACTERS]
        yield (
            ((file.repo, file.path), line.number),
            Said(line.number, text.strip(), wanted.cover(text), factor),
        )


def _is_enough(cover: Cover) -> bool:
    return cover.covered >= (ENOUGH_WHOLE if cover.is_whole else ENOUGH)


def _joined(said: Said, chunk: Chunk, wanted: Wanted) -> Said:
    """The line with those around it, if they say more together."""
    lines = chunk.text.split("\n")
    at = said.line - chunk.span.first
    around = lines[max(at - AROUND, 0) : at + AROUND + 1]
    together = wanted.cover("\n".join(line[:MAX_CHARACTERS] for line in around))
    together = together._replace(score=together.score * JOINED)
    return said._replace(cover=max(said.cover, together))
