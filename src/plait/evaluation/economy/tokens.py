"""Tokens: what a text costs a model to read, counted by a real tokeniser.

The encoding is o200k_base, which is public and has been counted alike by everybody since
2024. Other models cut code differently, but they do so for both ways of finding.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from plait.errors import EvaluationError

ENCODING = "o200k_base"


def count(text: str) -> int:
    """How many tokens a text is.

    Raises:
        EvaluationError: The tokeniser is not installed.
    """
    try:
        return int(_tokeniser().count(text))
    except UnicodeEncodeError:  # half a character, from a name or a line that is no text
        return int(_tokeniser().count(text.encode("utf-8", "replace").decode()))


@cache
def _tokeniser() -> Any:
    try:
        from rs_bpe.bpe import openai
    except ImportError as error:
        raise EvaluationError(
            "the tokeniser rs-bpe is not installed", hint='pip install "plait[eval]"'
        ) from error
    return openai.o200k_base()
