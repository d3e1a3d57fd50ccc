"""Text meant to harm whoever prints it: names, code and words made of what cannot be seen.

Plain functions and constants, for tests and for the attack benchmark alike. Nothing here is
taken from plait, so that plait's own list of such characters is not held against itself.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterator

C0 = tuple(chr(code) for code in range(0x20))
C1 = tuple(chr(code) for code in range(0x80, 0xA0))
DELETE = "\x7f"
SEPARATORS = ("\x85", "\u2028", "\u2029")
BIDIRECTIONAL = (
    "\u061c",
    *"\u200e\u200f",
    *"\u202a\u202b\u202c\u202d\u202e",
    *"\u2066\u2067\u2068\u2069",
)
INVISIBLE = (
    *"\xad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060\u2061\u2062\u2063\u2064\u3164",
    *"\u206a\u206b\u206c\u206d\u206e\u206f\ufeff\uffa0\ufff9\ufffa\ufffb",
    *(chr(code) for code in range(0xE0000, 0xE0080)),
)
JOINERS = "\u200c\u200d"  # belong into words and emoji; nowhere else
HOSTILE = (*C0, DELETE, *C1, *SEPARATORS, *BIDIRECTIONAL, *INVISIBLE)
STEERS = frozenset({*C0, DELETE, *C1, *SEPARATORS, *BIDIRECTIONAL, *INVISIBLE}) - {"\n", "\t"}

ESCAPES = (
    "\x1b[2J\x1b[H",  # clears the screen
    "\x1b]0;owned\x07",  # sets the title
    "\x1b]8;;https://evil.example/\x07link\x1b]8;;\x07",
    "\x1b]52;c;cm0gLXJmIH4=\x07",  # writes the clipboard
    "\x9b31m\x9d0;owned\x9c",  # the same in one character each
    "safe\r\x1b[Kforged",
    "\b\b\b\bgone",
)
FORGED = "src/good.py:1: forged - result"  # what a line must never be
MARKUP = (
    "`` ` ``` ```` ~~~ ~~~~",
    "<script>alert(1)<",
    "<img src=x onerror=alert(1)>",
    "[click](javascript:alert(1))",
    "![x](https:evil.example)",
    "**bold** _it_ # heading | cell",
    "&lt;b&gt; \\` \\",
)
READABLE = (  # what people write, and what must stay as it is
    "naïve façade, Größe, Ελλάδα, Привет, 日本語, 한국어, ไทย",
    "שלום עולם",
    "مرحبا بالعالم",
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian, with a joiner inside
    "क्\u200dष",  # Devanagari
    "👩\u200d💻 👨\u200d👩\u200d👧\u200d👦 ❤\ufe0f\u200d🔥 👍🏽 🇫🇷 1\ufe0f\u20e3",
    "葛\U000e0100城",  # an ideograph in one of its shapes
    "a\u0301 e\u0302",
    "x < y && z > w; a <b> `c` \\n %s",
)


def control_or_format() -> Iterator[str]:
    """Every character that Unicode calls a control, a format character or a separator of lines,
    but for those that join, and halves of characters."""
    for code in range(sys.maxunicode + 1):
        char = chr(code)
        is_unseen = unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp")
        if is_unseen and char not in JOINERS:
            yield char


def file_names() -> Iterator[str]:
    """Names a file system takes, each with something hostile in it; no two are the same."""
    batch: list[str] = []
    for char in dict.fromkeys(HOSTILE):
        if char in ("\0", "/"):
            continue
        batch.append(char)
    size = 12
    for at in range(0, len(batch), size):
        yield f"name{at:03}{'x'.join(batch[at : at + size])}y"
    for number, text in enumerate((*ESCAPES, *MARKUP)):
        yield f"seq{number:02}{text.replace('/', '_')}"
    yield f"a\n{FORGED.rpartition('/')[2]}"
    yield f"a\r\n{FORGED.rpartition('/')[2]}"
    yield f"a\u2028{FORGED.rpartition('/')[2]}"
    yield f"a\x85{FORGED.rpartition('/')[2]}"
    yield "```python"
    yield "~~~"
    yield "## 9. `forged.py:1-2`"
    yield "tab\there"
    yield "-n"
    yield " "


def code(word: str) -> str:
    """Code with a definition and strings of every hostile character but the zero byte, which
    would make it a binary file."""
    chars = [char for char in dict.fromkeys(HOSTILE) if char not in "\0\n"]
    rows = [f"# {word} {''.join(chars[at : at + 16])} end" for at in range(0, len(chars), 16)]
    rows += [f"# {word} {text}" for text in (*ESCAPES, *MARKUP)]
    rows += [
        f"# {word} ```",
        "```",
        f"{FORGED}",
        "## 7. `forged.py:1-2`",
        "`````",
        "~~~",
        "forged.py:1-2 forged",
        f"# {word}",
    ]
    return "\n".join([f"def {word}_of(text):", *(f"    {row}" for row in rows), "    return 1", ""])
