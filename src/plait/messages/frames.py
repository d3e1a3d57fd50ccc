"""Frames: the places in code that a stack trace or a compiler names."""

from __future__ import annotations

import re
from typing import NamedTuple

MAX_FRAMES = 40
FRAMES = tuple(
    re.compile(regex, re.MULTILINE)
    for regex in (
        # Python
        r'^[ \t>|E]*File "(?P<path>[^"\n]+)", line (?P<line>\d+)(?:, in (?P<name>[\w.<>]+))?',
        # Java, Kotlin, Scala
        r"^[ \t]*at (?P<name>[\w.$<>/@-]+)\((?P<path>[\w$]+\.\w+):(?P<line>\d+)\)",
        # C#
        r"^[ \t]*at (?P<name>[\w.`<>]+)\([^)\n]*\) in (?P<path>[^\n]+?):line (?P<line>\d+)",
        # JavaScript
        (
            r"^[ \t]*at (?:(?:async |new )*(?P<name>[\w.$<>]+)(?: \[as [^\]\n]+\])? \()?"
            r"(?P<path>(?:file://)?[^\s():]+\.\w+):(?P<line>\d+):\d+\)?"
        ),
        # Go
        r"^(?:(?P<name>[\w./*()-]+)\([^\n]*\)\n)?[ \t]+(?P<path>[^\s:]+\.go):(?P<line>\d+)",
        # Rust: a backtrace, a panic, the compiler
        r"^[ \t]*(?:\d+: +(?P<name>\S+)\n[ \t]*)?at (?P<path>[^\s:]+\.rs):(?P<line>\d+)",
        r"panicked at (?:'[^\n]*', )?(?P<path>[^\s:']+\.rs):(?P<line>\d+)(?P<name>)",
        r"^[ \t]*--> (?P<path>[^\s:]+):(?P<line>\d+)(?P<name>)",
        # Ruby
        r"^[ \t]*(?:from )?(?P<path>[^\s:]+\.rb):(?P<line>\d+):in [`'](?P<name>[^'\n]+)'",
        # PHP
        r"^#\d+ (?P<path>[^\s(]+)\((?P<line>\d+)\): (?P<name>[\w\\]+(?:(?:->|::)\w+)?)",
        r" in (?P<path>\S+\.php)(?:\(| on line |:)(?P<line>\d+)(?P<name>)",
        # compilers, linters, pytest
        r"^(?P<path>[^\s:]+\.\w+):(?P<line>\d+)(?::\d+)?: (?P<name>)",
    )
)


class Frame(NamedTuple):
    """A place that a pasted text names."""

    path: str
    line: int
    name: str  # of the function, as it is written there; "" if it is not named


def frames_in(text: str) -> tuple[Frame, ...]:
    """The places that a text names, in its order."""
    found: dict[int, Frame] = {}
    for regex in FRAMES:
        for match in regex.finditer(text):
            frame = Frame(match["path"], int(match["line"]), match["name"] or "")
            found.setdefault(match.start("path"), frame)
    return tuple(found[at] for at in sorted(found))[:MAX_FRAMES]
