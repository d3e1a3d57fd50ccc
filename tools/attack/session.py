"""Runs plait's commands one after another, each in a process forked from this one.

Started with the interpreter of the installation that is attacked, under strace, so it imports
nothing but that installation. Reads a line of JSON per command and answers with one: the
exit status, the signal, CPU seconds and peak memory of the command and all it started. What
the fork saves is the interpreter's start; git and parse workers are started as ever.
"""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import sys
from typing import Any

sys.path.pop(0)  # this file's folder: the console script does not have it

MAX_MEMORY_BYTES = 6 << 30  # of one process, so that a broken one cannot take the machine
GRACE_S = 5.0


def preload() -> None:
    """Import what every command needs, once."""
    import numpy
    import tantivy
    import typer

    import plait.assembly
    import plait.interfaces.cli.main
    import plait.interfaces.cli.verbs

    del numpy, tantivy, typer, plait


def child(asked: dict[str, Any]) -> None:
    """The life of a command."""
    os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, (path, flags) in enumerate(
        (
            (os.devnull, os.O_RDONLY),
            (asked["out"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
            (asked["err"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
        )
    ):
        opened = os.open(path, flags, 0o600)
        os.dup2(opened, number)
        os.close(opened)
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.umask(asked["umask"])
    os.environ.clear()
    os.environ.update(asked["env"])
    os.chdir(asked["cwd"])
    sys.argv[:] = ["plait", *asked["arguments"]]
    from plait.interfaces.cli.main import main

    try:
        code = main(asked["arguments"])
        sys.stdout.flush()
        sys.stderr.flush()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException:  # noqa: BLE001 - an interpreter prints it and exits with 1
        sys.excepthook(*sys.exc_info())
        code = 1
    os._exit(code)


def run(asked: dict[str, Any]) -> dict[str, Any]:
    """Run one command to its end, or end it when its time is up."""
    began = resource.getrusage(resource.RUSAGE_CHILDREN)
    pid = os.fork()
    if pid == 0:
        try:
            child(asked)
        finally:
            os._exit(99)
    is_late = False
    watched = os.pidfd_open(pid)
    if not select.select([watched], [], [], asked["seconds"])[0]:
        is_late = True
        for last in (signal.SIGTERM, signal.SIGKILL):
            os.killpg(pid, last)
            if select.select([watched], [], [], GRACE_S)[0]:
                break
    os.close(watched)
    _, status, used = os.wait4(pid, 0)
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    del began, ended
    return {
        "pid": pid,
        "exit": os.waitstatus_to_exitcode(status),
        "late": is_late,
        "cpu_s": used.ru_utime + used.ru_stime,
        "rss_bytes": used.ru_maxrss * 1024,
    }


def main() -> None:
    """Answer until standard input ends."""
    preload()
    requests = os.fdopen(os.dup(0), "r", encoding="utf-8")
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    print(json.dumps({"ready": True}), file=replies, flush=True)
    for line in requests:
        print(json.dumps(run(json.loads(line))), file=replies, flush=True)


if __name__ == "__main__":
    main()
