"""What a pattern requires: as much as can be told, and never what a match may lack."""

from __future__ import annotations

import itertools
import os
import random
import time
import tracemalloc

import pytest

from plait.patterns.needs import MAX_DEPTH
from plait.patterns.required import ANYTHING, NOTHING, Need, required
from tests.patterns.texts import compiled, indexed, satisfies, texts_for
from tools.fuzz.regexes import hostile_regex, is_valid, random_regex

SEED = int(os.environ.get("PLAIT_FUZZ_SEED", "1"))
MAX_MS = 50.0  # of CPU time, for the worst of patterns
MAX_PEAK_BYTES = 8 << 20
WORDS = (
    *("def", "return", "self.value", "kSet", "ask", "Task", "func Foo(", "err != nil", "x", "_id"),
    *("std::vector<int>", "timeout_s", "HTTPServer", "get_value", "= 0;"),
    *("größe", "日本語", "\u017fet"),
)


def shown(need: Need) -> str:
    """``foo (bar | baz)``: all pieces, then each choice in parentheses."""
    grams = [gram.decode("utf-8", "replace") for gram in sorted(need.grams)]
    groups = [f"({' | '.join(shown(part) for part in group)})" for group in need.choices]
    return " ".join([*grams, *groups])


def depth(need: Need) -> int:
    return 1 + max((depth(part) for group in need.choices for part in group), default=0)


@pytest.mark.parametrize(
    ("regex", "expected"),
    [
        pytest.param("", "", id="empty"),
        pytest.param("ab", "", id="too-short"),
        pytest.param("fooba", "foo oba oob", id="literal"),
        pytest.param("FooB", "foo oob", id="case-is-folded"),
        pytest.param(r"f\(x\)", "(x) f(x", id="escaped"),
        pytest.param(r"\Qf(x\E", "f(x", id="quoted"),
        pytest.param(r"\x{41}\x42\103", "abc", id="codes"),
        pytest.param("foo.bar", "bar foo", id="dot"),
        pytest.param("foo.*bar", "bar foo", id="dot-star"),
        pytest.param(r"\bfoo\b|^foo$|\Afoo\z", "foo", id="anchors"),
        pytest.param("[Ff]oo", "foo", id="both-cases"),
        pytest.param("f[au]n", "(fan | fun)", id="small-class"),
        pytest.param("[[:alpha:]]foo", "foo", id="large-class"),
        pytest.param(r"foo\pLbar", "bar foo", id="unicode-class"),
        pytest.param("[^a]foo", "foo", id="negated-class"),
        pytest.param("foo|bar", "(foo | bar)", id="alternation"),
        pytest.param("foo|", "", id="empty-alternative"),
        pytest.param("foo|b.r", "", id="one-alternative-needs-nothing"),
        pytest.param("foo|foobar", "foo", id="one-alternative-holds-another"),
        pytest.param("foo|foobar|quux", "(foo | quu uux)", id="one-of-three-holds-another"),
        pytest.param("foo.*(foo|bar)", "foo", id="choice-that-is-met-already"),
        pytest.param("foo.*(foox|bar)", "foo (oox | bar)", id="choice-that-is-met-in-part"),
        pytest.param("xfoo|foo.*bar|ybar", "(foo xfo | bar yba | bar foo)", id="three"),
        pytest.param("foo.x|foo.y|foo", "foo", id="shared"),
        pytest.param("(get|set)_v", "et_ t_v (get | set)", id="shared-ending"),
        pytest.param("abc(d|e.*)", "abc (bcd | bce)", id="shared-beginning"),
        pytest.param("(?:foo)?bar", "bar", id="option"),
        pytest.param("fo{0}o", "", id="no-times"),
        pytest.param("fo{2}", "foo", id="twice"),
        pytest.param("fo{1,2}b", "(fob | foo oob)", id="once-or-twice"),
        pytest.param("(ab){3,}", "aba bab", id="three-times-or-more"),
        pytest.param("(ab)+c", "abc", id="at-least-once"),
        pytest.param("x(ab|cd)+y", "(xab | xcd) (aby | cdy)", id="different-each-time"),
        pytest.param("x(y(zab.))", "xyz yza zab", id="beginnings-of-groups"),
        pytest.param("((.abz)y)x", "abz bzy zyx", id="ends-of-groups"),
        pytest.param("(foo)*bar", "bar", id="any-number"),
        pytest.param("(foo.)+", "foo", id="at-least-once-of-many"),
        pytest.param("(foo.){2}", "foo", id="twice-of-many"),
        pytest.param("(foo.)*", "", id="any-number-of-many"),
        pytest.param("x{1000}", "xxx", id="a-thousand"),
        pytest.param("(?U)foo+?(?s).", "foo", id="flags-that-do-not-matter"),
        pytest.param("(?<n>foo)(?P<m>b)", "foo oob", id="named-groups"),
        pytest.param("a.(bc)(d|ef)", "(bcd | bce cef)", id="run-after-a-gap"),
        pytest.param(r"\w_[0-1]x", "(_0x | _1x)", id="short-run-after-a-gap"),
        pytest.param("\u017fabc", "abc", id="long-s-is-unknown"),
        pytest.param("abc[\u212ax]", "abc", id="kelvin-in-a-class-is-unknown"),
        pytest.param("ab\\x{D800}cde", "cde", id="surrogate-is-unknown"),
    ],
)
def test_a_pattern_requires(regex: str, expected: str) -> None:
    assert is_valid(regex)
    assert shown(required(regex)) == expected


