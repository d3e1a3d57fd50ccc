"""Compiled: patterns as RE2 runs them, over bytes, ``^`` and ``$`` at lines.

RE2 takes time linear in the text whatever the pattern, and says no to what it cannot do so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import re2
from re2 import _re2

from plait.errors import PatternError
from plait.patterns.plain import plain_text
from plait.types import Pattern

MAX_PATTERN_CHARACTERS = 1_000
MAX_MEMORY_BYTES = 32 << 20  # of RE2's program and automata
# Of the program alone, by RE2's own reckoning: about 30,000 instructions. One that fills the whole
# memory takes RE2 far too long to compile; with this bound no pattern took more than 100 ms
# (benchmarks/records/2026-11-16-fuzz-queries).
MAX_PROGRAM_BYTES = 512 << 10
TEXT_ANCHORS = (r"\A", r"\z", "-m", r"\C")  # what asks for more than a line, or might
WORD_ALONE = r"(?:^|\W)({})(?:\W|$)"  # as ripgrep does it: the pattern may begin with no letter
UNANCHORED = _re2.RE2.Anchor.UNANCHORED
STEP_SECONDS = 7e-9  # for each byte and instruction, once RE2 has no room for a faster automaton
SLOW_SECONDS = 2.5e-6  # a byte: patterns that may take longer are watched more closely


@dataclass(frozen=True, slots=True)
class Matcher:
    """Patterns as one automaton."""

    regex: Any  # RE2's own object: the module's wrapper costs five times a short match
    group: int  # which group is the match
    is_multiline: bool
    has_text_anchors: bool  # it has to see whole files
    literal: bytes = b""  # the text it is, if it is no more than that
    byte_s: float = 0.0  # the most a byte of text may cost; 0 if that is hardly anything

    def find(self, text: bytes | memoryview, begin: int, end: int) -> tuple[int, int]:
        """The first match between two places, or (-1, -1)."""
        span: tuple[int, int] = self.regex.Match(UNANCHORED, text, begin, end)[self.group]
        return span

    def holds(self, text: bytes | memoryview) -> bool:
        """Whether there is a match anywhere."""
        return self.find(text, 0, len(text))[0] >= 0


@lru_cache(maxsize=256)
def compiled(patterns: tuple[Pattern, ...], *, is_multiline: bool = False) -> Matcher:
    """Patterns of which one has to match.

    Without ``is_multiline`` no match goes over the end of a line.

    Raises:
        PatternError: RE2 refuses one of them.
    """
    alone = [_one(pattern, is_multiline) for pattern in patterns]
    group = 0
    regex = alone[0] if alone else _compile("[^\\x{0}-\\x{10FFFF}]", is_multiline, groups=False)
    if len(alone) > 1:
        regex = _compile(_either(patterns), is_multiline, groups=False)
    if any(pattern.is_word for pattern in patterns):
        group = 1
        regex = _compile(WORD_ALONE.format(_either(patterns)), is_multiline, groups=True)
    literal = _literal(patterns)
    anchored = any(mark in pattern.regex for pattern in patterns for mark in TEXT_ANCHORS)
    byte_s = 0.0 if literal else regex.ProgramSize() * STEP_SECONDS
    return Matcher(
        regex,
        group,
        is_multiline,
        has_text_anchors=anchored and not literal,
        literal=literal,
        byte_s=byte_s if byte_s > SLOW_SECONDS else 0.0,
    )


def _literal(patterns: Sequence[Pattern]) -> bytes:
    if len(patterns) != 1 or patterns[0].ignore_case or patterns[0].is_word:
        return b""
    return (plain_text(patterns[0].regex) or "").encode()


def _one(pattern: Pattern, is_multiline: bool) -> Any:
    if len(pattern.regex) > MAX_PATTERN_CHARACTERS:
        raise PatternError(
            f"the pattern has {len(pattern.regex):,} characters, "
            f"at most {MAX_PATTERN_CHARACTERS:,} are allowed"
        )
    prefix = "(?i)" if pattern.ignore_case else ""
    regex = prefix + pattern.regex
    tried = _compile(regex, is_multiline, groups=False, memory_bytes=MAX_PROGRAM_BYTES)
    if tried.ok():
        return _compile(regex, is_multiline, groups=False)
    reason = tried.error()
    raise PatternError(
        f"not a pattern RE2 accepts: /{pattern.regex}/ ({_readable(reason)})",
        hint="look-around and back-references are not supported; "
        "quote the text to search for it as it is",
    )


def _compile(
    regex: str, is_multiline: bool, *, groups: bool, memory_bytes: int = MAX_MEMORY_BYTES
) -> Any:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = memory_bytes
    options.never_nl = not is_multiline
    options.never_capture = not groups
    try:
        return _re2.RE2(f"(?m){regex}".encode(), options)
    except UnicodeEncodeError as error:
        raise PatternError("the pattern holds characters that are no text") from error


def _either(patterns: Sequence[Pattern]) -> str:
    """One pattern for all, each known to be sound by itself."""
    return "|".join(
        f"(?{'i' if pattern.ignore_case else ''}:{_closed(pattern.regex)})" for pattern in patterns
    )


def _closed(regex: str) -> str:
    """A pattern that can be followed by something: a quotation that is open ends with it."""
    if r"\Q" in regex and not _compile(f"(?:{regex})", is_multiline=True, groups=False).ok():
        return rf"{regex}\E"
    return regex


def _readable(reason: object) -> str:
    return reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
