"""Output: results to standard output, everything else to standard error.

A line is a list of pieces, each with a style. Without color the pieces are joined and Rich
is never loaded. Control characters in code and names are shown, not sent to the terminal.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Sequence

Piece = tuple[str, str]  # text, style of Rich
Line = Sequence[Piece]

CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
TAB = "    "
CHARACTERS_PER_TOKEN = 4


def say(message: str) -> None:
    """A message for the user, on standard error."""
    sys.stderr.write(f"{visible(message)}\n")
    sys.stderr.flush()


def emit(lines: Iterable[str]) -> None:
    """Lines of results."""
    for line in lines:
        sys.stdout.write(f"{line}\n")


def emit_json(value: object, *, is_line: bool = False) -> None:
    """One JSON value, on a line of its own or indented."""
    sys.stdout.write(f"{as_json(value, is_line=is_line)}\n")


def as_json(value: object, *, is_line: bool) -> str:
    """A JSON value that can be encoded, on one line or indented."""
    import json

    indent = None if is_line else 2
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    try:
        text.encode()
    except UnicodeEncodeError:  # a file name that is no text
        return json.dumps(value, indent=indent)
    return text


def fence_of(code: str) -> str:
    """A fence longer than any the code holds."""
    fence = "```"
    while fence in code:
        fence += "`"
    return fence


def emit_styled(lines: Iterable[Line], color: str) -> None:
    """Lines of results, colored if that is wanted."""
    if not wants_color(color):
        emit("".join(piece for piece, _ in line) for line in lines)
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(
        force_terminal=True,
        no_color=False,
        color_system="standard",
        highlight=False,
        markup=False,
        emoji=False,
    )
    for line in lines:
        console.print(Text.assemble(*line), soft_wrap=True)


def wants_color(color: str) -> bool:
    """Whether to color: ``always`` and ``never`` mean it, ``auto`` looks around."""
    if color != "auto":
        return color == "always"
    return (
        sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    )


def visible(text: str) -> str:
    """Text with control characters made visible, so that code cannot steer the terminal."""
    text = text.replace("\t", TAB)
    return CONTROL.sub(_picture, text) if CONTROL.search(text) else text


def _picture(found: re.Match[str]) -> str:
    code = ord(found[0])
    return chr(0x2400 + code) if code < 0x20 else "\u2421" if code == 0x7F else "\ufffd"


def terminal_width() -> int:
    """The width of the terminal, 0 if standard output is none."""
    if not sys.stdout.isatty():
        return 0
    return os.get_terminal_size(sys.stdout.fileno()).columns or 80


def cropped(line: Iterable[Piece], width: int) -> Line:
    """A line that fits the width; 0 for any."""
    kept: list[Piece] = []
    left = width
    for text, style in line:
        if width and len(text) > left:
            kept.append((f"{text[: max(left - 1, 0)]}…", style))
            break
        kept.append((text, style))
        left -= len(text)
    return kept


def counted(number: int, noun: str) -> str:
    """``1 file``, ``2,000 files``."""
    plural = noun.removesuffix("y") + "ies" if noun.endswith("ry") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def sized(size_bytes: float) -> str:
    """``812 B``, ``3.4 MB``."""
    for unit in ("B", "kB", "MB"):
        if size_bytes < 1000:
            return f"{size_bytes:.0f} {unit}" if unit == "B" else f"{size_bytes:.1f} {unit}"
        size_bytes /= 1000
    return f"{size_bytes:.1f} GB"
