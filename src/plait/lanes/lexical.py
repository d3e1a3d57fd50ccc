"""The lexical lane: chunks are found by the words in them.

What it stores: one field of words per chunk, in which the body counts once and the path
and the symbol's name count more. Blending the fields by repetition, instead of asking
each one, keeps a query as cheap as the bare engine's (the engine can skip blocks only in
one flat disjunction) and saturates a word's weight over all fields together.

What it asks: any of the question's telling words, ranked by BM25; a word the index does not
know is looked for in other spellings, and the ranking says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise
from math import inf

from plait.errors import SettingError
from plait.expressions import alternatives, mapped, wanted_leaves
from plait.lanes import tokens
from plait.types import (
    Chunk,
    ChunkId,
    Counting,
    Expression,
    Field,
    Or,
    Phrase,
    Query,
    Ranking,
    Reason,
    Snapshot,
    Term,
    Text,
)
from plait.types.notes import SPELLING, Note
from plait.words import IDENTIFIER, split

SPELLING_WEIGHT = 0.5  # a guessed spelling counts half of a word that was typed
SPELLINGS = 3
MIN_SPELLING = 4  # shorter words have too many neighbours
PAIR_WEIGHT = 0.4
QUESTION_WORD_WEIGHT = 0.75  # "file" may be wrapped around what is looked for, or be it
JOINED_WEIGHT = 0.2  # "priority queue" as priority_queue; rare, so it counts enough
MAX_TERMS = 64  # of one query; what a pasted page adds beyond that changes no ranking


@dataclass(frozen=True, slots=True)
class FieldWeights:
    """How often each field counts among a chunk's words; 0 leaves it out.

    Signature and docstring are part of the body already; weighting them again was measured
    to lose (signature x1 -0.007 nDCG, docstring x1 -0.011), the path x2 +0.03, the name x2 +0.003.
    """

    body: int = 1
    name: int = 2
    path: int = 2
    signature: int = 0
    docstring: int = 0

    def __post_init__(self) -> None:
        for field in ("body", "name", "path", "signature", "docstring"):
            if not 0 <= getattr(self, field) <= 10:
                raise SettingError(
                    f"the weight of field {field!r} must be 0 to 10, got {getattr(self, field)}"
                )


@lru_cache(maxsize=4096)
def _path_terms(analyser: tokens.Analyser, path: str) -> str:
    return analyser.analyse(path)


@lru_cache(maxsize=65_536)
def _terms_with_words(analyser: tokens.Analyser, identifier: str) -> tuple[tuple[str, str], ...]:
    """The terms of an identifier with the part of it that each stands for."""
    parts = {analyser.analyse(part): part for part in split(identifier)}
    return tuple(
        (term, parts.get(term, identifier)) for term in analyser.analyse(identifier).split()
    )


@dataclass(frozen=True, slots=True)
class Lexical:
    """The lane of words.

    Args:
        weights: How much each field counts.
        bigrams: Whether adjacent words are indexed and asked for too.
        stemming: Whether words are reduced to their stems.
        identifiers: What a compound identifier gives: ``both`` its parts and itself, or one.
        spelling: Whether a word the index does not know is looked for in other spellings.
    """

    weights: FieldWeights = FieldWeights()
    bigrams: bool = False
    stemming: bool = True
    identifiers: str = tokens.BOTH
    spelling: bool = True

    def __post_init__(self) -> None:
        tokens.analyser(self.stemming, self.identifiers)  # refuses what it does not know

    @property
    def name(self) -> str:
        return "lexical"

    def waits(self, snapshot: Snapshot) -> bool:
        """Whether the words are kept elsewhere."""
        return snapshot.is_remote

    @property
    def analysis(self) -> str:
        """What an index must have been built with to be asked by this lane.

        The number is raised when words are made otherwise, or of chunks that are cut otherwise.
        """
        w = self.weights
        return (
            f"words-2 body={w.body} name={w.name} path={w.path} signature={w.signature} "
            f"docstring={w.docstring} pairs={int(self.bigrams)} stemming={int(self.stemming)} "
            f"identifiers={self.identifiers}"
        )

    @property
    def _analyser(self) -> tokens.Analyser:
        return tokens.analyser(self.stemming, self.identifiers)

    def terms(self, chunk: Chunk) -> Mapping[Field, str]:
        """What is stored of a chunk: the document half."""
        weights, symbol = self.weights, chunk.symbol
        analyser = self._analyser
        analyse = analyser.analyse
        body = analyse(chunk.text)
        path = _path_terms(analyser, chunk.path)
        name = analyse(symbol.qualified_name) if symbol and chunk.part == 0 else ""
        words = [body] * weights.body + [path] * weights.path + [name] * weights.name
        if symbol and weights.signature:
            words += [analyse(symbol.signature.text)] * weights.signature
        if symbol and weights.docstring:
            words += [analyse(symbol.docstring.text)] * weights.docstring
        fields = {Field.WORDS: " ".join(words), Field.NAME: name}
        if self.bigrams:
            fields[Field.PAIRS] = tokens.pairs(body)
        return fields

    def terms_with_words(self, text: str) -> Iterator[tuple[str, str]]:
        """The terms of a text, each with the word it stands for, as they come."""
        for identifier in dict.fromkeys(IDENTIFIER.findall(text)):
            yield from _terms_with_words(self._analyser, identifier)

    def terms_in(self, text: str) -> list[str]:
        """The distinct terms under which a text is found, in order."""
        return list(dict.fromkeys(self._analyser.analyse(text).split()))

    def parts_in(self, text: str) -> list[str]:
        """The lower-cased words that the names of a text are made of, in order."""
        return split(text)

    def ask(self, query: Query, snapshot: Snapshot, until: float = inf) -> AskedWords:
        """Put a query to the words of a snapshot: the question half."""
        notes: list[Note] = []
        wanted = self.analysed(query.wanted, snapshot, notes)
        return AskedWords(query, wanted, snapshot, tuple(notes), until)

    def analysed(
        self, wanted: Expression, snapshot: Counting, notes: list[Note] | None = None
    ) -> Expression:
        """The expression with its free text replaced by terms the index knows."""
        return mapped(
            wanted,
            lambda leaf: self._analysed(leaf, snapshot, notes),
            # What must not be there must not be guessed at.
            excluded=lambda leaf: self._analysed(leaf, snapshot, None),
            any_of=_one_list,
        )

    def _analysed(
        self, leaf: Expression, snapshot: Counting, notes: list[Note] | None
    ) -> Expression:
        match leaf:
            case Text(text):
                return Or(tuple(self._terms_of(text, snapshot, notes)))
            case Phrase(text):
                return Phrase(text, tuple(self.terms_in(text)))
            case _:
                return leaf

    def _terms_of(self, text: str, snapshot: Counting, notes: list[Note] | None) -> Iterator[Term]:
        pairs = self._analyser.question_terms(text)[:MAX_TERMS]
        looked = {t for t, _ in pairs if len(t) >= MIN_SPELLING and t.isalpha()}
        is_guessed = self.spelling and notes is not None
        counts = _counted(sorted(looked), snapshot) if is_guessed else {}
        for term, word in pairs:
            yield Term(term, word=word)
            if notes is None or counts.get(term, 1):
                continue
            if len(split(word)) > 1:
                continue  # an identifier as a whole; its parts speak for it
            near = snapshot.spellings(term, SPELLINGS)
            if near:
                known = ", ".join(f'"{spelling}"' for spelling in near)
                told = f'no chunk has "{word}"; also looked for {known}'
                notes.append(Note(SPELLING, told))
                yield from (Term(other, weight=SPELLING_WEIGHT, word=word) for other in near)
        if notes is not None:
            room = MAX_TERMS - len(pairs)
            yield from islice(self._lesser_terms(text, {term for term, _ in pairs}), room)
        if self.bigrams:
            row = [term for term, _ in pairs]
            for left, right in pairwise(row):
                yield Term(f"{left}_{right}", Field.PAIRS, PAIR_WEIGHT, f"{left} {right}")

    def _lesser_terms(self, text: str, known: set[str]) -> Iterator[Term]:
        """What counts less than a telling word: question words, and words joined to a name."""
        analyser = self._analyser
        faint, joined = analyser.faint_terms(text), analyser.joined_terms(text)
        for weight, terms in ((QUESTION_WORD_WEIGHT, faint), (JOINED_WEIGHT, joined)):
            for term, word in terms:
                if term not in known:
                    known.add(term)
                    yield Term(term, weight=weight, word=word)


@dataclass(frozen=True, slots=True)
class AskedWords:
    """A query as the lexical lane understood it."""

    query: Query
    wanted: Expression
    snapshot: Snapshot
    notes: tuple[Note, ...]
    until: float = inf

    @property
    def roots(self) -> Sequence[str]:
        """The stems of the terms, less a last letter that stemming may have changed."""
        return [term[:-1] if term[-1] in "ie" else term for term in _wanted_terms(self.wanted)]

    def ranking(self, limit: int) -> Ranking:
        """The best chunks by their words."""
        found = self.snapshot.match(self.wanted, self.query.scope, limit, self.until)
        return Ranking("lexical", found.hits, self.notes + found.notes, found.is_partial)

    def reasons(self, ids: Sequence[ChunkId]) -> Mapping[ChunkId, Reason]:
        """Each chunk's score, down to the term."""
        return self.snapshot.explain(self.wanted, ids)


def _counted(terms: Sequence[str], snapshot: Counting) -> dict[str, int]:
    """In how many chunks each of these words occurs."""
    if not terms:
        return {}
    return dict(zip(terms, snapshot.count([Term(term) for term in terms]), strict=True))


def _one_list(parts: Iterable[Expression]) -> Expression:
    """Alternatives without alternatives of alternatives: the engine is quickest with one list.

    A term that is said twice counts twice, so this is not their normal form.
    """
    return Or(tuple(one for part in parts for one in alternatives(part)))


def _wanted_terms(wanted: Expression) -> Iterator[str]:
    for leaf in wanted_leaves(wanted):
        match leaf:
            case Term(text):
                yield text
            case Phrase(terms=terms):
                yield from terms
