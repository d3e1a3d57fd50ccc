"""Relax: what an expression says at less than full strictness, and how to say it to people.

A strict search that finds too little should not end in an empty page, but neither may it
quietly answer another question. So what can be loosened (a phrase to its words, a name
to its words) is loosened step by step, each step with a sentence; and what the user
excluded or restricted is never dropped, only pointed at.

The other views of an expression are here too: its free text, the condition it puts on
chunks, and the query a user would type for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from plait.expressions import alternatives, mapped, normal, wanted_leaves
from plait.search.syntax import (
    IS_BARE,
    IS_SLASHED,
    OPEN_SLASH,
    SCANNER,
    quote,
    scan,
    slash,
)
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
    Term,
    Text,
)
from plait.types.notes import RELAXED, RESTRICTION, Note

MAX_NAMED = 3  # phrases or symbols that a note lists
RESTRICTIONS = (Tag, PathLike, PathPattern, Refers, Not)
HAS_WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Relaxed:
    """A looser expression, and the sentence that says how it is looser."""

    wanted: Expression
    note: Note


def relaxations(wanted: Expression) -> Iterator[Relaxed]:
    """Ever looser expressions, to be tried in turn while too little is found.

    Phrases become their words, then symbols become the words of their names. Only what is
    wanted is loosened, never what is excluded; all restrictions stay in every step.
    """
    words, phrases = _loosen(wanted, lambda leaf: leaf.text if isinstance(leaf, Phrase) else "")
    if phrases:
        yield Relaxed(words, _note(wanted, "chunk", "has the exact phrase", phrases))
    names, symbols = _loosen(words, lambda leaf: leaf.name if isinstance(leaf, Defines) else "")
    if symbols:
        yield Relaxed(names, _note(wanted, "symbol", "is named", symbols))


def suggestions(wanted: Expression) -> tuple[Note, ...]:
    """What to try when nothing was found: a sentence for each restriction that could go.

    A restriction that is all there is has no sentence: without it, everything is found.
    """
    several = (one.parts for one in alternatives(wanted) if isinstance(one, And))
    shown = (render(part) for parts in several for part in parts if _is_restriction(part))
    told = dict.fromkeys(f"no result with {query}; try without it" for query in shown)
    return tuple(Note(RESTRICTION, sentence) for sentence in told)


def _is_restriction(part: Expression) -> bool:
    return all(isinstance(one, RESTRICTIONS) for one in alternatives(part))


def _loosen(
    wanted: Expression, words_of: Callable[[Expression], str]
) -> tuple[Expression, list[str]]:
    """The expression with some leaves as free text, and the words of these leaves."""
    found: list[str] = []

    def loosened(leaf: Expression) -> Expression:
        words = words_of(leaf)
        # Words of punctuation alone would be found by no lane, and so restrict nothing.
        if not HAS_WORD.search(words):
            return leaf
        found.append(words)
        return Text(words)

    changed = mapped(wanted, loosened, excluded=lambda leaf: leaf)
    return (normal(changed), found) if found else (wanted, [])


def _note(wanted: Expression, noun: str, lacks: str, words: list[str]) -> Note:
    several = len(words) > 1
    named = ", ".join(quote(each) for each in words[:MAX_NAMED])
    more = f" and {len(words) - MAX_NAMED} more" if len(words) > MAX_NAMED else ""
    among = " that fits the other terms" if isinstance(wanted, And | Or) else ""
    return Note(
        RELAXED,
        f"no {noun}{among} {lacks} {named}{more}; "
        f"showing chunks with {'their' if several else 'its'} words",
    )


# ---------------------------------------------------------------- views


def free_text(wanted: Expression) -> str:
    """The words wanted, in order, those of phrases included; not those excluded."""
    return " ".join(filter(None, map(_words, wanted_leaves(wanted))))


def _words(leaf: Expression) -> str:
    match leaf:
        case Text(text) | Phrase(text):
            return text
        case Term(text, word=word):
            return word or text
        case _:
            return ""


# ---------------------------------------------------------------- rendering

LOOSE, CONJUNCT, OPERAND = range(3)  # how tightly its surroundings bind an expression


def render(wanted: Expression) -> str:
    """An expression as a user would type it; parsing that gives the expression back.

    This holds for whatever the parser makes. Analysed terms are shown as their words.
    """
    return _render(wanted, LOOSE)


def _render(wanted: Expression, binding: int) -> str:
    match wanted:
        case Text(text):
            if not _is_plain(text):
                return f"text:{quote(text)}"
            return f"({text})" if binding == OPERAND and " " in text else text
        case Term(text, word=word):
            return word or text
        case Phrase(text):
            return quote(text)
        case Pattern(regex, ignore_case):
            slashed = slash(regex) + "i" * ignore_case
            if not IS_SLASHED.fullmatch(slashed):
                return f"regex:{quote(regex)}"
            return slashed if _starts_as(slashed, "pattern") else f"content:{slashed}"
        case PathPattern(regex):
            slashed = slash(regex)
            return f"path:{slashed}" if IS_SLASHED.fullmatch(slashed) else f"path:{regex}"
        case Not(part):
            shown = _render(part, OPERAND)
            return f"-{shown}" if _starts_as(f"-{shown}", "minus") else f"NOT {shown}"
        case And(parts):
            shown = " ".join(_render(part, CONJUNCT) for part in parts)
            return f"({shown})" if binding == OPERAND and parts else shown
        case Or(parts):
            values = [_named(part) for part in parts]
            if len({name for name, _ in values}) == 1 and values[0][0]:
                return f"{values[0][0]}:{','.join(value for _, value in values)}"
            shown = " OR ".join(_render(part, CONJUNCT) for part in parts)
            return f"({shown})" if binding != LOOSE and parts else shown
        case _:
            return ":".join(_named(wanted))


def _named(leaf: Expression) -> tuple[str, str]:
    """The name and the value of a filter; no name if it is something else."""
    match leaf:
        case Tag(name, value):
            pass
        case PathLike(value):
            name = "path"
        case Defines(value):
            name = "symbol"
        case Refers(relation, value):
            name = relation.lower()
        case _:
            return "", ""
    return name, value if IS_BARE.fullmatch(value) else quote(value)


def _starts_as(text: str, group: str) -> bool:
    found = SCANNER.match(text)
    return found is not None and found.lastgroup == group


def _is_plain(text: str) -> bool:
    """Whether a text reads as the same words wherever in a query it stands."""
    scanned = scan(text)
    return (
        scanned.is_whole
        and text.count("(") == text.count(")")
        and not text.startswith(")")
        and not OPEN_SLASH.search(text)
        and all(token.kind == "word" for token in scanned.tokens)
    )
