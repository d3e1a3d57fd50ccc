"""Recipe: every number the training of the bundled model depends on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

KINDS = MappingProxyType(
    {
        "doc": 1.0,
        "returns": 0.3,
        "raises": 0.2,
        "error": 0.2,
        "readme": 0.5,
        "changelog": 0.3,
        "test": 0.5,
        "name": 0.4,
    }
)


@dataclass(frozen=True)
class Recipe:
    """How a model is made."""

    entries: int = 56_000
    width: int = 256
    batch: int = 4_096
    steps: int = 450
    warm_up: int = 50
    rate: float = 3e-3
    last_rate: float = 0.05  # of the rate, at the end
    asking_rate: float = 1.0  # of the rate, for the weights in questions; 0 leaves them alone
    scale: float = 20.0
    name_weight: float = 0.65  # of a function's name beside its text, each of length one
    container_weight: float = 0.4  # of the names of what encloses it; training shows none
    lead_weight: float = 0.3  # of the first pieces of its text
    nameless: float = 0.25  # functions without their name as a field
    as_question: float = 0.35  # comments put as questions
    framed: float = 0.1  # comments that gain the language's name
    framed_question: float = 0.5
    losing: float = 0.15  # questions that lose words
    lost: float = 0.4  # of their words
    one_language: float = 0.7  # batches of one language only
    enough: int = 8_192  # pairs of a language, for batches of its own
    kinds: Mapping[str, float] = field(default_factory=lambda: KINDS)
    seeds: tuple[int, ...] = (1, 2)

    def rate_at(self, step: int) -> float:
        """The learning rate of a step: up, then evenly down."""
        warm = min(1.0, (step + 1) / self.warm_up)
        return self.rate * warm * (1 - (1 - self.last_rate) * step / self.steps)
