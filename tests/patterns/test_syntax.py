"""RE2's syntax is read as RE2 reads it, or not at all."""

from __future__ import annotations

import random

import pytest

from plait.patterns.syntax import parse
from plait.patterns.tree import (
    ANY_ONE,
    EMPTY,
    Alternate,
    Concat,
    Literal,
    Node,
    OneOf,
    Repeat,
    folded,
)
from tests.patterns.texts import compiled
from tools.fuzz.regexes import hostile_regex, is_valid, random_regex

DIGIT = ((0x30, 0x39),)
A, B, AB = Literal("a"), Literal("b"), Literal("ab")


def ranges_of(regex: str, *, ignore_case: bool = False) -> tuple[tuple[int, int], ...]:
    tree = parse(regex, ignore_case=ignore_case)
    assert isinstance(tree, OneOf)
    return tree.ranges


@pytest.mark.parametrize(
    ("regex", "tree"),
    [
        pytest.param("", EMPTY, id="empty"),
        pytest.param("ab", AB, id="literal"),
        pytest.param("a|b", Alternate((A, B)), id="alternation"),
        pytest.param("a|", Alternate((A, EMPTY)), id="empty-alternative"),
        pytest.param("a.b", Concat((A, ANY_ONE, B)), id="dot"),
        pytest.param("ab*", Concat((A, Repeat(B, 0, None))), id="star-of-the-last-letter"),
        pytest.param("(ab)*", Repeat(AB, 0, None), id="star-of-a-group"),
        pytest.param("a(?:b)", Concat((A, B)), id="group-without-capture"),
        pytest.param("(ab)a*", Concat((AB, Repeat(A, 0, None))), id="group-and-star"),
        pytest.param("(?P<n>a)", A, id="named-group"),
        pytest.param("(?<n>a)", A, id="named-group-as-in-perl"),
        pytest.param("a+?", Repeat(A, 1, None), id="lazy"),
        pytest.param("a??", Repeat(A, 0, 1), id="lazy-option"),
        pytest.param("a{2}", Repeat(A, 2, 2), id="count"),
        pytest.param("a{2,}", Repeat(A, 2, None), id="count-open"),
        pytest.param("a{0,3}?", Repeat(A, 0, 3), id="count-range-lazy"),
        pytest.param("a{,3}", Literal("a{,3}"), id="not-a-count"),
        pytest.param("a{01}", Literal("a{01}"), id="leading-zero-is-no-count"),
        pytest.param("{a}]", Literal("{a}]"), id="brackets-that-close-nothing"),
        pytest.param(r"^\Aa\b\B\z$", Concat((EMPTY, EMPTY, A, *[EMPTY] * 4)), id="anchors"),
        pytest.param(r"\a\f\t\n\r\v", Literal("\a\f\t\n\r\v"), id="controls"),
        pytest.param(r"\x41\x{1F600}\101\0\.\_", Literal("A\U0001f600A\0._"), id="codes"),
        pytest.param(r"\1234", Literal("S4"), id="octal-has-three-digits"),
        pytest.param(r"\Qa.b\\E*", Concat((Literal("a.b"), Repeat(Literal("\\"), 0, None)))),
        pytest.param(r"\Qa|b", Literal("a|b"), id="quoted-to-the-end"),
        pytest.param(r"a\Q\E*", Repeat(A, 0, None), id="nothing-quoted"),
        pytest.param(r"\C\pN\p{Greek}\PL", Concat((ANY_ONE,) * 4), id="unknown-characters"),
        pytest.param(r"[\p{^Greek}a]", ANY_ONE, id="unicode-in-a-class"),
        pytest.param("a(?i)b", Concat((A, Literal("b", True))), id="flag-in-the-middle"),
        pytest.param("(?i:a)b", Concat((Literal("a", True), B)), id="scoped-flag"),
        pytest.param("((?i)a)b", Concat((Literal("a", True), B)), id="flag-ends-with-its-group"),
        pytest.param("(?i)a(?-i)b", Concat((Literal("a", True), B)), id="flag-off"),
        pytest.param("(?is-U:a(?-i:b))", Concat((Literal("a", True), B)), id="flags"),
        pytest.param("(?i)a|b", Alternate((Literal("a", True), Literal("b", True)))),
        pytest.param("a*(?i)*", Repeat(Repeat(A, 0, None), 0, None), id="flag-between-stars"),
    ],
)
def test_a_pattern_is_read_as_this_tree(regex: str, tree: Node) -> None:
    assert is_valid(regex)
    assert parse(regex) == tree


@pytest.mark.parametrize(
    "regex",
    r"( ) a) [a [z-a] [[:foo:]] * (|*) a{2,1} a{1001} a{99999} (?=a) (?P=n) (?i-) (? (?P<n "
    r"\ \8 \1 \x4 \x{110000} \Z \E \pL\p{ [a-\d] \é".split(),
)
def test_what_re2_refuses_is_not_understood(regex: str) -> None:
    assert not is_valid(regex)
    assert parse(regex) is None


@pytest.mark.parametrize(
    "regex",
    [r"\d", r"\D", r"\s", r"\S", r"\w", r"\W", "[abc]", "[^abc]", "[a-cx-z]", "[]a]", "[^]a]"]
    + ["[a-]", "[-a]", "[--/]", r"[\d-z]", r"[\]\-\\]", r"[\x41-\x{5a}\101]", "[^\\n]", "[[]"]
    + [f"[[:{name}:]]" for name in "alnum alpha ascii blank cntrl digit graph lower".split()]
    + [f"[[:^{name}:]_]" for name in "print punct space upper word xdigit".split()]
    + ["[[:alpha:][:digit:]]", "[[:alpha]", "[[:^alpha:]]", r"[^\W\d]", "[é-ü]", "[^[:ascii:]]"],
)
def test_a_class_holds_the_characters_re2_matches(regex: str) -> None:
    ranges = ranges_of(regex)
    run = compiled(f"^(?:{regex})$", ignore_case=False, is_multiline=True)
    codes = [*range(0x300), 0xD7FF, 0xE000, 0x10FFFF]

    here = [code for code in codes if any(low <= code <= high for low, high in ranges)]
    there = [code for code in codes if run.fullmatch(chr(code).encode())]
    assert here == there


def test_ranges_are_in_order_and_do_not_touch() -> None:
    assert ranges_of("[x-zb-da-ce]") == ((0x61, 0x65), (0x78, 0x7A))
    assert ranges_of(r"[^\x00-\x60\x62-\x{10FFFF}]") == ((0x61, 0x61),)
    assert ranges_of(r"[^\x00-\x{10FFFF}]") == ()


def test_what_is_written_in_a_class_keeps_its_flag() -> None:
    assert parse(r"[0-9](?i)\d") == Concat((OneOf(DIGIT), OneOf(DIGIT, True)))


def test_nesting_has_no_limit() -> None:
    tree = parse("(" * 5_000 + "a" + ")*b" * 5_000)

    assert tree is not None
    assert folded(tree, lambda _, parts: 1 + sum(parts)) == 5_000 * 3 + 1


def test_every_random_pattern_that_re2_accepts_is_understood() -> None:
    rng = random.Random(7)
    regexes = [random_regex(rng, ["self.value", "Get", "a b"]) for _ in range(300)]
    regexes += [regex for _ in range(300) if is_valid(regex := hostile_regex(rng))]

    assert [regex for regex in regexes if parse(regex) is None] == []
