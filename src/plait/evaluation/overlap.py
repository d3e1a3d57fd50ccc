"""Overlap: how much of a question stands literally in its answer.

A question made of a function's docstring is easy as long as the docstring is indexed: its
words, in their order, are in the answer. The share of a question's words, pairs and triples
of words that its answer holds says how much of a result is such copying; stripping
(``symbols/strip.py``) has to bring it down.
"""

from __future__ import annotations

from collections.abc import Iterable
from statistics import fmean

from plait.lanes.tokens import analyse

LENGTHS = (1, 2, 3)


def overlap(pairs: Iterable[tuple[str, str]]) -> dict[str, float]:
    """The share of a question's word n-grams that its answer holds, averaged over questions.

    A pair is a question and the text of one right answer. Words are the terms plait indexes;
    an n-gram that the question repeats counts once. The keys are "1", "2" and "3", the
    lengths of n-grams. A question shorter than that is left out of the average; where none
    is long enough, it is 0.
    """
    shares: dict[int, list[float]] = {length: [] for length in LENGTHS}
    for question, answer in pairs:
        asked = analyse(question).split()
        held = f" {analyse(answer)} "  # a term has no space in it
        for length in LENGTHS:
            if wanted := _grams(asked, length):
                found = sum(f" {gram} " in held for gram in wanted)
                shares[length].append(found / len(wanted))
    return {str(length): fmean(found or (0.0,)) for length, found in shares.items()}


def _grams(words: list[str], length: int) -> set[str]:
    return {" ".join(words[at : at + length]) for at in range(len(words) - length + 1)}
