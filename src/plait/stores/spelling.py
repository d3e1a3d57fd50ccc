"""Spelling: the words that one slip of the finger makes of a word."""

from __future__ import annotations

import string

LETTERS = string.ascii_lowercase  # and whatever else the word itself has


def one_edit_away(term: str) -> set[str]:
    """Every word that one letter added, dropped, changed or swapped behind the first makes.

    Asking the dictionary for each is far cheaper than reading all of it.
    """
    letters = sorted(set(LETTERS + term))
    found: set[str] = set()
    for at in range(1, len(term) + 1):
        head, tail = term[:at], term[at:]
        found.update(head + letter + tail for letter in letters)
        if tail:
            found.add(head + tail[1:])
            found.update(head + letter + tail[1:] for letter in letters)
        if len(tail) > 1:
            found.add(head + tail[1] + tail[0] + tail[2:])
    return found - {term}
