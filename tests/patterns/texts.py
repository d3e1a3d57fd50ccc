"""Texts made to match a pattern, and the pieces an index would keep of them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import partial

import re2

from plait.patterns.required import Need
from plait.patterns.syntax import parse
from plait.patterns.tree import Alternate, Concat, Literal, Node, OneOf, Repeat, folded

MAX_SAMPLE = 2_000
ANY = ("x", "K", "7", "_", " ", "(", "\t", "\u00e9", "\u017f", "\u212a", "\u4e2d")
OTHER_CASES = {"k": "kK\u212a", "s": "sS\u017f", "\u00e9": "\u00e9\u00c9", "\u00df": "\u00df\u1e9e"}


def satisfies(grams: frozenset[bytes], need: Need) -> bool:
    """Whether an index that has these pieces of a text lets it through."""
    return need.grams <= grams and all(
        any(satisfies(grams, part) for part in group) for group in need.choices
    )


def indexed(text: bytes) -> frozenset[bytes]:
    """The pieces of a text as the index has them."""
    text = text.replace("\u212a".encode(), b"k").replace("\u017f".encode(), b"s").lower()
    pieces = (text[at : at + 3] for at in range(len(text) - 2))
    return frozenset(piece for piece in pieces if b"\n" not in piece)


def compiled(regex: str, *, ignore_case: bool, is_multiline: bool) -> re2._Regexp:
    """A pattern as searches run it."""
    options = re2.Options()
    options.case_sensitive = not ignore_case
    options.never_nl = not is_multiline
    options.log_errors = False
    return re2.compile(b"(?m)" + regex.encode(), options)


def texts_for(
    regex: str, rng: random.Random, words: Sequence[str], *, ignore_case: bool
) -> Iterator[bytes]:
    """Texts of which many match: some by the tree, some by the pattern's own letters."""
    tree = parse(regex, ignore_case=ignore_case)
    if tree is not None:
        for text in folded(tree, partial(_samples, rng=rng)):
            yield _within(text, rng, words)
    letters = "".join(letter if letter.isalnum() else " " for letter in regex).split()
    yield _within(rng.choice((" ", "", "\n")).join(letters), rng, words)
    yield _within(" ".join(rng.choices(words, k=4)), rng, words)


def _within(text: str, rng: random.Random, words: Sequence[str]) -> bytes:
    before, after = (rng.choice(("", "", " ", "\n", rng.choice(words))) for _ in range(2))
    return f"{before}{text}{after}".encode("utf-8", "surrogatepass")


def _samples(node: Node, parts: list[list[str]], rng: random.Random) -> list[str]:
    """Some texts that a part of a pattern matches, out of those its own parts match."""
    return [_sample(node, parts, rng)[:MAX_SAMPLE] for _ in range(3)]


def _sample(node: Node, parts: list[list[str]], rng: random.Random) -> str:
    match node:
        case Literal(text, ignore_case):
            return "".join(_cased(char, ignore_case, rng) for char in text)
        case OneOf(ranges, ignore_case):
            return _cased(_member(ranges, rng), ignore_case, rng)
        case Concat():
            return "".join(rng.choice(part) for part in parts)
        case Alternate():
            return rng.choice(rng.choice(parts))
        case Repeat(_, low, high):
            most = low + 2 if high is None else min(high, low + 2)
            return "".join(rng.choices(parts[0], k=rng.randint(low, most)))
        case _:
            return rng.choice(ANY)


def _cased(char: str, ignore_case: bool, rng: random.Random) -> str:
    if not ignore_case:
        return char
    return rng.choice(OTHER_CASES.get(char.lower(), (char, char.swapcase())))


def _member(ranges: Sequence[tuple[int, int]], rng: random.Random) -> str:
    if not ranges:
        return ""
    low, high = rng.choice(ranges)
    return chr(rng.randint(low, min(high, low + 200)))
