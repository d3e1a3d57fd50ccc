"""Settings files: TOML that a stranger may have written, read without trusting it.

Reading a file of a project must cost next to nothing and end, whatever it holds: a link, a
pipe, a gigabyte, a hundred thousand brackets, no TOML. Such a file is not read and the reason
is given; only the user's own file is an error.

The parser of the standard library recurses into brackets and takes quadratic time over a
dotted key, so the text is looked over once, in linear time, before it is given to it.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from plait.beneath import Refused, read_beneath, read_users
from plait.errors import SettingError

MAX_BYTES = 256 << 10  # parsed in a quarter of a second at worst; a long real one has 40 KB
MAX_NESTING = 32
MAX_KEY_PARTS = 32
MAX_REASON = 200

# Strings and comments are passed over whole; one that is never closed runs to the end, so that
# no part of the text is looked at twice.
PIECES = re.compile(
    r'"""(?:[^\\"]|\\.|"(?!""))*+(?:"""|\\?\Z)'
    r"|'''(?:[^']|'(?!''))*+(?:'''|\Z)"
    r'|"(?:[^\\"\n]|\\[^\n])*+"?'
    r"|'[^'\n]*+'?"
    r"|\#[^\n]*+"
    r"|[\[\]{}.=,\n]",
    re.DOTALL,
)


class Table(NamedTuple):
    """What a file says, and why it was not read, a sentence that is empty if it was."""

    values: Any
    note: str = ""


def project_table(root: Path, name: str, *, needle: bytes = b"") -> Table:
    """A TOML file in a project's root; no values if there is none or it cannot be trusted.

    Args:
        root: The project.
        name: The file.
        needle: A file without these bytes says nothing to us and is not parsed.
    """
    try:
        raw = read_beneath(root.resolve(), name, MAX_BYTES)
        return Table(parsed(raw) if needle in raw else {})
    except Refused as refused:
        is_absent = refused.reason == "missing"
        return Table({}, "" if is_absent else f"{name} is not read: {refused.detail}")
    except ValueError as error:
        reason = str(error)[:MAX_REASON]  # may quote what the file holds
        return Table({}, f"{name} is not read: {reason}")


def users_table(path: Path) -> Any:
    """The user's own file; no values if there is none.

    Raises:
        SettingError: It cannot be read.
    """
    try:
        return parsed(read_users(path, MAX_BYTES))
    except Refused as refused:
        if refused.reason == "missing":
            return {}
        raise SettingError(f"cannot read {path}: {refused.detail}") from None
    except ValueError as error:
        raise SettingError(f"cannot read {path}: {error}") from None


def parsed(raw: bytes) -> dict[str, Any]:
    """TOML as values.

    Raises:
        Refused: It is too large or too tangled to be parsed.
        ValueError: It is not TOML.
    """
    text = raw.decode("utf-8")
    if len(raw) > MAX_BYTES:
        raise Refused("oversized", f"more than {MAX_BYTES} bytes")
    expect_simple(text)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise Refused("nested", "its values are nested too deep") from None


def expect_simple(text: str) -> None:
    """Refuse what the parser would recurse into, or take quadratic time over."""
    depth = dots = 0
    for found in PIECES.finditer(text):
        piece = found[0]
        if piece == ".":
            dots += 1
            if dots >= MAX_KEY_PARTS:
                raise Refused("nested", f"a key of more than {MAX_KEY_PARTS} parts")
        elif piece in "[{":
            dots, depth = 0, depth + 1
            if depth > MAX_NESTING:
                raise Refused("nested", f"values nested more than {MAX_NESTING} deep")
        elif piece in "]}":
            dots, depth = 0, max(depth - 1, 0)
        elif piece in "=,\n":
            dots = 0
