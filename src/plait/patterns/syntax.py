"""The parser: RE2's syntax in, a tree out.

Python's own parser reads another language: ``[[:alpha:]]foo`` means something else there, and
``\\pL``, ``\\Q..\\E``, ``\\z`` or a flag in the middle are errors. This one follows RE2 with
Perl's classes. Whether a pattern is valid is for RE2 to say: here it is enough that what RE2
accepts is read as RE2 reads it, or not at all. Open groups are on a stack, so that no nesting
is too deep.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from plait.patterns.classes import UNICODE, Unreadable, bracketed, escaped, perl_class
from plait.patterns.tree import (
    ANY_ONE,
    EMPTY,
    Alternate,
    Concat,
    Literal,
    Node,
    OneOf,
    Repeat,
)

MAX_REPEAT = 1_000  # RE2's own limit

PLAIN = re.compile(r"[^\\.+*?()|\[{^$]+")
COUNT = re.compile(r"\{(0|[1-9][0-9]*)(,(0|[1-9][0-9]*)?)?\}")
NAME = re.compile(r"\(\?P?<[^>]*>")
FLAGS = re.compile(r"\(\?([imsU]*)(-[imsU]+)?([:)])")


def parse(regex: str, *, ignore_case: bool = False) -> Node | None:
    """The tree of a pattern; None if it is not understood."""
    try:
        return _Parser(regex, ignore_case).parse()
    except Unreadable:
        return None


@dataclass(slots=True)
class _Group:
    """An open group: its finished branches, the parts of the one that is being read."""

    ignore_case: bool  # outside, for when it closes
    branches: list[Node] = field(default_factory=list)
    parts: list[Node] = field(default_factory=list)
    ends_in_group: bool = False  # the last part is to be repeated as a whole

    def end_branch(self) -> None:
        self.branches.append(self.parts[0] if len(self.parts) == 1 else Concat(tuple(self.parts)))
        self.parts = []

    def node(self) -> Node:
        self.end_branch()
        return self.branches[0] if len(self.branches) == 1 else Alternate(tuple(self.branches))


class _Parser:
    """Reads a pattern from left to right, open groups on a stack."""

    def __init__(self, regex: str, ignore_case: bool) -> None:
        self.regex = regex
        self.at = 0
        self.ignore_case = ignore_case
        self.group = _Group(ignore_case)
        self.outer: list[_Group] = []

    def parse(self) -> Node:
        while self.at < len(self.regex):
            if plain := PLAIN.match(self.regex, self.at):
                self.at = plain.end()
                self._literal(plain[0])
            else:
                STEPS[self.regex[self.at]](self)
        if self.outer:
            raise Unreadable
        return self.group.node()

    def _push(self, node: Node, size: int = 1) -> None:
        self.at += size
        self.group.parts.append(node)
        self.group.ends_in_group = False

    def _literal(self, text: str) -> None:
        """Characters, joined to those before them if these are the same in case."""
        parts = self.group.parts
        before = parts[-1] if parts else EMPTY
        if isinstance(before, Literal) and before.ignore_case == self.ignore_case:
            text = before.text + text
            parts.pop()
        self._push(Literal(text, self.ignore_case), 0)

    def any_one(self) -> None:
        self._push(ANY_ONE)

    def anchor(self) -> None:
        self._push(EMPTY)

    def char_class(self) -> None:
        ranges, self.at = bracketed(self.regex, self.at)
        self._push(ANY_ONE if ranges is None else OneOf(ranges, self.ignore_case), 0)

    def escape(self) -> None:
        letter = self.regex[self.at + 1 : self.at + 2]
        if letter in ("b", "B", "A", "z"):
            self._push(EMPTY, 2)
        elif letter == "C":
            self._push(ANY_ONE, 2)
        elif letter == "Q":
            quoted, end, _ = self.regex[self.at + 2 :].partition("\\E")
            self.at += 2 + len(quoted) + len(end)
            if quoted:
                self._literal(quoted)
        elif letter in ("p", "P"):
            found = UNICODE.match(self.regex, self.at)
            if found is None:
                raise Unreadable
            self._push(ANY_ONE, len(found[0]))
        elif letter and (ranges := perl_class(letter)):
            self._push(OneOf(ranges, self.ignore_case), 2)
        else:
            code, self.at = escaped(self.regex, self.at)
            self._literal(chr(code))

    def open(self) -> None:
        size, ignore_case = 1, self.ignore_case
        if self.regex.startswith("(?", self.at):
            if found := NAME.match(self.regex, self.at):
                size = len(found[0])
            elif found := FLAGS.match(self.regex, self.at):
                size = len(found[0])
                is_off = "i" in (found[2] or "")
                ignore_case = not is_off and (ignore_case or "i" in found[1])
            else:
                raise Unreadable
            if found[0].endswith(")"):
                self.at += size
                self.ignore_case = ignore_case
                return
        self.at += size
        self.outer.append(self.group)
        self.group = _Group(self.ignore_case)
        self.ignore_case = ignore_case

    def close(self) -> None:
        if not self.outer:
            raise Unreadable
        self.ignore_case = self.group.ignore_case
        node = self.group.node()
        self.group = self.outer.pop()
        self._push(node)
        self.group.ends_in_group = True

    def bar(self) -> None:
        self.at += 1
        self.group.end_branch()

    def repeat(self) -> None:
        low, high = {"*": (0, None), "+": (1, None), "?": (0, 1)}[self.regex[self.at]]
        self._repeated(low, high, 1)

    def count(self) -> None:
        found = COUNT.match(self.regex, self.at)
        if found is None:
            self.at += 1
            self._literal("{")
            return
        least, comma, most = found.groups()
        if len(least) > 4 or len(most or "") > 4:
            raise Unreadable
        low = int(least)
        high = int(most) if most else None if comma else low
        if low > MAX_REPEAT or (high is not None and not low <= high <= MAX_REPEAT):
            raise Unreadable
        self._repeated(low, high, len(found[0]))

    def _repeated(self, low: int, high: int | None, size: int) -> None:
        """Repeat what stands last: a group, a class, or only the last of some characters."""
        parts = self.group.parts
        if not parts:
            raise Unreadable
        last = parts.pop()
        if isinstance(last, Literal) and len(last.text) > 1 and not self.group.ends_in_group:
            parts.append(Literal(last.text[:-1], last.ignore_case))
            last = Literal(last.text[-1], last.ignore_case)
        self.at += size
        if self.regex.startswith("?", self.at):
            self.at += 1
        self._push(Repeat(last, low, high), 0)


STEPS: dict[str, Callable[[_Parser], None]] = {
    "\\": _Parser.escape,
    ".": _Parser.any_one,
    "+": _Parser.repeat,
    "*": _Parser.repeat,
    "?": _Parser.repeat,
    "{": _Parser.count,
    "(": _Parser.open,
    ")": _Parser.close,
    "|": _Parser.bar,
    "[": _Parser.char_class,
    "^": _Parser.anchor,
    "$": _Parser.anchor,
}
