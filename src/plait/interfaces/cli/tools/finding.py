"""Finding: something ``plait doctor`` has looked at."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report; a hint makes it a problem."""

    about: str
    text: str
    hint: str = ""
