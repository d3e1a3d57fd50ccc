"""Fragments: chunks that no person would cut, told by their lines alone.

Nothing here knows a grammar or how chunks are cut; a line is a comment, an attribute or code by
how it begins. A chunk that is a whole file is never a fragment: there is nothing to join it to.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from enum import StrEnum

from plait.types import Chunk

FEW = 3  # lines of code; fewer, without a definition, are a fragment
MUCH = 1_000  # characters on few lines that are enough to read
LONG = 200  # characters of a heading and its paragraph, often on one line
MARKUP = frozenset({"", "markdown", "rst", "html", "css", "scss", "yaml", "toml", "ini", "json"})

SLASHES = re.compile(r"//|/\*|\*/|\*\s|\*$")
HASHES = re.compile(r"#(?!\[)")
DASHES = re.compile(r"--(?![|>])|\{-(?!#)|-\}")
HASHED = frozenset({"python", "ruby", "bash", "elixir", "yaml", "toml", "make"})
DASHED = frozenset({"haskell", "lua", "sql"})
BLOCKS = {
    **dict.fromkeys(DASHED, (re.compile(r"\{-(?!#)|--\[=*\["), re.compile(r"-\}|\]=*\]"))),
    "ruby": (re.compile(r"=begin\b"), re.compile(r"=end\b")),
}
SLASHED_BLOCK = (re.compile(r"/\*"), re.compile(r"\*/"))

AT = re.compile(r"@(?!interface\b)\w[\w.:]*\s*(?:\(.*\))?\s*$")
ATTRIBUTES = {
    "python": re.compile(r"@"),
    "rust": re.compile(r"#\[.*\]\s*(?://.*)?$"),
    "php": re.compile(r"#\[.*\]\s*$"),
    "csharp": re.compile(r"\[\s*(?:\w+\s*:\s*)?[A-Z][\w.]*.*\]\s*$"),
    "elixir": re.compile(r"@(?:doc|spec|impl|deprecated|since|typedoc|tag|dialyzer)\b"),
    "haskell": re.compile(r"\{-#\s*(?:INLINE|NOINLINE|INLINABLE|SPECIALI[SZ]E)\b"),
    "cpp": re.compile(r"template\s*<.*>\s*$|\[\[.*\]\]\s*$"),
    "c": re.compile(r"__attribute__.*\)\)\s*$|\[\[.*\]\]\s*$"),
    "zig": re.compile(r"(?!)"),
    "go": re.compile(r"(?!)"),
    "bash": re.compile(r"(?!)"),
    "lua": re.compile(r"(?!)"),
    "ruby": re.compile(r"(?!)"),
}
CLOSING = re.compile(r"[\s{}()\[\];,>]*(?:end|fi|done|esac)?[\s)};,]*$")
LEAVING = re.compile(r"(?:return|break|continue|throw|raise|yield|exit|pass)\b")
WORD = re.compile(r"\w")


class Fragment(StrEnum):
    """What is wrong with a chunk."""

    RULE = "no word in it"
    RETURN = "a lone return"
    SMALL = "fewer than three lines of code, no definition"
    HEADER = "a header without its members"
    SEVERED = "cut off from the comment or attribute above"


class Lines:
    """The lines of a file, each with what it is."""

    def __init__(self, text: str, language: str) -> None:
        self.lines = text.split("\n")
        self.is_markup = language in MARKUP
        self._attribute = ATTRIBUTES.get(language, AT)
        self._comments = (
            frozenset() if self.is_markup else frozenset(_comments(self.lines, language))
        )

    def is_comment(self, row: int) -> bool:
        return row in self._comments

    def is_attribute(self, row: int) -> bool:
        return not self.is_markup and bool(self._attribute.match(self.lines[row].strip()))

    def has_word(self, row: int) -> bool:
        return bool(WORD.search(self.lines[row]))

    def is_code(self, row: int) -> bool:
        """Whether there is something to read that is no comment."""
        return row not in self._comments and not CLOSING.match(self.lines[row])


def _comments(lines: Sequence[str], language: str) -> Iterator[int]:
    """The rows that hold a comment and nothing else."""
    mark = HASHES if language in HASHED else DASHES if language in DASHED else SLASHES
    opens, closes = BLOCKS.get(language, SLASHED_BLOCK)
    is_open = False
    for row, line in enumerate(lines):
        text = line.strip()
        if is_open:
            yield row
            is_open = not closes.search(text)
            continue
        begun = opens.match(text) if language not in ("python", "bash", "elixir") else None
        if begun:
            is_open = not closes.search(text, begun.end())
            yield row
        elif mark.match(text):
            yield row


def found_in(chunks: Sequence[Chunk], text: str) -> Iterator[tuple[Chunk, Fragment]]:
    """The fragments among the chunks of one file, each with what is wrong with it."""
    if len(chunks) < 2:
        return
    lines = Lines(text, chunks[0].language)
    starts = sorted({chunk.span.first for chunk in chunks if chunk.symbol and chunk.part == 0})
    furthest = 0  # line that a chunk before reaches to
    for chunk in chunks:
        wrong = _wrong(chunk, lines, starts)
        if wrong is Fragment.SEVERED and furthest >= chunk.span.first:
            wrong = None  # a chunk before holds both
        if wrong is not None:
            yield chunk, wrong
        furthest = max(furthest, chunk.span.last)


def _wrong(chunk: Chunk, lines: Lines, starts: Sequence[int]) -> Fragment | None:
    rows = range(chunk.span.first - 1, min(chunk.span.last, len(lines.lines)))
    if not any(lines.has_word(row) for row in rows):
        return Fragment.RULE
    symbol = chunk.symbol
    code = [row for row in rows if lines.is_code(row)]
    prose = sum(lines.is_comment(row) and lines.has_word(row) for row in rows)
    is_prose = prose >= FEW and (not code or chunk.span.first == 1)
    if symbol is None or not chunk.body.begin <= symbol.signature.begin < chunk.body.end:
        if len(code) < FEW and len(chunk.text) < MUCH and not is_prose:
            is_leaving = code and LEAVING.match(lines.lines[code[0]].strip())
            return Fragment.RETURN if is_leaving else Fragment.SMALL
    else:
        documented = _rows(chunk)
        own = [row for row in code if row not in documented]
        beneath = bisect_right(starts, chunk.span.last)
        has_members = beneath > bisect_right(starts, chunk.span.first)
        lacks_members = bisect_right(starts, symbol.span.last) > beneath and not has_members
        if lacks_members and len(own) < FEW and not (lines.is_markup and len(chunk.text) > LONG):
            return Fragment.HEADER
    above = chunk.span.first - 2
    first = next((row for row in rows if lines.lines[row].strip()), rows[0])
    is_code_first = above >= 0 and first == rows[0] and lines.is_code(first)
    if is_code_first and (lines.is_attribute(above) or lines.is_comment(above)):
        return Fragment.SEVERED
    return None


def _rows(chunk: Chunk) -> range:
    """The rows of a docstring."""
    assert chunk.symbol is not None
    begin, _, text = chunk.symbol.docstring
    if not text or not chunk.body.begin <= begin < chunk.body.end:
        return range(0)
    before = chunk.body.text.encode()[: begin - chunk.body.begin].count(b"\n")
    first = chunk.span.first - 1 + before
    return range(first, first + text.count("\n") + 1)
