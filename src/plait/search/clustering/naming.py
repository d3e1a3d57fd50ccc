"""Naming: the few words that tell one group of code from the others.

Class-based tf-idf: a group is one long text. A word tells a group the more, the larger the
share of the group's chunks that hold it and the smaller that share is over all groups:

    share(word, group) * log(share(word, group) / mean share(word))

A word every group uses alike ("self", "return") scores 0 and is never shown. A chunk
counts a word once, and the words of the name it defines as often again.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from plait.types import Chunk

Words = Callable[[str], Iterable[str]]  # a text into words fit to be shown, in lower case

NAME_WEIGHT = 3  # the name of what is defined says most about it, as it does in the vectors
MIN_LETTERS = 3
MAX_TEXT = 4_000  # letters of a chunk that are read
ENDING = 3  # letters in which two forms of a word may differ: model, models, modelled


def word_counts(chunks: Iterable[Chunk], words: Words) -> Counter[str]:
    """In how many of these chunks each word occurs, names counted more."""
    counts: Counter[str] = Counter()
    for chunk in chunks:
        counts.update(_shown(words(chunk.text[:MAX_TEXT])))
        if chunk.symbol is not None:
            named = _shown(words(chunk.symbol.qualified_name))
            counts.update(dict.fromkeys(named, NAME_WEIGHT - 1))
    return counts


def telling_words(
    groups: Sequence[Mapping[str, int]], sizes: Sequence[int], limit: int
) -> list[tuple[str, ...]]:
    """The words that tell each group from the others, the most telling first."""
    shares = [
        {word: count / size for word, count in group.items()}
        for group, size in zip(groups, sizes, strict=True)
    ]
    mean: defaultdict[str, float] = defaultdict(float)
    for share in shares:
        for word, value in share.items():
            mean[word] += value / len(shares)

    named = []
    for share in shares:
        scores = {word: value * math.log(value / mean[word]) for word, value in share.items()}
        if len(shares) == 1:
            scores = share  # there is nothing to tell it from
        best = sorted((-score, word) for word, score in scores.items() if score > 1e-9)
        named.append(_distinct((word for _, word in best), limit))
    return named


def _shown(found: Iterable[str]) -> set[str]:
    return {word for word in found if len(word) >= MIN_LETTERS and not word.isdigit()}


def _distinct(words: Iterable[str], limit: int) -> tuple[str, ...]:
    """The first words of which no two are forms of one."""
    kept: list[str] = []
    for word in words:
        if not any(_are_forms(word, other) for other in kept):
            kept.append(word)
            if len(kept) == limit:
                break
    return tuple(kept)


def _are_forms(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    stem = shorter.removesuffix("e").removesuffix("y")
    return longer.startswith(stem) and len(longer) - len(stem) <= ENDING
