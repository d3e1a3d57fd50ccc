"""Output: results to standard output, everything else to standard error.

A line is a list of pieces, each with a style. Without color the pieces are joined and Rich
is never loaded. Whatever goes out here is escaped here, so that no caller can forget it: what
is given as one line is one line, and nothing in it steers a terminal (``escaping.py``).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress

from plait.interfaces.escaping import json_text, visible, visible_lines

Piece = tuple[str, str]  # text, style of Rich
Line = Sequence[Piece]

TAB_ITSELF = "\t"


def say(message: str) -> None:
    """A message for the user, on standard error."""
    with suppress(OSError):  # a log on a full disk: there is nobody left to tell
        sys.stderr.write(f"{visible(message)}\n")
        sys.stderr.flush()


def emit(lines: Iterable[str]) -> None:
    """Lines of results, each of them one line whatever it holds."""
    for line in lines:
        sys.stdout.write(f"{visible(line, tab=TAB_ITSELF)}\n")


def emit_text(text: str) -> None:
    """A text of several lines that plait has put together."""
    sys.stdout.write(f"{visible_lines(text)}\n")


def show_progress(text: str) -> None:
    """A line on a terminal that the next one takes the place of."""
    sys.stderr.write(f"\r\x1b[K{visible(text)}")
    sys.stderr.flush()


def emit_json(value: object, *, is_line: bool = False) -> None:
    """One JSON value, on a line of its own or indented."""
    sys.stdout.write(f"{as_json(value, is_line=is_line)}\n")


def as_json(value: object, *, is_line: bool) -> str:
    """A JSON value that can be encoded, on one line or indented."""
    import json

    return json_text(json.dumps(value, ensure_ascii=False, indent=None if is_line else 2))


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
        pieces = [(visible(text, tab=TAB_ITSELF), style) for text, style in line]
        console.print(Text.assemble(*pieces), soft_wrap=True)


def wants_color(color: str) -> bool:
    """Whether to color: ``always`` and ``never`` mean it, ``auto`` looks around."""
    if color != "auto":
        return color == "always"
    return (
        sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    )


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
