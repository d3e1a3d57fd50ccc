"""Word pieces: the tokens a static model has vectors for.

A text is cut at case, digits and everything that is neither letter nor digit, lower-cased,
and each word is covered by the longest pieces the vocabulary has, as WordPiece does. It
reads a ``tokenizer.json`` of that one kind and gives the ids the reference library gives,
without the 45 MB that library brings along.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from plait.errors import ModelError

ASCII_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
RISES = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
WORD = re.compile(r"[a-z]+|[0-9]+")
CACHE_SIZE = 200_000  # words remembered; code repeats itself
MAX_BYTES = 64 << 20  # of a tokenizer.json; those of large models have 17 MB
LONGEST_WORD = 1000  # cutting takes time that grows with its square
SHAPE = {
    "normalizer": {
        "type": "Sequence",
        "normalizers": [
            {"type": "Replace", "pattern": {"Regex": "(?<=[a-z0-9])(?=[A-Z])"}, "content": " "},
            {"type": "Replace", "pattern": {"Regex": "(?<=[A-Z])(?=[A-Z][a-z])"}, "content": " "},
            {"type": "Lowercase"},
        ],
    },
    "pre_tokenizer": {
        "type": "Split",
        "pattern": {"Regex": "[a-z]+|[0-9]+"},
        "behavior": "Removed",
        "invert": True,
    },
}


class WordPieces:
    """Cuts texts into ids of a vocabulary.

    Args:
        vocabulary: Piece to id; pieces that continue a word begin with ``prefix``.
        unknown: The id of a word no pieces cover.
        longest: Words of more letters are unknown.
    """

    def __init__(
        self, vocabulary: Mapping[str, int], *, unknown: int, prefix: str = "##", longest: int = 40
    ) -> None:
        self._pieces = _Pieces(vocabulary, unknown, prefix, longest)
        self.size = max(vocabulary.values(), default=-1) + 1  # ids are below

    def ids(self, text: str) -> list[int]:
        """The ids of a text's pieces, in order, with repeats."""
        return list(chain.from_iterable(map(self._pieces.__getitem__, words(text))))


def words(text: str) -> Iterable[str]:
    """The words of a text, lower-cased."""
    if text.isascii():
        return map(str.lower, ASCII_WORD.findall(text))
    return WORD.findall(RISES.sub(" ", text).lower())


class _Pieces(dict[str, tuple[int, ...]]):
    """A word's pieces, found when first asked for."""

    def __init__(
        self, vocabulary: Mapping[str, int], unknown: int, prefix: str, longest: int
    ) -> None:
        self._starts = vocabulary
        self._rests = {
            piece.removeprefix(prefix): number
            for piece, number in vocabulary.items()
            if piece.startswith(prefix)
        }
        self._unknown = (unknown,)
        self._longest = longest

    def __missing__(self, word: str) -> tuple[int, ...]:
        found = self._cut(word)
        if len(self) >= CACHE_SIZE:
            self.clear()
        self[word] = found
        return found

    def _cut(self, word: str) -> tuple[int, ...]:
        if len(word) > self._longest:
            return self._unknown
        found = []
        at, known = 0, self._starts
        while at < len(word):
            for end in range(len(word), at, -1):
                number = known.get(word[at:end])
                if number is not None:
                    break
            else:
                return self._unknown
            found.append(number)
            at, known = end, self._rests
        return tuple(found)


def load_word_pieces(path: Path) -> WordPieces:
    """Read a ``tokenizer.json``.

    Raises:
        ModelError: It cannot be read, or is of another kind.
    """
    try:
        if (size := path.stat().st_size) > MAX_BYTES:
            raise ModelError(f"{path} has {size:,} bytes, more than {MAX_BYTES:,}")
        tokenizer: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        model = tokenizer["model"]
        differing = [key for key, shape in SHAPE.items() if tokenizer.get(key) != shape]
        if model["type"] != "WordPiece" or differing or tokenizer.get("added_tokens"):
            raise ModelError(
                f"{path} is not a tokeniser plait can run: {differing or model['type']}"
            )
        vocabulary: dict[str, int] = model["vocab"]
        prefix, longest = model["continuing_subword_prefix"], model["max_input_chars_per_word"]
        if not all(type(number) is int and number >= 0 for number in vocabulary.values()):
            raise ValueError("an id of its vocabulary is no whole number from zero")
        if type(longest) is not int or not isinstance(prefix, str):
            raise ValueError("its longest word is no number, or its prefix no text")
        unknown = vocabulary[model["unk_token"]]
        longest = min(longest, LONGEST_WORD)
        return WordPieces(vocabulary, unknown=unknown, prefix=prefix, longest=longest)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ModelError(f"cannot read the tokeniser {path}: {error}") from error
