"""What the options of ``plait grep`` mean: the pattern, which lines, and how they look."""

from __future__ import annotations

import os
import re
import sys

from plait.errors import PatternError, SettingError
from plait.interfaces.cli.arguments.values import chosen
from plait.interfaces.cli.lines.grep_arguments import Arguments
from plait.interfaces.cli.lines.options import DEFAULT_SECONDS, ORDERS, LineOptions
from plait.interfaces.cli.lines.printing import COUNTS, LINES, MATCHES, PATHS, Look
from plait.interfaces.cli.output import wants_color
from plait.search.lines import crosses_lines, either, has_capital
from plait.types import Pattern

NOT_AS_JSON = ("count", "count-matches", "files-with-matches")


def pattern_and_paths(given: Arguments) -> tuple[Pattern, list[str]]:
    """All patterns as one, and the paths to search.

    Raises:
        SettingError: There is no pattern.
        PatternError: It asks for a line break, and lines are searched one by one.
    """
    typed, paths = given.values.get("regexp", []), given.positional
    if not typed:
        if not paths:
            raise SettingError(
                "plait grep needs a pattern", hint="plait grep --help lists what is accepted"
            )
        typed, paths = paths[:1], paths[1:]
    if given.has("fixed-strings"):
        typed = [re.escape(line) for text in typed for line in text.split("\n")]
    regex = either(typed)
    is_multiline = given.has("multiline")
    if not is_multiline and crosses_lines(regex):
        raise PatternError(
            "the pattern asks for a line break, and lines are searched one by one",
            hint="-U lets matches go over several lines",
        )
    ignore_case = given.case == "no" or (given.case == "auto" and not has_capital(regex))
    if is_multiline and given.has("multiline-dotall"):
        regex = f"(?s:{regex})"
    if given.bounds == "line-regexp":
        regex = f"^(?:{regex})$"
    return Pattern(regex, ignore_case, is_word=given.bounds == "word-regexp"), paths


def options_of(given: Arguments) -> LineOptions:
    """Which lines are wanted.

    Raises:
        SettingError: A value is none that is accepted, or two options contradict each other.
    """
    if given.has("json"):
        for name in NOT_AS_JSON:
            if given.has(name):
                raise SettingError(f"--{name} cannot go with --json")
    is_listing = given.has("quiet") or _what(given) == PATHS
    sort = "path" if given.has("sort-files") else given.last("sort", "rank")
    return LineOptions(
        is_inverted=given.has("invert-match"),
        is_multiline=given.has("multiline"),
        before=0 if _what(given) != LINES else given.before,
        after=0 if _what(given) != LINES else given.after,
        per_file=1 if is_listing else given.number("max-count"),
        limit=1 if given.has("quiet") else given.number("limit"),
        order=ORDERS[chosen("--sort", sort, tuple(ORDERS))],
        within_s=_seconds(given),
        counts=given.has("stats"),
        is_marked=_what(given) not in (PATHS, COUNTS),
    )


def look_of(given: Arguments, *, is_single: bool, is_wide: bool) -> Look:
    """How lines are printed.

    Args:
        is_single: One file is searched; it goes without its name.
        is_wide: Matches may go over several lines.

    Raises:
        SettingError: A value is none that is accepted.
    """
    color = chosen("--color", given.last("color", "auto"), ("auto", "always", "never", "ansi"))
    is_pretty, is_terminal = given.has("pretty"), sys.stdout.isatty()
    is_each, has_columns = given.has("vimgrep"), given.has("column")
    numbers = is_pretty or is_terminal or is_each or has_columns
    heading = given.switches.get("heading", is_pretty or is_terminal) and not is_each
    has_color = _has_color(color, is_pretty=is_pretty)
    return Look(
        what=_what(given),
        is_wide=is_wide,
        paths=given.switches.get("paths", is_each or not is_single),
        numbers=given.switches.get("numbers", numbers),
        columns=is_each or has_columns,
        heading=heading,
        each=is_each,
        only=given.has("only-matching"),
        null=given.has("null"),
        has_context=given.before > 0 or given.after > 0,
        color=has_color,
        safe=is_terminal or has_color,  # colors are for a terminal, behind a pager or not
        trim=given.has("trim"),
        max_columns=given.number("max-columns"),
        preview=given.has("max-columns-preview"),
    )


def _has_color(color: str, *, is_pretty: bool) -> bool:
    if color == "auto" and is_pretty:
        return not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"
    return wants_color("always" if color == "ansi" else color)


def _what(given: Arguments) -> str:
    if given.has("count-matches") or (given.has("count") and given.has("only-matching")):
        return MATCHES
    if given.has("count"):
        return COUNTS
    return PATHS if given.has("files-with-matches") else LINES


def _seconds(given: Arguments) -> float:
    typed = given.last("timeout")
    try:
        seconds = float(typed) if typed else DEFAULT_SECONDS
    except ValueError:
        seconds = 0.0
    if not seconds > 0:
        raise SettingError(f"--timeout takes a number of seconds above 0, got {typed!r}")
    return seconds
