"""Everything that can be asked of an index, each question with its answer as plain values.

An answer that is not the sound one must come with words: an error, or a note that the sound
answer has not.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from plait.answering.freshness import difference
from plait.answering.index import Index
from plait.assembly import open_index
from plait.errors import PlaitError
from plait.interfaces.words import shown_words
from plait.search.clusters import clusters
from plait.search.duplicates import duplicates
from plait.search.plan import MODES
from plait.search.similar import similar
from plait.settings import Settings
from plait.types import Answer, Defines, Field, Pattern, Scope, Snapshot, Term
from tools.chaos.contents import answer_row, contents, matching

QUESTIONS = (
    "parse token stream",
    "how is a vector updated",
    "BufferCache",
    '"return" lang:go',
    "/return [a-z]+/ signal",
    "path:**/*.md window",
    "cachee",  # looked for in other spellings
)
PATTERNS = (Pattern("cache"), Pattern(r"^(def|func|class) \w+"), Pattern("文"))
NAMES = ("CacheClient", "parse", "encode_event")
CLUSTERS = (0, 3)
SEEN_ROWS = 40  # of what a name or a file gives


class Said(NamedTuple):
    """What became of one question."""

    answer: str  # digest; "" if it was refused
    words: tuple[str, ...] = ()  # notes, or the error
    unforeseen: str = ""


def opened(tree: Path, cache: Path, model: str) -> Index:
    """The index of a tree with a model of the hub."""
    return open_index(tree, Settings(cache_dir=str(cache), workers=1, model=model, limit=5))


def in_mode(index: Index, mode: str) -> Index:
    """The same index, searched in one of the modes."""
    return index.with_settings(replace(index.settings, mode=mode))


Ask = Callable[[Index, Snapshot], tuple[Any, tuple[str, ...]]]


def _answered(answer: Answer) -> tuple[Any, tuple[str, ...]]:
    words = (*answer.notes, *(f"no lane {one.lane}" for one in answer.absent))
    return [answer_row(result) for result in answer.results], words


def _search(mode: str, text: str) -> Ask:
    return lambda index, snapshot: _answered(in_mode(index, mode).ask(snapshot, text))


def _grep(pattern: Pattern) -> Ask:
    return lambda _, snapshot: (matching(snapshot, pattern), ())


def _definition(name: str) -> Ask:
    def ask(_: Index, snapshot: Snapshot) -> tuple[Any, tuple[str, ...]]:
        found = snapshot.match(Defines(name), Scope(), SEEN_ROWS)
        chunks = snapshot.fetch([hit.chunk for hit in found.hits])
        rows = [[str(key), chunk.text] for key, chunk in chunks.items()]
        counted = snapshot.count([Term(name.lower(), Field.NAME)])[0]
        return [rows, list(snapshot.spellings(name.lower(), 5)), counted], ()

    return ask


def _outline(_: Index, snapshot: Snapshot) -> tuple[Any, tuple[str, ...]]:
    return contents(snapshot), ()


def _similar(index: Index, snapshot: Snapshot) -> tuple[Any, tuple[str, ...]]:
    model = _model(index)
    path = min(snapshot.digests(index.repo))
    (chunk,) = snapshot.fetch(snapshot.outline(index.repo, path)[:1]).values()
    near, groups = similar(snapshot, model, chunk, 5), duplicates(snapshot, model)
    return [repr(near), repr(groups)], _lacking(snapshot, model)


def _clusters(count: int) -> Ask:
    def ask(index: Index, snapshot: Snapshot) -> tuple[Any, tuple[str, ...]]:
        model, folder = _model(index), index.writer.folder / "clusters"
        found = clusters(snapshot, model, shown_words, folder=folder, count=count)
        members = sorted(found.members.items())
        return [repr(found.clusters), repr(members)], _lacking(snapshot, model)

    return ask


def _status(index: Index, snapshot: Snapshot) -> tuple[Any, tuple[str, ...]]:
    """What has changed must be among what may have, and be found."""
    found = difference(index, snapshot)
    really = sorted(file.path for file in found.changed())
    statistics, lacking = snapshot.statistics(), snapshot.missing_vectors(_model(index))
    skipped = sorted(found.skipped.items())
    return [repr(statistics), lacking, really, sorted(found.gone), skipped], ()


def _model(index: Index) -> str:
    assert index.reader.dense is not None
    return index.reader.dense.encoder.digest


def _lacking(snapshot: Snapshot, model: str) -> tuple[str, ...]:
    lacking = snapshot.missing_vectors(model)
    return (f"{lacking} chunks have no vector yet",) if lacking else ()


ASKED: Mapping[str, Mapping[str, Ask]] = {
    **{mode: {text: _search(mode, text) for text in QUESTIONS} for mode in MODES},
    "grep": {pattern.regex: _grep(pattern) for pattern in PATTERNS},
    "definition": {name: _definition(name) for name in NAMES},
    "outline": {"all": _outline},
    "similar": {"first": _similar},
    "clusters": {str(count): _clusters(count) for count in CLUSTERS},
    "status": {"all": _status},
}


def ask_all(
    index: Index, snapshot: Snapshot | None = None, rng: random.Random | None = None
) -> dict[str, Said]:
    """Ask in every way: every question, or one of each way.

    Args:
        index: What is asked.
        snapshot: What answers; None to open one for each question.
        rng: Chooses the questions; None to ask them all.
    """
    said = {}
    for way, questions in ASKED.items():
        for text in [rng.choice(list(questions))] if rng else questions:
            said[f"{way}: {text}"] = _said(partial(_one, questions[text], index, snapshot))
    return said


def _one(ask: Ask, index: Index, snapshot: Snapshot | None) -> tuple[Any, tuple[str, ...]]:
    return ask(index, snapshot or index.snapshot())


def search_fresh(index: Index, rng: random.Random | None = None) -> dict[str, Said]:
    """Search in every mode, the index brought up to date first."""
    said = {}
    for mode in MODES:
        one = in_mode(index, mode)
        for text in [rng.choice(QUESTIONS)] if rng else QUESTIONS:
            said[f"{mode}: {text}"] = _said(partial(_searched, one, text))
    return said


def _searched(index: Index, text: str) -> tuple[Any, tuple[str, ...]]:
    return _answered(index.search(text, fresh=True))


def _said(ask: Callable[[], tuple[Any, tuple[str, ...]]]) -> Said:
    try:
        given, words = ask()
        return Said(_digest(given), words)
    except PlaitError as error:
        return Said("", (f"{type(error).__name__}: {error}",))
    except BaseException as error:  # noqa: BLE001  # whatever it is, it is the finding
        return Said("", (), f"{type(error).__name__}: {error}"[:500])


def _digest(value: Any) -> str:
    raw = json.dumps(value, ensure_ascii=True, default=str).encode()
    return hashlib.sha256(raw).hexdigest()[:16]
