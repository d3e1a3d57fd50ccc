"""A page: an answer and how it is wanted, whatever the format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plait.interfaces.cli.opened import Opened
    from plait.types import Answer, Result


@dataclass(frozen=True, slots=True)
class Page:
    """An answer and how it is wanted."""

    opened: Opened
    answer: Answer
    stale: int | None
    color: str
    explain: bool
    max_tokens: int
    timings: bool = False

    def shown(self, result: Result) -> str:
        return self.opened.shown(result.chunk.repo, result.chunk.path)
