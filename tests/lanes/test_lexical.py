"""The lexical lane: what it stores of a chunk, what it asks, and what it says about that."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.errors import SettingError
from plait.lanes.lexical import (
    JOINED_WEIGHT,
    MAX_TERMS,
    QUESTION_WORD_WEIGHT,
    SPELLING_WEIGHT,
    FieldWeights,
    Lexical,
)
from plait.lanes.tokens import question_terms
from plait.stores.embedded.store import EmbeddedStore
from plait.types import (
    And,
    Change,
    Chunk,
    ChunkId,
    Entry,
    Excerpt,
    Expression,
    Field,
    Not,
    Or,
    Phrase,
    Query,
    Repos,
    Scope,
    SourceFile,
    Span,
    Statistics,
    Symbol,
    Tag,
    Term,
    Text,
)
from plait.types.notes import Note


class Dictionary:
    """The part of a snapshot that knows words."""

    def __init__(self, words: str) -> None:
        self._words = Counter(words.split())

    def count(self, wanted: Sequence[Expression], repos: Repos = None) -> Sequence[int]:
        del repos
        return [self._words[one.text] for one in wanted if isinstance(one, Term)]

    def statistics(self, repos: Repos = None) -> Statistics:
        raise AssertionError("no lane needs it")

    def spellings(self, term: str, limit: int, repos: Repos = None) -> Sequence[str]:
        del repos
        near = [word for word in self._words if word[0] == term[0] and word != term]
        return [word for word in near if abs(len(word) - len(term)) <= 1][:limit]


def asked(
    wanted: Expression, words: str = "", lane: Lexical | None = None
) -> tuple[Expression, tuple[str, ...]]:
    """What a lane makes of an expression over an index of these words, and its notes."""
    notes: list[Note] = []
    return (lane or Lexical()).analysed(wanted, Dictionary(words), notes), tuple(notes)


def leaves(wanted: Expression) -> Iterator[Expression]:
    match wanted:
        case And(parts) | Or(parts):
            for part in parts:
                yield from leaves(part)
        case Not(part):
            yield from leaves(part)
        case _:
            yield wanted


# ---------------------------------------------------------------- what is stored

SYMBOL = Symbol(
    "load", "function", Span(1, 2), "Shop", Excerpt(0, 9, "def load"), Excerpt(0, 7, '"Reads"')
)
CHUNK = Chunk(
    ChunkId("repo", "src/shop.py", 0), "python", Span(1, 2), Excerpt(0, 4, "body"), SYMBOL
)


def test_the_words_of_a_chunk_are_its_fields_by_weight() -> None:
    terms = Lexical(FieldWeights(body=1, name=2, path=3)).terms(CHUNK)
    counts = Counter(terms[Field.WORDS].split())

    assert counts == {"bodi": 1, "shop": 2 + 3, "load": 2, "src": 3, "py": 3}
    assert terms[Field.NAME] == "shop load"


def test_signature_and_docstring_count_if_they_are_given_weight() -> None:
    weights = FieldWeights(body=0, name=0, path=0, signature=2, docstring=3)
    counts = Counter(Lexical(weights).terms(CHUNK)[Field.WORDS].split())

    assert counts == {"def": 2, "load": 2, "read": 3}


def test_only_the_chunk_that_defines_a_symbol_is_found_by_its_name() -> None:
    terms = Lexical().terms(CHUNK._replace(part=1))

    assert terms[Field.NAME] == ""
    assert "load" not in terms[Field.WORDS].split()


def test_pairs_are_stored_only_on_request() -> None:
    chunk = CHUNK._replace(body=Excerpt(0, 11, "open a file"))

    assert Field.PAIRS not in Lexical().terms(chunk)
    assert Lexical(bigrams=True).terms(chunk)[Field.PAIRS] == "open_a a_file"


@pytest.mark.parametrize("field", ["body", "name", "path", "signature", "docstring"])
@pytest.mark.parametrize("weight", [-1, 11])
def test_an_impossible_weight_is_refused(field: str, weight: int) -> None:
    with pytest.raises(SettingError, match=f"'{field}' must be 0 to 10, got {weight}"):
        FieldWeights(**{field: weight})


def test_every_setting_that_changes_terms_changes_the_analysis() -> None:
    lanes = [
        Lexical(),
        Lexical(bigrams=True),
        *(Lexical(FieldWeights(**{name: 5})) for name in FieldWeights.__slots__),
    ]

    assert len({lane.analysis for lane in lanes}) == len(lanes)
    assert Lexical().analysis == Lexical(FieldWeights()).analysis


# ---------------------------------------------------------------- what is asked


def test_free_text_becomes_any_of_its_terms() -> None:
    wanted, notes = asked(Text("delete or Users"), "delet user")

    assert isinstance(wanted, Or)
    assert wanted.parts[:2] == (Term("delet", word="delete"), Term("user", word="Users"))
    assert notes == ()


def test_adjacent_words_are_also_looked_for_as_one_identifier_and_count_less() -> None:
    chunk = CHUNK._replace(body=Excerpt(0, 14, "priority_queue"))
    stored = Lexical().terms(chunk)[Field.WORDS].split()
    wanted, notes = asked(Text("a priority Queue"), "prioriti queue")

    assert isinstance(wanted, Or)
    assert wanted.parts[2:] == (Term("priorityqueue", weight=JOINED_WEIGHT, word="priority Queue"),)
    assert "priorityqueue" in stored
    assert notes == ()


def test_a_question_word_counts_less_than_a_telling_one() -> None:
    wanted, _ = asked(Text("where are files saved"), "save file")

    assert isinstance(wanted, Or)
    assert wanted.parts[:2] == (
        Term("save", word="saved"),
        Term("file", weight=QUESTION_WORD_WEIGHT, word="files"),
    )


def test_a_question_of_nothing_but_question_words_counts_them_in_full() -> None:
    wanted, _ = asked(Text("find it"), "find")

    assert wanted == Or((Term("find", word="find"),))


def test_words_that_count_less_exclude_nothing() -> None:
    wanted, _ = asked(Not(Text("save files")), "save file")

    assert wanted == Not(Or((Term("save", word="save"),)))


def test_only_text_and_phrases_are_analysed() -> None:
    kept = (Tag("lang", "go"), Term("as it is"))
    wanted, _ = asked(And((Text("users"), Phrase("the Users"), *kept)), "user")

    assert wanted == And(
        (Or((Term("user", word="users"),)), Phrase("the Users", ("the", "user")), *kept)
    )


def test_text_without_a_word_asks_for_nothing() -> None:
    assert asked(Text("-> !="))[0] == Or(())


def test_a_word_nobody_wrote_is_looked_for_in_other_spellings() -> None:
    wanted, notes = asked(Text("reqest"), "request requests other")

    assert wanted == Or(
        (
            Term("reqest", word="reqest"),
            Term("request", weight=SPELLING_WEIGHT, word="reqest"),
        )
    )
    assert notes == ('no chunk has "reqest"; also looked for "request"',)


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("cat", "short"),
        ("user", "known"),
        ("abc1def2", "not a word"),
        ("usre_naem", "its parts speak for it"),
    ],
)
def test_what_is_not_guessed_at(typed: str, why: str) -> None:
    wanted, notes = asked(Text(typed), "user users cats usrename naems")

    assert notes == (), why
    assert all(isinstance(leaf, Term) and leaf.weight == 1 for leaf in leaves(wanted)), why


def test_what_must_not_be_there_is_never_guessed_at() -> None:
    wanted, notes = asked(And((Text("user"), Not(Text("reqest")))), "user request")

    assert notes == ()
    assert wanted == And(
        (Or((Term("user", word="user"),)), Not(Or((Term("reqest", word="reqest"),))))
    )


def test_a_pasted_page_asks_for_no_more_than_its_first_terms() -> None:
    wanted, _ = asked(Text(" ".join(f"w{n}x" for n in range(500))))

    assert len(list(leaves(wanted))) == MAX_TERMS


def test_pairs_are_asked_for_if_they_are_indexed() -> None:
    wanted, _ = asked(Text("open a file handle quickly"), "", Lexical(bigrams=True))
    made = [leaf for leaf in leaves(wanted) if isinstance(leaf, Term) and leaf.field is Field.PAIRS]

    assert [term.text for term in made] == ["open_quick"]
    assert made[0].weight < 1


@given(st.text())
def test_any_text_can_be_asked(text: str) -> None:
    wanted, notes = asked(And((Text(text), Not(Text(text)), Phrase(text))))

    assert not any(isinstance(leaf, Text) for leaf in leaves(wanted))
    assert notes == ()


# ---------------------------------------------------------------- against a slow obvious BM25

K1, B = 1.2, 0.75
VOCABULARY = "read write open close user order price total find load save key value list".split()


def corpus(count: int) -> list[Change]:
    rng = random.Random(7)
    lane = Lexical()
    changes = []
    for number in range(count):
        rng.shuffle(VOCABULARY)
        text = " ".join(rng.choices(VOCABULARY[:6], k=rng.randrange(3, 80)))
        path = f"{rng.choice(VOCABULARY)}/{number:03d}.txt"
        file = SourceFile("repo", path, "", text.encode(), str(number))
        chunk = Chunk(ChunkId("repo", path, 0), "", Span(1, 1), Excerpt(0, len(text), text))
        changes.append(Change("repo", path, file, (Entry(chunk, lane.terms(chunk)),)))
    return changes


def bm25(changes: Sequence[Change], question: str) -> Mapping[ChunkId, float]:
    """Every document's score, as the formula is printed."""
    documents = {c.entries[0].chunk.id: c.entries[0].terms[Field.WORDS].split() for c in changes}
    average = sum(map(len, documents.values())) / len(documents)
    scores = dict.fromkeys(documents, 0.0)
    for term, _ in question_terms(question):
        having = sum(term in row for row in documents.values())
        rarity = math.log(1 + (len(documents) - having + 0.5) / (having + 0.5))
        for key, row in documents.items():
            often = row.count(term)
            length = 1 - B + B * len(row) / average
            scores[key] += rarity * often * (K1 + 1) / (often + K1 * length)
    return {key: score for key, score in scores.items() if score}


@pytest.mark.parametrize("question", ["read users", "order price total", "save", "key value list"])
def test_the_ranking_is_that_of_a_slow_obvious_bm25(question: str, tmp_path: Path) -> None:
    changes = corpus(60)
    store = EmbeddedStore(tmp_path, Lexical().analysis)
    store.commit(changes)
    snapshot = store.snapshot()
    hits = Lexical().ask(Query(question, Text(question)), snapshot).ranking(100).hits
    expected = bm25(changes, question)

    assert {hit.chunk for hit in hits} == set(expected)
    row = [expected[hit.chunk] for hit in hits]
    for n, score in enumerate(row):  # lengths are stored in one byte, so near ties may swap
        assert all(later < score * 1.01 for later in row[n + 1 :])
    snapshot.close()


def test_a_scope_is_applied_before_the_top_is_cut(tmp_path: Path) -> None:
    store = EmbeddedStore(tmp_path, Lexical().analysis)
    store.commit(corpus(60))
    snapshot = store.snapshot()
    query = Query("read", Text("read"), Scope(paths=("*/059.txt",)))
    found = Lexical().ask(query, snapshot).ranking(1)

    assert {hit.chunk.path[-7:] for hit in found.hits} <= {"059.txt"}
    snapshot.close()
