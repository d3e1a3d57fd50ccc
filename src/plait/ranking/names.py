"""Names: the words of file and folder names, in a form in which a question's words meet them.

``autodetector`` and "detected", ``cfg`` and "configuration", ``parser`` and "parsing" are to
meet: names are split, abbreviations spelled out, words stemmed, and endings of doers cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from plait.ranking.abbreviations import SPELLED_OUT
from plait.words import Stems, split

MIN_PREFIX = 3  # letters by which one word may begin another
DOER = ("er", "or")
MIN_ROOT = 4  # letters left when the ending of a doer, or a last "e", is cut
FOLDERS_OWN = frozenset({"mod", "lib", "init", "index"})  # they speak for their folder
CACHED = 1 << 16
NOT_IN_NAMES = re.compile(r"[\W_]+")
_stems = Stems(stemming=True)


@lru_cache(maxsize=CACHED)
def root_of(word: str) -> str:
    """What a lower-cased word is compared by."""
    stem = _stems[SPELLED_OUT.get(word, word)]
    if len(stem) > MIN_ROOT and stem.endswith(DOER):
        stem = _stems[stem[:-2]] or stem
        if len(stem) >= MIN_ROOT and stem[-1] == stem[-2]:
            stem = stem[:-1]
    return stem[:-1] if len(stem) > MIN_ROOT and stem.endswith("e") else stem


@lru_cache(maxsize=CACHED)
def roots_of(name: str) -> tuple[str, ...]:
    """The words of a name, as they are compared."""
    return tuple(filter(None, map(root_of, split(name))))


class PathNames(NamedTuple):
    """What the path of a file says."""

    stem: str  # the name that speaks for the file
    stem_roots: tuple[str, ...]
    folders: tuple[str, ...]  # below the folder that holds all files
    folder_roots: tuple[str, ...]
    depth: int  # of folders, those of the stem included


@lru_cache(maxsize=CACHED)
def path_names(path: str, root: str) -> PathNames:
    """The names in a path, below the folder in which all files are."""
    *folders, name = path[len(root) :].lstrip("/").split("/")
    stem, depth = name.partition(".")[0] or name.strip("."), len(folders)
    if stem.lower().strip("_") in FOLDERS_OWN and folders:
        *folders, stem = folders
    roots = tuple(chain.from_iterable(map(roots_of, folders)))
    return PathNames(stem, roots_of(stem), tuple(folders), roots, depth)


@lru_cache(maxsize=CACHED)
def plain(name: str) -> str:
    """A name lower-cased, with nothing but letters and digits."""
    return NOT_IN_NAMES.sub("", name).lower()


def project_roots(repo: str, root: str) -> frozenset[str]:
    """The words of a project's own name: every file is about them."""
    name = repo.rpartition("/")[2]
    whole = (root_of(part) for part in re.split(r"[-.]", name.lower()))
    return frozenset(chain(roots_of(name), whole, roots_of(root.rpartition("/")[2])))


class Meeting:
    """The words of a question, and which of them a word of a name meets."""

    __slots__ = ("_known", "shares", "words")

    def __init__(self, words: Mapping[str, str], ignored: Iterable[str]) -> None:
        """Args:
        words: The roots of a question's words, each with the word as typed.
        ignored: Roots that say nothing here, unless there are no others.
        """
        without = frozenset(ignored)
        self.words = {root: word for root, word in words.items() if root not in without} or words
        whole = sum(1 / place for place in range(1, len(self.words) + 1))
        places = enumerate(self.words, start=1)
        self.shares = {root: 1 / place / whole for place, root in places}  # the n-th counts 1/n
        self._known: dict[str, str] = {}

    def root(self, root: str) -> str:
        """The root of the question that a word of a name is, begins, or begins with; else ""."""
        known = self._known.get(root)
        if known is None:
            known = self._known[root] = self._look(root)
        return known

    def word(self, root: str) -> str:
        """The word of the question that a word of a name meets; "" if none."""
        return self.words.get(self.root(root), "")

    def count(self, roots: Iterable[str]) -> int:
        """How many of these words of a name the question has."""
        return len([root for root in roots if self.root(root)])

    def _look(self, root: str) -> str:
        if root in self.words:
            return root
        if len(root) >= MIN_PREFIX:
            for own in self.words:
                if len(own) >= MIN_PREFIX and (own.startswith(root) or root.startswith(own)):
                    return own
        return ""
