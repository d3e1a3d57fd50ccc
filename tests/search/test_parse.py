"""The query language: by case files, by law, and by how long it may take."""

from __future__ import annotations

import random
import string
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from plait.errors import QueryError
from plait.search.parse import MAX_DEPTH, Parsed, free_text, parse, render
from plait.types import (
    And,
    Defines,
    Expression,
    Not,
    Or,
    PathLike,
    PathPattern,
    Pattern,
    Phrase,
    Refers,
    Tag,
    Text,
)

CASES = Path(__file__).parent.parent / "fixtures" / "queries"

# Pieces that mean something somewhere, so that random queries are nearly well-formed.
PIECES = [
    *' \t()"/\\|-:,.*{}<>^$[]i1a',
    *("foo", "OR", "AND", "NOT", "lang:", "f:", "path:", "symbol:", "calls:", "text:", "regex:"),
    *("content:", "is:", "type:", "rev:", "lag:", "-(", " (", ") ", '" ', "f(", "::", "//", "test"),
    *("case:yes ", "case:no ", "case:auto ", "path:/", "F"),
]
queries = st.lists(st.sampled_from(PIECES), max_size=24).map("".join)


def show(wanted: Expression) -> str:
    """The notation of the case files."""
    match wanted:
        case Text(text):
            return f"'{text}'"
        case Phrase(text):
            return f'"{text}"'
        case Pattern(regex, ignore_case):
            return f"/{regex}/{'i' if ignore_case else ''}"
        case Tag(name, value):
            return f"{name}={value}"
        case PathLike(glob):
            return f"path={glob}"
        case PathPattern(regex):
            return f"path~{regex}"
        case Defines(name):
            return f"defines {name}"
        case Refers(relation, target):
            return f"{relation} {target}"
        case Not(part):
            return f"not {show(part)}"
        case And(parts) | Or(parts):
            name = "all" if isinstance(wanted, And) else "any"
            return f"{name}({', '.join(map(show, parts))})" if parts else "everything"
        case _:
            raise AssertionError(f"the parser never makes {wanted!r}")


def cases() -> Iterator[object]:
    for file in sorted(CASES.glob("*.txt")):
        for number, line in enumerate(file.read_text("utf-8").split("\n"), start=1):
            if line and not line.startswith("# "):
                query, arrow, expected = line.partition(" ⇒ ")
                assert arrow, f"{file.name}:{number} has no ⇒"
                wanted, *hints = expected.split(" !! ")
                yield pytest.param(query, wanted, hints, id=f"{file.stem}:{number}")


def attempt(query: str) -> Parsed | None:
    """The query parsed, or nothing if it was refused."""
    try:
        return parse(query)
    except QueryError:
        return None


def cost_s(query: str) -> float:
    started = time.process_time()
    attempt(query)
    return time.process_time() - started


@pytest.mark.parametrize(("query", "wanted", "hints"), list(cases()))
def test_case_file(query: str, wanted: str, hints: list[str]) -> None:
    parsed = parse(query)

    assert show(parsed.wanted) == wanted
    assert len(parsed.hints) == len(hints), parsed.hints
    for said, expected in zip(parsed.hints, hints, strict=True):
        assert expected in said


@given(st.one_of(queries, st.text()))
@example("-(lang:go :( )")
@example("-(lang:go )( )")
@example("-( )( lang:go)")
@example("x path:src/ /a")
@settings(max_examples=2_000, deadline=None)
def test_what_is_rendered_reads_the_same(query: str) -> None:
    wanted = parse(query).wanted

    assert parse(render(wanted)).wanted == wanted


@given(st.one_of(queries, st.text()))
@settings(max_examples=1_000, deadline=None)
def test_normal_form(query: str) -> None:
    def check(wanted: Expression) -> None:
        match wanted:
            case And(parts) | Or(parts):
                assert len(parts) > 1
                assert not any(type(part) is type(wanted) for part in parts)
                texts = sum(isinstance(part, Text) for part in parts)
                assert texts <= 1 or isinstance(wanted, Or)
                for part in parts:
                    check(part)
            case Not(part):
                assert not isinstance(part, Not)
                check(part)

    wanted = parse(query).wanted
    if wanted != And(()):
        check(wanted)


words = st.text(string.ascii_letters + string.digits + "_äß.,;!?=+'", min_size=1)


@given(st.lists(words.filter(lambda word: word not in ("OR", "AND", "NOT"))))
def test_no_word_is_lost(typed: list[str]) -> None:
    assert free_text(parse(" ".join(typed)).wanted).split() == typed


def test_free_text_is_what_is_wanted_in_order() -> None:
    wanted = parse('a "b c" (d OR -e) -f lang:go symbol:x').wanted

    assert free_text(wanted) == "a b c d"


def test_languages_are_resolved_by_the_caller() -> None:
    names = {"golang": "go", "go": "go"}
    parsed = parse("lang:Golang,klingon", canonical_language=names.get)

    assert parsed.wanted == Or((Tag("lang", "go"), Tag("lang", "klingon")))
    assert parsed.hints == ("no language is called `klingon` here",)


def test_nesting_is_refused_only_beyond_the_limit() -> None:
    deep = "(" * MAX_DEPTH + "a OR b" + ")" * MAX_DEPTH

    assert parse(deep).wanted == Or((Text("a"), Text("b")))
    with pytest.raises(QueryError, match="nested more than 50 deep"):
        parse(f"({deep})")


def test_a_query_too_long_is_refused() -> None:
    with pytest.raises(QueryError, match="10,001 characters"):
        parse("x" * 10_001)


@pytest.mark.parametrize(
    "piece",
    [
        *('"', '" ', "(", ")", "( ", " )", "()", "f(", "f( ", "/", "/a ", "/a/ ", "-", "-(", "- "),
        *("NOT ", "OR ", "a OR ", "l:", 'l:" ', "l:a,", "l:a ", "{a,b}", "path:{a,b} ", "lag:x "),
        *("x:( ", "\\", '\\" "', "a:b:", "-/", '-"', "^", "regex:(", "<,", "f(x, y) ", "::", "é"),
        *("(a) ", 'l:"a" ', "path:a\\.", "zqx", "ab:c", "(lang:go OR ", "-(-a "),
    ],
)
def test_the_longest_queries_are_quick(piece: str) -> None:
    for query in (piece * (10_000 // len(piece)), "path:" + piece * (9_000 // len(piece))):
        assert min(cost_s(query) for _ in range(3)) < 0.1  # the others pay for the collector


def test_a_hundred_thousand_random_queries_are_read() -> None:
    chance = random.Random(7)
    slowest = 0.0
    for _ in range(100_000):
        query = "".join(chance.choices(PIECES, k=chance.randrange(20)))
        cost = cost_s(query)
        if cost > slowest:  # one of them may pay for the collector; it does so once
            slowest = max(slowest, min(cost, cost_s(query), cost_s(query)))
        if chance.random() < 0.2:
            wanted = parse(query).wanted
            assert parse(render(wanted)).wanted == wanted, query

    assert slowest < 0.1
