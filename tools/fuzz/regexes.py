"""Patterns nobody would write: some from RE2's whole grammar, some made to hurt.

Random patterns take their literals from real code, so that many of them match it. Those RE2
refuses are thrown away. Hostile ones are not looked at first: some are invalid on purpose.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

import re2

MAX_DEPTH = 3
MAX_TRIES = 50
MAX_LENGTH = 1_000  # characters of a hostile pattern
PERL = (r"\d", r"\D", r"\s", r"\S", r"\w", r"\W")
POSIX = "alnum alpha ascii blank cntrl digit graph lower print punct space upper word xdigit"
UNICODE = (r"\pL", r"\PN", r"\p{Greek}", r"\p{^Greek}", r"\P{Lu}", r"\p{Ll}", r"\pZ", r"\p{Any}")
ANCHORS = ("^", "$", r"\A", r"\z", r"\b", r"\B")
REPEATS = ("*", "+", "?", "{0}", "{1}", "{2}", "{3}", "{0,1}", "{1,3}", "{2,}", "{0,}", "{7}")
FLAGS = ("i", "s", "m", "U", "is", "-i", "-s", "i-s", "s-i", "im-U")
ESCAPES = (r"\t", r"\n", r"\r", r"\f", r"\v", r"\a", r"\.", r"\x7F", r"\012", r"\x{20AC}", r"\/")
GLUES = ("", "", "", "", ".*", ".*?", r"\W+", r"\s*", ".?", r"\w*", "[^a-z]*", ".{0,9}")
NESTS = (("(", ")"), ("(", ")*"), ("(?:", ")?"), ("(a|", ")"), ("(", ")+b"), ("(abc.|", ")"))
BEYOND = ("\u00e9", "\u00df", "\u017f", "\u212a", "\u4e2d", "\U0001f600", "\u0130", "\ufffd")


def random_regex(rng: random.Random, words: Sequence[str]) -> str:
    """A pattern RE2 accepts, its literals taken from ``words``."""
    depth = rng.randint(0, MAX_DEPTH)
    for _ in range(MAX_TRIES):
        regex = _common(rng, words) if rng.random() < 0.3 else _alternation(rng, words, depth)
        if is_valid(regex):
            return regex
    return re.escape(rng.choice(words))


def is_valid(regex: str) -> bool:
    """Whether RE2 accepts a pattern."""
    options = re2.Options()
    options.log_errors = False
    try:
        re2.compile(regex.encode(), options)
    except (re2.error, UnicodeEncodeError):
        return False
    return True


def _common(rng: random.Random, words: Sequence[str]) -> str:
    """A pattern of the kind people write."""
    one, two, three = (_literal(rng, words) for _ in range(3))
    shapes = (f"{one}", f"{one}.*{two}", rf"^\s*{one}", rf"\b{one}\b", rf"{one}\s*\(", f"{one}$")
    groups = (f"({one}|{two})", f"({one}|{two}|{three})", f"{one}|{two}", f"({one})?{two}")
    more = (rf"[A-Z]\w+{one}", rf"{one}\w*", rf"\w+{one}\w+", f"{one}[0-9]+", f"{one}.{two}")
    return rng.choice(("", "", "(?i)")) + rng.choice((*shapes, *groups, *more))


def _alternation(rng: random.Random, words: Sequence[str], depth: int) -> str:
    count = rng.choice((1, 1, 1, 1, 1, 2, 2, 3, 5))
    branches = [_sequence(rng, words, depth) for _ in range(count)]
    if count > 1 and rng.random() < 0.1:
        branches[rng.randrange(count)] = ""
    return "|".join(branches)


def _sequence(rng: random.Random, words: Sequence[str], depth: int) -> str:
    parts = [_part(rng, words, depth) for _ in range(rng.choice((1, 1, 2, 2, 3, 4, 6)))]
    if rng.random() < 0.1:
        parts.insert(rng.randint(0, len(parts)), f"(?{rng.choice(FLAGS)})")
    return rng.choice(GLUES).join(parts)


def _part(rng: random.Random, words: Sequence[str], depth: int) -> str:
    chance = rng.random()
    if chance < 0.5:
        part = _literal(rng, words)
    elif chance < 0.68:
        part = rng.choice((".", *PERL, _class(rng), _class(rng), rng.choice(UNICODE), r"\C"))
    elif chance < 0.76:
        return rng.choice(ANCHORS)
    elif chance < 0.8:
        part = rng.choice((*ESCAPES, *BEYOND, "{", "}", "]", "{,3}", "{01}", "x{", r"\Q\E"))
    elif depth == 0:
        part = rng.choice((".", r"\w", r"\s"))
    else:
        opened = ("(", "(?:", "(?P<n>", "(?<n>", f"(?{rng.choice(FLAGS)}:")
        part = f"{rng.choice(opened)}{_alternation(rng, words, depth - 1)})"
    if rng.random() < 0.25:
        part += rng.choice(REPEATS) + rng.choice(("", "", "", "?"))
    return part


def _literal(rng: random.Random, words: Sequence[str]) -> str:
    """A word or a piece of one, plain or in one of the many ways to write it."""
    word = rng.choice(words)
    if rng.random() < 0.4:
        begin = rng.randrange(len(word))
        word = word[begin : begin + rng.randint(1, 6)]
    chance = rng.random()
    if chance < 0.07 and "\\E" not in word:
        return rf"\Q{word}\E"
    if chance < 0.12:
        word = rng.choice((str.upper, str.lower, str.title))(word)
    if chance < 0.85:
        return re.escape(word)
    return "".join(_spelled(rng, letter) for letter in word)


def _spelled(rng: random.Random, letter: str) -> str:
    code = ord(letter)
    ways = [re.escape(letter)] * 6
    ways += [f"\\x{{{code:x}}}", f"[{re.escape(letter)}]", f"[^\\x00-{re.escape(letter)}]", "."]
    ways += [f"[{re.escape(letter.lower())}{re.escape(letter.upper())}]", f"(?i:{ways[0]})"]
    if code < 0x80:
        ways += [f"\\x{code:02x}", f"\\{code:03o}"]
    return rng.choice(ways)


def _class(rng: random.Random) -> str:
    members = []
    for _ in range(rng.choice((1, 1, 2, 3))):
        low, high = sorted(rng.choices("09AFZafkstz_", k=2))
        span = rng.choice((f"{low}-{high}", low, high))
        named = f"[:{rng.choice(('', '', '^'))}{rng.choice(POSIX.split())}:]"
        others = (*PERL, named, rng.choice(UNICODE), rng.choice(BEYOND), r"\n", r"\-", r"\x41")
        members.append(span if rng.random() < 0.7 else rng.choice(others))
    edges = rng.choice((("", ""), ("", ""), ("]", ""), ("", "-"), ("-", "")))
    return f"[{rng.choice(('', '', '^'))}{edges[0]}{''.join(members)}{edges[1]}]"


def hostile_regex(rng: random.Random) -> str:
    """A pattern made to take long, to take much, or to break what reads it."""
    return rng.choice(HOSTILE)(rng)[:MAX_LENGTH]


def _nested(rng: random.Random) -> str:
    opened, closed = rng.choice(NESTS)
    depth = rng.randint(1, (MAX_LENGTH - 10) // (len(opened) + len(closed)))
    return opened * depth + rng.choice(("abc", "", "[a-z]", "a*", "x|y")) + closed * depth


def _repeated(rng: random.Random) -> str:
    inner = rng.choice(("a", "(a|b|c)", r"\pL", "[^x]", ".", "(foo|bar)?", "(?i)key", r"\w", "()"))
    for _ in range(rng.randint(1, 5)):
        low = rng.choice((0, 1, 2, 10, 31, 100, 999, 1000))
        high = rng.choice(("", ",", f",{low}", ",1000", f",{low + 1}"))
        inner = f"({inner}){{{low}{high}}}"
    return inner


def _alternatives(rng: random.Random) -> str:
    size, glue = rng.randint(1, 8), rng.choice(("|", "|", "|(?i)", ".*|", "|.?"))
    words = ("".join(rng.choices("abcdeksKS_é", k=size)) for _ in range(400))
    return rng.choice(("", "(?i)", "(?s)")) + glue.join(words)[: MAX_LENGTH - 10] + "x"


def _classes(rng: random.Random) -> str:
    many = "".join(f"{chr(code)}-{chr(code + 1)}" for code in range(0x100, 0x100 + 900, 3))
    huge = rng.choice((many[:900], "a-zA-Z0-9_" * 80, "^" + many[:900], r"\x{0}-\x{10FFFF}" * 50))
    small = "".join(f"[{''.join(rng.sample('abcdefgh', rng.randint(2, 4)))}]" for _ in range(150))
    return rng.choice((f"[{huge}]", small, f"(?i)[{huge}]+x", "[a-z]{30}" * 30, r"\W\S\D" * 100))


def _long_literal(rng: random.Random) -> str:
    letters = rng.choice(("ks", "abc_ ", "\u017f\u212a", "éß中", "a", "\U0001f600"))
    return rng.choice(("", "(?i)")) + "".join(rng.choices(letters, k=rng.randint(1, 990)))


def _backtracker(rng: random.Random) -> str:
    shapes = ("(a*)*b", "(x+x+)+y", ".*.*.*=.*", r"(\w+\s?)*$", "(a|a)*c", "(a|aa)+$", "(.*)(.*)x")
    return rng.choice(shapes) * rng.randint(1, 60)


def _gaps(rng: random.Random) -> str:
    gap = rng.choice((".*", ".{0,100}", r"\s*", ".*?", r"\pL{100}", r"\C*", "[^a]*", "x{1000}"))
    return gap.join(rng.choices(("a", "if", "self", "e", "", r"\b"), k=rng.randint(2, 80)))


def _empty(rng: random.Random) -> str:
    return "".join(rng.choices((*ANCHORS, "()", "(?:)", "|", "a*", "x{0}", "(?i)", r"\Q\E"), k=200))


def _broken(rng: random.Random) -> str:
    marks = ["(", ")", "[", "]", "{", "}", "*", "+", "?", "|", "\\", "(?", "(?P<", "[:", "[^", "-"]
    marks += ["\x00", "\x01", "\n", "\r", "\x7f", "\u2028", "\\x{", "\\p{", "\\Q", "{9}", "a", "$"]
    return "".join(rng.choices(marks, k=rng.randint(1, rng.choice((3, 10, 300)))))


HOSTILE: tuple[Callable[[random.Random], str], ...] = (
    *(_nested, _repeated, _alternatives, _classes, _long_literal),
    *(_backtracker, _gaps, _empty, _broken),
)
