"""Lines as ripgrep's stream of JSON messages, for editors that read ``rg --json``.

Each file has a ``begin``, a ``match`` or ``context`` for its lines, and an ``end``; a
``summary`` comes last. Text that is not UTF-8 goes as base64. A match over several lines is
one message with all of them.

The messages of lines are put together by hand: there may be very many, and a general encoder
takes several times as long for each.
"""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Sequence
from json.encoder import encode_basestring
from typing import NamedTuple

from plait.interfaces.cli.lines.spans import begun, groups, line_break
from plait.interfaces.escaping import json_text
from plait.types import FileLines, Line, Tally

NANOSECONDS = 1_000_000_000


class _Stats(NamedTuple):
    """What ripgrep counts."""

    files: int = 0
    searched: int = 0
    printed: int = 0
    lines: int = 0
    matches: int = 0

    def plus(self, other: _Stats) -> _Stats:
        return _Stats(*(one + two for one, two in zip(self, other, strict=True)))


class MessageWriter:
    """Writes files with their lines, one after the other.

    Args:
        joins: Whether matches may go over several lines.
        has_numbers: Whether lines have their numbers.
    """

    def __init__(self, *, joins: bool, has_numbers: bool = True) -> None:
        self._joins = joins
        self._has_numbers = has_numbers
        self._total = _Stats()
        self._began_ns = self._last_ns = time.monotonic_ns()

    def file(self, path: bytes, found: FileLines) -> bytes:
        """The messages of one file."""
        where = _text(path)
        messages = [f'{{"type":"begin","data":{{"path":{where}}}}}\n']
        lines = matches = 0
        for group in groups(found.lines, joins=self._joins):
            first = group[0]
            number = first.number if self._has_numbers else "null"
            text = b"".join([line.text + line_break(found, line) for line in group])
            marks = _submatches(text, group)
            lines += len(group) if first.is_match else 0
            matches += len(marks)
            messages.append(
                f'{{"type":"{"match" if first.is_match else "context"}","data":{{"path":{where},'
                f'"lines":{_text(text)},"line_number":{number},'
                f'"absolute_offset":{first.begin},"submatches":[{",".join(marks)}]}}}}\n'
            )
        written = "".join(messages).encode()
        stats = _Stats(1, found.size, len(written), lines, matches)
        self._total = self._total.plus(stats)
        elapsed_ns, self._last_ns = time.monotonic_ns() - self._last_ns, time.monotonic_ns()
        figures = _dumped(_figures(stats, elapsed_ns))
        end = f'{{"path":{where},"binary_offset":null,"stats":{figures}}}'
        return written + f'{{"type":"end","data":{end}}}\n'.encode()

    def end(self, tally: Tally) -> bytes:
        """The summary of all files."""
        del tally
        elapsed_ns = time.monotonic_ns() - self._began_ns
        stats = _figures(self._total, elapsed_ns)
        data = {"elapsed_total": _duration(elapsed_ns), "stats": stats}
        summary = {"data": data, "type": "summary"}
        return _dumped(summary, sort_keys=True).encode() + b"\n"


def _submatches(text: bytes, group: Sequence[Line]) -> list[str]:
    """The matches of a group, by bytes of its text."""
    starts: list[int] = []
    ends: list[int] = []
    for line, begins in begun(group):
        at = line.begin - group[0].begin
        if len(begins) < len(line.ranges):  # the rest of the one before
            ends[-1] = at + line.ranges[0][1]
        starts += [at + first for first, _ in begins]
        ends += [min(at + last, len(text)) for _, last in begins]
    return [
        f'{{"match":{_text(text[start:end])},"start":{start},"end":{end}}}'
        for start, end in zip(starts, ends, strict=True)
    ]


def _text(content: bytes) -> str:
    try:
        return f'{{"text":{json_text(encode_basestring(content.decode()))}}}'
    except UnicodeDecodeError:
        return f'{{"bytes":"{base64.b64encode(content).decode("ascii")}"}}'


def _dumped(value: object, *, sort_keys: bool = False) -> str:
    return json.dumps(value, separators=(",", ":"), sort_keys=sort_keys)


def _figures(stats: _Stats, elapsed_ns: int) -> dict[str, object]:
    return {
        "elapsed": _duration(elapsed_ns),
        "searches": stats.files,
        "searches_with_match": stats.files,
        "bytes_searched": stats.searched,
        "bytes_printed": stats.printed,
        "matched_lines": stats.lines,
        "matches": stats.matches,
    }


def _duration(elapsed_ns: int) -> dict[str, object]:
    seconds, nanos = divmod(elapsed_ns, NANOSECONDS)
    return {"secs": seconds, "nanos": nanos, "human": f"{elapsed_ns / NANOSECONDS:.6f}s"}
