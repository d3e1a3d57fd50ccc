"""In which order chunks come, and why: BM25, ties, and explanations that add up."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plait.types import (
    And,
    Change,
    ChunkId,
    Defines,
    Expression,
    Field,
    Not,
    Or,
    PathLike,
    Pattern,
    Phrase,
    Reason,
    Reference,
    Refers,
    Relation,
    Scope,
    Snapshot,
    Store,
    Tag,
    Term,
)
from tests.contract.conftest import NewStore
from tests.contract.notation import Piece, file, gone, ids, names, piece
from tests.contract.reference import Model

EVERYTHING = 10_000
# Each example opens a store and asks it several questions.
by_law = pytest.mark.parametrize("examples", [12, pytest.param(60, marks=pytest.mark.nightly)])
CLOSE = 0.01  # engines round lengths: scores this near each other may change places


def leaves(reason: Reason) -> Iterator[Reason]:
    """The parts of a reason that have none."""
    if not reason.parts:
        yield reason
    for part in reason.parts:
        yield from leaves(part)


def assert_adds_up(reason: Reason) -> None:
    """Every value is the exact sum of its parts, all the way down."""
    if reason.parts:
        assert reason.value == math.fsum(part.value for part in reason.parts)
    for part in reason.parts:
        assert_adds_up(part)


def assert_explained(snapshot: Snapshot, wanted: Expression, scope: Scope) -> None:
    """What is explained is what was ranked."""
    ranking = snapshot.match(wanted, scope, EVERYTHING)
    reasons = snapshot.explain(wanted, [hit.chunk for hit in ranking.hits])
    assert set(reasons) == {hit.chunk for hit in ranking.hits}
    for hit in ranking.hits:
        reason = reasons[hit.chunk]
        assert_adds_up(reason)
        assert math.isclose(reason.value, hit.score, rel_tol=1e-4, abs_tol=1e-6), wanted


def assert_ordered(snapshot: Snapshot, wanted: Expression, scope: Scope) -> None:
    """Best first, equals by id; a smaller limit gives the beginning of the same list."""
    hits = snapshot.match(wanted, scope, EVERYTHING).hits
    assert list(hits) == sorted(hits, key=lambda hit: (-hit.score, hit.chunk))
    assert len({hit.chunk for hit in hits}) == len(hits)
    for limit in {1, 2, 3, len(hits) // 2, max(len(hits) - 1, 0)}:
        cut = snapshot.match(wanted, scope, limit).hits
        assert [hit.chunk for hit in cut] == [hit.chunk for hit in hits[:limit]]


def assert_follows(found: list[ChunkId], scores: dict[ChunkId, float]) -> None:
    """Nobody stands below a clearly lower score."""
    assert set(found) == set(scores)
    best_below = 0.0
    for key in reversed(found):
        assert scores[key] >= best_below * (1 - CLOSE)
        best_below = max(best_below, scores[key])


# ---------------------------------------------------------------- by example


@pytest.fixture(scope="module")
def foxes(new_store: NewStore) -> Iterator[Snapshot]:
    """Files that are about foxes, more or less."""
    with new_store() as store:
        store.commit(
            [
                file("thrice", "fox fox fox one two three\n"),
                file("once", "fox one two four\n"),
                file("diluted", "fox and a great many words that are not about it at all\n"),
                file("rarity", "rare one two\n"),
                file("common", "one two\n"),
            ]
        )
        yield store.snapshot()


@pytest.fixture(scope="module")
def numbers(new_store: NewStore) -> Iterator[Snapshot]:
    """Files of numbers in words."""
    with new_store() as store:
        rows = {"a": "one two two\n", "b": "one six\n", "c": "one two six\n"}
        store.commit([file(name, text) for name, text in rows.items()])
        yield store.snapshot()


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        pytest.param(Term("fox"), ["thrice", "once", "diluted"], id="oftener-and-shorter-first"),
        pytest.param(Or((Term("fox"), Term("rare"))), ["rarity", "thrice"], id="rarer-first"),
        pytest.param(
            Or((Term("fox"), Term("rare", weight=0.01))), ["thrice", "once"], id="by-weight"
        ),
        pytest.param(Or((Term("rare", weight=9), Term("fox"))), ["rarity"], id="heavier-first"),
        pytest.param(
            And((Term("fox"), Not(Term("three")))), ["once", "diluted"], id="not-scores-nothing"
        ),
        pytest.param(
            Or((Tag("kind", "text"), Term("rare"))),
            ["rarity", "common"],
            id="filters-score-nothing",
        ),
    ],
)
def test_the_best_comes_first(foxes: Snapshot, wanted: Expression, expected: list[str]) -> None:
    assert names(foxes.match(wanted, Scope(), 9))[: len(expected)] == expected


@pytest.mark.parametrize("field", Field, ids=lambda field: field.value)
def test_a_weight_multiplies(store: Store, field: Field) -> None:
    store.commit([file("a.py", piece("one two\n", "one")), file("b.py", "three four\n")])
    term = "one_two" if field is Field.PAIRS else "one"
    snapshot = store.snapshot()
    (plain,) = snapshot.match(Term(term, field), Scope(), 9).hits
    (heavy,) = snapshot.match(Term(term, field, weight=2.5), Scope(), 9).hits

    assert plain.score > 0
    assert heavy.score == pytest.approx(2.5 * plain.score, rel=1e-4)


def test_a_weight_of_nothing_finds_and_earns_nothing(store: Store) -> None:
    store.commit([file("a.py", "one two\n"), file("b.py", "two\n")])
    wanted = Or((Term("one", weight=0.0), Term("two")))

    assert_explained(store.snapshot(), wanted, Scope())
    assert_explained(store.snapshot(), Term("one", weight=0.0), Scope())


@pytest.mark.parametrize(
    "wanted",
    [
        pytest.param(Or((Term("one"), Term("two"), Term("six"))), id="any"),
        pytest.param(And((Term("one"), Term("two"))), id="all"),
        pytest.param(Or((Term("one"), Term("one", weight=2))), id="twice"),
        pytest.param(And((Or((Term("one"), Term("two"))), Not(Term("six")))), id="without"),
        pytest.param(Or((And((Term("one"), Tag("lang", "go"))), Term("two"))), id="nested"),
        pytest.param(Phrase("one two", ("one", "two")), id="phrase"),
        pytest.param(Or((Phrase("one two", ("one", "two")), Term("one"))), id="phrase-or-term"),
        pytest.param(Not(Term("six")), id="nothing-scores"),
    ],
)
def test_a_score_is_the_sum_of_its_reasons(numbers: Snapshot, wanted: Expression) -> None:
    assert_explained(numbers, wanted, Scope())


def test_a_reason_names_its_terms(store: Store) -> None:
    store.commit([file("a.py", "fast one two\n"), file("b.py", "two\n")])
    wanted = Or((Term("fast", word="fastest"), Term("two", weight=0.5), Term("absent")))
    (first, second) = snapshot_ids = ids("a.py", "b.py")
    reasons = store.snapshot().explain(wanted, snapshot_ids)

    labels = [leaf.text for leaf in leaves(reasons[first])]
    assert len(labels) == 2
    assert "fast" in labels[0]
    assert "fastest" in labels[0]
    assert "two" in labels[1]
    assert len(list(leaves(reasons[second]))) == 1


@pytest.mark.parametrize(
    "wanted",
    [
        pytest.param(Term("one"), id="scored"),
        pytest.param(Tag("lang", "python"), id="filtered"),
        pytest.param(And(()), id="everything"),
        pytest.param(Phrase("one"), id="phrase"),
        pytest.param(Phrase("one", ("one",)), id="phrase-with-terms"),
        pytest.param(Pattern("one"), id="pattern"),
        pytest.param(Or((Tag("repo", "a"), Tag("repo", "b"))), id="any"),
    ],
)
@pytest.mark.parametrize("is_late", [False, True], ids=["committed-in-order", "in-disorder"])
def test_equals_are_ordered_by_id_also_at_the_cut(
    store: Store, wanted: Expression, is_late: bool
) -> None:
    changes = [file(f"{n:02d}.py", "one\n", "one\n", repo=repo) for repo in "ab" for n in range(30)]
    everything = [ChunkId(c.repo, c.path, n) for c in changes for n in range(2)]
    if is_late:
        for start in (2, 0, 1):
            store.commit(changes[start::3][::-1])
        store.commit([changes[17], changes[3]])  # unchanged, but written again
    else:
        store.commit(changes)
    snapshot = store.snapshot()
    for limit in (1, 2, 10, 59, 60, 61, 119, 120, 1000):
        found = [hit.chunk for hit in snapshot.match(wanted, Scope(), limit).hits]

        assert found == everything[:limit]


def test_many_equals_are_ordered_by_id_at_the_cut(store: Store) -> None:
    pieces = ["one\n"] * 300
    store.commit([file(f"{n:03d}.py", *pieces) for n in range(29, -1, -1)])  # last path first
    snapshot = store.snapshot()
    for wanted in (Term("one"), And(())):
        assert names(snapshot.match(wanted, Scope(), 2)) == ["000.py", "000.py#1"]


# ---------------------------------------------------------------- frequencies after changes


def test_frequency_forgets_what_was_removed(store: Store) -> None:
    store.commit([file(f"{n}.py", "common one\n") for n in range(4)])
    store.commit([gone("0.py"), file("1.py", "other\n")])
    snapshot = store.snapshot()

    assert snapshot.count([Term("common")])[0] == 2
    assert snapshot.count([Term("other")])[0] == 1


def test_spellings_are_of_words_that_are_there(store: Store) -> None:
    store.commit([file("a.py", "parser one\n"), file("b.py", "parsed one\n")])
    store.commit([gone("a.py")])

    assert list(store.snapshot().spellings("parse", 9)) == ["parsed"]


def test_how_an_index_came_about_does_not_show_in_its_scores(new_store: NewStore) -> None:
    """Files that were replaced or removed must not weigh on those that are there."""
    final = [file(f"{n}.py", f"fox text{n} more\n") for n in range(6)]
    with new_store() as grown, new_store() as built:
        grown.commit([file(f"{n}.py", "fox fox fox bear\n") for n in range(12)])
        grown.commit([*final[:3], gone("9.py")])
        grown.commit([*final[3:], *(gone(f"{n}.py") for n in (6, 7, 8, 10, 11))])
        built.commit(final)
        wanted = Or((Term("fox"), Term("text3"), Term("bear")))
        hits = [store.snapshot().match(wanted, Scope(), 99).hits for store in (grown, built)]

        assert [hit.chunk for hit in hits[0]] == [hit.chunk for hit in hits[1]]
        assert [hit.score for hit in hits[0]] == pytest.approx([hit.score for hit in hits[1]])


# ---------------------------------------------------------------- by law

WORDS = ["fox", "bear", "owl", "elk", "ant", "bee"]
PATHS = ["a.py", "b.go", "src/a.py", "src/deep/b_test.py", "src/[x]/c.go", "docs/d.md"]
KINDS = ["function", "class"]

word = st.sampled_from(WORDS)
text = st.lists(word, min_size=1, max_size=12).map(lambda row: " ".join(row) + "\n")
target = st.builds(Reference, st.sampled_from(list(Relation)), word, st.just(""), st.integers(0, 9))
pieces = st.one_of(
    text,
    st.builds(
        lambda text, name, kind, refs: Piece(text, name, kind, references=tuple(refs)),
        text,
        st.sampled_from(["fox", "Fox", "owl.fox", "a.owl.bee"]),
        st.sampled_from(KINDS),
        st.lists(target, max_size=2, unique=True),
    ),
)


@st.composite
def corpora(draw: st.DrawFn) -> list[Change]:
    keys = st.tuples(st.sampled_from(["r", "other"]), st.sampled_from(PATHS))
    return [
        file(
            path,
            *draw(st.lists(pieces, min_size=1, max_size=3)),
            repo=repo,
            language=draw(st.sampled_from(["python", "go", ""])),
            tags=draw(st.sampled_from([(), ("test",), ("test", "vendored")])),
        )
        for repo, path in draw(st.lists(keys, min_size=1, max_size=8, unique=True))
    ]


weights = st.sampled_from([0.25, 1.0, 1.0, 3.0])
phrases = st.lists(word, min_size=1, max_size=3).flatmap(
    lambda row: st.sampled_from(
        [Phrase(" ".join(row)), Phrase(" ".join(row).upper(), tuple(dict.fromkeys(row)))]
    )
)
filters = st.one_of(
    st.builds(Pattern, st.sampled_from(["fox", "^b", "F.X", "k$", r"x\s+b"]), st.booleans()),
    st.builds(Tag, st.just("lang"), st.sampled_from(["python", "go", "rust"])),
    st.builds(Tag, st.just("kind"), st.sampled_from([*KINDS, "text"])),
    st.builds(Tag, st.just("is"), st.sampled_from(["test", "symbol"])),
    st.builds(Tag, st.just("repo"), st.sampled_from(["r", "other", "none"])),
    st.builds(
        PathLike, st.sampled_from(["*.py", "src/**", "SRC", "?.go", "**/*_test.*", "[ab].*"])
    ),
    st.builds(Defines, st.sampled_from(["fox", "OWL.fox", "a.owl.bee", "owl.bee", "owl"])),
    st.builds(Refers, st.sampled_from(list(Relation)), word),
)
in_words = st.builds(Term, st.sampled_from([*WORDS, "absent"]), st.just(Field.WORDS), weights)
in_fields = st.one_of(
    st.builds(Term, word, st.just(Field.NAME), weights),
    st.builds(Term, st.sampled_from(["fox_bear", "owl_owl"]), st.just(Field.PAIRS), weights),
)


def expressions(leaf: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    def combined(parts: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
        several = st.lists(parts, max_size=3).map(tuple)
        return st.one_of(st.builds(And, several), st.builds(Or, several), st.builds(Not, parts))

    return st.recursive(leaf, combined, max_leaves=8)


def often(*choices: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    """One of these, each as likely as the others, however many cases it has itself."""
    return st.sampled_from(choices).flatmap(lambda chosen: chosen)


some = st.frozensets
narrow = st.builds(
    Scope,
    repos=st.none() | some(st.sampled_from(["r", "other"])),
    languages=some(st.sampled_from(["python", "go"]), max_size=2),
    kinds=some(st.sampled_from([*KINDS, "text"]), max_size=2),
    paths=st.lists(st.sampled_from(["*.py", "src/*", "docs"]), max_size=2).map(tuple),
    under=st.sampled_from(["", "", "src", "src/deep/"]),
)
scopes = st.booleans().flatmap(lambda is_narrow: narrow if is_narrow else st.just(Scope()))
anything = expressions(often(in_words, in_words, in_fields, phrases, filters))
words_only = expressions(often(in_words, in_words, phrases, filters))
questions = st.lists(st.tuples(anything, scopes), min_size=1, max_size=6)
ranked = st.lists(st.tuples(words_only, scopes), min_size=1, max_size=6)


def opened(store: Store, changes: list[Change], commits: int) -> Snapshot:
    """A corpus committed in several steps."""
    for start in range(commits):
        store.commit(changes[start::commits])
    return store.snapshot()


Questions = list[tuple[Expression, Scope]]


def holds(examples: int, law: Callable[..., None], *drawn: st.SearchStrategy[Any]) -> None:
    """Try a law on so many examples."""
    settings(max_examples=examples)(given(*drawn)(law))()


@by_law
def test_any_expression_finds_what_it_says(new_store: NewStore, examples: int) -> None:
    def law(changes: list[Change], asked: Questions, commits: int) -> None:
        model = Model(changes)
        with new_store() as store:
            snapshot = opened(store, changes, commits)
            for wanted, scope in asked:
                found = snapshot.match(wanted, scope, EVERYTHING)

                assert {hit.chunk for hit in found.hits} == model.matching(wanted, scope)

    holds(examples, law, corpora(), questions, st.integers(1, 3))


@by_law
def test_any_ranking_has_one_order_whatever_its_limit_and_can_be_explained(
    new_store: NewStore, examples: int
) -> None:
    def law(changes: list[Change], asked: Questions, commits: int) -> None:
        with new_store() as store:
            snapshot = opened(store, changes, commits)
            for wanted, scope in asked:
                assert_explained(snapshot, wanted, scope)
                assert_ordered(snapshot, wanted, scope)

    holds(examples, law, corpora(), questions, st.integers(1, 3))


@by_law
def test_any_expression_ranks_as_bm25_does(new_store: NewStore, examples: int) -> None:
    def law(changes: list[Change], asked: Questions, commits: int) -> None:
        model = Model(changes)
        with new_store() as store:
            snapshot = opened(store, changes, commits)
            for wanted, scope in asked:
                found = [hit.chunk for hit in snapshot.match(wanted, scope, EVERYTHING).hits]
                assert_follows(found, model.scores(wanted, scope))

    holds(examples, law, corpora(), ranked, st.integers(1, 3))


@by_law
def test_any_words_rank_as_bm25_does(new_store: NewStore, examples: int) -> None:
    def law(changes: list[Change], asked: list[tuple[Term, ...]]) -> None:
        model = Model(changes)
        with new_store() as store:
            snapshot = opened(store, changes, 1)
            for terms in asked:
                found = [hit.chunk for hit in snapshot.match(Or(terms), Scope(), EVERYTHING).hits]
                assert_follows(found, model.scores(Or(terms), Scope()))

    several = st.lists(in_words, min_size=2, max_size=4).map(tuple)
    holds(examples, law, corpora(), st.lists(several, min_size=6))
