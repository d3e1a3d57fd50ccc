"""Batches: pairs drawn at random, their questions varied as people vary them.

Rare languages are drawn more often than their number says, kinds by their worth; most batches
are of one language, so that none is told apart by its keywords. A question is the comment as it
stands or, part of the time, in the words of one who searches; some lose words, some gain the
name of the language.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, diags

from plait.models.static import LEAD_PIECES
from plait.models.wordpiece import WordPieces
from training.model import Fields
from training.recipe import Recipe
from training.rows import Ragged, beginnings, packed, weighed
from training.texts import Texts
from training.vocabulary import in_pieces
from training.write import KINDS

ASKED_AS = {"cpp": "c++ cpp", "csharp": "c# csharp", "javascript": "javascript js"}
FRAMES = ("{}", "in {}", "how to in {}", "how to", "{} code to", "using {}", "{} function")


class Batch(NamedTuple):
    """Row i of the questions belongs to row i of the functions."""

    pairs: NDArray[np.int64]
    questions: csr_matrix
    functions: Fields


class Pool:
    """All pairs as rows of token weights, and the chance of each to be drawn."""

    def __init__(self, texts: Texts, pieces: WordPieces, recipe: Recipe) -> None:
        self._recipe = recipe
        size = pieces.size
        of_words = packed(map(pieces.ids, texts.words))
        rows = {name: in_pieces(field, of_words) for name, field in texts.fields.items()}
        self.share = shares(rows["code"], rows["query"], size)
        self._code = weighed(rows["code"], size)
        self._names = weighed(rows["name"], size)
        self._leads = weighed(beginnings(rows["code"], LEAD_PIECES), size)
        self._comments = weighed(rows["query"], size)
        self._questions = weighed(rows["question"], size)
        self._named = texts.kind == KINDS.index("name")
        self._languages = texts.language
        self._frames = weighed(packed(map(pieces.ids, _framed(texts.languages))), size)
        self.chances = _chances(texts, recipe.kinds)
        self._sums = np.cumsum(self.chances)
        self._spoken = [np.flatnonzero(texts.language == at) for at in range(len(texts.languages))]
        heard = np.array([self.chances[pairs].sum() for pairs in self._spoken])
        heard[[len(pairs) < recipe.enough for pairs in self._spoken]] = 0
        self._heard = heard / heard.sum()

    def draw(self, random: np.random.Generator) -> Batch:
        """A batch, of all pairs or of those of one language."""
        sums, within = self._sums, None
        if random.random() < self._recipe.one_language:
            within = self._spoken[random.choice(len(self._spoken), p=self._heard)]
            sums = np.cumsum(self.chances[within])
        found = np.searchsorted(sums, random.random(self._recipe.batch) * sums[-1])
        found = np.unique(np.minimum(found, len(sums) - 1))
        pairs = found if within is None else within[found]
        nameless = random.random(len(pairs)) < self._recipe.nameless
        return Batch(pairs, self._asked(pairs, random), self.functions(pairs, nameless))

    def __len__(self) -> int:
        return len(self.chances)

    def functions(self, pairs: NDArray[np.int64], nameless: NDArray[np.bool_]) -> Fields:
        """The functions of pairs, some without their name as a field."""
        name = self._names[pairs]
        named = self._named[pairs]
        # A function that is asked for by its name must be found without it.
        hidden = _scaled(name, named).astype(bool)
        return Fields(
            text=_without(self._code[pairs], hidden),
            name=_scaled(name, ~(named | nameless)),
            lead=_without(self._leads[pairs], hidden),
        )

    def _asked(self, pairs: NDArray[np.int64], random: np.random.Generator) -> csr_matrix:
        recipe, count = self._recipe, len(pairs)
        short = random.random(count) < recipe.as_question
        asked = _scaled(self._comments[pairs], ~short) + _scaled(self._questions[pairs], short)
        losing = random.random(count) < recipe.losing
        owners = np.repeat(np.arange(count), np.diff(asked.indptr))
        kept = ~losing[owners] | (random.random(len(owners)) >= recipe.lost)
        asked.data = asked.data * kept
        framed = random.random(count) < np.where(short, recipe.framed_question, recipe.framed)
        frame = self._languages[pairs].astype(np.int64) * len(FRAMES)
        frame += random.integers(len(FRAMES), size=count)
        asked = asked + _scaled(self._frames[frame], framed)
        asked.eliminate_zeros()
        return asked.tocsr()


def shares(code: Ragged, comments: Ragged, size: int) -> NDArray[np.float64]:
    """How large a part of all tokens each is; comments and code count alike."""
    parts = [
        np.bincount(each.ids, minlength=size) / max(len(each.ids), 1) for each in (code, comments)
    ]
    return np.asarray((parts[0] + parts[1]) / 2)


def _scaled(rows: csr_matrix, by: NDArray[np.generic]) -> csr_matrix:
    scaled = diags(by.astype(np.float32)) @ rows
    scaled.eliminate_zeros()
    return scaled


def _without(rows: csr_matrix, hidden: csr_matrix) -> csr_matrix:
    kept = rows - rows.multiply(hidden)
    kept.eliminate_zeros()
    return kept.tocsr()


def _framed(languages: list[str]) -> list[str]:
    return [
        frame.format(ASKED_AS.get(language, language)) for language in languages for frame in FRAMES
    ]


def _chances(texts: Texts, kinds: Mapping[str, float]) -> NDArray[np.float64]:
    worth = np.array([kinds[kind] for kind in KINDS])[texts.kind]
    by_language = np.bincount(texts.language, weights=worth, minlength=len(texts.languages))
    return np.asarray(worth / np.sqrt(by_language[texts.language]))
