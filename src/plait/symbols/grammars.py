"""Grammars: which parser and which query file a language has.

What a grammar's nodes mean is data: ``queries/<language>.scm`` names the nodes that
define, enclose, document and refer (``outline.py`` lists the capture names). What only
matters when comments are blanked stands apart, in ``queries/<language>-blanks.scm``
(``strip.py`` lists those), so that reading an outline does not look for it. A grammar is
loaded when its language is first met; only parse workers ever do.
"""

from __future__ import annotations

import importlib
from functools import cache
from importlib import resources
from typing import NamedTuple

from tree_sitter import Language, Parser, Query, QueryError

from plait.errors import SymbolError

QUERIES = resources.files("plait.symbols") / "queries"
# language: (module, function that returns the grammar, query files)
GRAMMARS: dict[str, tuple[str, str, str]] = {
    "bash": ("tree_sitter_bash", "language", "bash"),
    "c": ("tree_sitter_c", "language", "c"),
    "cpp": ("tree_sitter_cpp", "language", "cpp"),
    "csharp": ("tree_sitter_c_sharp", "language", "csharp"),
    "elixir": ("tree_sitter_elixir", "language", "elixir"),
    "go": ("tree_sitter_go", "language", "go"),
    "haskell": ("tree_sitter_haskell", "language", "haskell"),
    "java": ("tree_sitter_java", "language", "java"),
    "javascript": ("tree_sitter_javascript", "language", "ecmascript javascript"),
    "kotlin": ("tree_sitter_kotlin", "language", "kotlin"),
    "lua": ("tree_sitter_lua", "language", "lua"),
    "php": ("tree_sitter_php", "language_php", "php"),
    "python": ("tree_sitter_python", "language", "python"),
    "ruby": ("tree_sitter_ruby", "language", "ruby"),
    "rust": ("tree_sitter_rust", "language", "rust"),
    "scala": ("tree_sitter_scala", "language", "scala"),
    "swift": ("tree_sitter_swift", "language", "swift"),
    "tsx": ("tree_sitter_typescript", "language_tsx", "ecmascript typescript jsx"),
    "typescript": ("tree_sitter_typescript", "language_typescript", "ecmascript typescript"),
    "zig": ("tree_sitter_zig", "language", "zig"),
}


class Grammar(NamedTuple):
    """A ready parser and the query that reads its trees."""

    parser: Parser
    query: Query


@cache
def grammar(language: str) -> Grammar:
    """The grammar of a language in ``GRAMMARS``.

    Raises:
        SymbolError: The grammar is not installed or its query file does not fit it.
    """
    module, function, query_files = GRAMMARS[language]
    try:
        native = Language(getattr(importlib.import_module(module), function)())
    except (ImportError, AttributeError) as error:
        raise SymbolError(
            f"no grammar for language {language!r}: {error}",
            hint=f"reinstall plait, or install {module.replace('_', '-')}",
        ) from error
    return Grammar(Parser(native), _query(language, native, query_files.split()))


@cache
def blanks(language: str) -> Query | None:
    """The query for what is blanked with comments; None if comments are all there is.

    Raises:
        SymbolError: As :func:`grammar`.
    """
    name = f"{language}-blanks"
    native = grammar(language).parser.language
    if native is None or not (QUERIES / f"{name}.scm").is_file():
        return None
    return _query(language, native, [name])


def _query(language: str, native: Language, names: list[str]) -> Query:
    try:
        source = [(QUERIES / f"{name}.scm").read_text("utf-8") for name in names]
        return Query(native, "\n".join(source))
    except (OSError, QueryError) as error:
        raise SymbolError(f"the query file of {language!r} cannot be used: {error}") from error
