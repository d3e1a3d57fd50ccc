"""Character classes and escapes of RE2's syntax, as ranges of code points.

A class is a sorted tuple of ranges that do not touch, both ends included. A Unicode class
(``\\pL``, ``[\\p{Greek}_]``) is None: some character, nobody says which, for that saves the
tables and no index would gain by them.
"""

from __future__ import annotations

import re

Ranges = tuple[tuple[int, int], ...]

LAST = 0x10FFFF
UNICODE = re.compile(r"\\[pP](?:\{[^}]*\}|[^{])", re.DOTALL)
NAMED = re.compile(r"\[:(\^?)([^:]*):\]")
ESCAPE = re.compile(
    r"\\(?:x\{([0-9A-Fa-f]+)\}|x([0-9A-Fa-f]{2})|([1-7][0-7]{1,2}|0[0-7]{0,2})"
    r"|([afnrtv])|([^0-9A-Za-z\x80-\U0010ffff]))"
)
CONTROLS = {"a": 7, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}

DIGIT: Ranges = ((0x30, 0x39),)
UPPER: Ranges = ((0x41, 0x5A),)
LOWER: Ranges = ((0x61, 0x7A),)
WORD: Ranges = (*DIGIT, *UPPER, (0x5F, 0x5F), *LOWER)
PERL: dict[str, Ranges] = {"d": DIGIT, "s": ((9, 10), (12, 13), (32, 32)), "w": WORD}
POSIX: dict[str, Ranges] = {
    "alnum": (*DIGIT, *UPPER, *LOWER),
    "alpha": (*UPPER, *LOWER),
    "ascii": ((0, 0x7F),),
    "blank": ((9, 9), (32, 32)),
    "cntrl": ((0, 0x1F), (0x7F, 0x7F)),
    "digit": DIGIT,
    "graph": ((0x21, 0x7E),),
    "lower": LOWER,
    "print": ((0x20, 0x7E),),
    "punct": ((0x21, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E)),
    "space": ((9, 13), (32, 32)),
    "upper": UPPER,
    "word": WORD,
    "xdigit": (*DIGIT, (0x41, 0x46), (0x61, 0x66)),
}


class Unreadable(Exception):
    """The pattern is not one this parser understands; RE2 may or may not."""


def joined(ranges: list[tuple[int, int]]) -> Ranges:
    """The ranges in order, those that meet made one."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return tuple(merged)


def negated(ranges: Ranges) -> Ranges:
    """Every other code point."""
    gaps, begin = [], 0
    for low, high in ranges:
        if begin < low:
            gaps.append((begin, low - 1))
        begin = high + 1
    if begin <= LAST:
        gaps.append((begin, LAST))
    return tuple(gaps)


def perl_class(letter: str) -> Ranges | None:
    """The class of ``\\d`` and the like by its letter; None if there is no such class."""
    ranges = PERL.get(letter.lower())
    return negated(ranges) if ranges and letter.isupper() else ranges


def escaped(regex: str, at: int) -> tuple[int, int]:
    """The code point that an escape at this place stands for, and where it ends.

    Raises:
        Unreadable: It stands for none.
    """
    found = ESCAPE.match(regex, at)
    if found is None:
        raise Unreadable
    long, short, octal, control, itself = found.groups()
    if itself:
        code = ord(itself)
    elif control:
        code = CONTROLS[control]
    elif octal:
        code = int(octal, 8)
    else:
        code = int(long or short, 16)
    if code > LAST:
        raise Unreadable
    return code, found.end()


def bracketed(regex: str, at: int) -> tuple[Ranges | None, int]:
    """The class whose opening bracket is at this place, and where it ends.

    Raises:
        Unreadable: It does not end, or holds what no class may hold.
    """
    at += 1
    is_negated = regex.startswith("^", at)
    at += is_negated
    ranges: list[tuple[int, int]] = []
    begin, is_known = at, True
    while at < len(regex) and (regex[at] != "]" or at == begin):
        if found := UNICODE.match(regex, at):
            at, is_known = found.end(), False
        elif found := NAMED.match(regex, at):
            named = POSIX.get(found[2])
            if named is None:
                raise Unreadable
            at = found.end()
            ranges.extend(negated(named) if found[1] else named)
        elif regex[at] == "\\" and (perl := perl_class(regex[at + 1 : at + 2])):
            at += 2
            ranges.extend(perl)
        else:
            span, at = _span(regex, at)
            ranges.append(span)
    if at >= len(regex):
        raise Unreadable
    if not is_known:
        return None, at + 1
    merged = joined(ranges)
    return negated(merged) if is_negated else merged, at + 1


def _span(regex: str, at: int) -> tuple[tuple[int, int], int]:
    """One character of a class, or a range from one to another."""
    low, at = _character(regex, at)
    if not regex.startswith("-", at) or regex[at + 1 : at + 2] in ("", "]"):
        return (low, low), at
    high, at = _character(regex, at + 1)
    if high < low:
        raise Unreadable
    return (low, high), at


def _character(regex: str, at: int) -> tuple[int, int]:
    return escaped(regex, at) if regex[at] == "\\" else (ord(regex[at]), at + 1)
