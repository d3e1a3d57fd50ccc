"""Blocks: a page cut into headings and paragraphs; what is no prose is passed over.

Code, lists, tables, quotes and directives are passed over, so that the first paragraph of a
section is the first that says something. A heading's depth orders it under others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

FENCE = re.compile(r"\s{0,3}(```+|~~~+)")
ATX = re.compile(r"\s{0,3}(#{1,6})\s+(.+?)\s*#*\s*$")
SETEXT = re.compile(r"\s{0,3}(=+|-+)\s*$")
NO_PROSE = re.compile(
    r"\s*(?:[-*+>|]\s|\d+[.)]\s|\||!!!|:::|\[[^\]]+\]:|<!--|---+$|\*\*\*+$|#\[|%)|\s{4}|\t"
)
DIRECTIVE = re.compile(r"(\s*)\.\.\s+(?:(?:py|js):)?([\w-]+)::\s*(.*)$")
DEFINING = frozenset(
    "function class method exception attribute data decorator classmethod staticmethod "
    "decoratormethod coroutinefunction coroutinemethod".split()
)
RST_NO_PROSE = re.compile(
    r"(?:[-*+•|]\s|\d+[.)]\s|#\.\s|\.\.(?:\s|$)|:[\w -]+:(?:\s|$)|>>>|[=+-]{3,}|__ )"
)
UNDERLINE = re.compile(r"""([=\-~^"'`#*+:.<>_])\1{2,}\s*$""")
HTML_HEADING = re.compile(r"(?is)<h([1-6])[^<>]{0,100}>(.{1,300}?)</h\1>")
HTML_BREAK = re.compile(
    r"(?i)</?(?:p|ul|ol|li|table|tr|td|th|dl|dt|dd|div|blockquote|br)\b[^<>]{0,100}>"
)
HTML_CODE = re.compile(r"(?is)<pre\b.{0,20000}?</pre>")
API_DEPTH = 9  # of a directive that defines a name: below every heading


class Block(NamedTuple):
    """A heading, or a paragraph."""

    line: int  # from 1
    text: str
    depth: int = 0  # of a heading; 0 for a paragraph
    names_api: bool = False  # the heading is the signature of a definition


def markdown_blocks(text: str) -> Iterator[Block]:
    """The headings and paragraphs of Markdown."""
    fence = ""
    for first, lines in _stanzas(text):
        kept: list[str] = []
        for number, line in enumerate(lines):
            if found := FENCE.match(line):
                fence = "" if fence and found[1].startswith(fence) else fence or found[1]
                kept = []
            elif fence:
                continue
            elif found := ATX.match(line):
                if kept:
                    yield Block(first + number, " ".join(kept))
                    kept = []
                yield Block(first + number, found[2], len(found[1]))
            elif kept and SETEXT.match(line) and len(kept) == 1:
                yield Block(first + number - 1, kept.pop(), 1 if "=" in line else 2)
            elif NO_PROSE.match(line) and not kept:
                break
            else:
                kept.append(line.strip())
        if kept:
            yield Block(first, " ".join(kept))


def _stanzas(text: str) -> Iterator[tuple[int, list[str]]]:
    """Runs of lines that are not blank, each with the number of its first line."""
    run: list[str] = []
    for number, line in enumerate([*text.splitlines(), ""], start=1):
        if line.strip():
            run.append(line)
        elif run:
            yield number - len(run), run
            run = []


def rst_blocks(text: str) -> Iterator[Block]:
    """The headings and paragraphs of reStructuredText, definitions by directive among them."""
    depths: list[str] = []
    inside = [0]  # indents of the directives that define something, outermost first
    is_code = False
    for first, lines in _stanzas(text):
        indent = len(lines[0]) - len(lines[0].lstrip())
        if is_code and indent > inside[-1]:
            continue
        is_code = False
        while len(inside) > 1 and indent < inside[-1]:
            inside.pop()
        if found := DIRECTIVE.match(lines[0]):
            if found[2] in DEFINING:
                inside.append(len(found[1]) + 1)
                yield Block(first, found[3].strip(), API_DEPTH, names_api=True)
            else:
                is_code = True
                inside[-1] = min(inside[-1], len(found[1]))
            continue
        title = _rst_title(lines)
        if title is not None:
            at, sign = title
            if sign not in depths:
                depths.append(sign)
            yield Block(first + at, lines[at].strip(), depths.index(sign) + 1)
            inside = [0]
            lines = lines[at + 2 :]
        if not lines or RST_NO_PROSE.match(lines[0].strip()):
            continue
        if len(inside) == 1 and indent > 0:
            continue
        body = " ".join(line.strip() for line in lines)
        is_code = body.endswith("::")
        yield Block(first, body.removesuffix("::").strip() if is_code else body)


def _rst_title(lines: list[str]) -> tuple[int, str] | None:
    """The row of a title among lines, and the sign it is underlined with."""
    if len(lines) >= 3 and UNDERLINE.match(lines[0]) and UNDERLINE.match(lines[2]):
        return 1, lines[2][0] * 2
    if len(lines) >= 2 and not UNDERLINE.match(lines[0]) and UNDERLINE.match(lines[1]):
        is_long = len(lines[1].strip()) >= len(lines[0].strip()) - 1
        return (0, lines[1][0]) if is_long else None
    return None


def html_blocks(text: str) -> Iterator[Block]:
    """The headings and paragraphs of HTML, as doc comments of Java have it."""
    text = HTML_CODE.sub(lambda found: "\n" * found[0].count("\n") + "<p>", text)
    at = 0
    for found in HTML_HEADING.finditer(text):
        yield from _html_paragraphs(text[at : found.start()], text.count("\n", 0, at) + 1)
        yield Block(text.count("\n", 0, found.start()) + 1, found[2], int(found[1]))
        at = found.end()
    yield from _html_paragraphs(text[at:], text.count("\n", 0, at) + 1)


def _html_paragraphs(text: str, line: int) -> Iterator[Block]:
    for piece in HTML_BREAK.split(text):
        if piece.strip():
            yield Block(line, " ".join(piece.split()))


def godoc_blocks(text: str) -> Iterator[Block]:
    """The headings and paragraphs of a package comment of Go."""
    for first, lines in _stanzas(text):
        if lines[0].startswith("# "):
            yield Block(first, lines[0][2:].strip(), 1)
            lines = lines[1:]
        if lines and not NO_PROSE.match(lines[0]) and not lines[0].startswith((" ", "\t")):
            yield Block(first, " ".join(line.strip() for line in lines))
