"""Key blocks: private keys as they are written down, in files and within code."""

from __future__ import annotations

import re

LONGEST_BYTES = 1 << 16
LEAST_LETTERS = 40
FRAME = re.compile(rb"-----(?:BEGIN|END) ")
END = re.compile(rb"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
LETTERS = re.compile(rb"[A-Za-z0-9+/=]{16,}")
WORDS = re.compile(rb"[^A-Za-z0-9+/=]")
BEYOND = re.compile(rb"[^A-Za-z0-9+/=\s\\\"'`,.+|>#*;:()-]")  # no key goes on over these
PUTTY_LINES = re.compile(rb"Private-Lines: ?([0-9]{1,4})[^\n]{0,8}\n")


def key_block(text: bytes, begin: int) -> tuple[int, int] | None:
    """What stands between the two lines that frame a private key, if that is a key.

    A key whose end is missing goes on as long as there are letters of one.
    """
    start = text.index(b"-----", begin + 5) + 5
    frame = FRAME.search(text, start, start + LONGEST_BYTES)
    stop = frame.start() if frame else min(start + LONGEST_BYTES, len(text))
    end = END.match(text, stop)
    if end is None and (other := BEYOND.search(text, start, stop)):
        stop = other.start()
    runs = list(LETTERS.finditer(text, start, stop))
    letters = sum(len(run[0]) for run in runs)
    others = len(WORDS.sub(b"", text[start:stop]))
    if letters < LEAST_LETTERS or 3 * letters < 2 * others:
        return None  # a header that code compares with
    return start, stop if end else runs[-1].end()


def putty_block(text: bytes, begin: int) -> tuple[int, int] | None:
    """The private lines of a key of PuTTY's, and all behind them."""
    found = PUTTY_LINES.search(text, begin, begin + LONGEST_BYTES)
    if found is None:
        return None
    stop = found.end()
    for _ in range(int(found[1]) + 1):  # one for the sum of them
        stop = text.find(b"\n", stop) + 1 or len(text)
    return found.end(), stop
