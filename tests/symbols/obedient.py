"""A worker that does as it is told: ``python -m obedient`` misbehaves on command."""

from __future__ import annotations

import fcntl
import mmap
import os
import signal
import stat
import sys
import time
from pathlib import Path

from plait.symbols import limits
from plait.symbols.workers import Message, serve


def answer(message: Message) -> Message:
    """Do what the message says, or send it back with this process's id."""
    command = message.value
    if command == "exit":
        os._exit(3)
    elif command == "raise":
        raise ValueError("as told")
    elif command == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif command == "loop":
        while True:
            time.sleep(0.001)
    elif command == "eat":
        mmap.mmap(-1, limits.MAX_MEMORY_BYTES + (256 << 20))  # never touched: no memory is used
    elif command == "hoard":
        held = [bytearray(1 << 20) for _ in range(limits.MAX_MEMORY_BYTES >> 20)]
        del held
    elif command == "print":
        print("not a reply", flush=True)  # noqa: T201  # what is under test
        os.write(1, b"\x00\x01\x02 nor this")
    elif isinstance(command, list) and command[0] == "write":
        _write_to_parent(message.payload)
    elif isinstance(command, list) and command[0] == "sleep":
        time.sleep(command[1])
    elif command == "world":
        folder = Path.cwd()
        world = {"environment": dict(os.environ), "path": sys.path, "folder": str(folder)}
        return Message(
            [command, os.getpid(), {**world, "listing": [at.name for at in folder.iterdir()]}]
        )
    return Message([command, os.getpid()], message.payload)


def _write_to_parent(raw: bytes) -> None:
    """Put bytes where replies go, and die before a reply follows them."""
    for handle in range(3, 20):
        try:
            if _is_pipe_to_write(handle):
                os.write(handle, raw)
                os._exit(0)
        except OSError:
            continue


def _is_pipe_to_write(handle: int) -> bool:
    is_pipe = stat.S_ISFIFO(os.fstat(handle).st_mode)
    return is_pipe and fcntl.fcntl(handle, fcntl.F_GETFL) & os.O_ACCMODE == os.O_WRONLY


if __name__ == "__main__":
    serve(answer)
