"""The ledger: what was audited, when, against which knowledge, and what was found."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tools.audit.licences import is_accepted
from tools.audit.locks import REQUIREMENTS, Pin

FILE = REQUIREMENTS / "audited.json"


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of one pin."""

    licence: str
    advisories: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Ledger:
    """The result of one audit.

    Args:
        date: The day of the audit.
        source: The service or database that was asked, and its age where that is known.
        accepted: Advisories that do not concern us, each with the reason.
        packages: What was found, by pin.
    """

    date: str
    source: str
    accepted: dict[str, str]
    packages: dict[str, Entry]

    @classmethod
    def read(cls, file: Path = FILE) -> Ledger:
        values = json.loads(file.read_text("utf-8"))
        packages = {pin: Entry(**entry) for pin, entry in values.pop("packages").items()}
        return cls(**values, packages=packages)

    def write(self, file: Path = FILE) -> None:
        text = json.dumps(asdict(self), indent=1, sort_keys=True)
        file.write_text(f"{text}\n", "utf-8")

    def faults(self, pins: Iterable[Pin]) -> Iterator[str]:
        """Why the locks cannot be trusted; nothing if they can."""
        for pin in pins:
            entry = self.packages.get(str(pin))
            if entry is None:
                yield f"{pin} was never audited: python -m tools.audit refresh"
                continue
            if not is_accepted(entry.licence):
                yield f"{pin} has the licence {entry.licence!r}, which is not accepted"
            for advisory in entry.advisories:
                if advisory not in self.accepted:
                    yield f"{pin} is affected by {advisory}"
