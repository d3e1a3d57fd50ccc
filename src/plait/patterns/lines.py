"""Lines: where in a text patterns match, line by line."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from plait.patterns.compiled import UNANCHORED, Matcher
from plait.types import Line

NEWLINE = 10


def matching_lines(
    matcher: Matcher,
    text: bytes,
    first: int = 1,
    begin: int = 0,
    most: int | None = None,
    *,
    is_marked: bool = True,
) -> list[Line]:
    """The lines of a text in which patterns match, at most so many.

    Args:
        text: Whole lines of a file; all of it, if the patterns go over several lines.
        first: The number of the text's first line.
        begin: Where in its file the text begins.
        is_marked: Whether all matches of a line are told, or only the first.
    """
    if matcher.literal:
        return _literal_lines(matcher.literal, text, first, begin, most, is_marked=is_marked)
    if matcher.is_multiline or matcher.has_text_anchors:
        return _spanning(matcher, text, first, begin, is_marked=is_marked)[:most]
    lines: list[Line] = []
    number, line_begin, line_end = first, 0, -1  # of the line that was found last
    ranges: list[tuple[int, int]] = []
    for start, end in _spans_within_lines(matcher, text, is_marked=is_marked):
        if start <= line_end:
            ranges.append((start - line_begin, end - line_begin))
            continue
        if ranges:
            lines.append(Line(number, begin + line_begin, text[line_begin:line_end], tuple(ranges)))
            if len(lines) == most:
                return lines
        begins = text.rfind(b"\n", line_end + 1, start) + 1 or line_end + 1
        number += text.count(b"\n", line_begin, begins)
        line_begin, line_end = begins, text.find(b"\n", end)
        if line_end < 0:
            line_end = len(text)
        ranges = [(start - line_begin, end - line_begin)]
    if ranges:
        lines.append(Line(number, begin + line_begin, text[line_begin:line_end], tuple(ranges)))
    return lines


def _literal_lines(
    literal: bytes, text: bytes, first: int, begin: int, most: int | None, *, is_marked: bool
) -> list[Line]:
    """The same for a text that is looked for as it is: most searches are for one."""
    find, size, length = text.find, len(text), len(literal)
    lines: list[Line] = []
    number, floor = first, 0  # of a line before the match
    at = find(literal)
    while at >= 0:
        line_begin = text.rfind(b"\n", floor, at) + 1 or floor
        line_end = find(b"\n", at + length)
        if line_end < 0:
            line_end = size
        number += text.count(b"\n", floor, line_begin)
        floor = line_begin
        ranges = [(at - line_begin, at - line_begin + length)]
        at = find(literal, at + length if is_marked else line_end)
        while 0 <= at < line_end:
            ranges.append((at - line_begin, at - line_begin + length))
            at = find(literal, at + length)
        lines.append(Line(number, begin + line_begin, text[line_begin:line_end], tuple(ranges)))
        if len(lines) == most:
            break
    return lines


def count_lines(matcher: Matcher, text: bytes, most: int) -> int:
    """How many lines of a text match, counted up to so many."""
    if matcher.is_multiline or matcher.has_text_anchors:
        return min(len(_spanning(matcher, text, 1, 0, is_marked=False)), most)
    find, size, count, at = matcher.find, len(text), 0, 0
    while at < size and count < most:
        start, end = find(text, at, size)
        if start < 0 or (start == size and text[size - 1] == NEWLINE):
            break
        count += 1
        line_end = text.find(b"\n", end)
        if line_end < 0:
            break
        at = line_end + 1
    return count


def _spans_within_lines(
    matcher: Matcher, text: bytes, *, is_marked: bool
) -> Iterator[tuple[int, int]]:
    """All matches, or the first of each line; none goes over the end of a line."""
    size = len(text)
    match, group, unanchored = matcher.regex.Match, matcher.group, UNANCHORED
    at, last = 0, -1  # where the last match ended
    is_ended = text.endswith(b"\n")
    while at <= size:
        start, end = match(unanchored, text, at, size)[group]
        if start < 0 or (start == size and is_ended):
            return  # what is behind the last newline is no line
        if start < end or start > last:
            yield start, end
            last = end
        at = end + (start == end) if is_marked else text.find(b"\n", end) + 1 or size + 1


def _spanning(
    matcher: Matcher, text: bytes, first: int, begin: int, *, is_marked: bool
) -> list[Line]:
    """The lines that matches touch, if these may go over several lines or see all of a file."""
    bounds = list(_line_bounds(text))
    begins = [line_begin for line_begin, _ in bounds]
    ranges: dict[int, list[tuple[int, int]]] = {}
    for start, end in _spans(matcher, text, bounds, is_marked=is_marked):
        row = max(bisect_right(begins, start) - 1, 0)
        while row < len(bounds):
            line_begin, line_end = bounds[row]
            if line_begin > start and line_begin >= end:
                break
            inside = (max(start, line_begin) - line_begin, min(end, line_end + 1) - line_begin)
            ranges.setdefault(row, []).append(inside)
            row += 1
    return [
        Line(first + row, begin + bounds[row][0], text[slice(*bounds[row])], tuple(found))
        for row, found in sorted(ranges.items())
    ]


def _spans(
    matcher: Matcher, text: bytes, bounds: Sequence[tuple[int, int]], *, is_marked: bool
) -> Iterator[tuple[int, int]]:
    """Matches one after another; within lines, if they must not go over several, and then
    perhaps only the first of each."""
    pieces = [(0, len(text))] if matcher.is_multiline else bounds
    is_ended = text.endswith(b"\n")
    for at, stop in pieces:
        last = -1
        while at <= stop:
            start, end = matcher.find(text, at, stop)
            if start < 0 or (start == len(text) and is_ended):
                break
            if start < end or start > last:
                yield start, end
                last = end
            at = end + (start == end)
            if not is_marked and not matcher.is_multiline:
                break


def _line_bounds(text: bytes) -> Iterator[tuple[int, int]]:
    """Where each line begins and ends, its newline left out."""
    begin = 0
    while begin < len(text):
        end = text.find(b"\n", begin)
        if end < 0:
            end = len(text)
        yield begin, end
        begin = end + 1


def other_lines(text: bytes, matched: Sequence[Line]) -> list[Line]:
    """The lines of a file that are not among those that match."""
    taken = {line.number for line in matched}
    return [
        Line(number, begin, text[begin:end])
        for number, (begin, end) in enumerate(_line_bounds(text), start=1)
        if number not in taken
    ]


def with_context(text: bytes, lines: Sequence[Line], before: int, after: int) -> list[Line]:
    """Lines of a file with their neighbours, each once, in order."""
    bounds = list(_line_bounds(text))
    shown: dict[int, Line] = {}
    for line in lines:
        for number in range(
            max(line.number - before, 1), min(line.number + after, len(bounds)) + 1
        ):
            begin, end = bounds[number - 1]
            shown.setdefault(number, Line(number, begin, text[begin:end], is_match=False))
    shown.update({line.number: line for line in lines})
    return [shown[number] for number in sorted(shown)]
