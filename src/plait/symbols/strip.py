"""Strip: a file without its comments and docstrings, as bytes of the same shape.

Questions are often made of docstrings. An index that holds the docstring then finds the
question by its own words, and the measure says nothing about code. So evaluation may index
files whose comments and docstrings are blank: every byte of them is a space, every line
break stays, and with them all line numbers and byte offsets of the code.

What is blanked is decided by syntax, never by looking for text, through these captures, the
first of the language's query file (``outline.py`` lists the others), the rest of the file
``queries/<language>-blanks.scm`` beside it:

    @comment             a comment of any kind, or an attribute that documents (Elixir's @doc)
    @comment.directive   one that keeps its marks, because what is before it needs an end
    @doc.text            what a docstring says; its quotes stay, so that a function which
                         consists of nothing else still parses
    @embedded.LANGUAGE   a node that the grammar leaves unread, such as the value of a C
                         macro, and the language it is in: its comments count too
    @embedded.LANGUAGE.below   the same, from its second line on

A shebang or a directive is blanked where the language says it is a comment: Python's
``#!``, Go's ``//go:build``. It stays where the grammar calls it something else.
"""

from __future__ import annotations

from tree_sitter import QueryCursor

from plait.symbols.grammars import GRAMMARS, blanks, grammar


def _blank_but(kept: bytes) -> bytes:
    """A table that makes a space of every byte but these."""
    return bytes(byte if byte in kept else ord(" ") for byte in range(256))


# What becomes of a node's bytes, by its capture. Where two hold it, the later one counts.
BLANKS = {
    "comment": _blank_but(b"\r\n"),
    "doc.text": _blank_but(b"\r\n"),
    "comment.directive": _blank_but(b"\r\n/*"),
}


def stripped(language: str, content: bytes) -> bytes:
    """The content with every comment and docstring blanked, of the same length and lines.

    A language without a grammar (Markdown, YAML, SQL) has no notion of a comment here: its
    files come back as they are. Call it in a worker process only: parsers can crash.
    """
    if language not in GRAMMARS:
        return content
    # Where the syntax is broken, what was hidden by a comment may read as another one.
    while (blanked := _blanked(language, content)) != content:
        content = blanked
    return content


def _blanked(language: str, content: bytes) -> bytes:
    kept = bytearray(content)
    waiting = [(language, 0, len(content))]
    while waiting:
        language, start, stop = waiting.pop()
        parser, query = grammar(language)
        root = parser.parse(content[start:stop]).root_node
        captures = QueryCursor(query).captures(root)
        if (further := blanks(language)) is not None:
            captures |= QueryCursor(further).captures(root)
        for label, blank in BLANKS.items():
            for node in captures.get(label, ()):
                begin, end = start + node.start_byte, start + node.end_byte
                kept[begin:end] = content[begin:end].translate(blank)
        for label, nodes in captures.items():
            if not label.startswith("embedded."):
                continue
            _, inner, *below = label.split(".")
            for node in nodes:
                begin, end = start + node.start_byte, start + node.end_byte
                if below:
                    begin = content.find(b"\n", begin, end) + 1
                waiting.append((inner, begin, end))
    return bytes(kept)
