"""A set of repositories is what a user may see: nothing of any other is ever found.

Each of 200 repositories has a canary: words that stand nowhere else, in a text, a name, a
docstring, a reference, a path and a vector. Fifty users with different repositories ask for all
of them: within a scope, and through a view (``snapshot.within``), which has a case for every
public method. A new method without a case fails.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from plait.index.embed import embed
from plait.lanes.lexical import Lexical
from plait.search.expansion import Expansion
from plait.search.parse import parse
from plait.search.searcher import Searcher
from plait.stores.embedded.store import EmbeddedStore
from plait.types import (
    And,
    Change,
    ChunkId,
    Defines,
    Expression,
    Field,
    LineQuery,
    Not,
    Or,
    Order,
    PathLike,
    PathPattern,
    Pattern,
    Phrase,
    Query,
    Reference,
    Refers,
    Relation,
    Scope,
    Snapshot,
    Store,
    Tag,
    Term,
)
from tests.cluster.collection import collection
from tests.contract.notation import Piece, file, words
from tests.contract.test_vectors import Hashed, passage_of

pytestmark = pytest.mark.slow
REPOS, USERS = 200, 50
SPELT = 41  # the one repository with a word of letters alone, which spellings are guessed of
MANY = 10_000
# Names that look like one another, like a wildcard, or like something else in a query.
ODD = (
    *("*", "?", "r*", "repo-?", "repo-1", "repo-1 ", "Repo-1", "repo-11", "repo", "repo-"),
    *("a", "b", "a,b", "a/b", "a%2Fb", "a:b", "repo:a", "a b", '"a"', "a\\b", "_all", "-a"),
    *("é", "e\N{COMBINING ACUTE ACCENT}", "A", "a AND b", "(a)", "{a}", "[a TO b]", "a\tb"),
)
NAMES = (*ODD, *(f"team/{number:03}" for number in range(REPOS - len(ODD))))
CANARY = re.compile(r"canary(\d{3})")


def canary(number: int) -> str:
    return f"canary{number:03}"


def repository(number: int) -> Iterator[Change]:
    """Two files: one of code, one of tests, with a canary wherever something can be found."""
    repo, own = NAMES[number], canary(number)
    text = f"def {own}_name():\n    '''{own}_doc of common ground.'''\n    {own}_target()\n"
    yield file(
        f"src/{own}_path.py",
        Piece(
            text,
            f"{own}_name",
            references=(
                Reference(Relation.CALLS, f"{own}_target"),
                Reference(Relation.CALLS, "shared_target"),
            ),
            signature=f"def {own}_name():",
            docstring=f"'''{own}_doc of common ground.'''",
        ),
        Piece(f"class Shared:\n    # {own} common\n    pass\n", "Shared", "class"),
        f"{own} alone\nbegin {own}\nend of it\n",
        repo=repo,
    )
    word = " zebrafish" if number == SPELT else ""
    yield file(f"tests/{own}.py", f"{own} common ground{word}\n", repo=repo, tags=("test",))


def users() -> list[frozenset[int]]:
    """Who may see what: nothing, one, all, neighbours by name, and sets drawn at random."""
    draw = random.Random(7)
    drawn = [frozenset([number]) for number in range(len(ODD))]
    drawn += [frozenset(), frozenset(range(REPOS)), frozenset(range(0, REPOS, 2))]
    while len(drawn) < USERS:
        drawn.append(frozenset(draw.sample(range(REPOS), draw.randint(2, 120))))
    return drawn


WHO = users()


def scope_of(may: frozenset[int]) -> Scope:
    return Scope(repos=frozenset(NAMES[number] for number in may))


@pytest.fixture(
    scope="module", params=["embedded", pytest.param("cluster", marks=pytest.mark.cluster)]
)
def snapshot(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Snapshot]:
    """All repositories in one collection, with vectors."""
    if request.param == "embedded":
        folder: Path = tmp_path_factory.mktemp("permissions")
        store = EmbeddedStore(folder / "store", "permissions", wait_s=60)
        yield filled(store)
        store.close()
        return
    with collection(request.getfixturevalue("one_node"), shards=2) as made:
        yield filled(made)


def filled(store: Store) -> Snapshot:
    store.commit([change for number in range(REPOS) for change in repository(number)])
    embed(store, Hashed(), passage_of)
    return store.snapshot()


def seen(answer: object) -> set[int]:
    """The repositories of which anything stands in an answer, whatever it is made of."""
    return {int(number) for number in CANARY.findall(repr(answer))}


def matched(snapshot: Snapshot, wanted: Expression, scope: Scope) -> set[int]:
    """The repositories of which a search tells anything."""
    ranking = snapshot.match(wanted, scope, MANY)
    assert {hit.chunk.repo for hit in ranking.hits} <= (scope.repos or set())
    return seen(ranking)


EVERYWHERE: dict[str, Expression] = {
    "everything": And(()),
    "term": Term("common"),
    "term-of-names": Term("shared", Field.NAME),
    "term-of-pairs": Term("common_ground", Field.PAIRS),
    "phrase": Phrase("common ground", ("common", "ground")),
    "phrase-unanalysed": Phrase("of  COMMON"),
    "pattern": Pattern(r"canary[0-9]+_d"),
    "pattern-without-grams": Pattern(r"[a-z]{6}\d\d\d"),
    "pattern-ignoring-case": Pattern("CANARY", ignore_case=True),
    "pattern-as-a-word": Pattern("pass", is_word=True),
    "tag": Tag("lang", "python"),
    "tag-of-a-file": Tag("is", "test"),
    "path": PathLike("canary"),
    "path-glob": PathLike("**/canary*.py"),
    "path-pattern": PathPattern(r"src/.*\d"),
    "defines": Defines("Shared"),
    "refers": Refers(Relation.CALLS, "shared_target"),
    "not": Not(Tag("kind", "class")),
    "not-a-pattern": Not(Pattern("nowhere")),
    "not-a-repository": Not(Tag("repo", "none of these")),
    "any": Or((Term("common"), Defines("Shared"), PathLike("tests/"))),
    "any-with-patterns": Or((Pattern("begin"), Phrase("of common"), Not(Term("common")))),
    "all": And((Term("common"), Pattern("canary"), Not(Tag("is", "test")))),
}


@pytest.mark.parametrize("wanted", EVERYWHERE.values(), ids=EVERYWHERE)
def test_everything_in_sight_is_found_and_nothing_else(
    snapshot: Snapshot, wanted: Expression
) -> None:
    for may in WHO:
        assert matched(snapshot, wanted, scope_of(may)) == may


def canaries(number: int) -> list[Expression]:
    """Every way to ask for the canary of one repository."""
    own = canary(number)
    return [
        Term(own),
        Term(f"{own}_name", Field.NAME),
        Term(f"begin_{own}", Field.PAIRS),
        Phrase(f"{own} common ground", tuple(words(f"{own} common ground"))),
        Phrase(f"{own}_doc of"),
        Pattern(f"{own}_doc"),
        Pattern(own.upper(), ignore_case=True),
        PathLike(own),
        PathLike(f"src/{own}*"),
        PathPattern(f"{own}_p"),
        Defines(f"{own}_name"),
        Refers(Relation.CALLS, f"{own}_target"),
        Tag("repo", NAMES[number]),
        Or((Term(own), Pattern(own), Defines(f"{own}_name"))),
        And((Term(own), Not(Term("nowhere")))),
        Not(Not(Term(own))),
    ]


def test_a_canary_is_found_by_those_who_may_and_by_nobody_else(snapshot: Snapshot) -> None:
    for number in (0, 1, 4, 5, 10, 12, 13, len(ODD), REPOS - 1):
        may = [who for who in WHO if number in who][:3]
        may_not = [who for who in WHO if number not in who]
        chosen = random.Random(number).sample(may_not, 4)
        for wanted in canaries(number):
            for who in may:
                assert matched(snapshot, wanted, scope_of(who)) == {number}
            for who in (*chosen, frozenset()):
                assert not matched(snapshot, wanted, scope_of(who))


IN_EACH: list[tuple[Expression, int]] = [  # how many chunks of every repository match
    (Term("common"), 3),
    (Pattern("canary"), 4),
    (And((Term("common"), Pattern("of common"))), 1),
]


@pytest.mark.parametrize("limit", [1, 7])
def test_the_scope_holds_before_the_top_is_cut(snapshot: Snapshot, limit: int) -> None:
    encoder = Hashed()
    question = encoder.questions([f"{canary(3)} common ground\n"])
    for may in WHO:
        scope = scope_of(may)
        for wanted, each in IN_EACH:
            hits = snapshot.match(wanted, scope, limit).hits
            assert len(hits) == min(limit, each * len(may))
        near = snapshot.nearest(encoder.digest, question, And(()), scope, limit)
        assert bool(near.hits) == bool(may)
        assert seen(near) <= may


@pytest.mark.parametrize(
    "scope",
    [
        Scope(languages=frozenset({"python"})),
        Scope(kinds=frozenset({"function", "text"})),
        Scope(paths=("src/**", "tests/**")),
        Scope(under="src"),
    ],
    ids=["languages", "kinds", "paths", "under"],
)
def test_other_parts_of_a_scope_do_not_widen_it(snapshot: Snapshot, scope: Scope) -> None:
    for may in WHO:
        narrowed = replace(scope, repos=scope_of(may).repos)
        for wanted in (And(()), Term("common"), Pattern("canary")):
            assert matched(snapshot, wanted, narrowed) == may


# ---------------------------------------------------------------- vectors


@pytest.mark.parametrize(
    "where",
    [And(()), Tag("lang", "python"), Pattern("common"), Not(Tag("is", "test")), PathLike("src/")],
    ids=["everything", "tag", "pattern", "not", "path"],
)
def test_the_nearest_and_the_embedded_are_in_sight(snapshot: Snapshot, where: Expression) -> None:
    encoder = Hashed()
    for number, may in enumerate(WHO):
        question = encoder.questions([f"{canary(number)} common ground\n"])
        near = snapshot.nearest(encoder.digest, question, where, scope_of(may), MANY)
        blocks = list(snapshot.embedded(encoder.digest, where, scope_of(may)))
        listed = [key for ids, _ in blocks for key in ids]

        assert seen(near) <= may
        assert {hit.chunk.repo for hit in near.hits} <= (scope_of(may).repos or set())
        assert seen(listed) == may
        assert sum(len(vectors) for _, vectors in blocks) == len(listed)


def test_a_question_finds_the_canary_it_was_made_for_if_it_may(snapshot: Snapshot) -> None:
    encoder = Hashed()
    for number in range(0, REPOS, 9):
        question = encoder.questions([f"{canary(number)} common ground\n"])
        for may in random.Random(number).sample(WHO, 6):
            best = snapshot.nearest(encoder.digest, question, And(()), scope_of(may), 1)
            assert (seen(best) == {number}) == (number in may)


# ---------------------------------------------------------------- lines

LINES: dict[str, LineQuery] = {
    "ranked": LineQuery((Pattern("canary"),)),
    "by-path": LineQuery((Pattern("canary"),), order=Order.PATH),
    "inverted": LineQuery((Pattern("nowhere"),), is_inverted=True),
    "over-lines": LineQuery((Pattern(r"begin \w+\nend"),), is_multiline=True),
    "scanned": LineQuery((Pattern(r"\d\d\d"),)),
    "two-patterns": LineQuery((Pattern("begin"), Pattern("COMMON", ignore_case=True))),
    "as-a-word": LineQuery((Pattern("begin", is_word=True),), before=1, after=1),
    "where-a-tag": LineQuery((Pattern("canary"),), where=Tag("is", "test")),
    "where-a-term": LineQuery((Pattern("canary"),), where=Term("common")),
    "where-a-pattern": LineQuery((Pattern("canary"),), where=Pattern("ground")),
    "where-not": LineQuery((Pattern("canary"),), where=Not(PathLike("tests"))),
    "where-any": LineQuery((Pattern("canary"),), where=Or((Defines("Shared"), Term("end")))),
    "where-defined": LineQuery((Pattern("Shared"),), where=Defines("Shared"), before=1, after=1),
    "one-of-each": LineQuery((Pattern("canary"),), per_file=1),
}


@pytest.mark.parametrize("asked", LINES.values(), ids=LINES)
def test_lines_are_of_files_in_sight(snapshot: Snapshot, asked: LineQuery) -> None:
    for may in WHO:
        answer = list(snapshot.grep(replace(asked, scope=scope_of(may), within_s=60)))

        assert seen(answer) == may


def test_counts_of_lines_are_of_files_in_sight(snapshot: Snapshot) -> None:
    for may in WHO:
        asked = LineQuery((Pattern("begin"),), scope=scope_of(may), limit=1, count_to=MANY)
        *_, tally = snapshot.grep(asked)

        assert tally.lines == len(may)


def test_lines_of_one_canary_are_for_those_who_may(snapshot: Snapshot) -> None:
    for number in (0, 4, 5, 10, 12, REPOS - 1):
        for may in (WHO[number % len(ODD)], WHO[-1], WHO[-2], WHO[len(ODD)]):
            for pattern in (Pattern(f"{canary(number)}_doc"), Pattern(f"end of|{canary(number)}")):
                *files, tally = snapshot.grep(LineQuery((pattern,), scope=scope_of(may)))
                assert (number in seen([files, tally])) == (number in may)
                assert seen([files, tally]) <= may


# ---------------------------------------------------------------- views

Ask = Callable[[Snapshot], object]
IDS = [ChunkId(NAMES[n], f"src/{canary(n)}_path.py", row) for n in range(REPOS) for row in range(3)]
KEYS = [(NAMES[n], f"src/{canary(n)}_path.py") for n in range(REPOS)]
TERMS = [Term(canary(number)) for number in range(REPOS)]
HANDLE = {"within", "close", "is_closed", "whole"}  # what is done with a view, not asked of it


def counted(view: Snapshot) -> list[str]:
    """The canaries that are counted, in three ways."""
    ways = (
        Term,
        lambda word: Defines(f"{word}_name"),
        lambda word: Tag("repo", NAMES[int(word[6:])]),
    )
    return [
        word
        for way in ways
        for word, count in zip(WORDS, view.count([way(word) for word in WORDS]), strict=True)
        if count
    ]


WORDS = [canary(number) for number in range(REPOS)]
QUESTION = Hashed().questions(["common ground\n"])
MODEL = Hashed().digest
CASES: dict[str, Ask] = {
    "generation": lambda view: view.generation,
    "is_remote": lambda view: view.is_remote,
    "repos": lambda view: [canary(NAMES.index(repo)) for repo in view.repos()],
    "roots": lambda view: [
        root for root in view.roots([f"{name}/" for name in NAMES]).values() if root
    ],
    "digests": lambda view: [view.digests(repo) for repo in NAMES],
    "outline": lambda view: [view.outline(*key) for key in KEYS],
    "files": lambda view: view.files(KEYS),
    "fetch": lambda view: view.fetch(IDS),
    "links": lambda view: list(view.links(IDS)),
    "match": lambda view: view.match(And(()), Scope(), MANY),
    "definitions": lambda view: view.definitions([f"{word}_name" for word in WORDS], Scope(), MANY),
    "explain": lambda view: view.explain(Or(tuple(TERMS)), IDS),
    "grep": lambda view: list(view.grep(LineQuery((Pattern("canary"),), within_s=60))),
    "count": counted,
    "spellings": lambda view: [view.spellings(f"{canary(n)[:-1]}x", 9) for n in range(0, REPOS, 7)],
    "statistics": lambda view: view.statistics().files,
    "nearest": lambda view: view.nearest(MODEL, QUESTION, And(()), Scope(), MANY),
    "vectors": lambda view: list(view.vectors(MODEL, IDS)),
    "missing_vectors": lambda view: view.missing_vectors("another model"),
    "embedded": lambda view: [
        key for ids, _ in view.embedded(MODEL, And(()), Scope()) for key in ids
    ],
}
# What each says of who may see: canaries, or a number for each repository.
NUMBERS = {"statistics": 2, "missing_vectors": 4}
SILENT = {"generation", "is_remote", "roots"}
BY_CHANCE = {"spellings", "nearest"}  # they show some of what may be seen, never all of it


def test_every_public_method_of_a_snapshot_has_a_case(snapshot: Snapshot) -> None:
    public = {name for name in dir(snapshot) if not name.startswith("_")}

    assert public - HANDLE == CASES.keys()


@pytest.mark.parametrize("method", CASES)
def test_a_view_tells_of_nothing_else(snapshot: Snapshot, method: str) -> None:
    for may in WHO[::4] if snapshot.is_remote else WHO:
        told = CASES[method](snapshot.within(scope_of(may).repos))
        if method in NUMBERS:
            assert told == NUMBERS[method] * len(may)
        elif method in BY_CHANCE:
            assert seen(told) <= may
        elif method not in SILENT:
            assert seen(told) == may


def test_a_view_of_a_view_sees_what_both_may(snapshot: Snapshot) -> None:
    one, two = WHO[-1], WHO[-2]
    view = snapshot.within(scope_of(one).repos).within(scope_of(two).repos)

    assert seen(view.match(And(()), Scope(), MANY)) == one & two
    assert seen(view.within(None).match(And(()), Scope(), MANY)) == one & two


def test_no_scope_widens_a_view(snapshot: Snapshot) -> None:
    may = WHO[-1]
    view = snapshot.within(scope_of(may).repos)
    everything = Scope(repos=frozenset(NAMES))

    assert seen(view.match(And(()), everything, MANY)) == may
    assert seen(list(view.grep(LineQuery((Pattern("canary"),), scope=everything)))) == may
    assert list(view.count([And(())], frozenset(NAMES))) == [4 * len(may)]
    assert view.statistics(frozenset(NAMES)).files == 2 * len(may)


@pytest.mark.parametrize("text", ["zebrafisk", "zebrafisk common", "symbol:zebrafisk", "zebrafish"])
def test_an_answer_speaks_of_nothing_else(snapshot: Snapshot, text: str) -> None:
    """Notes and hints too: a word of another repository is as unknown as one of none."""
    lane = Lexical(stemming=False)
    query = Query(text, parse(text).wanted)

    def told(repo: int) -> str:
        view = snapshot.within(frozenset({NAMES[repo]}))
        answer = Searcher(view, [lane], expansion=Expansion(lane, is_default=True)).search(query)
        said = repr((answer.results, answer.notes, answer.hints, answer.expanded))
        assert seen(said) <= {repo}
        return said.replace(text, "")

    assert "zebrafish" not in told(SPELT - 1)
    if "zebrafish" not in text:
        assert "zebrafish" in told(SPELT)
