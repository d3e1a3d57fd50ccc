"""What the gate asks: three groups of sets, each with a baseline of its own.

Functions of public sets, one document each; files of packages of the registries; and the tuning
half of agent63, files again, where its clones are at hand. A group that cannot be asked here says
why, in an ``EvaluationError``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from benchmarks.quality.packages import HALVES, load_packages
from plait.errors import EvaluationError
from plait.evaluation.dataset import Dataset, Level
from plait.evaluation.load import load_dataset

HERE = Path(__file__).parent


class Places(NamedTuple):
    """Where what is searched lies."""

    data: Path  # public sets
    corpora: Path  # packages
    clones: Path | None = None  # of the repositories of agent63


class Set(NamedTuple):
    """One of the public sets: a folder of the shared data and its judgements."""

    folder: str
    qrels: str
    corpus: str = ""

    def load(self, data: Path) -> Dataset:
        return load_dataset(data / self.folder, qrels=self.qrels, corpus=self.corpus)


SETS = (
    Set("csn-ruby", "test_1k"),
    Set("csn-javascript", "test_1k"),
    Set("csn99-ruby", "test"),
    Set("csn99-go", "test"),
    Set("csn99-php", "test"),
    Set("cosqa", "dev", "corpus_nodoc"),
)


def functions(places: Places) -> list[Dataset]:
    """Functions of public sets."""
    if not places.data.is_dir():
        raise EvaluationError(f"there is no benchmark data at {places.data}")
    return [one.load(places.data) for one in SETS]


def packages(places: Places) -> list[Dataset]:
    """Files of packages, both halves."""
    return [load_packages(places.corpora, half) for half in HALVES]


def agent63(places: Places) -> list[Dataset]:
    """Files of agent63's repositories, those that may be tuned on."""
    if places.clones is None:
        raise EvaluationError("name a folder of clones with --repos")
    if not (places.data / "agent63").is_dir():
        raise EvaluationError(f"there is no benchmark data at {places.data / 'agent63'}")
    dataset = load_dataset(places.data / "agent63", qrels="tuning", repos=places.clones)
    if dataset.notes:  # another revision, or fewer repositories, is another set
        raise EvaluationError("; ".join(dataset.notes))
    return [dataset]


class Group(NamedTuple):
    """Sets that are judged together."""

    name: str
    load: Callable[[Places], list[Dataset]]
    baseline: Path
    level: Level
    tolerance: float  # by how much the mean over its parts may fall


GROUPS = (
    Group("functions", functions, HERE / "baseline.json.gz", Level.DOCUMENT, 0.002),
    # One question of sixty that falls from the first place to the second costs 0.006.
    Group("files of packages", packages, HERE / "packages.json.gz", Level.FILE, 0.01),
    Group("files of agent63", agent63, HERE / "agent63.json.gz", Level.TARGET, 0.003),
)
FUNCTIONS, PACKAGES, AGENT63 = GROUPS
