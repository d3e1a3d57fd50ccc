"""Doc comments: the prose a code file begins with, or documents its package or module with.

What documents a module or package is taken whole. Of what documents one thing, only sections with
headings of their own are: there authors tell how things are used together.
"""

from __future__ import annotations

import re
from typing import NamedTuple

RUST_LINE = re.compile(r"^\s*//! ?(.*)$")
RUST_ITEM = re.compile(r"(?m)(?:^[ \t]*///(?!/)[^\n]*\n)+")
RUST_ITEM_LINE = re.compile(r"(?m)^[ \t]*/// ?")
GO_PACKAGE = re.compile(r"(?m)^package\s+\w+")
GO_LINE = re.compile(r"^// ?(.*)$")
PYTHON = re.compile(r"""\A(?:\s*#[^\n]*\n|\s*\n)*\s*[rRuU]?("{3}|'{3})(.*?)\1""", re.DOTALL)
JAVADOC = re.compile(r"/\*\*(?!/)(.*?)\*/", re.DOTALL)
STAR = re.compile(r"(?m)^[ \t]*\*? ?")
BLOCK_TAG = re.compile(r"(?m)^[ \t]*@(?!code|link)\w+")
HAS_HEADING = re.compile(r"(?i)<h[1-6]|(?m:^\s*#+ )")


class Comment(NamedTuple):
    """Prose in a code file."""

    text: str
    line: int  # where it begins, from 1
    markup: str
    blocks: str  # how it is cut into blocks
    needs_heading: bool = False  # it documents one thing; only sections with headings ask


def comments(language: str, path: str, source: str) -> list[Comment]:
    """The doc comments of a file that may hold sections."""
    if language == "rust":
        return _rust(source)
    if language == "go":
        return _go(source)
    if language == "python":
        return _python(source)
    if language in ("java", "javascript", "typescript"):
        return _javadoc(source, "markdown" if language != "java" else "html", path)
    return []


def _rust(source: str) -> list[Comment]:
    lines = [RUST_LINE.match(line) for line in source.splitlines()]
    text = "\n".join(found[1] if found else "" for found in lines)
    taken = [Comment(text, 1, "rustdoc", "markdown")] if text.strip() else []
    for item in RUST_ITEM.finditer(source):
        text = RUST_ITEM_LINE.sub("", item[0])
        if HAS_HEADING.search(text):
            line = source.count("\n", 0, item.start()) + 1
            taken.append(Comment(text, line, "rustdoc", "markdown", needs_heading=True))
    return taken


def _go(source: str) -> list[Comment]:
    found = GO_PACKAGE.search(source)
    if found is None:
        return []
    head = source[: found.start()].rstrip("\n")
    if head.endswith("*/") and "/*" in head:
        begin = head.rindex("/*")
        return [Comment(head[begin + 2 : -2], head.count("\n", 0, begin) + 1, "godoc", "godoc")]
    lines = head.splitlines()
    first = len(lines)
    while first and GO_LINE.match(lines[first - 1]):
        first -= 1
    text = "\n".join(GO_LINE.sub(r"\1", line) for line in lines[first:])
    return [Comment(text, first + 1, "godoc", "godoc")] if text.strip() else []


def _python(source: str) -> list[Comment]:
    found = PYTHON.match(source)
    if found is None:
        return []
    return [Comment(found[2], source.count("\n", 0, found.start(2)) + 1, "rst", "rst")]


def _javadoc(source: str, blocks: str, path: str) -> list[Comment]:
    """Comments with headings, and that of a package."""
    taken = []
    for found in JAVADOC.finditer(source):
        is_package = path.endswith("package-info.java")
        text = BLOCK_TAG.split(STAR.sub("", found[1]), maxsplit=1)[0]
        if not (is_package or HAS_HEADING.search(text)):
            continue
        line = source.count("\n", 0, found.start()) + 1
        taken.append(Comment(text, line, "javadoc", blocks, needs_heading=not is_package))
    return taken
