"""Which queries ask for lines, for which lines, and in which case."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.search.lines import (
    Case,
    crosses_lines,
    either,
    has_capital,
    line_query,
    may_cross_lines,
    with_case,
)
from plait.search.parse import parse, render
from plait.types import And, Expression, LineQuery, Not, Or, Pattern, Query, Scope, Text


def asked(text: str, scope: Scope | None = None) -> LineQuery | None:
    return line_query(Query(text, parse(text).wanted, scope or Scope()))


def shown(patterns: tuple[Pattern, ...]) -> str:
    return " ".join(map(render, patterns))


@pytest.mark.parametrize(
    ("query", "patterns", "where"),
    [
        pytest.param("/a.b/", "/a.b/", "", id="a pattern"),
        pytest.param("/a/i lang:go", "/a/i", "lang:go", id="a filter is a condition"),
        pytest.param("/a/ -is:test path:src", "/a/", "-is:test path:src", id="several"),
        pytest.param("/a/ -/b/", "/a/", "-/b/", id="an excluded pattern is no line's"),
        pytest.param("/a/ OR /b/i", "/a/ /b/i", "", id="either"),
        pytest.param("(/a/ OR /b/) lang:go", "/a/ /b/", "lang:go", id="either, filtered"),
        pytest.param("/a/ /b/", "/a/ /b/", "/a/ /b/", id="both stay conditions"),
        pytest.param(
            "/a/ (/b/ OR /c/)", "/a/ /b/ /c/", "/a/ (/b/ OR /c/)", id="both, one a choice"
        ),
        pytest.param("/a/ (/b/ OR lang:go)", "/a/ /b/", "/a/ (/b/ OR lang:go)", id="or a filter"),
        pytest.param(
            "/a/ lang:go OR /b/ lang:c",
            "/a/ /b/",
            "/a/ lang:go OR /b/ lang:c",
            id="each with its filter",
        ),
        pytest.param('/a/ "plain words"', "/a/", '"plain words"', id="plain words are a condition"),
        pytest.param("/a/ symbol:Foo", "/a/", "symbol:Foo", id="within a definition"),
        pytest.param('"foo(bar)"', r"/foo\(bar\)/i", "", id="code in quotation marks"),
        pytest.param('"x  = 1" lang:go', r"/x\s+=\s+1/i", "lang:go", id="its white space"),
        pytest.param('"->next"', r"/\->next/i", "", id="an arrow"),
        pytest.param('content:"f(x"', r"/f\(x/i", "", id="content"),
        pytest.param("regex:a+ f:^src/", "/a+/", "path:src/**", id="regex and a path"),
    ],
)
def test_a_query_without_words_asks_for_lines(query: str, patterns: str, where: str) -> None:
    lines = asked(query)

    assert lines is not None
    assert shown(lines.patterns) == patterns
    assert render(lines.where) == where


@pytest.mark.parametrize(
    "query",
    [
        "word",
        "/a/ word",
        "/a/ -word",
        "(/a/ OR word) lang:go",
        '"plain words"',
        '"plain words" lang:go',
        '"foo(bar)" word',
        "lang:go",
        "-/a/ lang:go",
        "symbol:Foo",
    ],
)
def test_a_query_with_words_or_without_a_pattern_asks_for_chunks(query: str) -> None:
    assert asked(query) is None


def test_lines_are_looked_for_where_the_query_is() -> None:
    scope = Scope(repos=frozenset({"mine"}), under="src")
    lines = asked("/a/", scope)

    assert lines is not None
    assert lines.scope == scope


@pytest.mark.parametrize(
    ("regex", "crosses"),
    [
        ("a", False),
        (r"a\n", True),
        ("a\nb", True),
        ("a\\\nb", True),
        (r"a\\n", False),
        (r"a\\\n", True),
        (r"\s+", False),
    ],
)
def test_a_pattern_that_names_a_line_break_goes_over_lines(regex: str, crosses: bool) -> None:
    lines = line_query(Query("", Pattern(regex)))

    assert lines is not None
    assert lines.is_multiline is crosses_lines(regex) is crosses


@pytest.mark.parametrize(
    ("regex", "may"),
    [
        ("foo", False),
        ("foo.*bar", False),
        (r"foo\n", True),
        (r"foo\s", True),
        ("[^a]", True),
        ("(?s)a.b", True),
        ("(?is:a.b)", True),
        ("[[:space:]]", True),
    ],
)
def test_what_may_match_a_line_break_may_go_over_lines(regex: str, may: bool) -> None:
    assert may_cross_lines(regex) is may


@pytest.mark.parametrize(
    ("regex", "has"),
    [
        ("foo", False),
        ("fOo", True),
        (r"\W\S\pL\p{Greek}\PN\x{AB}\x4A\D", False),
        (r"\\W", True),
        ("[A-Z]", True),
        ("(?P<Name>x)", False),
        ("(?U)x(?i:y)", False),
        ("É", True),
    ],
)
def test_smart_case_looks_at_letters_to_be_matched(regex: str, has: bool) -> None:
    wanted = with_case(Pattern(regex), Case.SMART)

    assert has_capital(regex) is has
    assert wanted == Pattern(regex, ignore_case=not has)


def test_case_changes_excluded_patterns_and_leaves_words_alone() -> None:
    wanted = And((Text("Word"), Not(Or((Pattern("a"), Pattern("b", ignore_case=True))))))

    assert with_case(wanted, Case.AS_WRITTEN) == wanted
    assert render(with_case(wanted, Case.INSENSITIVE)) == "Word -(/a/i OR /b/i)"
    assert render(with_case(wanted, Case.SENSITIVE)) == "Word -(/a/ OR /b/)"


def test_several_patterns_are_one_in_which_the_first_that_matches_counts() -> None:
    assert either(["a"]) == "a"
    assert either(["a|b", "(?i)c", "a|b"]) == "(?:a|b)|(?:(?i)c)"


pieces = st.sampled_from(
    ["/a/", "/b/i", "-/c/", "lang:go", '"f(x)"', '"two words"', "word", "OR", "(", ")", "-", "NOT "]
)


def words_in(wanted: Expression) -> bool:
    match wanted:
        case And(parts) | Or(parts):
            return any(map(words_in, parts))
        case Not(part):
            return words_in(part)
        case _:
            return isinstance(wanted, Text)


@given(st.lists(pieces, max_size=8).map(" ".join))
def test_the_condition_of_lines_never_holds_words(query: str) -> None:
    lines = asked(query)

    assert lines is None or (lines.patterns and not words_in(lines.where))
