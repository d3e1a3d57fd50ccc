"""``plait search`` for a pattern: every line that matches, in any of the formats."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from plait.errors import SettingError
from plait.interfaces.cli.arguments.values import at_least, chosen
from plait.interfaces.cli.lines.formats import BlockWriter, ObjectLinesWriter, ObjectWriter
from plait.interfaces.cli.lines.options import ORDERS
from plait.interfaces.cli.lines.printing import COUNTS, LINES, MATCHES, PATHS, Look, TextWriter
from plait.interfaces.cli.lines.ripgrep_json import MessageWriter
from plait.interfaces.cli.lines.stream import Writer, results, say_notes, say_total, write
from plait.interfaces.cli.output import say, wants_color
from plait.search.lines import Case, line_query, may_be_words, may_cross_lines
from plait.types import LineQuery, Order, Query, Tally

if TYPE_CHECKING:
    from plait.answering.freshness import Current
    from plait.interfaces.cli.lines.options import LineOptions
    from plait.interfaces.cli.opened import Opened
    from plait.types import Note

HOW = "for lines write the pattern as /PATTERN/, or a text after -F, or use plait grep"
WORDS_TOO = ("auto", "text", "vimgrep", "md", "llm")  # formats in which chunks may come instead


@dataclass(frozen=True, slots=True)
class LineOutput:
    """How the lines found are to be given back."""

    form: str  # "stream" for ripgrep's messages
    paths_only: bool
    count: bool
    color: str
    max_tokens: int
    is_strict: bool


def case(*, ignore: bool, mind: bool, smart: bool) -> Case:
    """What the flags say about case."""
    if mind:
        return Case.SENSITIVE
    if ignore:
        return Case.INSENSITIVE
    return Case.SMART if smart else Case.AS_WRITTEN


def context(before: int | None, after: int | None, both: int | None) -> tuple[int, int]:
    """How many lines before and after each match.

    Raises:
        SettingError: A number is negative.
    """
    for name, number in (("-B", before), ("-A", after), ("-C", both)):
        at_least(name, number, 0)
    return both or 0 if before is None else before, both or 0 if after is None else after


def order(sort: str) -> Order:
    """The order of files.

    Raises:
        SettingError: There is no such order.
    """
    return ORDERS[chosen("--sort", sort or "rank", tuple(ORDERS))]


def refuse(options: LineOptions, case: Case) -> None:
    """Say which options make no sense for words.

    Raises:
        SettingError: There are some.
    """
    for name in options.only_for_lines():
        raise SettingError(f"{name}: only for lines, and this query finds chunks", hint=HOW)
    if case is Case.SENSITIVE:
        say("note: words ignore case; -s applies to patterns and phrases")


def answer(
    opened: Opened,
    now: Current,
    query: Query,
    hints: tuple[Note, ...],
    options: LineOptions,
    output: LineOutput,
) -> int | None:
    """Print the lines a query asks for; the exit status, or None to look for words instead."""
    asked = line_query(query)
    assert asked is not None
    is_multiline = options.is_multiline or asked.is_multiline
    is_wide = is_multiline and any(may_cross_lines(one.regex) for one in asked.patterns)
    look = _look(options, output, is_wide=is_wide)
    writer = _writer(opened, now, query, hints, look, output)
    options = replace(options, counts=sys.stdout.isatty() or output.form == "json")
    found = now.snapshot.grep(_applied(options, asked, look))
    out = results()
    tally = write(found, writer, lambda file: opened.shown(file.repo, file.path), out)
    is_narrow = any(options.only_for_lines()) or output.form not in WORDS_TOO
    if not tally.lines and may_be_words(query) and not is_narrow:
        return None
    out.write(writer.end(tally))
    out.flush()
    if output.form != "json":
        _asides(now, hints, tally, look)
    if output.is_strict and (tally.is_partial or now.stale):
        return 3
    return 0 if tally.lines else 1


def _applied(options: LineOptions, asked: LineQuery, look: Look) -> LineQuery:
    if look.what == PATHS:
        options = replace(options, per_file=1)
    if look.what in (PATHS, COUNTS):
        options = replace(options, is_marked=False)
    if look.what != LINES:
        options = replace(options, before=0, after=0)
    return options.applied(asked)


def _look(options: LineOptions, output: LineOutput, *, is_wide: bool) -> Look:
    is_terminal = sys.stdout.isatty()
    what = COUNTS if output.count else PATHS if output.paths_only else LINES
    if options.count_matches or (output.count and options.only):
        what = MATCHES
    is_each = output.form == "vimgrep"
    return Look(
        what=what,
        columns=is_each,
        heading=output.form == "text" or (output.form == "auto" and is_terminal),
        each=is_each,
        only=options.only,
        has_context=options.has_context,
        is_wide=is_wide,
        color=wants_color(output.color) and not is_each,
        safe=True,
    )


def _writer(
    opened: Opened,
    now: Current,
    query: Query,
    hints: tuple[Note, ...],
    look: Look,
    output: LineOutput,
) -> Writer:
    match output.form:
        case "stream":
            return MessageWriter(joins=look.is_wide)
        case "json":
            return ObjectWriter(query.text, opened, now, hints)
        case "jsonl":
            return ObjectLinesWriter(opened)
        case "md" | "llm":
            return BlockWriter(is_markdown=output.form == "md", max_tokens=output.max_tokens)
        case "sarif":
            raise SettingError(
                "SARIF is for findings and cannot hold matching lines",
                hint="for lines: --format json, jsonl, vimgrep, md or llm, or --json",
            )
        case _:
            return TextWriter(look)


def _asides(now: Current, hints: Sequence[str], tally: Tally, look: Look) -> None:
    for note in now.notes:
        say(f"note: {note}")
    say_notes(tally)
    if not tally.lines:
        say("no results")
    elif sys.stdout.isatty() and look.what == LINES:
        say_total(tally)
    for hint in hints:
        say(f"hint: {hint}")
