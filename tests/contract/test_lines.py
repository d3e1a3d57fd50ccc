"""Which lines a search for patterns finds, in which order, with what around them."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import pytest

from plait.errors import PatternError
from plait.types import (
    And,
    Defines,
    Expression,
    FileLines,
    LineQuery,
    Not,
    Or,
    Order,
    PathLike,
    PathPattern,
    Pattern,
    Reference,
    Refers,
    Relation,
    Scope,
    Snapshot,
    Store,
    Tag,
)
from tests.contract.conftest import NewStore
from tests.contract.lines import expected, grepped, places
from tests.contract.notation import Piece, file, gone
from tests.contract.reference import Model

LONG = "".join(f"line {n} of many, {n % 7} fox{n}\n" for n in range(2_000))
CORPUS = [
    file("src/b.py", "import fox\n", "fox = 1\nFoxes fox_1\n"),
    file(
        "src/a.py",
        "# fox\n",
        Piece("def fox(x):\n    return fox(x - 1)\n", "fox", signature="def fox(x):"),
        Piece(
            "def foxtrot():\n    pass\n",
            "foxtrot",
            references=(Reference(Relation.CALLS, "bear"),),
            signature="def foxtrot():",
        ),
    ),
    file("tests/test_a.py", "assert fox(1)\n", tags=("test",)),
    file("src/long.txt", LONG, language=""),
    file("docs/ä.md", "straße FOX\n\nno newline fox", language="markdown", tags=("documentation",)),
    file("src/windows.c", "int fox;\r\n\r\nint bear;\r\n", language="c"),
    file("other.go", "var fox = 3\n", repo="other", language="go"),
]
MODEL = Model(CORPUS)


@pytest.fixture(scope="module")
def snapshot(new_store: NewStore) -> Iterator[Snapshot]:
    with new_store() as store:
        store.commit(CORPUS)
        yield store.snapshot()


def asked(*regexes: str, **options: object) -> LineQuery:
    return LineQuery(tuple(map(Pattern, regexes)), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "regex",
    [
        "fox",
        r"fox\(",
        "^fox",
        "fox$",
        r"\bfox\b",
        "fo+x[0-9]+$",
        "f.x",
        "(foxtrot|bear|import)",
        "[0-9]{3} of",
        "^$",
        "^",
        "x*",
        r"\d\d\d$",
        "no such thing",
        "1999 of many, 4 fox1999",
        r"\r$",
        "straße",
        ".{20,}",
    ],
)
@pytest.mark.parametrize("order", list(Order))
def test_the_lines_found_are_those_that_match(snapshot: Snapshot, regex: str, order: Order) -> None:
    files, tally = grepped(snapshot, asked(regex, order=order))
    found = places(files)
    assert set(found) == expected(MODEL, regex)
    assert len(found) == len(set(found)) == tally.lines
    assert tally.files == len(files)
    assert tally.is_exact
    assert not tally.is_partial


def test_a_line_tells_its_text_its_place_and_where_it_matches(snapshot: Snapshot) -> None:
    files, tally = grepped(snapshot, asked("fox", scope=Scope(file="src/b.py")))
    ((_, _, second),) = [one.lines for one in files]
    assert second.text == b"Foxes fox_1"
    assert second.ranges == ((6, 9),)
    assert (second.number, second.begin) == (3, 19)
    assert files[0].language == "python"
    assert files[0].size == 31
    assert tally.matches == 3


def test_matches_touch_but_empty_ones_do_not_follow_another(snapshot: Snapshot) -> None:
    files, _ = grepped(snapshot, asked("o*", scope=Scope(file="src/b.py")))
    assert files[0].lines[1].ranges == ((0, 0), (1, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 7))


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        (Pattern("FOX", ignore_case=True), 4 + 3 + 1 + 2),
        (Pattern("(?i)foX"), 4 + 3 + 1 + 2),
        (Pattern("fox", is_word=True), 3 + 2 + 1 + 1),
        (Pattern("fox(", is_word=True), -1),
        (Pattern(r"fox\(", is_word=True), 0),  # a letter follows
        (Pattern(r"# f", is_word=True), 0),
        (Pattern(r"fox =", is_word=True), 1),
        (Pattern("fox|foxes", ignore_case=True, is_word=True), 7 + 2),
    ],
    ids=str,
)
def test_case_and_words(snapshot: Snapshot, pattern: Pattern, found: int) -> None:
    scope = Scope(repos=frozenset({"r"}), paths=("*.py", "*.md"))
    query = LineQuery((pattern,), scope=scope)
    if found < 0:
        with pytest.raises(PatternError):
            snapshot.grep(query)
        return
    assert grepped(snapshot, query)[1].lines == found


def test_letters_that_only_unicode_folds_are_found(new_store: NewStore) -> None:
    with new_store() as store:
        store.commit([file("a.txt", "300 \u212aelvin\nma\u017f\u017fe\nKelvin\n")])
        snapshot = store.snapshot()
        for regex, lines in (("kelvin", 2), ("masse", 1)):
            query = LineQuery((Pattern(regex, ignore_case=True),))
            assert grepped(snapshot, query)[1].lines == lines
        assert grepped(snapshot, asked("kelvin"))[1].lines == 0


@pytest.mark.parametrize("regex", ["fox", "f.x", "o*", "^", r"\bfox\b", r"\A|o"])
def test_without_marks_the_lines_are_the_same(snapshot: Snapshot, regex: str) -> None:
    marked, _ = grepped(snapshot, asked(regex))
    bare, _ = grepped(snapshot, asked(regex, is_marked=False))
    assert places(bare) == places(marked)
    assert all(len(line.ranges) == 1 for one in bare for line in one.lines)


def test_several_patterns_find_what_one_of_them_finds(snapshot: Snapshot) -> None:
    files, _ = grepped(snapshot, LineQuery((Pattern(r"\Qint "), Pattern("IMPORT", True))))
    assert set(places(files)) == {"src/windows.c:1", "src/windows.c:3", "src/b.py:1"}


def test_files_that_define_it_come_first_and_tests_last(snapshot: Snapshot) -> None:
    files, _ = grepped(snapshot, asked("fox", scope=Scope(repos=frozenset({"r"}))))
    assert [one.path for one in files] == [
        "src/a.py",
        "src/b.py",
        "src/long.txt",
        "src/windows.c",
        "docs/ä.md",
        "tests/test_a.py",
    ]
    assert [(line.number, line.defines) for line in files[0].lines] == [
        (1, False),
        (2, True),
        (3, False),
        (4, True),
    ]
    by_path, _ = grepped(snapshot, asked("fox", order=Order.PATH))
    assert [one.path for one in by_path] == [
        "other.go",  # of another repository
        *sorted({one.path for one in files}),
    ]


def test_a_limit_cuts_and_the_tally_says_that_there_is_more(snapshot: Snapshot) -> None:
    files, tally = grepped(snapshot, asked("fox", limit=5))
    assert len(places(files)) == tally.lines == 5
    assert not tally.is_exact
    everything = len(expected(MODEL, "fox"))
    _, counted = grepped(snapshot, asked("fox", limit=5, count_to=10_000))
    assert counted.lines == everything
    assert counted.is_exact
    files, some = grepped(snapshot, asked("fox", limit=5, count_to=100))
    assert len(places(files)) == 5
    assert everything > some.lines >= 100
    assert not some.is_exact
    assert grepped(snapshot, asked("fox", limit=everything))[1].is_exact


@pytest.mark.parametrize("regex", ["fox", "f.x", "[a-z]o[a-z]"])
@pytest.mark.parametrize("per_file", [0, 2])
@pytest.mark.parametrize("order", list(Order))
def test_what_a_limit_cuts_off_is_counted(
    snapshot: Snapshot, regex: str, per_file: int, order: Order
) -> None:
    everything = grepped(snapshot, asked(regex, per_file=per_file))[1].lines
    for limit in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 100, everything - 1, everything, 3_000):
        options = {"limit": limit, "per_file": per_file, "order": order}
        files, tally = grepped(snapshot, asked(regex, count_to=5_000, **options))
        assert (tally.lines, tally.is_exact) == (everything, True)
        given = places(files)
        assert len(given) == len(set(given)) == min(limit, everything)
        _, tally = grepped(snapshot, asked(regex, **options))
        assert (tally.lines, tally.is_exact) == (min(limit, everything), limit >= everything)
        _, tally = grepped(snapshot, asked(regex, count_to=limit + 2, **options))
        counted = min(limit + 2, everything)
        assert (tally.lines, tally.is_exact) == (counted, limit + 2 >= everything)


def test_the_line_that_defines_it_is_not_cut_off(snapshot: Snapshot) -> None:
    for regex, line in (("fox", 2), ("def foxt", 4), (r"foxtrot\(", 4), ("fox.*x", 2)):
        files, _ = grepped(snapshot, asked(regex, limit=1))
        assert (files[0].path, files[0].lines[0].number) == ("src/a.py", line), regex


def test_so_many_lines_of_each_file(snapshot: Snapshot) -> None:
    files, tally = grepped(snapshot, asked("fox", per_file=2))
    assert {one.path: len(one.lines) for one in files} == {
        **dict.fromkeys(["src/a.py", "src/b.py", "src/long.txt"], 2),
        **dict.fromkeys(["src/windows.c", "tests/test_a.py", "other.go", "docs/ä.md"], 1),
    }
    assert tally.lines == 10


def test_context_is_given_once_and_marked(snapshot: Snapshot) -> None:
    scope = Scope(file="src/a.py")
    files, tally = grepped(snapshot, asked("return|foxtrot", scope=scope, before=1, after=1))
    assert [(line.number, line.is_match) for line in files[0].lines] == [
        (2, False),
        (3, True),
        (4, True),
        (5, False),
    ]
    assert files[0].lines[0].text == b"def fox(x):"
    assert tally.lines == 2


def test_inverted_are_the_lines_that_do_not_match(snapshot: Snapshot) -> None:
    files, tally = grepped(snapshot, asked("fox", is_inverted=True))
    every = expected(MODEL, "^")
    assert set(places(files)) == every - expected(MODEL, "fox")
    assert tally.lines == len(every) - len(expected(MODEL, "fox"))
    assert all(line.ranges == () for one in files for line in one.lines)


def test_a_match_over_several_lines(snapshot: Snapshot) -> None:
    regex = r"x\):\s+return"
    assert grepped(snapshot, asked(regex))[1].lines == 0
    files, _ = grepped(snapshot, asked(regex, is_multiline=True))
    assert places(files) == ["src/a.py:2", "src/a.py:3"]
    assert [line.ranges for line in files[0].lines] == [((8, 12),), ((0, 10),)]
    far_apart = r"(?s)line 3 of.*line 1990 of"
    files, _ = grepped(snapshot, asked(far_apart, is_multiline=True))
    assert len(places(files)) == 1_988


def test_anchors_of_the_whole_text_are_the_files_ends(snapshot: Snapshot) -> None:
    assert set(places(grepped(snapshot, asked(r"\A\w+ fox"))[0])) == {
        "src/b.py:1",
        "src/windows.c:1",
        "tests/test_a.py:1",
        "other.go:1",
    }
    assert places(grepped(snapshot, asked(r"fox\z"))[0]) == ["docs/ä.md:3"]


@pytest.mark.parametrize(
    ("where", "paths"),
    [
        (Tag("lang", "c"), {"src/windows.c"}),
        (Tag("repo", "other"), {"other.go"}),
        (Tag("is", "test"), {"tests/test_a.py"}),
        (PathLike("*.go"), {"other.go"}),
        (PathPattern(r"^src/[ab]\."), {"src/a.py", "src/b.py"}),
        (And((PathLike("src/*"), Not(PathPattern("(?i)LONG|.py$")))), {"src/windows.c"}),
        (Or((Tag("lang", "go"), Tag("lang", "c"))), {"other.go", "src/windows.c"}),
        (Not(Tag("repo", "r")), {"other.go"}),
        (Defines("fox"), {"src/a.py"}),
        (Or((Defines("fox"), Tag("lang", "go"))), {"src/a.py", "other.go"}),
        (Or(()), set()),
    ],
    ids=lambda given: str(sorted(given) if isinstance(given, set) else given),
)
@pytest.mark.parametrize("regex", ["fox", "[f]o*x", "f[a-z]x"])
def test_conditions(snapshot: Snapshot, where: Expression, paths: set[str], regex: str) -> None:
    files, _ = grepped(snapshot, asked(regex, where=where))
    assert {one.path for one in files} == paths


def test_conditions_on_chunks_leave_their_lines(snapshot: Snapshot) -> None:
    fox = asked("fox", where=Defines("fox"))
    assert places(grepped(snapshot, fox)[0]) == ["src/a.py:2", "src/a.py:3"]
    calling = asked("fox", where=Refers(Relation.CALLS, "bear"))
    assert places(grepped(snapshot, calling)[0]) == ["src/a.py:4"]
    both = asked("fox", where=And((Pattern("return"), Pattern("def fox"))))
    assert places(grepped(snapshot, both)[0]) == ["src/a.py:2", "src/a.py:3"]
    kinds = asked("fox", scope=Scope(kinds=frozenset({"function"})))
    assert places(grepped(snapshot, kinds)[0]) == ["src/a.py:2", "src/a.py:3", "src/a.py:4"]


@pytest.mark.parametrize("regex", ["fox", "f.x", "[a-z]o[a-z]", "^"])
@pytest.mark.parametrize("order", list(Order))
def test_nothing_outside_the_scope_is_seen(snapshot: Snapshot, regex: str, order: Order) -> None:
    for scope, paths in (
        (Scope(repos=frozenset({"other"})), {"other.go"}),
        (Scope(repos=frozenset({"other", "unknown"})), {"other.go"}),
        (Scope(repos=frozenset()), set()),
        (Scope(languages=frozenset({"c"})), {"src/windows.c"}),
        (Scope(under="tests"), {"tests/test_a.py"}),
        (Scope(paths=("*.md",)), {"docs/ä.md"}),
    ):
        for inverted in (False, True):
            query = asked(regex, scope=scope, order=order, is_inverted=inverted)
            files, _ = grepped(snapshot, query)
            assert {one.path for one in files} <= paths
            if not inverted and regex in ("fox", "f.x"):
                assert {one.path for one in files} == paths or paths == {"docs/ä.md"}


def test_what_was_changed_renamed_or_removed_is_so_in_the_lines(store: Store) -> None:
    model = Model()
    for changes in (
        [file("a.py", "old fox\n"), file("b.py", "fox\nbear\n"), file("c.py", "fox\n")],
        [file("a.py", "new fox\nfox\n"), gone("c.py")],
        [gone("b.py"), file("d.py", "fox\nbear\n")],
        *([file(f"{n}.py", f"fox {n}\n")] for n in range(12)),
        [file("a.py", "bear\n")],
    ):
        store.commit(changes)
        model.commit(changes)
        snapshot = store.snapshot()
        for regex in ("fox", "bear", "new|old", r"\d", "^f"):
            for order in Order:
                files, _ = grepped(snapshot, asked(regex, order=order))
                assert sorted(places(files)) == sorted(expected(model, regex))
        assert store.check() == []
        snapshot.close()


def test_a_search_that_had_to_read_everything_says_so(snapshot: Snapshot) -> None:
    assert grepped(snapshot, asked(r"\d\d"))[1].notes
    assert not grepped(snapshot, asked("fox"))[1].notes


def test_without_time_the_tally_says_so(snapshot: Snapshot) -> None:
    _, tally = grepped(snapshot, asked("[a-z]o[a-z]", within_s=-1))
    assert tally.is_partial
    assert not tally.is_exact
    assert any("time" in note for note in tally.notes)


@pytest.mark.parametrize("regex", ["(", r"(?=a)", r"\1", "a{1001}", "x" * 1_001, "\ud800"])
def test_what_is_no_pattern_is_refused_at_once(snapshot: Snapshot, regex: str) -> None:
    with pytest.raises(PatternError):
        snapshot.grep(asked(regex))


def test_no_pattern_matches_nothing(snapshot: Snapshot) -> None:
    assert grepped(snapshot, LineQuery(()))[1].lines == 0


def test_the_first_file_comes_before_the_last_is_looked_at(snapshot: Snapshot) -> None:
    found = snapshot.grep(asked("fox"))
    first = next(found)
    assert first.lines  # and the rest was never asked for


@pytest.mark.parametrize("is_multiline", [False, True])
def test_a_pattern_that_is_slow_everywhere_keeps_to_its_time(
    new_store: NewStore, is_multiline: bool
) -> None:
    regex = "a" + "[ab].{0,100}b" * 20 + "[^abcxyz ]"  # RE2's fast automaton has no room for it
    letters = random.Random(6)
    text = "".join("".join(letters.choices("abcxyz ", k=2_000)) + "\n" for _ in range(80))
    with new_store() as store:
        store.commit([file("a.txt", text), file("b.txt", text[::-1])])
        query = asked(regex, within_s=0.5, is_multiline=is_multiline)
        began = time.process_time()
        _, tally = grepped(store.snapshot(), query)
        assert time.process_time() - began < 2.0
        assert tally.is_partial


def test_definitions_out_of_sight_do_not_change_the_order_in_sight(store: Store) -> None:
    """Files that define what matches come first, however many others define it too."""
    others = [
        file(
            f"{n}.py", Piece(text := f"def parse_{n:02}(): pass\n", f"parse_{n:02}", signature=text)
        )
        for n in range(80)
    ]
    mine = [
        file("a_use.py", "parse_header_lines()\n", repo="mine"),
        file(
            "z_def.py",
            Piece(
                "def parse_header_lines(): pass\n",
                "parse_header_lines",
                signature="def parse_header_lines(): pass",
            ),
            repo="mine",
        ),
    ]
    store.commit([*others, *mine])
    view = store.snapshot().within(frozenset({"mine"}))
    lines = view.grep(LineQuery((Pattern("parse"),)))
    found = [one.path for one in lines if isinstance(one, FileLines)]

    assert found == ["z_def.py", "a_use.py"]
