"""Vocabulary: the words that get a vector of their own, and pieces for all others.

Words that several packages use, the most widely used first, with the letters, numbers and
pieces of a general English vocabulary for what remains.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plait.models.wordpiece import SHAPE, WordPieces
from training.rows import Ragged
from training.texts import Texts

UNKNOWN, PREFIX, LONGEST = "[UNK]", "##", 40
MIN_PACKAGES = 2
PIECE = re.compile(r"(?:##)?(?:[a-z]+|[0-9]+)")


def chosen(packages: Mapping[str, int], general: Iterable[str], size: int) -> list[str]:
    """The entries, in a fixed order: pieces, then words by how many packages use them."""
    general = [entry for entry in general if PIECE.fullmatch(entry)]
    pieces = [entry for entry in general if entry.startswith(PREFIX) or len(entry) == 1]
    kept = {UNKNOWN: None, **dict.fromkeys(pieces)}
    english = set(general)
    # A word of general English that one package uses is as well known as another of two.
    used = [
        (-count, word)
        for word, count in packages.items()
        if len(word) <= LONGEST and (count >= MIN_PACKAGES or word in english)
    ]
    for _, word in sorted(used):
        if len(kept) >= size:
            break
        kept.setdefault(word)
    return list(kept)


def package_counts(texts: Texts) -> NDArray[np.int64]:
    """In how many packages each word occurs; the pairs of a package lie together."""
    found = np.zeros(len(texts.words), dtype=np.int64)
    starts = np.flatnonzero(np.diff(texts.package, prepend=-1))
    for start, end in zip(starts, [*starts[1:], len(texts)], strict=True):
        seen = [
            field.ids[field.ends[start] : field.ends[end]]
            for name, field in texts.fields.items()
            if name in ("code", "query")
        ]
        found[np.unique(np.concatenate(seen))] += 1
    return found


def write_tokenizer(path: Path, entries: Iterable[str]) -> WordPieces:
    """Write ``tokenizer.json`` of the kind plait runs, and return what cuts by it."""
    vocabulary = {entry: number for number, entry in enumerate(entries)}
    model = {
        "type": "WordPiece",
        "unk_token": UNKNOWN,
        "continuing_subword_prefix": PREFIX,
        "max_input_chars_per_word": LONGEST,
        "vocab": vocabulary,
    }
    whole: dict[str, Any] = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        **SHAPE,
        "post_processor": None,
        "decoder": None,
        "model": model,
    }
    path.write_text(json.dumps(whole, separators=(",", ":")), encoding="utf-8")
    return WordPieces(vocabulary, unknown=0, prefix=PREFIX, longest=LONGEST)


def in_pieces(lists: Ragged, of_words: Ragged) -> Ragged:
    """Lists of words as lists of pieces, given the pieces of every word."""
    counts = np.diff(of_words.ends)[lists.ids]
    starts = of_words.ends[:-1][lists.ids]
    total = np.concatenate([[0], np.cumsum(counts)])
    places = np.arange(total[-1]) - np.repeat(total[:-1] - starts, counts)
    return Ragged(of_words.ids[places], total[lists.ends])
