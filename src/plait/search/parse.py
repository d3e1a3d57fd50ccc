"""Parse: what was typed in, what is wanted out.

A search box that answers "syntax error" has failed its user, so every text means
something: what cannot be syntax is words, and what was probably meant otherwise comes
back as a hint. Only a query too long or too deep to be a question is refused.

The result is in normal form, so that equal questions are equal values: no group of one,
no ``All`` within an ``All``, no double negation, and all the words of a conjunction in
one ``Text``, because a lane must see the whole of what was said.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from plait.errors import QueryError
from plait.expressions import conjunction, disjunction
from plait.search.lines import Case, has_case, with_case
from plait.search.pasted_text import pasted_text
from plait.search.relax import free_text, render
from plait.search.syntax import (
    IS_QUOTED,
    IS_SLASHED,
    OPERATORS,
    Token,
    expand_braces,
    items,
    scan,
    unescape_slashes,
    unquote,
    unslash,
)
from plait.search.unknown_filters import filter_hints
from plait.types import (
    And,
    Defines,
    Expression,
    Not,
    PathLike,
    PathPattern,
    Pattern,
    Phrase,
    Refers,
    Relation,
    Tag,
    Text,
)
from plait.types.notes import SYNTAX, UNKNOWN_LANGUAGE, Note
from plait.types.tags import TAG_NAMES, TAG_SPELLINGS

__all__ = ["Parsed", "free_text", "parse", "render"]

MAX_CHARACTERS = 10_000
MAX_DEPTH = 50
EVERYTHING = And(())
SPECIAL = frozenset('"()/:-')
LATER = frozenset({"calledby", "rev", "branch"})
PROPERTIES = {**{name: name for name in (*TAG_NAMES, "symbol")}, **TAG_SPELLINGS}
IS_PATH_REGEX = re.compile(r"\^|.*\$\Z|.*\\\.", re.DOTALL)
PATH_REGEX = re.compile(r"(?:\\[^\w\s*?]|\.\*|\[\^/\][*+]|[^\\^$*+?()\[\]{}|])*+")
WILDCARD = re.compile(r"\\(.)|(\.\*)|(\[\^/\][*+])")


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a query asks for, and sentences about what it may have meant instead."""

    wanted: Expression
    hints: tuple[Note, ...] = ()


CanonicalLanguage = Callable[[str], str | None]


def parse(text: str, canonical_language: CanonicalLanguage | None = None) -> Parsed:
    """Read a query.

    Args:
        text: What the user typed.
        canonical_language: Gives the name plait uses for a language, none if it knows
            none; without it, languages are taken as typed, in lower case.

    Raises:
        QueryError: The query is too long, or its parentheses are too deep.
    """
    if len(text) > MAX_CHARACTERS:
        raise QueryError(
            f"the query has {len(text):,} characters; at most {MAX_CHARACTERS:,} are read",
            hint="search for a few of its words, or for one line of it",
        )
    words = text.split()
    if SPECIAL.isdisjoint(text) and OPERATORS.keys().isdisjoint(words):
        return Parsed(Text(" ".join(words)) if words else EVERYTHING)
    pasted = pasted_text(text)
    if pasted is None:
        return _Parser(canonical_language).parse(text)
    filters = _Parser(canonical_language).parse(pasted.filters)
    said = Text(" ".join(pasted.message.split()))
    return Parsed(conjunction([said, filters.wanted]), filters.hints)


class _Group:
    """A parenthesis being read: finished alternatives, and the conjunction under way."""

    __slots__ = ("alternatives", "has_operand", "is_negated", "parts")

    def __init__(self) -> None:
        self.alternatives: list[Expression] = []
        self.parts: list[Expression] = []
        self.has_operand = False
        self.is_negated = False  # the operand that comes next

    def add(self, part: Expression) -> None:
        self.has_operand = True
        is_negated, self.is_negated = self.is_negated, False
        if part is EVERYTHING:  # it was left out
            return
        if is_negated:
            part = part.part if isinstance(part, Not) else Not(part)
        self.parts.append(part)

    def end_alternative(self, hints: list[Note]) -> None:
        if self.is_negated:
            hints.append(Note(SYNTAX, "`NOT` has nothing to negate; it was left out"))
        elif not self.has_operand:
            hints.append(Note(SYNTAX, "`OR` needs something on both sides; it was left out"))
        if self.parts:
            self.alternatives.append(conjunction(self.parts))
        self.parts, self.has_operand, self.is_negated = [], False, False

    def close(self, hints: list[Note]) -> Expression:
        if self.has_operand or self.is_negated or self.alternatives:
            self.end_alternative(hints)
        return disjunction(self.alternatives) if self.alternatives else EVERYTHING


