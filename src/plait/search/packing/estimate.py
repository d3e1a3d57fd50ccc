"""An estimate of tokens: what a text costs a model to read, without its tokeniser.

Tokenisers cut where words, capitals, digits, punctuation and line breaks begin, and long pieces
again. So does one regular expression here; its matches are counted. Adding up the estimates of
lines, each with its line break, never comes to less than the estimate of the text.
"""

from __future__ import annotations

import re

PIECE = re.compile(
    r"[A-Z]?[a-z]{1,8}|[A-Z]{1,3}|[0-9]{1,3}|_|[!-/:-@\[-^`{-~]{1,3}|\n\s*|[^\x00-\x7f]{1,2}"
)


def estimate(text: str) -> int:
    """About how many tokens a text is."""
    return sum(1 for _ in PIECE.finditer(text))
