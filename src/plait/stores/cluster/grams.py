"""Grams: three-byte pieces of text as terms of the index, and needs as queries for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from plait.patterns.gram_codes import FOLDED, code_of, codes
from plait.patterns.needs import NOTHING, Need

if TYPE_CHECKING:
    from numpy.typing import NDArray

LETTERS = np.frombuffer(b"abcdefghijklmnopqrstuvwxyz012345", np.uint8)
SHIFTS = np.array([15, 10, 5, 0], np.uint32)
SPACE = ord(" ")


def gram_terms(text: bytes) -> str:
    """The grams of a text, each once, as terms separated by spaces."""
    found = _grams(text)
    plain = text
    for letter, folded in FOLDED:
        plain = plain.replace(letter, folded)
    if plain != text:
        found = np.concatenate([found, _grams(plain)])
    return _terms(np.unique(found))


def _grams(text: bytes) -> NDArray[np.uint32]:
    made, is_gram = codes(text + b"\n\n")
    return made[is_gram]


def _terms(found: NDArray[np.uint32]) -> str:
    """Codes as words of four letters."""
    made = np.full((len(found), 5), SPACE, np.uint8)
    made[:, :4] = LETTERS[(found[:, None] >> SHIFTS) & 31]
    return made.tobytes().decode("ascii").rstrip()


def need_query(need: Need, field: str) -> dict[str, Any]:
    """A need as a query over a field of grams. It filters and is not for scoring."""
    if need == NOTHING:
        return {"match_none": {}}
    if not need:
        return {"match_all": {}}
    terms = _terms(code_of(sorted(need.grams))).split() if need.grams else []
    parts: list[dict[str, Any]] = [{"term": {field: term}} for term in dict.fromkeys(terms)]
    for group in need.choices:
        alternatives = [need_query(one, field) for one in group]
        parts.append({"bool": {"should": alternatives, "minimum_should_match": 1}})
    return parts[0] if len(parts) == 1 else {"bool": {"filter": parts}}
