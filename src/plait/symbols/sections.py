"""Sections: the named parts of files that are not programs.

A heading, a table definition or a top-level key is what people look for by name in
Markdown, SQL or YAML. One regular expression per language finds where a section starts;
it ends where the next of its level starts. Short ones (a scalar in a configuration file)
are no symbols of their own: they stay together as plain lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from plait.symbols.outline import Definition
from plait.symbols.rows import Rows

FENCED = re.compile(rb"^(`{3,}|~{3,})[^\n]*\n(?:(?!\1)[^\n]*\n)*+(?:\1[^\n]*)?", re.MULTILINE)
NOT_NEWLINE = re.compile(rb"[^\n]")
MIN_ROWS = 3
MAX_NAME = 120
EDGES = {"markdown": "\"'` \t\r#"}  # what may stand around a name


@dataclass(frozen=True, slots=True)
class Rule:
    """How a language starts a section: groups ``name`` and, where sections nest, ``level``."""

    start: re.Pattern[bytes]
    kind: str = "section"
    outermost: bool = False  # keep only the least indented
    gathers: bool = False  # lines right above belong to it: comments, and selectors of a list


def _rule(
    pattern: bytes, kind: str = "section", *, outermost: bool = False, gathers: bool = False
) -> Rule:
    return Rule(re.compile(pattern, re.MULTILINE | re.IGNORECASE), kind, outermost, gathers)


RULES = {
    "markdown": _rule(rb"^(?P<level>#{1,6})[ \t]++(?P<name>[^\n#][^\n]*+)"),
    "html": _rule(
        rb"<h(?P<level>[1-6])[^>]{0,200}>(?P<name>[^<\n]+)"
        rb"|<(?:section|template|form|table|nav|main|header|footer|script|style)\b"
        rb"[^>\n]{0,200}?\b(?:id|name)=[\"'](?P<id>[^\"'\n]+)"
    ),
    "css": _rule(rb"^(?P<name>[.#@:\w\[*&][^{};\n]*+)\s*+\{[^}\n]*+$", gathers=True),
    "scss": _rule(rb"^(?P<name>[.#@:\w\[*&%$][^{};\n]*+)\s*+\{[^}\n]*+$", gathers=True),
    "sql": _rule(
        rb"^[ \t]*(?:create|alter)\s+(?:or\s+replace\s+)?(?:(?:temp|temporary|unique|materialized"
        rb"|external|global|local|recursive)\s+)*"
        rb"(?:table|view|index|function|procedure|trigger|type|schema|sequence|domain|policy|role"
        rb"|extension|package)\s+"
        rb"(?:if\s+(?:not\s+)?exists\s+)?(?P<name>[\w.\"`\[\]$]+)"
    ),
    "yaml": _rule(rb"^(?P<name>[\w\"'./$-][^\n:#]*+):(?=\s|$)"),
    "toml": _rule(rb"^\[{1,2}(?P<name>[^\]\n]++)\]"),
    "ini": _rule(rb"^\[(?P<name>[^\]\n]++)\]"),
    "json": _rule(rb"^(?P<level>[ \t]+)\"(?P<name>[^\"\n]+)\"\s*:", outermost=True),
}


def sections(language: str, content: bytes) -> tuple[Definition, ...]:
    """The sections of a file, outermost first in file order; none without a rule."""
    rule = RULES.get(language)
    if rule is None:
        return ()
    rows = Rows(content)
    starts: list[tuple[int, int, str]] = []  # row, level, name
    row = 0
    read = FENCED.sub(_blanked, content) if language == "markdown" else content
    for match in rule.start.finditer(read):
        groups = match.groupdict()
        place = match.start("name" if groups["name"] else "id")
        row += content.count(b"\n", rows.begin(row), place)
        raw = groups["name"] or groups.get("id") or b""
        name = " ".join(
            raw.decode("utf-8", "replace").strip(EDGES.get(language, "\"'` \t\r")).split()
        )[:MAX_NAME]
        if name and not (starts and starts[-1][0] == row):
            starts.append((row, _level(groups.get("level")), name))
    if rule.outermost and starts:
        least = min(level for _, level, _ in starts)
        starts = [start for start in starts if start[1] == least]
    tops = _tops(starts, rows) if rule.gathers else [row for row, _, _ in starts]
    return _close(starts, tops, rule.kind, rows)


def _tops(starts: list[tuple[int, int, str]], rows: Rows) -> list[int]:
    """The first row of each section with the lines right above that end nothing."""
    tops: list[int] = []
    for start, _, _ in starts:
        top, earliest = start, tops[-1] + 1 if tops else 0
        while top > earliest:
            above = rows.content[rows.begin(top - 1) : rows.end(top - 1)].strip()
            if not above or above[-1:] in b"{};":
                break
            top -= 1
        tops.append(top)
    return tops


def _blanked(fenced: re.Match[bytes]) -> bytes:
    """Code in a document, hidden from the rule: what looks like a heading there is none."""
    return NOT_NEWLINE.sub(b" ", fenced[0])


def _level(mark: bytes | None) -> int:
    if mark is None:
        return 1
    return int(mark) if mark.isdigit() else len(mark)


def _close(
    starts: list[tuple[int, int, str]], tops: list[int], kind: str, rows: Rows
) -> tuple[Definition, ...]:
    """End each section before the next one that is not inside it."""
    definitions: list[Definition] = []
    levels = [(top, level) for top, (_, level, _) in zip(tops, starts, strict=True)]
    ends = _ends(levels, rows.count - 1)
    for (row, _, name), top, last in zip(starts, tops, ends, strict=True):
        if last - top + 1 < MIN_ROWS:
            continue
        begin, end = rows.begin(row), rows.end(last)
        heading = (begin, rows.end(row))
        definitions.append(Definition(name, "", kind, begin, end, top, last, heading, (0, 0)))
    return tuple(definitions)


def _ends(starts: list[tuple[int, int]], last_row: int) -> list[int]:
    """The last row of each section, read from the end backwards in one pass."""
    ends = [last_row] * len(starts)
    following: list[tuple[int, int]] = []  # (level, row), levels rising towards the top
    for index in range(len(starts) - 1, -1, -1):
        row, level = starts[index]
        while following and following[-1][0] > level:
            following.pop()
        ends[index] = following[-1][1] - 1 if following else last_row
        following.append((level, row))
    return ends
