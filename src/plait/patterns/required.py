"""Required: the three-byte pieces of text that every match of a pattern holds.

The method is Russ Cox's (Regular Expression Matching with a Trigram Index, 2012), over the
bytes of UTF-8. As long as a part of a pattern stands for a few texts, these are kept. Where
they become too many, what they need is noted, and only their first and last two bytes are
kept, to join with what stands before and after.

All is in lower case as the index is, for ASCII only. RE2 lets k and s match U+212A and U+017F
when case is ignored, so the index has these two as k and s, and here they are either that or,
case-sensitively, unknown. Other characters beyond ASCII have several byte forms when case is
ignored and are unknown then. In doubt nothing is required: a full scan is slow but right.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial, reduce
from typing import NamedTuple

from plait.patterns.classes import Ranges
from plait.patterns.needs import ANYTHING, NOTHING, Need, both, either, grams_of, tidied
from plait.patterns.plain import plain_text
from plait.patterns.syntax import parse
from plait.patterns.tree import Alternate, Concat, Literal, Node, OneOf, Repeat, folded

__all__ = ["ANYTHING", "NOTHING", "Need", "required"]

MAX_LENGTH = 1_024  # characters of a pattern that is looked at; a literal may be longer
MAX_MEMBERS = 16  # of a class that is spelled out
MAX_TEXTS = 16  # that a sequence is spelled out into
MAX_FIRST_TEXTS = 128  # the same where the first three bytes depend on it
MAX_JOINTS = 8  # ends with beginnings of what follows, where something else is needed already
MAX_UNION = 256  # texts an alternation is spelled out into
MAX_BYTES = 8_192  # of all of them
MAX_EDGES = 64  # beginnings or ends kept
MAX_COPIES = 4  # of a repeated part: further ones need nothing new

UNKNOWN = re.compile("([\u017f\u212a\ud800-\udfff]+)")
UNKNOWN_IN_ANY_CASE = re.compile("([^\x00-\x7f]+)")
FOLDED = {0x17F: "s", 0x212A: "k"}


class Matches(NamedTuple):
    """What is known of the texts a part of a pattern matches."""

    texts: tuple[bytes, ...] | None  # all of them, if they are few; then nothing else is said
    first: tuple[bytes, ...] = (b"",)  # each begins with one of these, of two bytes at most
    last: tuple[bytes, ...] = (b"",)  # and ends with one of these
    need: Need = ANYTHING


UNSURE = Matches(None)
NEVER = Matches(())
BLANK = Matches((b"",))


def required(regex: str, *, ignore_case: bool = False, is_multiline: bool = False) -> Need:
    """What a text has to hold to match a pattern, as far as can be told.

    The pattern is one that RE2 accepts; it is run line by line (``never_nl``), or, with
    ``is_multiline``, over texts of many lines. No gram holds a newline.
    """
    text = plain_text(regex)
    if text is not None and text.isascii():
        return Need(grams_of(text.lower().encode()))
    tree = parse(regex, ignore_case=ignore_case) if len(regex) <= MAX_LENGTH else None
    if tree is None:
        return ANYTHING
    return tidied(_opened(folded(tree, partial(_matches, is_multiline=is_multiline))).need)


def _matches(node: Node, parts: list[Matches], *, is_multiline: bool) -> Matches:
    match node:
        case Literal(text, ignore_case):
            return _spelled(text, ignore_case, is_multiline)
        case OneOf(ranges, ignore_case):
            return _member(ranges, ignore_case, is_multiline)
        case Concat():
            return reduce(_sequence, _runs(parts), BLANK)
        case Alternate():
            return _union(parts)
        case Repeat(_, low, high):
            return _repeated(parts[0], low, high)
        case _:
            return UNSURE


def _spelled(text: str, ignore_case: bool, is_multiline: bool) -> Matches:
    """A text as written, unknown where the index may have it in another form."""
    if "\n" in text and not is_multiline:
        return NEVER
    if text.isascii():
        return Matches((text.lower().encode(),))
    if ignore_case:
        pieces = UNKNOWN_IN_ANY_CASE.split(text.translate(FOLDED))
    else:
        pieces = UNKNOWN.split(text)
    found = BLANK
    for number, piece in enumerate(pieces):
        known = Matches((piece.encode().lower(),)) if number % 2 == 0 else UNSURE
        found = _sequence(found, known)
    return found


def _member(ranges: Ranges, ignore_case: bool, is_multiline: bool) -> Matches:
    """One character of a class, spelled out if they are few."""
    if sum(high - low + 1 for low, high in ranges) > 2 * MAX_MEMBERS:
        return UNSURE  # two cases of each would still be too many
    text = "".join([chr(code) for low, high in ranges for code in range(low, high + 1)])
    if not is_multiline:
        text = text.replace("\n", "")
    if ignore_case:
        text = text.translate(FOLDED)
    if (UNKNOWN_IN_ANY_CASE if ignore_case else UNKNOWN).search(text):
        return UNSURE
    members = dict.fromkeys([member.encode().lower() for member in text])
    return Matches(tuple(members)) if len(members) <= MAX_MEMBERS else UNSURE


def _runs(parts: list[Matches]) -> list[Matches]:
    """The parts, neighbours of which all texts are known made one: that tells most."""
    runs: list[Matches] = []
    for part in parts:
        if runs and runs[-1].texts is not None and part.texts is not None:
            runs[-1] = _sequence(runs[-1], part)
        else:
            runs.append(part)
    return runs


def _sequence(one: Matches, other: Matches) -> Matches:
    """What is known if one part follows another."""
    if one.texts == () or other.texts == ():
        return NEVER
    if one.texts is not None and other.texts is not None:
        product = _product(one.texts, other.texts, is_first=True)
        if product is not None:
            return Matches(product)
    before, after = _opened(one), _opened(other)
    need = both(before.need, after.need)
    joint = _product(before.last, after.first, is_first=not need)
    if joint is not None and (not need or len(joint) <= MAX_JOINTS):
        need = both(need, _needed(joint))
    first, last = before.first, after.last
    if one.texts is not None:
        first = _beginnings(a + b for a in one.texts for b in _if_short(a, after.first))
    if other.texts is not None:
        last = _endings(a + b for b in other.texts for a in _if_short(b, before.last))
    return Matches(None, first, last, need)


def _product(
    ones: tuple[bytes, ...], others: tuple[bytes, ...], *, is_first: bool
) -> tuple[bytes, ...] | None:
    """Every text followed by every other; None if that were too many."""
    count = len(ones) * len(others)
    if count > MAX_TEXTS:
        is_short = min(map(len, ones)) + min(map(len, others)) <= 3
        words = max(ones, others, key=len)  # with the same before or after each of them
        is_words = count == len(words) and max(map(len, words)) >= 3
        if not is_words and not (is_first and is_short and count <= MAX_FIRST_TEXTS):
            return None
    if sum(map(len, ones)) * len(others) + sum(map(len, others)) * len(ones) > MAX_BYTES:
        return None
    return tuple(dict.fromkeys([one + other for one in ones for other in others]))


def _union(found: Sequence[Matches]) -> Matches:
    """What is known if one part of several matches."""
    texts: dict[bytes, None] = {}
    others: list[Matches] = []
    for part in found:
        if part.texts is None:
            others.append(part)
        else:
            texts.update(dict.fromkeys(part.texts))
    if not others and len(texts) <= MAX_UNION and sum(map(len, texts)) <= MAX_BYTES:
        return Matches(tuple(texts))
    needs = [Need(grams_of(text)) for text in texts] + [part.need for part in others]
    first = _beginnings([*texts, *(edge for part in others for edge in part.first)])
    last = _endings([*texts, *(edge for part in others for edge in part.last)])
    return Matches(None, first, last, either(needs))


def _repeated(part: Matches, low: int, high: int | None) -> Matches:
    """What is known if a part matches several times in a row."""
    if part.texts == () or high == 0:
        return BLANK if low == 0 else NEVER
    if high is not None and high <= MAX_COPIES and part.texts is not None:
        copies = [_copies(part, count) for count in range(low, high + 1)]
        return copies[0] if len(copies) == 1 else _union(copies)
    return _opened(_copies(part, min(low, MAX_COPIES)))


def _copies(part: Matches, count: int) -> Matches:
    """A part so many times, or fewer if no more can be learned from them."""
    found = BLANK if count == 0 else part
    for _ in range(count - 1):
        if found.texts is None and found is not part:
            break
        found = _sequence(found, part)
    return found


def _opened(part: Matches) -> Matches:
    """A part by its need and its edges instead of its texts."""
    if part.texts is None:
        return part
    return Matches(None, _beginnings(part.texts), _endings(part.texts), _needed(part.texts))


def _needed(texts: tuple[bytes, ...]) -> Need:
    return either(Need(grams_of(text)) for text in texts)


def _if_short(text: bytes, edges: tuple[bytes, ...]) -> tuple[bytes, ...]:
    """The edges that complete a text to two bytes, if it is shorter."""
    return edges if len(text) < 2 else (b"",)


def _beginnings(texts: Iterable[bytes]) -> tuple[bytes, ...]:
    """How texts begin, in few words: by two bytes, by one, or just somehow."""
    twos = dict.fromkeys(text[:2] for text in texts)
    kept = twos if len(twos) <= MAX_EDGES else dict.fromkeys(text[:1] for text in twos)
    return tuple(kept) if len(kept) <= MAX_EDGES else (b"",)


def _endings(texts: Iterable[bytes]) -> tuple[bytes, ...]:
    """How texts end, likewise."""
    twos = dict.fromkeys(text[-2:] for text in texts)
    kept = twos if len(twos) <= MAX_EDGES else dict.fromkeys(text[-1:] for text in twos)
    return tuple(kept) if len(kept) <= MAX_EDGES else (b"",)
