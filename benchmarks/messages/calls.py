"""Calls: where code says something: raise, throw, panic, log and error calls, by language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from benchmarks.messages.templates import STRINGS, Template, template

RAISES = frozenset({"raise_statement", "throw_statement", "throw_expression"})
CALLS = frozenset(
    "call call_expression new_expression object_creation_expression method_invocation".split()
)
MACROS = frozenset({"macro_invocation", "attribute_item"})
CALLEE = ("function", "method", "name", "macro", "constructor", "type")
SAYING = re.compile(
    r"(?:\w*(?:error|exception|panic|fatal|warn|log|fail|assert|invariant|debug|critical|throw"
    r"|abort)\w*|raise|die|bail|ensure|expect|info|trace|notice|Errorf|Fatalf)\b",
    re.IGNORECASE,
)
NAME = re.compile(r"\w+")
MIN_WORDS, MIN_LETTERS = 3, 12  # of the fixed text
MAX_LETTERS = 300
MAX_DEPTH = 400
LOGS = re.compile(r"log|warn|debug|info|trace|notice|print", re.IGNORECASE)


class Saying(NamedTuple):
    """A place where code says something."""

    template: Template
    kind: str  # the class that is raised; "" if it is none
    is_log: bool


def sayings(root: Node) -> Iterator[Saying]:
    """Everything a file says, in order."""
    todo: list[tuple[Node, bool]] = [(root, False)]
    while todo:
        node, is_raised = todo.pop()
        said = None
        if node.type in CALLS or node.type in MACROS:
            said = _said(node, is_raised=is_raised)
        elif node.type == "raise_statement":
            is_raised = True
        if said is not None:
            yield said
            continue
        is_raised = is_raised or node.type in RAISES
        todo += ((child, is_raised) for child in reversed(node.named_children))


def _said(node: Node, *, is_raised: bool) -> Saying | None:
    callee = next(filter(None, map(node.child_by_field_name, CALLEE)), None)
    if callee is None and node.type == "attribute_item":
        name = "error" if b"error(" in (node.text or b"")[:20] else ""
    else:
        name = (callee.text or b"").decode("utf-8", "replace") if callee is not None else ""
    name = (NAME.findall(name.partition("(")[0].partition("<")[0]) or [""])[-1]
    if not name or not (is_raised or SAYING.fullmatch(name)):
        return None
    for argument in _arguments(node):
        made = template(argument)
        if made is not None and is_telling(made):
            is_class = name[:1].isupper() and (is_raised or name.endswith(("Error", "Exception")))
            is_log = not is_raised and LOGS.search(name) is not None
            return Saying(made, name if is_class else "", is_log)
    return None


def _arguments(node: Node) -> Iterator[Node]:
    if node.type in MACROS:
        yield from _strings(node)
        return
    given = node.child_by_field_name("arguments")
    for argument in given.named_children if given is not None else ():
        yield argument.named_children[-1] if argument.type == "pair" else argument


def _strings(node: Node) -> Iterator[Node]:
    """The strings of a macro, which is not parsed further."""
    for child in node.named_children:
        if child.type in STRINGS:
            yield child
        elif child.type in ("token_tree", "attribute"):
            yield from _strings(child)


def is_telling(made: Template) -> bool:
    """Whether a template has enough fixed text, on one line, to be looked for."""
    text = "".join(made.fixed).strip()
    words = re.findall(r"[^\W\d_]{2,}", " ".join(made.fixed))
    if "\n" in text or len(text) > MAX_LETTERS or made.last - made.first > MAX_DEPTH:
        return False
    return len(words) >= MIN_WORDS and sum(map(len, words)) >= MIN_LETTERS
