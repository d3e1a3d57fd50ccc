"""Functions: what a file defines, as material for pairs, read inside a worker process.

The parent sends a file, the worker parses it with plait's own outline and answers with one
row for each function: its names, its code without the doc comment, what the doc says, and
the error messages it raises. References are of no use here and nine tenths of the work, so
the patterns that only find them are switched off.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import Any, NamedTuple, Self

from plait.symbols.grammars import GRAMMARS, grammar
from plait.symbols.outline import FUNCTION_KINDS, Definition, outline
from plait.symbols.workers import Message, serve
from training.docs import WORD, read_doc, why_not

MODULE = "training.functions"
MIN_LINES = 3
MAX_LINES = 400
MAX_CODE_CHARACTERS = 6_000
USEFUL = ("@definition", "@scope", "@comment", "@extent", "@attribute")
CALL = re.compile(r"\b([A-Za-z_]\w{2,})[!?]?\s*\(")
ERROR = re.compile(
    r"""(?x)\b(?:raise|throw|errors\.New|fmt\.Errorf|Errorf|panic|bail|anyhow|abort|fatalError|reject
    |\w*(?:Error|Exception))\b[^"'\n]{0,80}(["'])((?:(?!\1)[^\n\\]){15,160})\1"""
)
PLACEHOLDER = re.compile(r"%[-+ #0-9.]*[a-zA-Z]|\$?\{[^{}]*\}|#\{[^}]*\}|\\\([^)]*\)")
EMPTY = re.compile(r"""\(\s*\)|"\s*"|'\s*'|`\s*`|\[\s*\]""")
MIN_ERROR_WORDS = 4


class Function(NamedTuple):
    """One function of one file."""

    name: str
    container: str
    kind: str
    first: int  # line, counted from 1
    lines: int
    code: str  # without its doc comment
    query: str
    sentence: int
    returns: str
    raises: str
    why_not: str  # why there is no query
    error: str  # the first message it raises that says something
    calls: tuple[str, ...]  # of a test: the names it calls

    @classmethod
    def of(cls, row: list[Any]) -> Self:
        """A function as a worker answers it."""
        return cls(*row)._replace(calls=tuple(row[-1]))


@cache
def prepare(language: str) -> None:
    """Switch off the patterns of a language that find nothing but references."""
    query = grammar(language).query
    folder = resources.files("plait.symbols") / "queries"
    names = GRAMMARS[language][2].split()
    text = "\n".join((folder / f"{name}.scm").read_text("utf-8") for name in names).encode()
    count: int = query.pattern_count  # type: ignore[assignment]  # a property, whatever its stub says
    for at in range(count):
        piece = text[query.start_byte_for_pattern(at) : query.end_byte_for_pattern(at)].decode()
        if "@reference" in piece and not any(label in piece for label in USEFUL):
            query.disable_pattern(at)


def functions(language: str, content: bytes, *, is_test: bool) -> list[Function]:
    """The functions of a file. Call it in a worker process only: parsers can crash."""
    prepare(language)
    found = outline(language, content).definitions
    return [
        _function(definition, content, is_test=is_test)
        for definition in found
        if definition.kind in FUNCTION_KINDS
    ]


def _function(definition: Definition, content: bytes, *, is_test: bool) -> Function:
    begin, end = definition.begin, definition.end
    doc_begin, doc_end = definition.docstring
    raw = content[doc_begin:doc_end].decode("utf-8", "replace")
    if begin <= doc_begin < doc_end <= end:
        body = content[begin:doc_begin].rstrip(b" \t") + content[doc_end:end].lstrip(
            b" \t;"
        ).lstrip(b"\r\n")
    else:
        body = content[begin:end]
    code = body.decode("utf-8", "replace")
    doc = read_doc(raw)
    lines = code.count("\n") + 1
    message = None if is_test or lines > MAX_LINES else first_error(code)
    return Function(
        definition.name,
        definition.container,
        definition.kind,
        definition.first_row + 1,
        lines,
        code[:MAX_CODE_CHARACTERS] if MIN_LINES <= lines <= MAX_LINES else "",
        doc.query,
        doc.sentence,
        doc.returns,
        doc.raises,
        doc.why_not if raw else "no doc",
        message[0] if message else "",
        tuple(sorted(set(CALL.findall(code)))) if is_test else (),
    )


def first_error(code: str) -> tuple[str, int, int] | None:
    """The first error message that is a sentence, and where it stands."""
    for found in ERROR.finditer(code):
        text = EMPTY.sub(" ", " ".join(PLACEHOLDER.sub(" ", found[2]).split()))
        text = " ".join(text.split()).strip(" :,.-")
        if len(WORD.findall(text)) >= MIN_ERROR_WORDS and not why_not(text):
            return text, found.start(2), found.end(2)
    return None


def without_error(code: str) -> str:
    """Code with that message blanked, as a pair with it needs."""
    found = first_error(code)
    return code[: found[1]] + code[found[2] :] if found else code


def answer(message: Message) -> Message:
    """Parse one file."""
    asked: dict[str, Any] = message.value
    rows = functions(asked["language"], message.payload, is_test=asked["test"])
    return Message([list(row) for row in rows])


if __name__ == "__main__":
    serve(answer)