@pytest.mark.parametrize(
    ("regex", "expected"),
    [
        pytest.param("Foo", "foo", id="letters"),
        pytest.param("TASKS", "ask sks tas", id="k-and-s-are-what-the-index-has"),
        pytest.param("a[kx]e", "(ake | axe)", id="class-with-k"),
        pytest.param("a\u212a\u017f", "aks", id="kelvin-and-long-s"),
        pytest.param("a[\u017f]k", "ask", id="long-s-in-a-class"),
        pytest.param("fooébar", "bar foo", id="beyond-ascii"),
        pytest.param("foo[éx]bar", "bar foo", id="class-beyond-ascii"),
        pytest.param("foo(?-i)é", "foo oo\ufffd oé", id="flag-off"),
    ],
)
def test_a_pattern_in_any_case_requires(regex: str, expected: str) -> None:
    assert shown(required(regex, ignore_case=True)) == expected
    assert required(f"(?i){regex}") == required(regex, ignore_case=True)


def test_characters_beyond_ascii_are_their_bytes() -> None:
    first, second = (
        Need(frozenset({bytes([0xC3, low, 0x61]), bytes([low, 0x61, 0x62])}))
        for low in (0xA8, 0xA9)
    )

    assert required("größ").grams == {b"gr\xc3", b"r\xc3\xb6", b"\xc3\xb6\xc3", b"\xb6\xc3\x9f"}
    assert required("[éè]ab") == Need(frozenset(), ((first, second),))


@pytest.mark.parametrize(
    ("regex", "in_a_line", "in_lines"),
    [
        pytest.param(r"foo\nbar", NOTHING, "bar foo", id="newline"),
        pytest.param("foo\nbar", NOTHING, "bar foo", id="newline-as-it-is"),
        pytest.param(r"foo\x0a|bar", "bar", "(foo | bar)", id="one-alternative-has-a-newline"),
        pytest.param(r"foo(\n)?bar", "bar foo oba oob", "bar foo", id="a-newline-or-not"),
        pytest.param(r"foo[\n]", NOTHING, "foo", id="class-of-a-newline"),
        pytest.param(r"foo[\nx]", "foo oox", "foo", id="class-with-a-newline"),
        pytest.param(r"foo\n*bar", "bar foo oba oob", "bar foo", id="newlines-or-none"),
        pytest.param(r"foo(\n+|\nbar)", NOTHING, "foo", id="newlines"),
        pytest.param(r"a\nbcd", NOTHING, "bcd", id="no-piece-holds-a-newline"),
    ],
)
def test_newlines(regex: str, in_a_line: str | Need, in_lines: str) -> None:
    in_a_line = shown(in_a_line) if isinstance(in_a_line, Need) else in_a_line

    assert shown(required(regex)) == in_a_line
    assert shown(required(regex, is_multiline=True)) == in_lines


def test_a_pattern_that_cannot_match_and_one_that_matches_all_are_told_apart() -> None:
    assert required(r"[^\x00-\x{10FFFF}]") == NOTHING
    assert not satisfies(frozenset({b"abc"}), NOTHING)
    assert required(".*") == ANYTHING
    assert satisfies(frozenset(), ANYTHING)
    assert NOTHING
    assert not ANYTHING


def test_a_hundred_words_are_a_hundred_choices() -> None:
    words = [f"{first}{second}word" for first, second in itertools.product("abcdefghij", repeat=2)]

    need = required("|".join(words))
    assert need.grams == {b"wor", b"ord"}
    assert [len(group) for group in need.choices] == [100]


def test_what_stands_behind_a_hundred_words_is_joined_to_each() -> None:
    words = [f"word{first}{second}" for first, second in itertools.product("abcdefghij", repeat=2)]

    need = required(f"({'|'.join(words)})\\(x")
    assert need.grams == {b"wor", b"ord"}
    (group,) = need.choices
    ends = [f"{word[-1]}(x".encode() for word in words]
    assert all(end in part.grams for end, part in zip(ends, group, strict=True))


