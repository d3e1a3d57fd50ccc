"""Lines as text, byte for byte as ripgrep prints them.

Editors and scripts read what ripgrep writes, so this is not a page like it but the same page.
Into a pipe ``plait grep`` writes code as the bytes it is; everywhere else what cannot be seen is
made visible. A name never holds a line break or another control character, or else a file could
be called what looks like the line of another: where names end in a zero byte (``-0``) it cannot,
and there they are what they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plait.interfaces.cli.lines.spans import Range, begun, line_break
from plait.interfaces.escaping import visible_bytes
from plait.types import FileLines, Line, Tally

LINES, PATHS, COUNTS, MATCHES = "lines", "paths", "counts", "matches"
RESET = b"\x1b[0m"
PATH_STYLE = b"\x1b[0m\x1b[35m"
NUMBER_STYLE = b"\x1b[0m\x1b[32m"
MATCH_STYLE = b"\x1b[0m\x1b[1m\x1b[31m"
BLANK = b" \t\n\v\f\r"
TAB_PICTURE = "\u2409"


@dataclass(frozen=True, slots=True)
class Look:
    """What is printed of each file, and how."""

    what: str = LINES  # or the paths alone, how many lines match, or how often
    paths: bool = True
    numbers: bool = True
    columns: bool = False
    heading: bool = False  # the path above its lines, not before each
    each: bool = False  # a line as often as it matches, each time with the column
    only: bool = False  # nothing but what matches
    null: bool = False  # paths end in a zero byte
    has_context: bool = False
    is_wide: bool = False  # matches may go over lines; then they are counted, not lines
    color: bool = False
    safe: bool = False  # what cannot be seen in code is shown
    trim: bool = False
    max_columns: int = 0  # bytes of a line; 0 for all
    preview: bool = False  # of lines that are longer

    @property
    def is_plain(self) -> bool:
        """Whether lines are printed as they are, matches and context alike."""
        return not (self.marks or self.trim or self.max_columns or self.has_context)

    @property
    def marks(self) -> bool:
        """Whether it matters where in a line the matches are."""
        return self.color or self.columns or self.each or self.only


class TextWriter:
    """Writes files with their lines, one after the other."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._is_first = True

    def file(self, path: bytes, found: FileLines) -> bytes:
        """What is printed of one file."""
        look = self._look
        name = path if look.null and not look.safe else visible_bytes(path, tab=TAB_PICTURE)
        shown = self._painted(name, PATH_STYLE)
        if look.what == PATHS:
            return shown + (b"\0" if look.null else b"\n")
        if look.what != LINES:
            is_each = look.what == MATCHES or look.is_wide
            number = _matches(found.lines) if is_each else _matching(found.lines)
            before = shown + (b"\0" if look.null else b":") if look.paths else b""
            return b"%s%d\n" % (before, number)
        parts = [self._between()]
        if look.paths and look.heading:
            parts.append(shown + (b"\0" if look.null else b"\n"))
        prefix = b"" if look.heading or not look.paths else shown
        if look.is_plain:
            return b"".join([*parts, *_plain(prefix, found.lines, look)])
        last = 0
        for line, begins in begun(found.lines):
            if look.has_context and last and line.number > last + 1:
                parts.append(b"--\n")
            last = line.number
            size = len(line.text) + len(line_break(found, line))
            is_long = 0 < look.max_columns < size
            parts += self._line(prefix, line, begins, is_long=is_long)
        return b"".join(parts)

    def end(self, tally: Tally) -> bytes:
        """What is printed after all files."""
        del tally
        return b""

    def _between(self) -> bytes:
        is_first, self._is_first = self._is_first, False
        if is_first:
            return b""
        if self._look.heading:
            return b"\n"
        return b"--\n" if self._look.has_context else b""

    def _line(
        self, path: bytes, line: Line, begins: Sequence[Range], *, is_long: bool
    ) -> Iterator[bytes]:
        look = self._look
        if look.only and line.ranges:
            for begin, end in line.ranges:
                part = line.text[begin:end].lstrip(BLANK if look.trim else b"")
                if 0 < look.max_columns < len(part):
                    part = self._shortened(line)
                else:
                    part = self._painted(self._clean(part), MATCH_STYLE)
                yield self._before(path, line, begin) + part + b"\n"
        elif look.each and line.ranges:
            for one in begins:
                body = self._body(line, (one,), is_long=is_long)
                yield self._before(path, line, one[0]) + body + b"\n"
        else:
            begin = line.ranges[0][0] if line.ranges else -1
            ranges = line.ranges if look.color else ()
            body = self._body(line, ranges, is_long=is_long)
            yield self._before(path, line, begin) + body + b"\n"

    def _before(self, path: bytes, line: Line, begin: int) -> bytes:
        """Where a line is; ``begin`` is -1 if nothing matches in it."""
        look = self._look
        mark = b":" if line.is_match else b"-"
        parts = []
        if path:
            parts.append(path + (b"\0" if look.null else mark))
        if look.numbers:
            parts.append(self._painted(b"%d" % line.number, NUMBER_STYLE) + mark)
        if look.columns and begin >= 0:
            parts.append(self._painted(b"%d" % (begin + 1), RESET) + mark)
        return b"".join(parts)

    def _body(self, line: Line, ranges: Sequence[Range], *, is_long: bool) -> bytes:
        look, text = self._look, line.text
        if is_long:
            return self._shortened(line)
        skipped = len(text) - len(text.lstrip(BLANK)) if look.trim else 0
        return self._marked(text, ranges, skipped) if look.color else self._clean(text[skipped:])

    def _marked(self, text: bytes, ranges: Sequence[Range], begin: int) -> bytes:
        """The text behind ``begin``, what matches in color; neighbours are one."""
        parts, at = [], begin
        for first, last in _joined(ranges):
            first = max(first, at)
            if last > first:
                parts.append(self._clean(text[at:first]))
                parts.append(self._painted(self._clean(text[first:last]), MATCH_STYLE))
                at = last
        return b"".join([*parts, self._clean(text[at:])])

    def _shortened(self, line: Line) -> bytes:
        look = self._look
        marked = line.ranges if look.marks else ()
        if look.preview:
            start = line.text.decode("utf-8", "replace")[: look.max_columns].encode()
            rest = sum(begin >= len(start) for begin, _ in marked)
            more = f"{rest} more {'match' if rest == 1 else 'matches'}"
            cut = more if marked else "omitted end of long line"
            ranges = [(a, min(b, len(start))) for a, b in marked if a < len(start)]
            body = self._marked(start, ranges, 0) if look.color else self._clean(start)
            return body + f" [... {cut}]".encode()
        if not line.is_match:
            return b"[Omitted long context line]"
        if not marked or look.only:
            return b"[Omitted long matching line]"
        return b"[Omitted long line with %d matches]" % len(marked)

    def _painted(self, text: bytes, style: bytes) -> bytes:
        return style + text + RESET if self._look.color else text

    def _clean(self, text: bytes) -> bytes:
        return visible_bytes(text) if self._look.safe else text


def _joined(ranges: Sequence[Range]) -> Iterator[Range]:
    """The ranges, those that touch as one."""
    last: Range | None = None
    for one in ranges:
        if last and one[0] <= last[1]:
            last = (last[0], one[1])
            continue
        if last:
            yield last
        last = one
    if last:
        yield last


def _plain(path: bytes, lines: Sequence[Line], look: Look) -> list[bytes]:
    """Lines that need nothing but their place: most of those that are ever printed."""
    before = path + (b"\0" if look.null else b":") if path else b""
    clean = visible_bytes if look.safe else bytes
    if not look.numbers:
        return [b"%s%s\n" % (before, clean(line.text)) for line in lines]
    return [b"%s%d:%s\n" % (before, line.number, clean(line.text)) for line in lines]


def _matching(lines: Sequence[Line]) -> int:
    return sum(line.is_match for line in lines)


def _matches(lines: Sequence[Line]) -> int:
    """How often the pattern matches; a line of an inverted search counts as one."""
    return sum(len(begins) if line.ranges else 1 for line, begins in begun(lines) if line.is_match)