class _Parser:
    """One query being read; collects the hints on the way."""

    def __init__(self, canonical_language: CanonicalLanguage | None) -> None:
        self.canonical_language = canonical_language
        self.hints: list[Note] = []
        self.case = Case.AS_WRITTEN

    def parse(self, text: str) -> Parsed:
        scanned = scan(text)
        if scanned.lone_quote:
            self.hints.append(Note(SYNTAX, 'a `"` has no partner; it was read as text'))
        if scanned.lone_parenthesis:
            self.hints.append(Note(SYNTAX, "a parenthesis has no partner; it was read as text"))
        self.hints += filter_hints(scanned.unknown_names)
        group = _Group()
        outer: list[_Group] = []
        for token in scanned.tokens:
            kind = token.kind
            if kind in ("minus", "NOT"):
                group.is_negated = not group.is_negated
            elif kind == "OR":
                group.end_alternative(self.hints)
            elif kind == "open":
                outer.append(group)
                group = _Group()
                if len(outer) > MAX_DEPTH:
                    raise QueryError(
                        f"parentheses are nested more than {MAX_DEPTH} deep",
                        hint="put code in quotation marks to search for it as it stands",
                    )
            elif kind == "close":
                inner = group.close(self.hints)
                group = outer.pop()
                group.add(inner)
            elif kind != "AND":
                group.add(self.operand(token))
        wanted = self.cased(group.close(self.hints))
        return Parsed(wanted, tuple(dict.fromkeys(self.hints)))

    def cased(self, wanted: Expression) -> Expression:
        """What ``case:`` anywhere in a query makes of all of it."""
        if self.case is Case.AS_WRITTEN:
            return wanted
        if not has_case(wanted):
            self.left_out("`case:` is about /patterns/ and phrases, words ignore case")
        return with_case(wanted, self.case)

    def operand(self, token: Token) -> Expression:
        if token.kind == "word":
            return Text(token.text)
        if token.kind == "pattern":
            return Pattern(*unslash(token.text))
        if token.kind == "filter":
            return self.filter(token.name, token.text)
        words = " ".join(unquote(token.text).split())
        return Phrase(words) if words else self.left_out("an empty phrase matches everything")

    def left_out(self, why: str) -> Expression:
        self.hints.append(Note(SYNTAX, f"{why}; it was left out"))
        return EVERYTHING

    def no_value(self, name: str) -> Expression:
        return self.left_out(f"`{name}:` has no value")

    def filter(self, name: str, value: str) -> Expression:
        if name in LATER:
            return self.left_out(f"`{name}:` is not available yet")
        if name == "case":
            return self.set_case(value.lower())
        is_pattern = value[0] == "/" and IS_SLASHED.fullmatch(value)
        pattern = unslash(value) if is_pattern else None
        if name in ("content", "regex", "text"):
            if pattern and name != "text":
                return Pattern(*pattern)
            return self.whole(name, unquote(value) if IS_QUOTED.fullmatch(value) else value)
        if pattern:
            if name != "path":
                return self.left_out(f"`{name}:` takes a name, not a pattern like {value}")
            return PathPattern(f"(?i){pattern[0]}" if pattern[1] else pattern[0])
        values = [(item.strip(), is_quoted) for item, is_quoted in items(value)]
        read = [self.one(name, item, is_quoted) for item, is_quoted in values if item]
        if not read:
            return self.no_value(name)
        kept = [part for part in read if part is not EVERYTHING]
        return disjunction(kept) if kept else EVERYTHING

    def whole(self, name: str, value: str) -> Expression:
        """The value of a filter that has no commas."""
        if not value.strip():
            return self.no_value(name)
        if name == "regex":
            return Pattern(unescape_slashes(value))
        words = " ".join(value.split())
        return Text(words) if name == "text" else Phrase(words)

    def one(self, name: str, item: str, is_quoted: bool) -> Expression:
        """One of the values between commas."""
        if name == "path":
            if not is_quoted and IS_PATH_REGEX.match(item):
                return path_condition(item)
            globs = [item] if is_quoted else expand_braces(item)
            return disjunction(map(PathLike, globs)) if globs else self.no_value(name)
        if name == "lang":
            return self.language(item.lower())
        if name in ("is", "type"):
            return self.trait(name, item)
        if name in ("kind", "repo"):
            return Tag(name, item.lower() if name == "kind" else item)
        target = item if is_quoted else item.removesuffix("()")
        if not target:
            return self.no_value(name)
        return Defines(target) if name == "symbol" else Refers(Relation[name.upper()], target)

    def language(self, typed: str) -> Expression:
        known = self.canonical_language(typed) if self.canonical_language else typed
        if known is None:
            self.hints.append(Note(UNKNOWN_LANGUAGE, f"no language is called `{typed}` here"))
        return Tag("lang", known or typed)

    def trait(self, name: str, item: str) -> Expression:
        known = PROPERTIES.get(item.lower())
        if known:
            return Tag("is", known)
        accepted = f"{', '.join(TAG_NAMES)} or symbol"
        if name == "is":
            return self.left_out(f"`is:{item}` is not known, only {accepted}")
        # Unlike ``is:``, this is common in code: ``type:string``.
        self.hints.append(
            Note(SYNTAX, f"`type:{item}` was read as text; as a filter it takes {accepted}")
        )
        return Text(" ".join(f"type:{item}".split()))

    def set_case(self, value: str) -> Expression:
        accepted = [case.value for case in Case if case.value]
        if value not in accepted:
            return self.left_out(f"`case:` takes {', '.join(accepted)}, not `{value}`")
        self.case = Case(value)
        return EVERYTHING


def path_condition(regex: str) -> Expression:
    """A regular expression on paths, as zoekt's users write them: the glob if there is one."""
    body = regex.removeprefix("^").removesuffix("$")
    if not body or not PATH_REGEX.fullmatch(body):
        return PathPattern(regex)
    glob = WILDCARD.sub(lambda m: m[1] or ("**" if m[2] else "*"), body)
    before, after = ("" if regex[0] == "^" else "**"), ("" if regex[-1] == "$" else "**")
    if before == after == "" and "*" not in glob:
        return PathPattern(regex)  # there is no glob for "is exactly"
    # Without a wildcard a path only has to contain it.
    return PathLike(before + glob + after if "*" in glob or before != after else glob)
