"""Globs: patterns of paths, and what they mean as regular expressions."""

from __future__ import annotations

import re

import re2

from plait.errors import QueryError

MAX_PATTERN = 400
GLOB_PIECE = re.compile(r"\*\*/?|\*|\?|\[[!^]?[^\]/]+\]|.", re.DOTALL)


def check_length(pattern: str) -> None:
    """Refuse what is too long to be a glob or a pattern of paths.

    Raises:
        QueryError: It is.
    """
    if len(pattern) > MAX_PATTERN:
        raise QueryError(f"a path pattern has at most {MAX_PATTERN} characters, got {len(pattern)}")


def path_regex(glob: str) -> str:
    """A glob over whole paths as a regular expression.

    ``*`` and ``?`` stay inside a folder, ``**`` crosses folders, and a glob with no slash
    matches the file name anywhere. Without a wildcard it is a piece of the path, case ignored.
    """
    if not any(mark in glob for mark in "*?["):
        return f"(?i).*{re2.escape(glob)}.*"
    parts = []
    for piece in GLOB_PIECE.findall(glob):
        if piece.startswith("**"):
            parts.append("(?:.*/)?" if piece.endswith("/") else ".*")
        elif piece == "*":
            parts.append("[^/]*")
        elif piece == "?":
            parts.append("[^/]")
        elif piece.startswith("[") and len(piece) > 1:
            parts.append(_letters(piece[1:-1]))
        else:
            parts.append(re2.escape(piece))
    anywhere = "" if "/" in glob else "(?:.*/)?"
    return anywhere + "".join(parts)


def _letters(inner: str) -> str:
    """A class of letters; one that is no range is taken letter by letter."""
    negated = inner[0] in "!^"
    body = re.sub(r"([\\\[\]^&~])", r"\\\1", inner[1:] if negated else inner)
    return f"[{'^/' if negated else ''}{body}]"
