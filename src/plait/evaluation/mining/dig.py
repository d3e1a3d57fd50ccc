"""Dig: what candidates changed, and what of it still stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from plait.beneath import Refused
from plait.evaluation.mining.cases import Options
from plait.evaluation.mining.corpus import Corpus
from plait.evaluation.mining.definitions import Blob, DefinitionCache
from plait.evaluation.mining.diffs import FileDiff, read_diffs
from plait.evaluation.mining.history import Commit, Touched
from plait.evaluation.mining.truth import (
    Changed,
    Truth,
    Version,
    changed,
    is_telling,
    needs_before,
    truth_of,
)
from plait.sources.blobs import Blobs
from plait.sources.classify import as_utf8
from plait.sources.secrets.masking import masked
from plait.sources.selection import MAX_BYTES
from plait.types import SourceFile

Key = tuple[str, str]  # a blob and the language to read it in
BATCH = 32  # commits whose files are parsed together, so that no worker waits
UNREADABLE = Truth(reason="unreadable")


class Candidate(NamedTuple):
    """A commit that may become a case, and the files of code it touched that still stand."""

    commit: Commit
    standing: tuple[Touched, ...]


class Digger:
    """Reads what candidates changed and finds out what of it still stands."""

    def __init__(
        self, corpus: Corpus, blobs: Blobs, definitions: DefinitionCache, options: Options
    ) -> None:
        self._corpus = corpus
        self._blobs = blobs
        self._definitions = definitions
        self._options = options

    def truths(self, repo: Path, candidates: dict[str, Candidate]) -> Iterator[tuple[str, Truth]]:
        """Every candidate with its right answers, in order."""
        diffs = read_diffs(repo, list(candidates))
        while batch := list(islice(diffs, BATCH)):
            paired = {
                id_: list(_paired(candidates[id_].standing, found))
                for id_, found in batch
                if found is not None
            }
            files = [pair for pairs in paired.values() for pair in pairs]
            self._read(key for pair in files for key in self._later(*pair))
            self._read(self._before(*pair) for pair in files)
            for id_, _ in batch:
                yield id_, self._truth(paired[id_]) if id_ in paired else UNREADABLE

    def _truth(self, paired: Sequence[tuple[str, FileDiff]]) -> Truth:
        changes: list[Changed] = []
        now: dict[str, Version] = {}
        for path, diff in paired:
            file = self._file(path)
            after, current = (self._definitions[key] for key in self._later(path, diff))
            key = self._before(path, diff)
            before = self._definitions[key] if key[0] else None
            if after.was_lost or current.was_lost or (before and before.was_lost):
                return UNREADABLE
            changes.append(changed(path, file.language, diff, before, after))
            now[path] = Version(current, file.content)
        truth = truth_of(changes, now, self._options.max_symbols)
        return truth if truth.files or truth.reason else Truth(reason="nothing left")

    def _later(self, path: str, diff: FileDiff) -> list[Key]:
        """The version the commit left and the one that is searched."""
        language = self._file(path).language
        is_changed = any(map(is_telling, (*diff.removed, *diff.added)))
        current = self._corpus.blobs[path] if is_changed else ""
        return [(diff.after if is_changed else "", language), (current, language)]

    def _before(self, path: str, diff: FileDiff) -> Key:
        """The version the commit found, if it has to be looked at."""
        after, _ = self._later(path, diff)
        is_needed = needs_before(diff, self._definitions[after])
        return (diff.before if is_needed else "", after[1])

    def _file(self, path: str) -> SourceFile:
        file = self._corpus.file(path)
        assert file is not None  # what is gone is no candidate
        return file

    def _read(self, wanted: Iterable[Key]) -> None:
        """Have the versions that are not known yet parsed."""
        unknown = [key for key in dict.fromkeys(wanted) if key not in self._definitions]
        self._definitions.read(self._blob(*key) for key in unknown)

    def _blob(self, id_: str, language: str) -> Blob:
        content = b""
        raw = self._blobs.read(id_, MAX_BYTES) if id_ else None
        with suppress(Refused):  # not text, or too large: nothing is defined in it
            content = masked(as_utf8(raw or b"")).text
        return Blob(id_, language, content)


def _paired(
    standing: Sequence[Touched], diffs: Sequence[FileDiff]
) -> Iterator[tuple[str, FileDiff]]:
    """Each file with its diff; one that only moved, or changed in white space, has none."""
    exact = {(diff.before, diff.after): diff for diff in diffs}
    moved = {diff.after: diff for diff in diffs}
    for file in standing:
        diff = exact.get((file.before, file.after))
        if diff is None and not file.before:
            diff = moved.get(file.after)
        yield file.path, diff or FileDiff(file.before, file.after, [], [])
