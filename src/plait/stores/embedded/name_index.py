"""Name index: every name a layer defines, so that definitions can be shown first.

Names are kept once each, the shortest first: the shorter a name in which a pattern matches,
the more of it matches. They are cut into blocks with grams of their own, as text is, and each
knows the files that define it and where in their text it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plait.patterns.compiled import Matcher, compiled
from plait.patterns.lines import matching_lines
from plait.patterns.required import required
from plait.stores.embedded.gram_keys import BLOCKS_PER_BATCH, keys_of
from plait.stores.embedded.layer import Layer
from plait.stores.embedded.postings import CodedNeed, Postings
from plait.stores.embedded.postings_writer import packed
from plait.stores.line_search import find_word
from plait.types import Pattern

NAME_BLOCK_BYTES = 256  # more, if there are very many names
MAX_NAME_BLOCKS = 60_000  # what one part can number, and some room
MAX_NAME_BYTES = 255
MAX_MISSED = 64  # blocks of names in a row in which nothing matches: the pattern is not about names
NAME = re.compile(rb"\w{3,}")
PREFIX = "names."


class Place(NamedTuple):
    """Where a name is defined."""

    name: bytes
    row: int  # of the file
    begin: int  # in the layer's text


def name_tables(layer: Layer, ranked_rows: list[int]) -> dict[str, bytes]:
    """The tables of a layer's names. Files come in the order of ``ranked_rows``."""
    places = [place for row in ranked_rows for place in places_in(layer, row)]
    places.sort(key=lambda place: (len(place.name), place.name))  # files stay in order
    begins, back = np.unique(
        np.fromiter((place.begin for place in places), np.uint64, len(places)), return_inverse=True
    )
    sizes = np.zeros(len(begins), np.uint8)
    sizes[back] = [len(place.name) for place in places]
    names: list[bytes] = []
    ends: list[int] = []
    for name, group in groupby(places, key=lambda place: place.name):
        names.append(name)
        ends.append((ends[-1] if ends else 0) + sum(1 for _ in group))
    texts, firsts = _blocks(names)
    batches = [
        keys_of(texts[at : at + BLOCKS_PER_BATCH]) for at in range(0, len(texts), BLOCKS_PER_BATCH)
    ]
    tables: dict[str, NDArray[np.generic]] = {
        "begins": begins.astype(np.uint32) if len(layer.text) < 1 << 32 else begins,
        "sizes": sizes,
        "rows": np.array([place.row for place in places], np.uint32),
        "places": back.astype(np.uint32),
        "ends": np.array(ends, np.uint32),
        "text_ends": np.cumsum([len(text) for text in texts], dtype=np.uint32),
        "firsts": np.array(firsts, np.uint32),
    }
    made = {f"{PREFIX}{name}": table.tobytes() for name, table in tables.items()}
    made[f"{PREFIX}text"] = b"".join(texts)
    for name, table in packed(batches, len(texts)).items():
        made[f"{PREFIX}text.{name}"] = table.tobytes()
    return made


def _blocks(names: list[bytes]) -> tuple[list[bytes], list[int]]:
    """Names as blocks of lines, and the number of the first name of each."""
    most = max(NAME_BLOCK_BYTES, sum(map(len, names)) // MAX_NAME_BLOCKS)
    texts, firsts, size = [], [0], 0
    lines: list[bytes] = []
    for number, name in enumerate(names):
        if size > most:
            texts.append(b"".join(lines))
            firsts.append(number)
            lines, size = [], 0
        lines.append(name + b"\n")
        size += len(name) + 1
    texts.append(b"".join(lines))
    return texts, firsts


def places_in(layer: Layer, row: int) -> Iterator[Place]:
    """Where the symbols of a file have their names: in the signature, as a word."""
    content, base = bytes(layer.content(row)), layer.file_row(row).begin
    for name, begin, end in layer.signatures(row):
        at = find_word(content, name, begin, end)
        if at >= 0 and len(name) <= MAX_NAME_BYTES and b"\n" not in name:
            yield Place(name, row, base + at)


class NameIndex:
    """The names of one layer, where they lie."""

    def __init__(self, tables: Mapping[str, memoryview]) -> None:
        def numbers(name: str) -> memoryview:
            return tables[f"{PREFIX}{name}"].cast("I")

        raw = tables[f"{PREFIX}begins"]
        self.sizes = tables[f"{PREFIX}sizes"]
        # in the layer's text, rising
        self.begins = raw.cast("I") if len(raw) == 4 * len(self.sizes) else raw.cast("Q")
        self._rows = numbers("rows")
        self._places = numbers("places")
        self._ends = numbers("ends")
        self._text = tables[f"{PREFIX}text"]
        self._text_ends = numbers("text_ends")
        self._firsts = numbers("firsts")
        postings = {name: tables[f"{PREFIX}text.{name}"] for name in Postings.TABLES}
        self._postings = Postings(postings, len(self._firsts))

    def defining(
        self, need: CodedNeed, matcher: Matcher, layer: int
    ) -> Iterator[tuple[int, int, int, int]]:
        """Where names are defined in which a pattern matches: a number that rises (the length of
        the name), layer (as given), file row and place in the text.

        For a text of several words it is names that are one of them, the longest first.
        """
        found = self._matching(need, matcher)
        if matcher.literal and not NAME.fullmatch(matcher.literal):
            words = sorted(set(NAME.findall(matcher.literal)), key=len, reverse=True)
            found = chain.from_iterable(map(self._called, range(len(words)), words))
        for rank, number in found:
            for at in range(self._ends[number - 1] if number else 0, self._ends[number]):
                yield rank, layer, self._rows[at], self.begins[self._places[at]]

    def _called(self, rank: int, name: bytes) -> Iterator[tuple[int, int]]:
        """The number of exactly this name, with a rank."""
        text = name.decode("utf-8", "ignore")
        matcher = compiled((Pattern(text),))
        for size, number in self._matching(CodedNeed.of(required(text)), matcher):
            if size == len(name):
                yield rank, number
            return

    def _matching(self, need: CodedNeed, matcher: Matcher) -> Iterator[tuple[int, int]]:
        """Length and number of the names in which a pattern matches, the shortest first."""
        found = self._postings.matching(need)
        if found is None:
            slices: Iterable[Sequence[int]] = [range(len(self._firsts))]
        else:
            slices = (some.tolist() for some in found.slices())
        missed = 0
        for block in chain.from_iterable(slices):
            begin = self._text_ends[block - 1] if block else 0
            text = bytes(self._text[begin : self._text_ends[block]])
            missed += 1
            for line in matching_lines(matcher, text, self._firsts[block], is_marked=False):
                missed = 0
                yield len(line.text), line.number
            if missed > MAX_MISSED:
                return
