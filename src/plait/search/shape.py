"""The shape of a question: what it looks like decides how much each lane is worth.

Somebody who types a name wants that name, and words find it; somebody who asks in prose
often does not know the words the code uses.
"""

from __future__ import annotations

import re

from plait.messages.pasted import is_pasted

NAME, WORDS, PROSE, MESSAGE = "a name", "a few words", "prose", "a message"

IDENTIFIER = re.compile(
    r"\w+(?:\(\))?"  # one word,
    r"|\w+(?:(?:\.|::|->|#|/|\\)\w+)+(?:\(\))?"  # or several joined as code joins them
)
COMPOUND = re.compile(r"[a-z0-9][A-Z]|\w_\w|::|->|\w\.\w|\(\)")
MAX_FEW = 3


def shape_of(question: str) -> str:
    """``MESSAGE`` for what a program wrote, ``NAME`` for one identifier, ``WORDS`` for two or
    three words, ``PROSE`` for more."""
    words = question.split()
    if len(words) <= 1 and IDENTIFIER.fullmatch(question.strip()):
        return NAME
    if is_pasted(question):
        return MESSAGE
    if len(words) <= MAX_FEW and any(COMPOUND.search(word) for word in words):
        return NAME
    return WORDS if len(words) <= MAX_FEW else PROSE
