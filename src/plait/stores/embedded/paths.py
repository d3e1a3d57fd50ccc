"""Paths: which files a glob means.

All paths of a generation are kept as one text, a line each, and a glob becomes one pattern
over it, run by RE2: linear in the text whatever the glob, where the engine's own automata
took a third of a second for a glob of six stars.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

import re2

from plait.errors import QueryError
from plait.stores.embedded.layer import Layer
from plait.types import PathLike, PathPattern, Paths

MAX_PATTERN = 400
GLOB_PIECE = re.compile(r"\*\*/?|\*|\?|\[[!^]?[^\]/]+\]|.", re.DOTALL)


class PathList:
    """The paths of the files that are alive."""

    def __init__(self, layers: Sequence[Layer]) -> None:
        self._layers = layers

    @cached_property
    def _lines(self) -> str:
        paths = {layer.file_key(row)[1] for layer in self._layers for row in layer.file_rows()}
        return "".join(f"{path}\n" for path in sorted(paths) if "\n" not in path)

    def meant(self, wanted: PathLike | PathPattern | Paths) -> tuple[str, ...]:
        """The paths a condition on paths means, sorted.

        Raises:
            QueryError: It is too long or no condition at all.
        """
        match wanted:
            case PathLike(glob):
                return self.matching(glob)
            case PathPattern(regex):
                _check_length(regex)
                return self._found(f".*(?:{regex}).*", f"/{regex}/")
            case Paths(paths):
                return paths

    def matching(self, glob: str) -> tuple[str, ...]:
        """The paths a glob means, sorted.

        Raises:
            QueryError: The glob is too long or not one.
        """
        _check_length(glob)
        return self._found(path_regex(glob), repr(glob))

    def _found(self, regex: str, shown: str) -> tuple[str, ...]:
        options = re2.Options()
        options.never_nl = True
        options.log_errors = False
        try:
            pattern = re2.compile(f"(?m)^(?:{regex})$", options)
        except re2.error as error:
            raise QueryError(f"not a path pattern: {shown}") from error
        return tuple(match.group() for match in pattern.finditer(self._lines))


def _check_length(pattern: str) -> None:
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
