"""Line names: which files define a name in which a pattern matches, the shortest names first.

The shorter a name in which a pattern matches, the more of it matches. For a text of several
words it is names that are one of them, the longest first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from plait.patterns.compiled import Matcher
from plait.patterns.needs import Need
from plait.stores.cluster.documents import LATER
from plait.stores.cluster.grams import need_query
from plait.stores.cluster.line_files import FileReader, FileText, Listed
from plait.stores.cluster.line_scope import file_of
from plait.stores.cluster.queries import Body
from plait.stores.line_search import MANY_NAMED, find_word

NAME = re.compile(rb"\w{3,}")
ASSUMED_BYTES = 64 << 10  # of a file whose size is not known
MAX_PAGES = 5  # of names looked at


class Definition(NamedTuple):
    """A name, and where in its file it is said what it means."""

    name: bytes
    key: str  # of the file
    version: str
    shelf: int
    begin: int  # of the signature
    end: int

    @property
    def file(self) -> Listed:
        return Listed(self.key, self.version, ASSUMED_BYTES)

    def place(self, content: bytes) -> int:
        """Where the name stands in its file; -1 if it does not."""
        return find_word(content, self.name, self.begin, self.end)


class Definitions(NamedTuple):
    """Definitions in the order in which their files are wanted."""

    ordered: Sequence[Definition]
    is_complete: bool  # there are no others whose name matches


def defining(
    reader: FileReader, need: Need, matcher: Matcher, filters: Sequence[Body]
) -> Definitions:
    """Names in which a pattern matches, not too many."""
    if matcher.literal and not NAME.fullmatch(matcher.literal):
        return Definitions(_called(reader, matcher.literal, filters), is_complete=False)
    query: Body = {"bool": {"filter": [need_query(need, "name_grams"), *filters]}}
    found: list[Definition] = []
    for number, some in enumerate(_pages(reader, query, "asc")):
        matching = (one for one in some if matcher.find(one.name, 0, len(one.name))[0] >= 0)
        found += sorted(matching, key=lambda one: (len(one.name), one.name, one.shelf, one.key))
        if len(found) >= MANY_NAMED or number + 1 == MAX_PAGES:
            return Definitions(found[:MANY_NAMED], is_complete=False)
    return Definitions(found, is_complete=True)


def _called(reader: FileReader, text: bytes, filters: Sequence[Body]) -> list[Definition]:
    """Names that are a word of a text."""
    words = set(NAME.findall(text))
    if not words:
        return []
    lowered = sorted({word.decode("utf-8", "ignore").lower() for word in words})
    query: Body = {"bool": {"filter": [{"terms": {"defines": lowered}}, *filters]}}
    found = [one for one in next(_pages(reader, query, "desc"), []) if one.name in words]
    return sorted(found, key=lambda one: (-len(one.name), one.name, one.shelf, one.key))


def _pages(reader: FileReader, query: Body, order: str) -> Iterator[list[Definition]]:
    body: Body = {
        "query": query,
        "sort": [{"name_size": order}, {"key": "asc"}, {"version": "asc"}],
        "_source": ["chunk.symbol", "chunk.tags"],
    }
    return (list(_definitions(hits)) for hits in reader.pages(body, MANY_NAMED))


def _definitions(hits: Iterable[Body]) -> Iterator[Definition]:
    for hit in hits:
        kept = hit["_source"]["chunk"]
        name, signature = kept["symbol"][0].encode(), kept["symbol"][4]
        if signature[0] < signature[1]:
            *_, key, version = hit["sort"]
            shelf = int(not LATER.isdisjoint(kept["tags"]))
            yield Definition(name, file_of(key), version, shelf, signature[0], signature[1])


def names_in(
    reader: FileReader, files: Sequence[FileText], need: Need
) -> Mapping[str, list[Definition]]:
    """What some files define, by file, as far as names meet a need."""
    within: Body = {"terms": {"version": [file.version for file in files]}}
    is_definition: Body = {"exists": {"field": "name_size"}}
    named = need_query(need, "name_grams") if need else is_definition
    body: Body = {
        "query": {"bool": {"filter": [within, named]}},
        "sort": [{"key": "asc"}, {"version": "asc"}],
        "_source": ["chunk.symbol", "chunk.tags"],
    }
    return by_file(one for hits in reader.pages(body) for one in _definitions(hits))


def by_file(definitions: Iterable[Definition]) -> dict[str, list[Definition]]:
    """Definitions of one file together, in their order."""
    found: dict[str, list[Definition]] = {}
    for one in definitions:
        found.setdefault(one.key, []).append(one)
    return found
