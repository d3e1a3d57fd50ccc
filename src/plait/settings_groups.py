"""Settings in groups, by what they are for: each with its default, its bounds and whose it is.

A setting keeps its plain name in files, in the environment and on ``Settings``, which has them
all. A group is what a part needs of them: the lane of words takes ``WordSettings``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from plait.beneath import MOST_BYTES


class Bounds(NamedTuple):
    """The least and the most that a number may be, and the most a project may make of it."""

    least: float
    most: float
    by_project: float


def within(least: float, most: float, by_project: float | None = None) -> Mapping[str, Any]:
    """A number between these, and no more than ``by_project`` in a project's file."""
    return {"bounds": Bounds(least, most, most if by_project is None else by_project)}


def one_of(*values: str) -> Mapping[str, Any]:
    """One of these words."""
    return {"choices": values}


# What is written, shown, run, and where code is sent; how much of the machine is used, for how
# long; whether answers may be old; and whether the user's own ignore file is asked.
YOURS: Mapping[str, Any] = {"is_users": True}  # no project's file may set it
LANE = within(0, 1_000)
WEIGHT = within(0, 10)


@dataclass(frozen=True)
class StoreSettings:
    """Where an index is kept and how it is written."""

    # "" for the platform's cache folder
    cache_dir: str = field(default="", metadata=YOURS)
    # a collection on a cluster (docs/cluster.md); "" for this machine
    store: str = field(default="", metadata=YOURS)
    # parse processes; 0 for one per core
    workers: int = field(default=0, metadata={**within(0, 256, 0), **YOURS})
    # for another process's commit
    wait_s: float = field(default=10.0, metadata={**within(0, 86_400, 0), **YOURS})


@dataclass(frozen=True)
class SourceSettings:
    """Which files are indexed."""

    # a larger file is not
    max_bytes: int = field(default=1 << 20, metadata=within(1, MOST_BYTES, 4 << 20))
    hidden: bool = False  # also files whose names begin with a dot
    no_ignore: bool = field(default=False, metadata=YOURS)  # do not respect ignore files
    # include key and credential files, and do not mask secrets
    include_secrets: bool = field(default=False, metadata=YOURS)
    skip_vendored: bool = False  # leave vendored code out instead of marking it
    exclude: tuple[str, ...] = ()  # further globs to leave out


@dataclass(frozen=True)
class WordSettings:
    """How text becomes words, and how much those of each field count."""

    comments: bool = True  # index comments and docstrings; if not, they are blanked by syntax
    bigrams: bool = False  # index adjacent words too
    stemming: bool = True  # reduce words to their stems
    # what a compound identifier gives: its parts, the whole, both
    identifiers: str = field(default="both", metadata=one_of("both", "parts", "whole"))
    spelling: bool = True  # look for other spellings of a word the index does not know
    weight_body: int = field(default=1, metadata=WEIGHT)
    weight_name: int = field(default=2, metadata=WEIGHT)
    weight_path: int = field(default=2, metadata=WEIGHT)
    weight_signature: int = field(default=0, metadata=WEIGHT)
    weight_docstring: int = field(default=0, metadata=WEIGHT)


@dataclass(frozen=True)
class MeaningSettings:
    """What makes vectors."""

    # a model (docs/models.md); "" for the one plait brings
    model: str = field(default="", metadata=YOURS)
    # that a search waits for an endpoint before it answers by words
    model_wait_s: float = field(default=10.0, metadata={**within(0.1, 600, 0.1), **YOURS})


@dataclass(frozen=True)
class SearchSettings:
    """How a search ranks, and how much it shows."""

    limit: int = field(default=10, metadata=within(1, 10_000, 1_000))  # results
    # results of one file; 0 for no limit
    per_file: int = field(default=1, metadata=within(0, 10_000, 1_000))
    # bring the index up to date before a search
    refresh: bool = field(default=True, metadata=YOURS)
    # how to rank: by words, by meaning (dense), by both (hybrid)
    mode: str = field(default="hybrid", metadata=one_of("lexical", "dense", "hybrid"))
    # that a search may take; a lane that is late is left out
    search_within_s: float = field(default=20.0, metadata={**within(0.1, 3_600, 0.1), **YOURS})
    # rank files by their names, definitions, kind and place too, where a result is a file's
    file_ranking: bool = True
    expand: bool = False  # also look for words that the first results share
    # how rankings become one
    fusion: str = field(default="minmax", metadata=one_of("rrf", "intersection", "minmax", "max"))
    lane_lexical: float = field(default=1.0, metadata=LANE)  # how much each lane counts
    lane_dense: float = field(default=2.0, metadata=LANE)
    lane_message: float = field(default=4.0, metadata=LANE)  # above all others together
    lane_dense_decided: float = field(default=0.5, metadata=LANE)  # the same, where words decide
