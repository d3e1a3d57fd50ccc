"""Which chunks satisfy an expression: every leaf, every combination, every scope."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace

import pytest

from plait.errors import PatternError, QueryError
from plait.types import (
    And,
    Change,
    Defines,
    Expression,
    Field,
    Not,
    Or,
    PathLike,
    Pattern,
    Phrase,
    Reference,
    Refers,
    Relation,
    Scope,
    Snapshot,
    Tag,
    Term,
)
from tests.contract.conftest import NewStore
from tests.contract.notation import Piece, file, ids, names, piece

EVERYTHING = 10_000
EVERYWHERE = Scope()
CALLS, USES = Relation.CALLS, Relation.USES

CORPUS = [
    file(
        "src/app.py",
        "import os\nimport Quick Brown\n",
        piece("def quick():\n    brown(fox)\n", "Outer.quick", Reference(CALLS, "brown")),
        Piece("    quick brown\n    FOX\n", "Outer.quick", part=1),
    ),
    file("src/app.go", piece("func Quick() { brown  fox }\n", "quick"), language="go"),
    file(
        "src/deep/er/App_test.py",
        piece("class Fox:\n    quick\tbrown fox\n", "Fox", Reference(USES, "Brown"), kind="class"),
        tags=("test",),
    ),
    file("docs/READ ME.md", "brown quick fox\nÄrger straße\n", language="markdown"),
    file("src/[id]/page.tsx", "quick (brown) fox\n", language="typescript"),
    file("src/i/page.tsx", "brown.fox\n", language="typescript"),
    file("app.py", piece("fox brown\n", "a.b.c", kind="method"), repo="other"),
]
ALL = [
    "src/app.py",
    "src/app.py#1",
    "src/app.py#2",
    "src/app.go",
    "src/deep/er/App_test.py",
    "docs/READ ME.md",
    "src/[id]/page.tsx",
    "src/i/page.tsx",
    "app.py",
]


@pytest.fixture(scope="module")
def snapshot(new_store: NewStore) -> Iterator[Snapshot]:
    with holding(new_store, *([change] for change in CORPUS)) as held:
        yield held


@contextmanager
def holding(new_store: NewStore, *commits: Sequence[Change]) -> Iterator[Snapshot]:
    """A snapshot of a new store with these commits, for tests that only read."""
    with new_store() as store:
        for changes in commits:
            store.commit(changes)
        held = store.snapshot()
        yield held
        held.close()


def found(snapshot: Snapshot, wanted: Expression, scope: Scope = EVERYWHERE) -> list[str]:
    ranking = snapshot.match(wanted, scope, EVERYTHING)
    assert ranking.notes == ()
    return sorted(names(ranking))


CASES: dict[str, tuple[Expression, list[str]]] = {
    # ------------------------------------------------------------ terms
    "term": (Term("import"), ["src/app.py"]),
    "term-of-several": (Term("os"), ["src/app.py"]),
    "term-is-whole": (Term("impor"), []),
    "term-is-as-analysed": (Term("Fox"), []),
    "term-unknown": (Term("nowhere"), []),
    "term-empty": (Term(""), []),
    "term-with-space": (Term("quick brown"), []),
    "term-beyond-ascii": (Term("straße"), ["docs/READ ME.md"]),
    "term-weighted": (Term("import", weight=0.25), ["src/app.py"]),
    "term-without-weight": (Term("import", weight=0.0), ["src/app.py"]),
    "name": (Term("quick", Field.NAME), ["src/app.go", "src/app.py#1"]),
    "name-not-of-a-later-part": (Term("brown", Field.NAME), []),
    "pair": (Term("brown_quick", Field.PAIRS), ["docs/READ ME.md"]),
    # ------------------------------------------------------------ phrases
    "phrase": (
        Phrase("quick brown"),
        ["src/app.py", "src/app.py#2", "src/deep/er/App_test.py"],
    ),
    "phrase-with-terms": (
        Phrase("quick brown", ("quick", "brown")),
        ["src/app.py", "src/app.py#2", "src/deep/er/App_test.py"],
    ),
    "phrase-keeps-order": (Phrase("fox brown", ("fox", "brown")), ["app.py"]),
    "phrase-ignores-case": (Phrase("QUICK bROWN fox"), ["src/app.py#2", "src/deep/er/App_test.py"]),
    "phrase-ignores-white-space": (
        Phrase("  brown \n\t fox ", ("brown", "fox")),
        ["src/app.go", "src/app.py#2", "src/deep/er/App_test.py"],
    ),
    "phrase-heeds-punctuation": (Phrase("(brown) fox"), ["src/[id]/page.tsx"]),
    "phrase-is-no-pattern": (Phrase("brown.fox"), ["src/i/page.tsx"]),
    "phrase-has-every-term": (Phrase("quick brown", ("quick", "os")), ["src/app.py"]),
    "phrase-of-pieces-of-words": (
        Phrase("ick brown\n fo"),
        ["src/app.py#2", "src/deep/er/App_test.py"],
    ),
    "phrase-beyond-ascii": (Phrase("ärger STRAßE", ("straße",)), ["docs/READ ME.md"]),
    "phrase-unknown": (Phrase("brown quick brown", ("brown",)), []),
    # ------------------------------------------------------------ patterns
    "pattern": (Pattern(r"qu\w+ bro"), ["src/app.py#2"]),
    "pattern-heeds-case": (Pattern("Quick"), ["src/app.go", "src/app.py"]),
    "pattern-ignores-case": (
        Pattern("QUICK.BROWN", ignore_case=True),
        ["src/app.py", "src/app.py#2", "src/deep/er/App_test.py"],
    ),
    "pattern-at-line-starts": (Pattern(r"^import Q"), ["src/app.py"]),
    "pattern-at-line-ends": (Pattern(r"quick fox$"), ["docs/READ ME.md"]),
    "pattern-over-lines": (Pattern(r"brown\s+FOX"), ["src/app.py#2"]),
    "pattern-of-classes": (Pattern(r"[[:upper:]]OX|\bos\b"), ["src/app.py", "src/app.py#2"]),
    "pattern-beyond-ascii": (Pattern("ärger", ignore_case=True), ["docs/READ ME.md"]),
    "pattern-dot-is-a-character": (Pattern("stra.e"), ["docs/READ ME.md"]),
    "pattern-that-is-empty": (Pattern(""), ALL),
    "pattern-unknown": (Pattern("no+where"), []),
    # ------------------------------------------------------------ tags
    "language": (Tag("lang", "go"), ["src/app.go"]),
    "language-is-exact": (Tag("lang", "type"), []),
    "kind": (Tag("kind", "class"), ["src/deep/er/App_test.py"]),
    "kind-of-what-is-no-symbol": (
        Tag("kind", "text"),
        ["docs/READ ME.md", "src/[id]/page.tsx", "src/app.py", "src/i/page.tsx"],
    ),
    "is-test": (Tag("is", "test"), ["src/deep/er/App_test.py"]),
    "is-symbol": (
        Tag("is", "symbol"),
        ["app.py", "src/app.go", "src/app.py#1", "src/app.py#2", "src/deep/er/App_test.py"],
    ),
    "repo": (Tag("repo", "other"), ["app.py"]),
    "tag-unknown": (Tag("is", "nothing"), []),
    # ------------------------------------------------------------ paths
    "path-contains": (PathLike("app."), [n for n in ALL if "app." in n]),
    "path-contains-whatever-case": (
        PathLike("APP"),
        [n for n in ALL if "app" in n.lower()],
    ),
    "path-with-space": (PathLike("read me"), ["docs/READ ME.md"]),
    "path-star": (PathLike("*.go"), ["src/app.go"]),
    "path-star-stays-in-its-folder": (PathLike("src/*.go"), ["src/app.go"]),
    "path-star-does-not-cross-folders": (PathLike("src/*_test.py"), []),
    "path-star-anywhere": (PathLike("*_test.py"), ["src/deep/er/App_test.py"]),
    "path-glob-heeds-case": (PathLike("app_*.py"), []),
    "path-mark": (PathLike("ap?.go"), ["src/app.go"]),
    "path-mark-is-no-slash": (PathLike("src?app.go"), []),
    "path-two-stars": (
        PathLike("src/**/*.py"),
        [n for n in ALL if n.startswith("src/") and ".py" in n],
    ),
    "path-two-stars-first": (PathLike("**/page.tsx"), ["src/[id]/page.tsx", "src/i/page.tsx"]),
    "path-two-stars-last": (PathLike("src/deep/**"), ["src/deep/er/App_test.py"]),
    "path-class": (PathLike("src/[hij]/page.tsx"), ["src/i/page.tsx"]),
    "path-class-negated": (PathLike("src/[!xyz]/page.tsx"), ["src/i/page.tsx"]),
    "path-class-range": (PathLike("src/[a-z]/page.tsx"), ["src/i/page.tsx"]),
    "path-dot-is-a-dot": (PathLike("s*/ap.*"), []),
    "path-without-slash-is-a-name": (PathLike("pa*.tsx"), ["src/[id]/page.tsx", "src/i/page.tsx"]),
    # ------------------------------------------------------------ definitions and references
    "defines": (Defines("quick"), ["src/app.go", "src/app.py#1"]),
    "defines-whatever-case": (Defines("FOX"), ["src/deep/er/App_test.py"]),
    "defines-qualified": (Defines("outer.quick"), ["src/app.py#1"]),
    "defines-half-qualified": (Defines("b.c"), ["app.py"]),
    "defines-fully-qualified": (Defines("a.b.c"), ["app.py"]),
    "defines-by-its-last-name": (Defines("c"), ["app.py"]),
    "defines-not-what-contains-it": (Defines("outer"), []),
    "refers": (Refers(CALLS, "brown"), ["src/app.py#1"]),
    "refers-heeds-case": (Refers(USES, "brown"), []),
    "refers-by-this-relation": (Refers(CALLS, "Brown"), []),
    # ------------------------------------------------------------ combinations
    "all": (And((Term("quick"), Term("os"))), ["src/app.py"]),
    "all-of-two": (And((Term("quick"), Tag("lang", "go"))), ["src/app.go"]),
    "all-of-none": (And(()), ALL),
    "any": (Or((Term("os"), Tag("lang", "go"))), ["src/app.go", "src/app.py"]),
    "any-of-none": (Or(()), []),
    "any-of-one": (Or((Term("os"),)), ["src/app.py"]),
    "all-of-any-of-none": (And((Term("os"), Or(()))), []),
    "any-of-all-of-none": (Or((Term("os"), And(()))), ALL),
    "not": (Not(Tag("repo", "r")), ["app.py"]),
    "not-not": (Not(Not(Tag("repo", "other"))), ["app.py"]),
    "not-everything": (Not(And(())), []),
    "not-nothing": (Not(Or(())), ALL),
    "not-a-term": (And((Tag("lang", "python"), Not(Term("fox")))), ["src/app.py"]),
    "not-a-phrase": (
        And((Tag("lang", "python"), Not(Phrase("quick brown", ("quick", "brown"))))),
        ["app.py", "src/app.py#1"],
    ),
    "not-a-pattern": (And((Tag("kind", "text"), Not(Pattern("fox")))), ["src/app.py"]),
    "all-of-nots": (And((Not(Term("fox")), Not(Term("nowhere")))), ["src/app.py"]),
    "any-with-not": (Or((Term("os"), Not(Term("brown")))), ["src/app.py"]),
    "nested": (
        And(
            (
                Or((Phrase("quick brown"), Pattern(r"\(brown\)"))),
                Not(Or((Tag("is", "test"), Term("os")))),
                Or((And((Term("quick"), Term("fox"))), Defines("fox"))),
            )
        ),
        ["src/[id]/page.tsx", "src/app.py#2"],
    ),
    "phrase-and-pattern-in-any": (
        Or((Phrase("fox brown", ("fox", "brown")), Pattern("^func"))),
        ["app.py", "src/app.go"],
    ),
}


@pytest.mark.parametrize(("wanted", "expected"), CASES.values(), ids=CASES.keys())
def test_an_expression_finds(snapshot: Snapshot, wanted: Expression, expected: list[str]) -> None:
    assert found(snapshot, wanted) == sorted(expected)


@pytest.fixture(scope="module")
def relations(new_store: NewStore) -> Iterator[Snapshot]:
    """A file for each relation."""
    files = [file(f"{each}.py", piece("x\n", "x", Reference(each, "a.b:c"))) for each in Relation]
    with holding(new_store, files) as held:
        yield held


@pytest.mark.parametrize("relation", Relation)
def test_every_relation_is_told_from_the_others(relations: Snapshot, relation: Relation) -> None:
    assert found(relations, Refers(relation, "a.b:c")) == [f"{relation}.py"]


@pytest.mark.parametrize(
    "regex", ["(", "a{2,1}", r"(?=x)", r"(a)\1", "[z-a]", "*", "\udc80", "(?P<>x)"]
)
@pytest.mark.parametrize("within", [lambda p: p, Not, lambda p: Or((Term("os"), p))])
def test_a_pattern_that_is_none_is_refused(
    snapshot: Snapshot, regex: str, within: type[Not]
) -> None:
    with pytest.raises(PatternError):
        snapshot.match(within(Pattern(regex)), Scope(), 9)


def test_a_pattern_without_end_is_refused_or_answered_soon(snapshot: Snapshot) -> None:
    with pytest.raises(QueryError):
        snapshot.match(Pattern("((a{100}){100}){100}"), Scope(), 9)


MARKS = [*"!\"#$%&'()+,-.:;<=>@^_`{|}~ äß文🎉", "\\", "]"]


@pytest.fixture(scope="module")
def marked(new_store: NewStore) -> Iterator[Snapshot]:
    """A folder for each mark, with a file that has it in its name and one that has not."""
    names = ["{}/x{}y.py", "{}/xy.py"]
    files = [file(n.format(at, m), "one\n") for at, m in enumerate(MARKS) for n in names]
    with holding(new_store, files) as held:
        yield held


@pytest.mark.parametrize("mark", MARKS)
def test_a_path_may_hold_any_character(marked: Snapshot, mark: str) -> None:
    at = MARKS.index(mark)
    path = f"{at}/x{mark}y.py"

    assert found(marked, PathLike(f"x{mark}Y")) == [path]
    assert found(marked, PathLike(f"{at}/x{mark}*.py")) == [path]
    assert found(marked, And(()), Scope(under=str(at))) == sorted([path, f"{at}/xy.py"])


def test_a_long_path_can_be_asked_for(new_store: NewStore) -> None:
    path = "/".join(f"folder{n:02d}" for n in range(24)) + "/file.py"
    with new_store() as store:
        store.commit([file(path, "one\n"), file("other.py", "one\n")])
        snapshot = store.snapshot()

        assert found(snapshot, PathLike(path.upper())) == [path]
        assert found(snapshot, And(()), Scope(under=path.rpartition("/")[0])) == [path]


def test_a_glob_that_is_too_hard_is_answered_or_refused_in_words(snapshot: Snapshot) -> None:
    glob = "*a" + "?" * 40 + "*"
    with suppress(QueryError):
        assert snapshot.match(PathLike(glob), Scope(), 9).hits == ()


# ---------------------------------------------------------------- patterns and chunks


@pytest.fixture(scope="module")
def three_chunks(new_store: NewStore) -> Iterator[Snapshot]:
    with holding(new_store, [file("a.py", "one\n", "two\n", "three\n")]) as held:
        yield held


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (Pattern(r"one\s+two"), []),
        (Pattern(r"(?s)one.*three"), []),
        (Pattern(r"(?s)t.*"), ["a.py#1", "a.py#2"]),
        (Pattern(r"\Atwo\n\z"), ["a.py#1"]),
        (Phrase("one two"), []),
        (Phrase("one two", ("one",)), []),
    ],
)
def test_a_pattern_is_matched_within_one_chunk(
    three_chunks: Snapshot, wanted: Expression, expected: list[str]
) -> None:
    assert found(three_chunks, wanted) == expected


@pytest.fixture(scope="module")
def gapped(new_store: NewStore) -> Iterator[Snapshot]:
    """Chunks need not cover their file: closing brackets, for one, belong to none."""
    whole = file("a.py", "one\n", "middle\n", "two\n", "rest\n")
    second = whole.entries[2]
    moved = replace(second, chunk=second.chunk._replace(id=ids("a.py#1")[0]))
    with holding(new_store, [replace(whole, entries=(whole.entries[0], moved))]) as held:
        yield held


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (Pattern("middle"), []),
        (Pattern("rest"), []),
        (Phrase("rest"), []),
        (Pattern("[wd]"), ["a.py#1"]),
    ],
)
def test_a_pattern_does_not_match_between_chunks(
    gapped: Snapshot, wanted: Expression, expected: list[str]
) -> None:
    assert found(gapped, wanted) == expected


def test_every_chunk_a_pattern_matches_is_found(new_store: NewStore) -> None:
    with new_store() as store:
        store.commit([file("a.py", *(f"line {n}\n" for n in range(200)))])

        assert len(found(store.snapshot(), Pattern(r"^line \d*[05]$"))) == 40
        assert len(found(store.snapshot(), Pattern(r"l?"))) == 200


# ---------------------------------------------------------------- scope


SCOPES: dict[str, tuple[Scope, list[str]]] = {
    "none": (Scope(), ALL),
    "every-repository": (Scope(repos=None), ALL),
    "no-repository": (Scope(repos=frozenset()), []),
    "one-repository": (Scope(repos=frozenset({"other"})), ["app.py"]),
    "an-unknown-repository": (Scope(repos=frozenset({"nowhere"})), []),
    "two-repositories": (Scope(repos=frozenset({"other", "r"})), ALL),
    "languages": (
        Scope(languages=frozenset({"go", "markdown"})),
        ["docs/READ ME.md", "src/app.go"],
    ),
    "kinds": (
        Scope(kinds=frozenset({"class", "method"})),
        ["app.py", "src/deep/er/App_test.py"],
    ),
    "kind-of-text": (
        Scope(kinds=frozenset({"text"})),
        ["docs/READ ME.md", "src/[id]/page.tsx", "src/app.py", "src/i/page.tsx"],
    ),
    "paths": (Scope(paths=("*.go", "docs/**")), ["docs/READ ME.md", "src/app.go"]),
    "under": (Scope(under="src/deep"), ["src/deep/er/App_test.py"]),
    "under-with-a-slash": (Scope(under="src/deep/"), ["src/deep/er/App_test.py"]),
    "under-is-a-whole-name": (Scope(under="src/de"), []),
    "under-heeds-case": (Scope(under="SRC"), []),
    "under-starts-at-the-root": (Scope(under="deep"), []),
    "under-is-no-glob": (Scope(under="src/[id]"), ["src/[id]/page.tsx"]),
    "file": (Scope(file="src/app.py"), ["src/app.py", "src/app.py#1", "src/app.py#2"]),
    "file-is-a-whole-path": (Scope(file="app.py"), ["app.py"]),
    "file-heeds-case": (Scope(file="src/APP.py"), []),
    "file-is-no-glob": (Scope(file="src/[id]/page.tsx"), ["src/[id]/page.tsx"]),
    "everything-at-once": (
        Scope(frozenset({"r"}), frozenset({"python"}), frozenset({"function"}), ("*.py",), "src"),
        ["src/app.py#1", "src/app.py#2"],
    ),
}


@pytest.mark.parametrize(("scope", "expected"), SCOPES.values(), ids=SCOPES.keys())
def test_a_scope_lets_through(snapshot: Snapshot, scope: Scope, expected: list[str]) -> None:
    brown = set(ALL) - {"src/app.py"}

    assert found(snapshot, And(()), scope) == sorted(expected)
    assert found(snapshot, Pattern(""), scope) == sorted(expected)
    assert set(found(snapshot, Pattern("brown"), scope)) == brown & set(expected)


def test_a_scope_is_applied_before_the_top_is_cut(new_store: NewStore) -> None:
    """Foreign chunks that match better must not use up the limit."""
    with new_store() as store:
        store.commit(
            [file(f"{n:03d}.py", "fox\n", repo="foreign") for n in range(100)]
            + [file(f"{n}.go", "fox and much else besides\n", language="go") for n in range(3)]
        )
        snapshot = store.snapshot()
        mine = ["0.go", "1.go", "2.go"]
        scopes = [
            Scope(repos=frozenset({"r"})),
            Scope(languages=frozenset({"go"})),
            Scope(paths=("*.go",)),
        ]
        for scope in scopes:
            for wanted in (Term("fox"), Pattern("fox"), Phrase("fox", ("fox",)), And(())):
                assert names(snapshot.match(wanted, scope, 3)) == mine
                assert names(snapshot.match(wanted, scope, 2)) == mine[:2]


@pytest.fixture(scope="module")
def foxes(new_store: NewStore) -> Iterator[Snapshot]:
    """A foreign repository full of foxes, and a file or two of others."""
    many = [f"brown fox {n}\n" for n in range(300)]
    foreign = [file(f"{n:03d}.py", *many, repo="foreign") for n in range(36)]
    last = file("z.py", "brown and then fox, quick brown fox at last " * 9 + "\n", repo="last")
    mine = file("mine.py", "the quick brown fox and much else besides\n")
    with holding(new_store, foreign, [last], [mine]) as held:
        yield held


@pytest.mark.parametrize(
    "wanted",
    [Phrase("brown fox", ("brown", "fox")), Phrase("brown fox"), Pattern("fox")],
    ids=["phrase-with-terms", "phrase", "pattern"],
)
def test_what_is_out_of_scope_does_not_use_up_a_search(foxes: Snapshot, wanted: Expression) -> None:
    """However much a foreign repository matches, what may be seen is found, without a note."""
    ranking = foxes.match(wanted, Scope(repos=frozenset({"r"})), 10)

    assert names(ranking) == ["mine.py"]
    assert ranking.notes == ()


@pytest.mark.parametrize(
    "wanted",
    [
        Phrase("brown fox at last", ("brown", "fox")),
        Phrase("fox at last"),
        Pattern("fox at last"),
    ],
    ids=["phrase-with-terms", "phrase", "pattern"],
)
def test_a_search_that_was_cut_short_says_so(foxes: Snapshot, wanted: Expression) -> None:
    """A store may stop looking, but not in silence."""
    ranking = foxes.match(wanted, Scope(), 10)

    assert names(ranking) == ["z.py"] or ranking.notes


@pytest.mark.parametrize(("limit", "count"), [(0, 0), (1, 1), (5, 5), (9, 9), (10, 9), (10**6, 9)])
def test_a_limit_cuts(snapshot: Snapshot, limit: int, count: int) -> None:
    everything = names(snapshot.match(And(()), Scope(), EVERYTHING))

    assert names(snapshot.match(And(()), Scope(), limit)) == everything[:count]
    assert len(snapshot.match(Term("brown"), Scope(), limit).hits) == count


@pytest.fixture(scope="module")
def crowd(new_store: NewStore) -> Iterator[Snapshot]:
    """More files than a store would look through for a pattern before it ranks."""
    with new_store() as store:
        texts = ("fox bear\n", "fox\nfox\n", "bear\n", "fox fox bear\n")
        store.commit(file(f"{n:04d}.py", texts[n % 4]) for n in range(5_000))
        yield store.snapshot()


@pytest.mark.parametrize(
    ("condition", "rest"),
    [
        (Pattern("be.r"), {0, 3}),
        (Pattern("^be.r"), set()),
        (Pattern(r"fox\s+fox"), {1, 3}),
        (Not(Pattern("be.r")), {1}),
        (Pattern("[a-z]o[a-z]"), {0, 1, 3}),
    ],
    ids=str,
)
def test_a_pattern_that_most_files_match_still_restricts_what_ranks(
    crowd: Snapshot, condition: Expression, rest: set[int]
) -> None:
    found = crowd.match(And((Term("fox"), condition)), EVERYWHERE, 50)
    numbers = [int(hit.chunk.path[:4]) for hit in found.hits]
    assert len(numbers) == len(set(numbers)) == (50 if rest else 0)
    assert {number % 4 for number in numbers} <= rest
    scores = [hit.score for hit in found.hits]
    assert scores == sorted(scores, reverse=True)
    plain = crowd.match(Term("fox"), EVERYWHERE, EVERYTHING)
    best = [hit.score for hit in plain.hits if int(hit.chunk.path[:4]) % 4 in rest][:50]
    assert scores == pytest.approx(best)
