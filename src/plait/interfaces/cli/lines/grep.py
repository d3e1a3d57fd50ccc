"""``plait grep``: every line that matches, with ripgrep's own command line."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from plait.errors import SourceError
from plait.interfaces.cli.lines.grep_arguments import HELP, Arguments, read
from plait.interfaces.cli.lines.grep_meaning import look_of, options_of, pattern_and_paths
from plait.interfaces.cli.lines.printing import TextWriter
from plait.interfaces.cli.lines.ripgrep_json import MessageWriter
from plait.interfaces.cli.lines.stream import (
    Silence,
    Writer,
    results,
    say_notes,
    say_total,
    together,
    write,
)
from plait.interfaces.cli.output import say
from plait.search.lines import line_query, may_cross_lines

if TYPE_CHECKING:
    from plait.answering.freshness import Current
    from plait.interfaces.cli.opened import Opened
    from plait.types import FileLines, LineQuery, Pattern

FOUND, NONE, FAILED, PARTIAL = 0, 1, 2, 3


@dataclass(frozen=True, slots=True)
class _Place:
    """One PATH of the command line; "" if none was given."""

    given: str
    opened: Opened

    @property
    def is_file(self) -> bool:
        return bool(self.opened.index.root.file)

    def shown(self, found: FileLines) -> str:
        """A path as ripgrep shows it: what was given, and the rest."""
        if found.repo != self.opened.index.repo:
            return f"{found.repo}:{found.path}"
        if self.is_file:
            return self.given
        inner = self.opened.inner(found.repo, found.path)
        if not self.given:
            return inner
        return f"{self.given}{inner}" if self.given.endswith("/") else f"{self.given}/{inner}"


def grep(arguments: Sequence[str]) -> int:
    """Print the lines that match; the exit status, as ripgrep's.

    Raises:
        SettingError: The command line cannot be understood or honoured.
        PatternError: The pattern is not one.
    """
    given = read(arguments)
    if given.has("help"):
        sys.stdout.write(HELP)
        return FOUND
    pattern, paths = pattern_and_paths(given)
    options, is_quiet = options_of(given), given.has("quiet")
    places, failed = _places(paths or [""], given)
    is_single = len(paths) == 1 and bool(places) and places[0].is_file
    is_wide = options.is_multiline and may_cross_lines(pattern.regex)
    writer = _writer(given, is_single=is_single, is_wide=is_wide)
    tallies, is_stale = [], False
    for place, now, asked in _questions(places, pattern, given):
        is_stale = is_stale or bool(now.stale)
        found = now.snapshot.grep(options.applied(asked))
        tallies.append(write(found, writer, place.shown, results()))
        if is_quiet and tallies[-1].lines:
            break
    tally = together(tallies)
    results().write(writer.end(tally))
    say_notes(tally)
    if given.has("stats"):
        say_total(tally)
    if given.has("strict") and (tally.is_partial or is_stale):
        return PARTIAL
    if failed and not (is_quiet and tally.lines):
        return FAILED
    return FOUND if tally.lines else NONE


def _places(paths: Sequence[str], given: Arguments) -> tuple[list[_Place], bool]:
    """The paths that can be searched, and whether there are others."""
    from plait.interfaces.cli.opened import open_path

    places, failed = [], False
    for path in paths:
        try:
            opened = open_path(
                path,
                hidden=given.has("hidden"),
                no_ignore=given.has("no-ignore"),
                include_secrets=given.has("include-secrets"),
                store=given.last("store"),
            )
        except SourceError as error:
            say(f"error: {error}")
            failed = True
            continue
        places.append(_Place(path, opened))
    return places, failed


def _writer(given: Arguments, *, is_single: bool, is_wide: bool) -> Writer:
    if given.has("quiet"):
        return Silence()
    if given.has("json"):
        return MessageWriter(joins=is_wide, has_numbers=given.switches.get("numbers", True))
    return TextWriter(look_of(given, is_single=is_single, is_wide=is_wide))


def _questions(
    places: Sequence[_Place], pattern: Pattern, given: Arguments
) -> Iterator[tuple[_Place, Current, LineQuery]]:
    """What is asked of which generation, place by place; each tree is refreshed once."""
    from plait.answering.filters import Filters, restricted
    from plait.answering.freshness import left_out
    from plait.interfaces.cli.arguments.glob_base import from_here
    from plait.interfaces.cli.refreshing import current
    from plait.types import Query

    if given.last("max-count") == "0":
        return  # as many as were asked for
    globs = tuple(given.values.get("glob", ()))
    filters = Filters()
    if all(glob.startswith("!") for glob in globs):  # one that includes decides by itself
        filters = replace(
            filters,
            languages=tuple(given.values.get("type", ())),
            without_languages=tuple(given.values.get("type-not", ())),
        )
    refreshed = set()
    for place in places:
        index = place.opened.index
        is_known = index.root.directory in refreshed
        refreshed.add(index.root.directory)
        fresh = False if is_known else given.fresh
        now = current(index, fresh=fresh, look=given.has("strict"))
        for note in (*now.notes, *left_out(index, now.snapshot)):
            say(f"note: {note}")
        query = Query("", pattern, index.scope())
        if not place.is_file:  # a file that is named is searched, whatever it is
            here = replace(filters, globs=tuple(from_here(globs, index.root.directory)))
            query = restricted(query, here, now.snapshot.repos())
        asked = line_query(query)
        assert asked is not None
        yield place, now, asked
