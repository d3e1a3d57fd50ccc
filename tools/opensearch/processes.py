"""Processes: nodes by their process id, and never somebody else's who got the same id later."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

TERM_S, KILL_S = 15.0, 15.0
PAUSE_S = 0.1


@dataclass(frozen=True, slots=True)
class Process:
    """A process, told by its id and the moment it began."""

    pid: int
    began: int  # clock ticks since the machine started

    @classmethod
    def of(cls, pid: int) -> Process:
        return cls(pid, _state(pid)[1])

    @property
    def is_alive(self) -> bool:
        state, began = _state(self.pid)
        return began == self.began and state not in "ZX"

    def send(self, number: signal.Signals) -> None:
        if self.is_alive:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def wait_gone(self, limit_s: float) -> bool:
        """Whether it ended within a time."""
        limit = time.monotonic() + limit_s
        while self.is_alive:
            if time.monotonic() > limit:
                return False
            time.sleep(PAUSE_S)
        return True


def end(processes: list[Process]) -> None:
    """End processes together: politely, then not. A stopped one is woken to hear of it."""
    for number, limit_s in ((signal.SIGTERM, TERM_S), (signal.SIGKILL, KILL_S)):
        for each in processes:
            each.send(number)
            each.send(signal.SIGCONT)
        limit = time.monotonic() + limit_s
        if all(each.wait_gone(limit - time.monotonic()) for each in processes):
            return


def _state(pid: int) -> tuple[str, int]:
    """The state letter of a process and when it began; ("X", 0) if there is none."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text("utf-8", errors="replace")
    except OSError:
        return "X", 0
    fields = text[text.rindex(")") + 2 :].split()  # the name before may hold anything
    return fields[0], int(fields[19])
