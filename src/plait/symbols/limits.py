"""Limits: what one file may cost the worker that parses it, and the words for going beyond.

Memory is a limit on the address space, so what lies in memory is never more. A grammar that is
refused memory does not say so: it crashes. What its process was last seen to hold, which the
watchdog looks at, decides which words its end gets.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

MAX_SECONDS = 30.0  # of wall time for one file, for what waits instead of working
MAX_CPU_SECONDS = 10  # for one file; the slowest sound file seen takes under 2
MAX_MEMORY_BYTES = 512 << 20  # of address space; with every grammar loaded, 66 MB are in use
# The largest thing a parser holds is an array that it doubles: refused at half, at worst.
NEAR_THE_LIMIT = MAX_MEMORY_BYTES // 2
OUT_OF_MEMORY = 12  # exit code of a worker that still could say so
PR_SET_PDEATHSIG = 1


def limit_memory(size: int = MAX_MEMORY_BYTES) -> None:
    """Refuse this process more memory than that, and a core file."""
    try:
        import resource
    except ImportError:  # Windows: the watchdog's time limit remains
        return
    _limit(resource.RLIMIT_AS, size)
    _limit(resource.RLIMIT_CORE, 0)


def limit_cpu(seconds: int = MAX_CPU_SECONDS) -> None:
    """Have the system end this process when it has worked for so long from now on."""
    try:
        import resource
    except ImportError:  # Windows
        return
    _limit(resource.RLIMIT_CPU, int(time.process_time()) + 1 + seconds)


def _limit(kind: int, limit: int) -> None:
    import resource

    hard = resource.getrlimit(kind)[1]
    soft = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(kind, (soft, hard))


def end_with_parent() -> None:
    """Have the kernel kill this process when its parent, and the watchdog with it, is gone."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def held_by(pid: int) -> int:
    """How many bytes of address space a process has now; 0 where nobody can tell."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[0]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError, AttributeError):
        return 0


def cause(code: int, held_bytes: int, late_s: float = 0.0) -> str:
    """Why a parser is gone: its exit code, what it was last seen to hold, a missed deadline."""
    if late_s:
        return f"its parser took more than {late_s:g} s"
    if code == -getattr(signal, "SIGXCPU", 0):
        return f"its parser took more than {MAX_CPU_SECONDS} s of processor time"
    if code == -getattr(signal, "SIGKILL", 0):  # by us, or by a system that is out of memory
        return "its parser made no sense, or had to be ended"
    if code == OUT_OF_MEMORY or (code and held_bytes >= NEAR_THE_LIMIT):
        return f"its parser needed more than {MAX_MEMORY_BYTES >> 20} MB of memory"
    try:
        return f"its parser crashed ({signal.Signals(-code).name})"
    except ValueError:
        return f"its parser failed (exit code {code})"
