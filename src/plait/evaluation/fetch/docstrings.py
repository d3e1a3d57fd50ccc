"""Docstrings of Python functions, cut out so that a query cannot simply find its own words.

Published functions are often Python 2, which today's parser refuses. Their head and
docstring are nearly always plain enough, so where the whole does not parse, the shortest
beginning that does is taken instead.
"""

from __future__ import annotations

import ast
import warnings

HEAD_LINES = 200  # a function whose head and docstring need more is left as it is
Function = ast.FunctionDef | ast.AsyncFunctionDef


def cut_docstring(code: str) -> str | None:
    """A function without its docstring; None if it has none, or cannot be parsed at all."""
    function = _parsed(code) or _parsed_head(code)
    if function is None or ast.get_docstring(function, clean=False) is None:
        return None
    stated = function.body[0]
    assert stated.end_lineno is not None
    assert stated.end_col_offset is not None
    lines = code.encode().splitlines(keepends=True)  # offsets of ast count bytes
    before = lines[stated.lineno - 1][: stated.col_offset]
    after = lines[stated.end_lineno - 1][stated.end_col_offset :]
    if before.strip():  # def f(): "..."; the rest of the line goes on where it was
        kept = [before + after.lstrip(b" \t;")]
    else:
        rest = after.lstrip(b" \t;")
        kept = [before + rest] if rest.strip() else []
    whole = b"".join([*lines[: stated.lineno - 1], *kept, *lines[stated.end_lineno :]])
    return whole.decode().rstrip("\r\n") if not code.endswith("\n") else whole.decode()


def function_name(code: str) -> str:
    """The name a function is defined by; "" if that cannot be told."""
    function = _parsed(code) or _parsed_head(code)
    return "" if function is None else function.name


def _parsed(code: str) -> Function | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd escapes in strings: they are not ours
            tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    first = tree.body[0] if tree.body else None
    return first if isinstance(first, Function) else None


def _parsed_head(code: str) -> Function | None:
    """The function as far as its docstring, if that much parses."""
    lines = code.splitlines(keepends=True)
    for count in range(1, min(len(lines), HEAD_LINES) + 1):
        function = _parsed("".join(lines[:count]))
        if function is not None:
            return function
    return None
