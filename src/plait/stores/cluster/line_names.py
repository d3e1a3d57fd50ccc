"""Line names: which files define a name in which a pattern matches, the shortest names first.

The shorter a name in which a pattern matches, the more of it matches. For a text of several
words it is names that are one of them, the longest first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from plait.patterns.compiled import Matcher
from plait.patterns.needs import Need
from plait.stores.cluster.grams import need_query
from plait.stores.cluster.line_files import FileReader, Listed
from plait.stores.cluster.line_scope import file_of
from plait.stores.cluster.queries import Body
from plait.stores.line_search import MANY_NAMED

NAME = re.compile(rb"\w{3,}")
ASSUMED_BYTES = 64 << 10  # of a file whose size is not known
MAX_LOOKED = 2_000  # names that may match


class Definition(NamedTuple):
    """A name, and a file that defines it."""

    name: bytes
    file: Listed


def defining(
    reader: FileReader, need: Need, matcher: Matcher, filters: Sequence[Body]
) -> list[Definition]:
    """Definitions of names in which a pattern matches, in the order in which their files are
    wanted, not too many."""
    if matcher.literal and not NAME.fullmatch(matcher.literal):
        return _called(reader, matcher.literal, filters)
    looked, found = 0, []
    for some in _pages(reader, need_query(need, "name_grams"), filters, "asc"):
        found += [one for one in some if matcher.holds(one.name)]
        looked += len(some)
        if len(found) >= MANY_NAMED or looked >= MAX_LOOKED:
            break
    return found[:MANY_NAMED]


def _called(reader: FileReader, text: bytes, filters: Sequence[Body]) -> list[Definition]:
    """Definitions of names that are a word of a text."""
    words = set(NAME.findall(text))
    if not words:
        return []
    lowered = sorted({word.decode("utf-8", "ignore").lower() for word in words})
    pages = _pages(reader, {"terms": {"defines": lowered}}, filters, "desc")
    return [one for one in next(pages, []) if one.name in words]


def _pages(
    reader: FileReader, named: Body, filters: Sequence[Body], order: str
) -> Iterator[list[Definition]]:
    """Definitions by the size of the name, then by name, tests and the like last."""
    fields = ("called", "shelf", "key", "version")
    body: Body = {
        "query": {"bool": {"filter": [named, *filters]}},
        "sort": [{"name_size": order}, *({field: "asc"} for field in fields)],
        "stored_fields": "_none_",
    }
    for hits in reader.pages(body, MANY_NAMED):
        rows = (hit["sort"] for hit in hits)
        yield [
            Definition(name.encode(), Listed(file_of(key), version, ASSUMED_BYTES))
            for _, name, _, key, version in rows
        ]
