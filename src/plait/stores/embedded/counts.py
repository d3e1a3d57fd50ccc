"""Counts: how much a generation holds, in all its repositories or in some."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tantivy import Searcher

from plait.stores.embedded.layer import Layer, Totals
from plait.stores.embedded.manifest import Manifest
from plait.stores.embedded.word_search import WordSearch
from plait.stores.embedded.words import looked_up
from plait.stores.properties import common_folder
from plait.types import Expression, Field, Repos, Scope, Statistics, Term

MAX_KEPT = 64  # sets of repositories whose files are remembered


class Counts:
    """What was counted of one generation; it never changes, so what is dear is kept."""

    def __init__(
        self, manifest: Manifest, layers: Sequence[Layer], searcher: Searcher, words: WordSearch
    ) -> None:
        self._manifest = manifest
        self._layers = layers
        self._searcher = searcher
        self._words = words
        self._has_dead = any(name.endswith(".del") for name in manifest.files)
        self._files: dict[frozenset[str], list[list[int]]] = {}
        self._statistics: dict[frozenset[str], Statistics] = {}
        self._roots: dict[str, str] = {}

    def chunks(self, wanted: Expression, repos: Repos) -> int:
        """How many chunks satisfy an expression."""
        is_all = self._is_all(repos)
        term = looked_up(wanted)
        if term is not None:
            counted = self._searcher.doc_freq(*term)
            if counted == 0 or (is_all and not self._has_dead):
                return counted  # the dictionary still counts what was removed
        return self._words.count(wanted, Scope(repos=None if is_all else repos))

    def words(self, words: Sequence[str], repos: Repos) -> list[int]:
        """In how many chunks each of many words occurs, most of them in none."""
        doc_freq, name = self._searcher.doc_freq, Field.WORDS.value
        counted = [doc_freq(name, word) for word in words]
        if self._is_all(repos) and not self._has_dead:
            return counted
        return [
            self.chunks(Term(word), repos) if count else 0
            for word, count in zip(words, counted, strict=True)
        ]

    def files_of(self, repos: Repos) -> list[list[int]] | None:
        """By layer, the rows of the files of some repositories; None for all that are alive."""
        if repos is None or self._is_all(repos):
            return None
        known = self._files.get(repos)
        if known is None:
            if len(self._files) >= MAX_KEPT:
                self._files.clear()
            known = self._files[repos] = [layer.files_of(repos) for layer in self._layers]
        return known

    def statistics(self, repos: Repos) -> Statistics:
        """Counts and sizes; of the index itself only for the whole."""
        manifest, files = self._manifest, self.files_of(repos)
        if repos is None or files is None:
            return Statistics(
                **manifest.totals,
                index_bytes=sum(size for size, _ in manifest.files.values()),
                languages=dict(sorted(manifest.languages.items())),
            )
        if repos not in self._statistics:
            if len(self._statistics) >= MAX_KEPT:
                self._statistics.clear()
            self._statistics[repos] = self._summed(files)
        return self._statistics[repos]

    def root(self, repo: str) -> str:
        """The folder in which all files of a repository are; "" for its own."""
        if repo not in self._roots:
            self._roots[repo] = self._common_folder(repo)
        return self._roots[repo]

    def _is_all(self, repos: Repos) -> bool:
        return repos is None or repos.issuperset(self._manifest.repos)

    def _summed(self, files: Sequence[Sequence[int]]) -> Statistics:
        totals, languages = Totals(0, 0, 0, 0), Counter[str]()
        for layer, rows in zip(self._layers, files, strict=True):
            for row in rows:
                totals = Totals(*map(sum, zip(totals, layer.totals(row), strict=True)))
                languages[layer.facts(row).language or "text"] += 1
        return Statistics(*totals, index_bytes=0, languages=dict(sorted(languages.items())))

    def _common_folder(self, repo: str) -> str:
        common: str | None = None
        files = self.files_of(frozenset({repo}))
        for at, layer in enumerate(self._layers):
            for row in layer.file_rows() if files is None else files[at]:
                path = layer.file_key(row)[1]
                common = common_folder(path if common is None else f"{common}/", path)
                if not common:
                    return ""  # soon, where any file lies beside the folders
        return common or ""