def test_a_part_that_is_repeated_often_may_be_another_text_each_time() -> None:
    assert satisfies(indexed(b"dabbaac"), required("d(a|b){5}c"))


def test_two_digits_are_spelled_out_only_where_nothing_else_is_known() -> None:
    assert [len(group) for group in required("[a-z]{3}_[0-9]{2}").choices] == [100]
    assert shown(required("foo[0-9]{2}bar")) == "bar foo"


def test_a_pattern_that_is_not_understood_requires_nothing() -> None:
    for regex in ["foo(", "foo(?=bar)", "[foo", "foo\\", "\ud800foo(", "foo." * 2_000]:
        assert required(regex) == ANYTHING


def violations(regex: str, texts: list[bytes], *, ignore_case: bool, is_multiline: bool) -> int:
    """Texts that match although they lack what is said to be required; -1 if none matches."""
    run = compiled(regex, ignore_case=ignore_case, is_multiline=is_multiline)
    need = required(regex, ignore_case=ignore_case, is_multiline=is_multiline)
    parts = texts if is_multiline else [line for text in texts for line in text.split(b"\n")]
    matching = [part for part in parts if run.search(part)]
    return sum(not satisfies(indexed(part), need) for part in matching) if matching else -1


def check(count: int, seed: int, *, is_hostile: bool = False) -> float:
    """Look at so many random patterns; the share of those with a text that matches."""
    rng = random.Random(seed)
    tried = matched = 0
    while tried < count:
        regex = hostile_regex(rng) if is_hostile else random_regex(rng, WORDS)
        if is_hostile and not is_valid(regex):
            continue
        tried += 1
        ignore_case, is_multiline = rng.random() < 0.3, rng.random() < 0.3
        texts = list(texts_for(regex, rng, WORDS, ignore_case=ignore_case))
        bad = violations(regex, texts, ignore_case=ignore_case, is_multiline=is_multiline)
        assert bad <= 0, f"/{regex}/ {ignore_case=} {is_multiline=}"
        matched += bad == 0
    return matched / count


def test_no_match_of_a_random_pattern_lacks_what_is_required() -> None:
    assert check(300, SEED) > 0.8


@pytest.mark.slow
def test_no_match_of_thousands_of_random_and_hostile_patterns_lacks_what_is_required() -> None:
    assert check(3_000, SEED + 1) > 0.8
    assert check(300, SEED + 2, is_hostile=True) > 0.7


@pytest.mark.slow
@pytest.mark.parametrize("ignore_case", [False, True])
def test_no_short_text_that_matches_lacks_what_is_required(ignore_case: bool) -> None:
    rng = random.Random(SEED)
    letters = ("a", "b", "k", "\u212a")
    texts = [
        "".join(text).encode()
        for size in range(6)
        for text in itertools.product(letters, repeat=size)
    ]
    for _ in range(200):
        regex = random_regex(rng, ["a", "ab", "ka", "bab", "kbak"])
        assert violations(regex, texts, ignore_case=ignore_case, is_multiline=False) <= 0, regex


@pytest.mark.parametrize(
    "regex",
    [
        pytest.param("((a|b|c){1000}){1000}", id="repeated"),
        pytest.param("(?i)" + "|".join(f"w{n * 7919 % 1000}" for n in range(190)), id="words"),
        pytest.param("|".join(f"{chr(97 + n % 26)}{n}xy.*" for n in range(120)), id="open-words"),
        pytest.param("[abcd][efgh]" * 80, id="classes"),
        pytest.param(
            "".join(f"(a{n}.|x{n}" for n in range(10, 90)) + "q" + ")" * 80, id="nested-choices"
        ),
        pytest.param("(" * 300 + "ab" + "){2}" * 170 + ")" * 130, id="nested-counts"),
        pytest.param("(?:" * 140 + "[ab]c" + "){1,3}" * 110, id="nested-ranges"),
        pytest.param("(foo|bar|baz)?" * 70, id="options"),
        pytest.param("(a?b?c?d?e?)" * 80, id="letters-or-not"),
        pytest.param("(?i)" + "ks" * 490, id="long"),
    ],
)
def test_no_pattern_takes_long_or_much(regex: str) -> None:
    best = float("inf")
    for _ in range(3):
        began = time.process_time()
        required(regex)
        best = min(best, time.process_time() - began)
    tracemalloc.start()
    required(regex)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert depth(required(regex)) <= MAX_DEPTH
    assert best * 1000 < MAX_MS
    assert peak < MAX_PEAK_BYTES
