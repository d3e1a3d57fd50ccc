"""Matches that go over several lines, and lines that no line break ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plait.types import FileLines, Line

Range = tuple[int, int]


def line_break(found: FileLines, line: Line) -> bytes:
    """The line break after a line; the last line of a file may have none."""
    return b"\n" if line.begin + len(line.text) < found.size else b""


def goes_on(line: Line) -> bool:
    """Whether the last match of a line holds the line break after it: then it ends one byte
    behind the text."""
    return bool(line.ranges) and line.ranges[-1][1] > len(line.text)


def begun(lines: Sequence[Line]) -> Iterator[tuple[Line, tuple[Range, ...]]]:
    """Each line with the matches that begin in it."""
    before: Line | None = None
    for line in lines:
        is_rest = (
            before is not None
            and before.number + 1 == line.number
            and goes_on(before)
            and line.ranges[:1] != ()
            and line.ranges[0][0] == 0
        )
        yield line, line.ranges[1:] if is_rest else line.ranges
        before = line


def groups(lines: Sequence[Line], *, joins: bool) -> Iterator[list[Line]]:
    """The lines, those that one match goes over together.

    Args:
        joins: Whether lines that match and follow each other are together, as they are for
            ripgrep if its pattern may go over lines at all.
    """
    if not joins:
        yield from ([line] for line in lines)
        return
    group: list[Line] = []
    for line in lines:
        last = group[-1] if group else None
        if last and not (last.is_match and line.is_match and last.number + 1 == line.number):
            yield group
            group = []
        group.append(line)
    if group:
        yield group
