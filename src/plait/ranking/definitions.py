"""Definitions: which of the files define what a question names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from math import inf
from typing import NamedTuple

from plait.ranking.names import plain
from plait.ranking.question import COMPOUND, Question
from plait.types import ChunkId, FileKey, Scope, Snapshot

MOST = 200  # definitions looked at
TYPES = frozenset(
    """class enum extension impl instance interface module namespace object protocol record struct
    trait type typealias typeclass union""".split()
)
A_TYPE, A_FUNCTION, A_METHOD = 1.0, 0.5, 0.33  # how likely a name stands for one
NAMED = 0.8  # at least, of a name of several words: few things are called so
OTHER_CASE = 0.8  # of that, if it is written otherwise


class Definition(NamedTuple):
    """A definition in a file of something a question names."""

    chunk: ChunkId
    name: str
    worth: float
    is_asked: bool  # by this name; otherwise by words that stand side by side
    is_exact: bool  # written as in the question
    is_type: bool


def definitions(
    snapshot: Snapshot,
    question: Question,
    scope: Scope,
    files: Collection[FileKey],
    until: float = inf,
) -> Mapping[FileKey, list[Definition]]:
    """What the files define of what a question names."""
    asked = {name.lower() for name in question.names}
    wanted = sorted(asked | question.spelled)
    if not wanted or not files:
        return {}
    found: dict[FileKey, list[Definition]] = defaultdict(list)
    for chunk, symbol in snapshot.definitions(wanted, scope, MOST, until).items():
        if (chunk.repo, chunk.path) not in files:
            continue
        name = symbol.name
        is_asked = name.lower() in asked
        if symbol.part or not (is_asked or plain(name) in question.joined):
            continue
        is_type, is_exact = symbol.kind in TYPES, name in question.names
        worth = A_TYPE if is_type else A_METHOD if symbol.container else A_FUNCTION
        if is_exact and COMPOUND.search(name):
            worth = max(worth, NAMED)
        elif is_asked and not is_exact:
            worth *= OTHER_CASE
        one = Definition(chunk, name, worth, is_asked, is_exact, is_type)
        found[chunk.repo, chunk.path].append(one)
    return found
