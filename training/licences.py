"""Licences: may this file be trained on, and under which licence?

Only permissive licences count, and both witnesses must agree: what the package says about
itself names one, and the file's own head does not contradict. A choice between licences
counts if one arm is permissive; that it was a choice is noted. What is not understood is
not permissive.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from training.licence_table import (
    CLOSED,
    COPYLEFT,
    FAMILIES,
    PERMISSIVE,
    PUBLIC_DOMAIN,
    REFUSED_TAIL,
)


class Verdict(NamedTuple):
    """What a licence comes to."""

    is_permissive: bool
    licence: str  # permissive: the licence taken; else what was found
    reason: str = ""  # of a refusal, in words that can be counted
    is_choice: bool = False  # one arm of several was taken


UNKNOWN = Verdict(False, "", "licence unknown")

FILLING = re.compile(r"\b(?:the|licen[cs]ed?|licen[cs]es|version|v|software|under|terms|of)\b")
VERSION = re.compile(r"\bv(?=\d)")
MARKS = re.compile(r"[^a-z0-9+]+")
EXCEPTION = re.compile(r" with (?:\w+ )*exceptions?$")  # it only ever allows more


def identify(name: str) -> Verdict:
    """Judge one licence by its name, however it is written."""
    flat = VERSION.sub("", MARKS.sub(" ", name.lower().replace("'", "")))
    flat = " ".join(FILLING.sub(" ", flat).split())
    flat = re.sub(r"\binc\b|\bfoundation asf\b", "", flat).strip()
    flat = flat.removeprefix("osi approved ").removesuffix("+")
    if not flat:
        return UNKNOWN
    base = EXCEPTION.sub("", flat)
    if base in PERMISSIVE:
        return Verdict(True, PERMISSIVE[base])
    if COPYLEFT.search(flat):
        return Verdict(False, flat, "copyleft licence")
    if CLOSED.search(flat):
        return Verdict(False, flat, "closed licence")
    if PUBLIC_DOMAIN.search(flat):
        return Verdict(False, flat, "public domain, not judged")
    if " " not in name.strip():
        for family, licence in FAMILIES:
            if base.startswith(family) and not REFUSED_TAIL.search(base[len(family) :]):
                return Verdict(True, licence)
    return Verdict(False, flat, "licence unknown")


# ---------------------------------------------------------------- expressions

BRACKET = re.compile(r"\s*\(([^()]*)\)\s*$")
TOKEN = re.compile(
    r"\(|\)|\band/or\b|\b(?:and|or|AND|OR)\b|[/|;&]|,(?!\s*(?:[Vv]ersion|[Vv]?\d|[Ii]nc))"
)


def judge(expression: str) -> Verdict:
    """Judge an expression: names joined by ``and``, ``or`` and their like, with brackets.

    ``or`` binds weaker than ``and``; a slash and a bar mean ``or``, a comma ``and``.
    """
    text = " ".join(expression.split())
    if not text or len(text) > 300:
        return UNKNOWN
    whole = identify(text)
    if whole.is_permissive:
        return whole
    # "The MIT License (MIT)": the brackets repeat the name.
    named, bracket = identify(BRACKET.sub("", text)), BRACKET.search(text)
    if bracket and named.is_permissive and identify(bracket[1]).licence == named.licence:
        return named
    parts: list[str] = []
    at = 0
    for mark in TOKEN.finditer(text):
        parts += [text[at : mark.start()], mark[0]]
        at = mark.end()
    parts.append(text[at:])
    tokens = [part.strip() for part in parts if part.strip()]
    try:
        verdict, rest = _either(tokens)
    except (IndexError, RecursionError):
        return whole
    return whole if rest else verdict


def _either(tokens: list[str]) -> tuple[Verdict, list[str]]:
    arms = []
    verdict, tokens = _both(tokens)
    arms.append(verdict)
    while tokens and tokens[0].lower() in ("or", "/", "|", "and/or"):
        verdict, tokens = _both(tokens[1:])
        arms.append(verdict)
    return any_of(arms), tokens


def _both(tokens: list[str]) -> tuple[Verdict, list[str]]:
    arms = []
    verdict, tokens = _atom(tokens)
    arms.append(verdict)
    while tokens and tokens[0].lower() in ("and", ",", ";", "&"):
        tokens = tokens[1:]
        if tokens and tokens[0].lower() in ("and", "or"):  # "MIT, and BSD"
            if tokens[0].lower() == "or":
                return all_of(arms), tokens
            tokens = tokens[1:]
        verdict, tokens = _atom(tokens)
        arms.append(verdict)
    return all_of(arms), tokens


def _atom(tokens: list[str]) -> tuple[Verdict, list[str]]:
    if tokens[0] == "(":
        verdict, rest = _either(tokens[1:])
        if rest[0] != ")":
            raise IndexError
        return verdict, rest[1:]
    return identify(tokens[0]), tokens[1:]


def any_of(arms: list[Verdict]) -> Verdict:
    """A free choice: the first permissive arm, noted as a choice if another is not."""
    good = [arm for arm in arms if arm.is_permissive]
    if not good:
        return arms[0] if arms else UNKNOWN
    return good[0]._replace(is_choice=len(good) < len(arms) or any(a.is_choice for a in good))


def all_of(arms: list[Verdict]) -> Verdict:
    """All at once: permissive only if every one is."""
    for arm in arms:
        if not arm.is_permissive:
            return arm
    names = sorted({arm.licence for arm in arms})
    return Verdict(True, " AND ".join(names), "", any(arm.is_choice for arm in arms))
