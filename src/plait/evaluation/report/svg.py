"""The pieces charts are drawn with: shapes of modes, texts, scales and room for labels."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from plait.evaluation.report.markup import Markup, shortened, tag

WIDTH = 430
STYLES = 8  # colors and shapes, classes k0 to k7 of the style sheet
SHADES = 10  # of a heat map, classes h0 to h9
LETTER = 6.1  # width of a letter of 11 px, for placing labels

SHAPES = (
    "M-1.3-.5H1.3V.5H-1.3Z",  # dash
    "M-.9-.9H.9V.9H-.9Z",  # square
    "M-1 0A1 1 0 1 0 1 0A1 1 0 1 0-1 0Z",  # circle
    "M0-1.25 1.25 0 0 1.25-1.25 0Z",  # diamond
    "M0-1.2 1.2.9H-1.2Z",  # triangle
    "M0 1.2 1.2-.9H-1.2Z",  # triangle on its head
    "M-.4-1.1H.4V-.4H1.1V.4H.4V1.1H-.4V.4H-1.1V-.4H-.4Z",  # cross
    "M-.5-1.2H.5V1.2H-.5Z",  # post
    "M-1-1-.2 0-1 1H1L.2 0 1-1Z",  # hourglass
)

Value = float | None
Box = tuple[float, float, float, float]  # left, top, right, bottom


class Trace(NamedTuple):
    """A mode in a chart: its name, and the number of its color and shape."""

    label: str
    style: int

    @property
    def color(self) -> str:
        return f"k{self.style % STYLES}"


def marker(trace: Trace, x: float, y: float, size: float = 4, says: str = "") -> Markup:
    """The shape of a mode."""
    return tag(
        "path",
        tag("title", says) if says else "",
        d=SHAPES[trace.style % STYLES],
        transform=f"translate({x:.1f} {y:.1f})scale({size:g})",
        class_=trace.color,
    )


@cache
def glyph(trace: Trace) -> Markup:
    """The shape of a mode, to stand in running text."""
    return tag("svg", marker(trace, 6, 6), viewBox="0 0 12 12", class_="glyph", aria_hidden="true")


@cache
def named(trace: Trace) -> Markup:
    """A mode's shape and name."""
    name = shortened(trace.label, 44)
    full = trace.label if name != trace.label else None
    return tag("span", glyph(trace), tag("span", name), class_="mode", title=full)


def legend(traces: Iterable[Trace]) -> Markup:
    """Shapes and names in a row."""
    return tag("p", [named(trace) for trace in traces], class_="legend")


def text(says: str, x: float, y: float, anchor: str = "start", kind: str = "") -> Markup:
    """A text of a chart; ``anchor`` is start, middle or end."""
    side = None if anchor == "start" else anchor
    return tag("text", says, x=float(x), y=float(y), text_anchor=side, class_=kind or None)


def line(path: str) -> Markup:
    """A line of the grid."""
    return tag("path", d=path, class_="grid")


def drawing(label: str, height: float, parts: Iterable[Markup], width: float = WIDTH) -> Markup:
    """A chart that is as wide as its panel, or wider and scrolled if it has to be."""
    return tag(
        "svg",
        tag("title", label),
        parts,
        viewBox=f"0 0 {width:g} {height:g}",
        width=float(width) if width > WIDTH else "100%",
        role="img",
        aria_label=label,
        class_="chart",
    )


def polygon(points: Iterable[tuple[float, float]]) -> str:
    """A closed path through points."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "Z"


def ceiling(values: Iterable[Value]) -> float:
    """The next tenth above every value, for an axis that begins at 0."""
    most = max((value for value in values if value is not None), default=1.0)
    return max(math.ceil(round(most * 10, 6)) / 10, 0.1)


def span(values: Sequence[float]) -> tuple[float, float]:
    """Tenths around values of 0 to 1, never the same one twice."""
    low = math.floor(round(min(values, default=0.0) * 10, 6)) / 10
    high = math.ceil(round(max(values, default=1.0) * 10, 6)) / 10
    if high - low > 0.05:
        return low, high
    return (low, low + 0.1) if low < 0.95 else (low - 0.1, low)


def shade(value: Value, low: float, high: float) -> str:
    """The class of a shade; a cell without a value has none."""
    if value is None:
        return "none"
    share = (value - low) / (high - low)
    return f"h{min(max(int(share * SHADES), 0), SHADES - 1)}"


def log_span(values: Sequence[float]) -> tuple[float, float]:
    """Powers of ten around values, with room beside them and at least a decade apart."""
    first, last = math.log10(min(values)) - 0.3, math.log10(max(values)) + 0.3
    spare = max(1.2 - (last - first), 0.0) / 2
    return first - spare, last + spare


def log_ticks(first: float, last: float) -> list[float]:
    """Round numbers between two powers of ten; few enough to be read."""
    ticks = list(_between(first, last, (1, 2, 5)))
    return ticks if len(ticks) <= 9 else list(_between(first, last, (1,)))


def _between(first: float, last: float, steps: Sequence[int]) -> Iterator[float]:
    for power in range(math.floor(first), math.ceil(last) + 1):
        for step in steps:
            if first <= math.log10(step) + power <= last:
                yield step * 10.0**power


def free_box(x: float, y: float, width: float, taken: Sequence[Box], room: Box) -> Box:
    """Where a label of one line fits near a point without covering what is there."""
    near = [
        (x + 9, y - 8, x + 9 + width, y + 6),
        (x - 9 - width, y - 8, x - 9, y + 6),
        (x - width / 2, y - 22, x + width / 2, y - 8),
        (x - width / 2, y + 8, x + width / 2, y + 22),
        (x + 6, y - 20, x + 6 + width, y - 6),
        (x + 6, y + 6, x + 6 + width, y + 20),
        (x - 6 - width, y - 20, x - 6, y - 6),
        (x - 6 - width, y + 6, x - 6, y + 20),
    ]
    inside = [box for box in near if _is_within(box, room)] or near
    return min(inside, key=lambda box: sum(_overlap(box, other) for other in taken))


def _is_within(box: Box, room: Box) -> bool:
    return box[0] >= room[0] and box[1] >= room[1] and box[2] <= room[2] and box[3] <= room[3]


def _overlap(one: Box, two: Box) -> float:
    across = min(one[2], two[2]) - max(one[0], two[0])
    down = min(one[3], two[3]) - max(one[1], two[1])
    return max(across, 0.0) * max(down, 0.0)
