"""Escaping: text from strangers as text to look at, never as orders to who shows it.

File names, symbols, code, names of repositories and the words of other programs may hold
anything. Before any of it is printed, what cannot be seen is made visible:

- control characters, which steer a terminal, as their pictures (``␛``), a line break that is not
  one of plait's own among them (``␊``): it would begin a line that looks like a result;
- characters that turn the direction of text around, which make code look like other code
  (CVE-2021-42574), those that are seen as nothing at all (zero-width spaces, tags, fillers), line
  and paragraph separators and the controls above ASCII, by their numbers: ``<U+202E>``;
- bytes that are no UTF-8 and that a terminal may take for controls: ``<0x9B>``.

What people write stays: letters of every script, emoji, a joiner between two characters that are
not ASCII (Persian and Indic words, families of emoji), a variation selector behind what it
varies. Escaping twice is escaping once, so it may be done where text is made and again where it
goes out.
"""

from __future__ import annotations

import re

TAB = "    "
SPACES = "\u1680\u2000-\u200a\u202f\u205f\u3000"
# Format controls, fillers and separators: shown wherever they stand. All that Unicode's table
# calls Cf is among them, but for joiners: a test goes through the table, a million characters long,
# so that no search has to.
UNSEEN = (
    "\x80-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2"
    "\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
    "\ud800-\udc9f\udd00-\udfff"  # no text: halves of characters, and C1 as single bytes
)
JOINERS = "\u200c\u200d"
SELECTORS = "\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"
PLAIN = f"\x00-\xa0{SPACES}{UNSEEN}{JOINERS}"  # what no joiner joins
BLANK = f"\x00-\x20\x7f-\xa0{SPACES}{UNSEEN}{JOINERS}{SELECTORS}"  # what cannot be varied
SHOWN = (
    f"[{UNSEEN}]"
    f"|(?<![^{PLAIN}])[{JOINERS}]|[{JOINERS}](?![^{PLAIN}{SELECTORS}])"
    f"|(?<![^{BLANK}])[{SELECTORS}]"
)
# Compiled when first needed: most of what is printed is ASCII, and this takes milliseconds.
CONTROL_OR_SHOWN = rf"[\x00-\x08\x0a-\x1f\x7f]|{SHOWN}"
IN_LINES = rf"[\x00-\x08\x0b-\x1f\x7f]|{SHOWN}"
ASCII_CONTROL = re.compile("[\x00-\x08\x0a-\x1f\x7f]")
ASCII_IN_LINES = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
BYTES = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f-\xff]")
IN_JSON = f"[\x7f{UNSEEN}{JOINERS}{SELECTORS}\udca0-\udcff]"
DELETE, FIRST_BYTE, LAST_BYTE = 0x7F, 0xDC80, 0xDC9F


def visible(text: str, tab: str = TAB) -> str:
    """Text as one line in which everything can be seen.

    Args:
        text: Whatever it is.
        tab: What a tab becomes; a tab itself if columns matter to who reads it.
    """
    found = ASCII_CONTROL if text.isascii() else re.compile(CONTROL_OR_SHOWN)
    if found.search(text):
        text = found.sub(_picture, text)
    return text if tab == "\t" else text.replace("\t", tab)


def visible_lines(text: str) -> str:
    """Text of several lines, as code in a fence: its line breaks and tabs stay."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").removesuffix("\r")
    found = ASCII_IN_LINES if text.isascii() else re.compile(IN_LINES)
    return found.sub(_picture, text) if found.search(text) else text


def visible_bytes(line: bytes, tab: str = "\t") -> bytes:
    """One line of bytes, UTF-8 or not; a carriage return that ends it stays."""
    if not BYTES.search(line) and (tab == "\t" or b"\t" not in line):
        return line
    text = line.decode("utf-8", "surrogateescape")
    end = "\r" if text.endswith("\r") else ""
    return f"{visible(text.removesuffix(end), tab)}{end}".encode("utf-8", "surrogateescape")


def json_text(text: str) -> str:
    """JSON in which what ``visible`` would show stands as ``\\u202e``: it means the same, and is
    as harmless on a terminal."""
    if text.isascii() and "\x7f" not in text:
        return text
    return re.sub(IN_JSON, _number, text)


def _picture(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(0x2400 + code)
    if code == DELETE:
        return "\u2421"
    if FIRST_BYTE <= code <= LAST_BYTE:
        return f"<0x{code - 0xDC00:02X}>"
    return f"<U+{code:04X}>"


def _number(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x10000:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
