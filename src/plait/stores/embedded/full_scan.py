"""Full scan: files that match a pattern for which no index helps, by reading all of them.

Files that lie next to each other are read as one stretch, so that RE2 is called once for
many of them and every core can take a stretch of its own. Stretches start short, so that a
search that wants few lines ends early, and grow while reading them takes little time.
"""

from __future__ import annotations

import os
import time
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from plait.errors import OutOfTime
from plait.patterns.compiled import Matcher
from plait.patterns.gram_codes import NEWLINE
from plait.stores.embedded.layer import Layer

SHORTEST = 64 << 10  # bytes of the first stretch
LONGEST = 8 << 20
ALONE = 1 << 20  # bytes read before other cores are asked to help
SLOW_SECONDS = 0.02  # a stretch that takes longer is not followed by a longer one


@dataclass(frozen=True, slots=True)
class Stretch:
    """Files whose texts follow each other."""

    rows: list[int]
    begins: list[int]  # in the layer's text
    ends: list[int]


def scan(layer: Layer, rows: Iterable[int], matcher: Matcher, deadline: float) -> Iterator[int]:
    """The rows whose files match, in the order given.

    Raises:
        OutOfTime: The deadline has passed.
    """
    pace = _Pace()
    # Some patterns have to see where files end; some take too long for more than one.
    is_single = matcher.is_multiline or matcher.has_text_anchors or matcher.byte_s > 0
    stretches = _stretches(layer, rows, pace, is_single=is_single)
    for stretch in stretches:
        yield from _matching(layer, stretch, matcher, deadline, pace)
        if pace.read >= ALONE:
            break
    cores = os.cpu_count() or 1
    with ThreadPoolExecutor(cores) as pool:
        waiting: deque[Future[list[int]]] = deque()
        try:
            for stretch in stretches:
                waiting.append(pool.submit(_matching, layer, stretch, matcher, deadline, pace))
                if len(waiting) > cores:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
        finally:
            for one in waiting:
                one.cancel()


@dataclass(slots=True)
class _Pace:
    """How long the next stretch may be."""

    size: int = SHORTEST
    read: int = 0


def _stretches(
    layer: Layer, rows: Iterable[int], pace: _Pace, *, is_single: bool
) -> Iterator[Stretch]:
    """Files gathered as long as they follow each other; each alone, if need be."""
    stretch = Stretch([], [], [])
    for row in rows:
        begin, end = layer.extent(row)
        if stretch.rows:
            between = begin - stretch.ends[-1]  # nothing, or the newline a file lacked
            is_long = end - stretch.begins[0] > pace.size
            if is_single or is_long or not 0 <= between <= 1:
                yield stretch
                stretch = Stretch([], [], [])
        stretch.rows.append(row)
        stretch.begins.append(begin)
        stretch.ends.append(end)
    if stretch.rows:
        yield stretch


def _matching(
    layer: Layer, stretch: Stretch, matcher: Matcher, deadline: float, pace: _Pace
) -> list[int]:
    """The rows of a stretch that match."""
    began = time.monotonic()
    base, end = stretch.begins[0], stretch.ends[-1]
    text = layer.text[base:end]
    size = len(text)  # less, if the index is damaged
    if began + size * matcher.byte_s > deadline:
        raise OutOfTime("not everything was read in time")
    found, at = [], 0
    while at < size:
        start, _ = matcher.find(text, at, size)
        if start < 0:
            break
        which = bisect_right(stretch.begins, base + start) - 1
        if base + start < stretch.ends[which] or (start and text[start - 1] != NEWLINE):
            found.append(stretch.rows[which])
        at = stretch.begins[which + 1] - base if which + 1 < len(stretch.rows) else size
        if time.monotonic() + (size - at) * matcher.byte_s > deadline:
            raise OutOfTime("not everything was read in time")
    pace.read += size
    took = time.monotonic() - began
    if took < SLOW_SECONDS:
        pace.size = min(2 * pace.size, LONGEST)
    elif pace.size > SHORTEST:
        pace.size //= 2
    return found
