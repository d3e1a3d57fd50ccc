"""Signals that are not in the table, each tried beside those that are.

    python -m benchmarks.ranking.trials FEATURES... [--only NAME ...]

A trial sees what features hold: the question, the paths of the files it found, and their values.
For each the weight and the change of the cross-validated figures; under 0.003 is noise.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log
from os.path import commonpath
from pathlib import Path

import numpy as np

from benchmarks.ranking.features import Row, read
from benchmarks.ranking.fit import FIXED, WEIGHTS, cross_validated, fitted, tuning
from plait.ranking.names import Meeting, PathNames, path_names, project_roots
from plait.ranking.question import question_of
from plait.types import Query, Scope, Text

DATA = frozenset({"json", "yml", "yaml", "toml", "xml", "ini", "cfg", "csv", "txt", "properties"})
HEADERS, SOURCES = frozenset({"h", "hh", "hpp"}), frozenset({"c", "cc", "cpp", "cxx", "m"})
NEVER = frozenset({"message", "path"})  # signals of other kinds of questions


@dataclass(frozen=True)
class Case:
    """What a trial sees of a question."""

    row: Row
    meeting: Meeting
    names: Sequence[PathNames]

    @property
    def places(self) -> Mapping[str, int]:
        """The place of each telling word, from 1."""
        return {word: at for at, word in enumerate(dict.fromkeys(self.meeting.words.values()), 1)}

    def met(self, names: PathNames, *, folders: bool = True) -> set[str]:
        """The words of the question that a path has."""
        roots = names.stem_roots + (names.folder_roots if folders else ())
        return set(filter(None, map(self.meeting.word, roots)))


Trial = Callable[[Case], Iterable[float]]


def first_words(case: Case) -> list[float]:
    """The share of the question that the path has, its n-th word counting 1/n."""
    places = case.places
    whole = sum(1 / place for place in places.values()) or 1.0
    return [sum(1 / places[word] for word in case.met(names)) / whole for names in case.names]


def first_word(case: Case) -> list[float]:
    """Whether the path has the first telling word."""
    places = case.places
    return [float(any(places[word] == 1 for word in case.met(names))) for names in case.names]


def coverage(case: Case) -> list[float]:
    """The share of the question that the path has, every word the same."""
    whole = len(case.places) or 1
    return [len(case.met(names)) / whole for names in case.names]


def rarest_word(case: Case) -> list[float]:
    """How few names of files have the rarest word that this one has."""
    met = [case.met(names, folders=False) for names in case.names]
    counts, most = Counter(word for own in met for word in own), log(len(met) + 1)
    return [max((1 - log(counts[word]) / most for word in own), default=0.0) for own in met]


def initials(case: Case) -> list[float]:
    """Whether the name is made of the initials of words side by side."""
    letters = "".join(word[0] for word in re.findall(r"[a-z]+", case.row.question.lower()))
    stems = [names.stem.lower() for names in case.names]
    return [float(len(stem) > 1 and stem in letters) for stem in stems]


def header(case: Case) -> list[float]:
    """Whether it is a header whose source was found."""
    parts = [path.rpartition("/")[2].rpartition(".") for path in case.row.paths]
    sources = {stem for stem, _, ending in parts if ending in SOURCES}
    return [float(ending in HEADERS and stem in sources) for stem, _, ending in parts]


def data_file(case: Case) -> list[float]:
    """Whether it is written in a language of data."""
    return [float(path.rpartition(".")[2].lower() in DATA) for path in case.row.paths]


TRIALS: dict[str, tuple[Trial, int]] = {  # with the sign of the weight
    "first words": (first_words, 1),
    "first word": (first_word, 1),
    "coverage": (coverage, 1),
    "rarest word": (rarest_word, 1),
    "initials": (initials, 1),
    "header": (header, -1),
    "data file": (data_file, -1),
}


def cases_of(rows: Sequence[Row]) -> list[Case]:
    """The rows with their names read; a project's folder is what all its paths share."""
    folders: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        folders[row.part].update(path.rpartition("/")[0] for path in row.paths)
    roots = {part: commonpath(own) if "" not in own else "" for part, own in folders.items()}
    return [_case(row, roots[row.part]) for row in rows]


def _case(row: Row, root: str) -> Case:
    question = question_of(Query(row.question, Text(row.question), Scope(), 1, 1))
    meeting = Meeting(question.words, project_roots(row.part, root))
    return Case(row, meeting, [path_names(path, root) for path in row.paths])


def _with(case: Case, trial: Trial) -> Row:
    column = np.array(list(trial(case)), dtype=np.float32).reshape(-1, 1)
    return replace(case.row, values=np.concatenate([case.row.values, column], axis=1))


def main() -> None:
    """Try each."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("features", type=Path, nargs="+")
    parser.add_argument("--only", nargs="*", default=list(TRIALS), choices=list(TRIALS))
    given = parser.parse_args()
    read_all = [read(path) for path in given.features]
    start = list(read_all[0][0])
    cases = cases_of(tuning(row for _, rows in read_all for row in rows))
    names = [name for name in start if name not in FIXED and name not in NEVER]
    whole = cross_validated([case.row for case in cases], names, start)
    print("without:", " ".join(f"{key} {value:.4f}" for key, value in whole.items()))
    for name in given.only:
        trial, sign = TRIALS[name]
        WEIGHTS[name] = sign
        rows = [_with(case, trial) for case in cases]
        weight = fitted(rows, [*names, name], [*start, name])[name]
        more = cross_validated(rows, [*names, name], [*start, name])
        change = " ".join(f"{key} {1000 * (more[key] - whole[key]):+.1f}" for key in whole)
        print(f"{name:14} weight {weight:5.2f}  {change}", flush=True)


if __name__ == "__main__":
    main()
