"""The few values of a repository's configuration that plait reads, and it reads them itself.

Git would follow includes and let a value name a program. Here a value is text, nothing is
included, and a key that nobody asks for decides nothing.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from plait.beneath import Refused, read_beneath

SECTION = re.compile(r"\s*\[\s*([A-Za-z0-9.-]+)\s*\](.*)")
ENTRY = re.compile(r"\s*([A-Za-z][A-Za-z0-9-]*)\s*=\s*(.*)")
ESCAPES = {"n": "\n", "t": "\t", "b": "\b"}


def config_value(config: str, section: str, key: str) -> str:
    """The value of a key in a section without a name, as in ``[core] worktree``; "" if none.

    A key that is set twice has its last value, as git has it.
    """
    current = found = ""
    for line in config.replace("\\\n", "").splitlines():
        header = SECTION.match(line)
        if header is not None:
            current, line = header[1].lower(), header[2]
        elif line.lstrip().startswith("["):
            current = ""  # a section with a name
        entry = ENTRY.match(line) if current == section else None
        if entry is not None and entry[1].lower() == key:
            found = _unquoted(entry[2])
    return found


def _unquoted(raw: str) -> str:
    """A value without its quotes, escapes and comment."""
    value: list[str] = []
    is_quoted = False
    kept = 0  # characters that are not trailing space
    letters = iter(raw)
    for letter in letters:
        if letter == '"':
            is_quoted = not is_quoted
        elif letter in "#;" and not is_quoted:
            break
        else:
            if letter == "\\":
                letter = next(letters, "")
                letter = ESCAPES.get(letter, letter)
            value.append(letter)
            if is_quoted or not letter.isspace():
                kept = len(value)
    return "".join(value[:kept])


def text_beneath(folder: Path, path: str, limit: int) -> str:
    """A file of a git directory as text, "" if it is missing, too large, or no regular file."""
    try:
        raw = read_beneath(folder, path, limit)
    except Refused:
        return ""
    return os.fsdecode(raw) if len(raw) <= limit else ""
