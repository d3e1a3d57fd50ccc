"""Charts: inline SVG, drawn by four small functions and legible without color.

Every mark carries a ``title`` with its value, every mode keeps its own shape beside its
color, and behind every chart is a table of the same numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from plait.evaluation.report.markup import Markup, joined, number, shortened, tag
from plait.evaluation.report.svg import (
    LETTER,
    SHADES,
    WIDTH,
    Box,
    Trace,
    Value,
    ceiling,
    drawing,
    free_box,
    legend,
    line,
    log_span,
    log_ticks,
    marker,
    polygon,
    shade,
    span,
    text,
)
from plait.evaluation.report.tables import Cell, as_table

Rows = Sequence[tuple[Trace, Sequence[Value]]]  # a value per group or axis


def bars(label: str, groups: Sequence[str], rows: Rows) -> Markup | None:
    """Grouped bars from 0 to 1; None if there are no groups."""
    if not groups:
        return None
    left, width, y = 136, 244, 0
    drawn: list[Markup] = []
    for at, group in enumerate(groups):
        drawn.append(text(group, 0, y + 11, kind="strong"))
        y += 18
        for trace, values in rows:
            length = width * min(max(values[at] or 0.0, 0.0), 1.0)
            says = tag("title", f"{trace.label}, {group}: {number(values[at])}")
            drawn += (
                text(shortened(trace.label, 19), left - 18, y + 10, "end"),
                marker(trace, left - 9, y + 6, 3.5),
                tag("rect", says, x=left, y=y, width=length, height=12, class_=trace.color),
                text(number(values[at]), left + length + 6, y + 10, kind="mono"),
            )
            y += 17
        y += 8
    quarters = [(part / 4, left + width * part / 4) for part in range(5)]
    grid = [line(f"M{x:g} 16V{y - 6}") for _, x in quarters]
    ticks = [text(f"{part:g}", x, y + 6, "middle", "mono") for part, x in quarters]
    return _figure(drawing(label, y + 12, [*grid, *drawn, *ticks]), groups, _cells(rows))


def radar(label: str, axes: Sequence[str], rows: Rows) -> Markup | None:
    """One polygon per row; the outermost ring is the next tenth. None for less than 3 axes."""
    if len(axes) < 3:
        return None
    x, y, radius = WIDTH / 2, 150.0, 132.0
    top = ceiling(value for _, values in rows for value in values)
    angles = [2 * math.pi * at / len(axes) - math.pi / 2 for at in range(len(axes))]

    def place(angle: float, share: float) -> tuple[float, float]:
        return x + radius * share * math.cos(angle), y + radius * share * math.sin(angle)

    drawn = [line(polygon(place(angle, ring / 4) for angle in angles)) for ring in range(1, 5)]
    for name, angle in zip(axes, angles, strict=True):
        (end_x, end_y), (out_x, out_y) = place(angle, 1), place(angle, 1.08)
        drawn.append(line(f"M{x:g} {y:g}L{end_x:.1f} {end_y:.1f}"))
        side = "middle" if abs(out_x - x) < 1 else "start" if out_x > x else "end"
        drawn.append(text(name, out_x, out_y + (10 if out_y > y else 0), side, "strong"))
    drawn += [
        text(f"{top * share:.3g}", x + 5, y - radius * share + 12, kind="mono")
        for share in (0.5, 1)
    ]
    for trace, values in rows:
        points = [
            place(angle, (value or 0) / top) for angle, value in zip(angles, values, strict=True)
        ]
        drawn.append(tag("path", d=polygon(points), class_=f"shape {trace.color}"))
        for name, point, value in zip(axes, points, values, strict=True):
            drawn.append(marker(trace, *point, says=f"{trace.label}, {name}: {number(value)}"))
    names = legend(trace for trace, _ in rows)
    return _figure(joined(names, drawing(label, 240, drawn)), axes, _cells(rows))


def heat(
    label: str, columns: Sequence[Trace], rows: Sequence[tuple[str, int | None, Sequence[Value]]]
) -> Markup:
    """A shade and a number per row and column; a row also says how many questions it has."""
    left, y = 132, 32
    cell = max(58, (WIDTH - left) // max(len(columns), 1))
    middles = [left + cell * at + cell / 2 for at in range(len(columns))]
    low, high = span([value for _, _, values in rows for value in values if value is not None])
    drawn: list[Markup] = []
    for x, trace in zip(middles, columns, strict=True):
        drawn.append(tag("g", tag("title", trace.label), marker(trace, x, 7)))
        drawn.append(text(shortened(trace.label, int(cell / LETTER)), x, 25, "middle"))
    for name, count, values in rows:
        drawn.append(text(shortened(name, 13), 0, y + 16, kind="strong"))
        drawn.append(text(number(count, 0), left - 10, y + 16, "end", "mono"))
        for x, trace, value in zip(middles, columns, values, strict=True):
            kind = shade(value, low, high)
            says = tag("title", f"{name}, {trace.label}: {number(value)}")
            box = {"x": x - cell / 2 + 1, "y": y + 1, "width": cell - 2, "height": 22, "rx": 3}
            drawn.append(tag("rect", says, class_=kind, **box))
            drawn.append(text(number(value), x, y + 16, "middle", f"mono on {kind}"))
        y += 24
    width = left + cell * len(columns)
    step = (WIDTH - left - 80) / SHADES
    for at in range(SHADES):
        box = {"x": left + 40 + step * at, "y": y + 12, "width": step, "height": 8}
        drawn.append(tag("rect", class_=f"h{at}", **box))
    drawn.append(text(f"{low:.1f}", left + 34, y + 20, "end", "mono"))
    drawn.append(text(f"{high:.1f}", WIDTH - 34, y + 20, kind="mono"))
    cells = [[name, number(count, 0), *map(number, values)] for name, count, values in rows]
    head = ["Questions", *(trace.label for trace in columns)]
    return _figure(drawing(label, y + 26, drawn, width), head, cells)


def scatter(
    label: str, across: str, up: str, points: Sequence[tuple[Trace, Value, Value]]
) -> Markup | None:
    """Points on a log axis across and a plain one up; None if no point has both."""
    left, right, top, bottom = 36.0, WIDTH - 10.0, 22.0, 216.0
    cells = [[trace.label, number(x, 2), number(y)] for trace, x, y in points]
    placed = [(trace, x, y) for trace, x, y in points if x and x > 0 and y is not None]
    if not placed:
        return None
    first, last = log_span([x for _, x, _ in placed])
    low, high = span([y for _, _, y in placed])

    def place(x: float, y: float) -> tuple[float, float]:
        share = (math.log10(x) - first) / (last - first)
        return left + (right - left) * share, bottom - (bottom - top) * (y - low) / (high - low)

    drawn = [
        text(up, 0, 10, kind="strong"),
        text(f"{across}, log scale", right, bottom + 32, "end"),
    ]
    for tick in log_ticks(first, last):
        x = place(tick, low)[0]
        drawn.append(line(f"M{x:.1f} {top:g}V{bottom:g}"))
        drawn.append(text(f"{tick:g}", x, bottom + 15, "middle", "mono"))
    tenths = round((high - low) * 10)
    for tenth in range(0, tenths + 1, 2 if tenths > 5 else 1):
        y = place(1, low + tenth / 10)[1]
        drawn.append(line(f"M{left:g} {y:.1f}H{right:g}"))
        drawn.append(text(f"{low + tenth / 10:.1f}", left - 6, y + 4, "end", "mono"))
    spots = [(trace, *place(x, y), x, y) for trace, x, y in placed]
    taken: list[Box] = [(x - 6, y - 6, x + 6, y + 6) for _, x, y, _, _ in spots]
    for trace, x, y, cost, quality in spots:
        says = f"{trace.label}: {number(cost, 2)} {across}, {up} {number(quality)}"
        drawn.append(marker(trace, x, y, 5, says))
        name = shortened(trace.label, 24)
        box = free_box(x, y, len(name) * LETTER, taken, (left, 10, right, bottom))
        taken.append(box)
        drawn.append(text(name, box[0], box[3] - 3))
    return _figure(drawing(label, bottom + 40, drawn), [across, up], cells)


def _cells(rows: Rows) -> list[list[Cell]]:
    return [[trace.label, *map(number, values)] for trace, values in rows]


def _figure(picture: Markup, head: Sequence[str], cells: Sequence[Sequence[Cell]]) -> Markup:
    table = tag("details", tag("summary", "Show as table"), as_table(["", *head], cells))
    return tag("figure", tag("div", picture, class_="scroll"), table)
