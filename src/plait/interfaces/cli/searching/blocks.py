"""An answer as blocks to read on a terminal: where, what, how much, and the code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from plait.interfaces.cli.output import Line, Piece, cropped, terminal_width
from plait.interfaces.escaping import visible
from plait.lanes.tokens import question_terms
from plait.search.relax import free_text

if TYPE_CHECKING:
    from plait.interfaces.cli.searching.page import Page
    from plait.types import Result

MIN_SOUGHT = 3  # letters; shorter words would be marked everywhere
KEYWORDS = frozenset(
    """abstract as async await break case catch class const continue def default defer del do elif
    else end enum except export extends final finally fn for from func function go if impl
    implements import in interface let local match mod module mut namespace new nil None not null
    package pass private protected pub public raise return self static struct super switch this
    throw throws trait True False true false try type typedef union unsafe use val var void while
    with yield""".split()
)
HASH_COMMENTS = frozenset(
    "bash elixir makefile perl python r ruby toml yaml dockerfile julia nim".split()
)
DASH_COMMENTS = frozenset("ada elm haskell lua sql".split())
PROSE = frozenset({"", "markdown", "text", "restructuredtext", "json", "csv"})
STRING = r"\"{3}|'{3}|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|`[^`]*`"
LEXEME = rf"(?P<string>{STRING})|(?P<number>\b\d[\w.]*)|(?P<word>\w+)"


def blocks(page: Page) -> Iterator[Line]:
    """The lines of a page of results."""
    terms = question_terms(free_text(page.answer.query.wanted))
    sought = tuple(term for term, _ in terms if len(term) >= MIN_SOUGHT)
    width = terminal_width()
    for result in page.answer.results:
        if result.rank > 1:
            yield []
        yield _heading(page, result)
        yield from _code(result, sought, width)
        if page.explain:
            yield from ([(f"     {line}", "dim")] for line in result.reason.lines())


def _heading(page: Page, result: Result) -> Line:
    chunk = result.chunk
    pieces: list[Piece] = [
        (f"{result.rank:>3}. ", "dim"),
        (visible(page.shown(result)), "magenta"),
        (":", "dim"),
        (f"{chunk.span.first}-{chunk.span.last}", "green"),
    ]
    if chunk.symbol:
        pieces += [("  ", ""), (visible(chunk.symbol.qualified_name), "bold cyan")]
        pieces += [(f" {chunk.kind}", "dim")]
    pieces.append((f"  {result.score:.2f}", "dim"))
    if result.more_in_file:
        pieces.append((f"  +{result.more_in_file} more in this file", "dim"))
    return pieces


def _code(result: Result, sought: tuple[str, ...], width: int) -> Iterator[Line]:
    rows = [visible(row.rstrip()) for row in result.snippet.split("\n")]
    while rows and not rows[-1]:
        rows.pop()
    indent = min((len(row) - len(row.lstrip()) for row in rows if row), default=0)
    scanner = _scanner(result.chunk.language)
    digits = len(str(result.snippet_span.first + len(rows)))
    for number, row in enumerate(rows, start=result.snippet_span.first):
        pieces = _pieces(row[indent:], scanner, sought)
        yield cropped([(f"     {number:>{digits}}  ", "dim"), *pieces], width)


def _scanner(language: str) -> re.Pattern[str]:
    if language in PROSE:
        return re.compile(r"(?P<plain>\w+)")
    mark = "#" if language in HASH_COMMENTS else "--" if language in DASH_COMMENTS else "//"
    return re.compile(rf"(?P<comment>{mark}.*)|{LEXEME}")


def _pieces(row: str, scanner: re.Pattern[str], sought: tuple[str, ...]) -> Iterator[Piece]:
    """A row of code, its strings, comments and keywords told apart, sought words bold."""
    at = 0
    for found in scanner.finditer(row):
        if found.start() > at:
            yield row[at : found.start()], ""
        at = found.end()
        style = {"string": "green", "comment": "dim", "number": "cyan"}.get(
            found.lastgroup or "", ""
        )
        if found.lastgroup == "word":
            word = found[0]
            style = "blue" if word in KEYWORDS else ""
            if any(root in word.lower() for root in sought):
                style = "bold yellow"
            yield word, style
            continue
        yield from _marked(found[0], style, sought)
    if at < len(row):
        yield row[at:], ""


def _marked(text: str, style: str, sought: tuple[str, ...]) -> Iterator[Piece]:
    """A string or comment with the sought words in it bold."""
    at = 0
    for found in re.finditer(r"\w+", text):
        if any(root in found[0].lower() for root in sought):
            yield text[at : found.start()], style
            yield found[0], "bold yellow"
            at = found.end()
    yield text[at:], style
