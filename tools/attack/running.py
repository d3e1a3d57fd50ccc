"""Starting plait under strace, as a session of forked commands or as the real command."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.attack.trace import TRACED, Call, read_calls

STRACE = (
    *("strace", "-ff", "-qq", "-y", "-s", "1024", "--seccomp-bpf", "-e", f"trace={TRACED}"),
    *("-e", "abbrev=!execve"),
)
SESSION = Path(__file__).with_name("session.py")


@dataclass(frozen=True, slots=True)
class Command:
    """What is run, and where."""

    arguments: tuple[str, ...]
    cwd: Path
    env: Mapping[str, str]
    seconds: float = 120.0  # of wall time, after which it counts as hanging
    umask: int = 0o022

    def shown(self) -> str:
        """The command as a reader would type it."""
        return "plait " + " ".join(repr(a) if " " in a or not a else a for a in self.arguments)


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of a command."""

    command: Command
    exit: int  # below zero: the signal that ended it
    is_late: bool
    cpu_s: float
    rss_bytes: int
    out: str
    err: str
    calls: tuple[Call, ...]

    @property
    def said(self) -> str:
        return self.out + self.err


class Session:
    """A process of the attacked installation that runs commands; close it."""

    def __init__(self, python: Path, folder: Path) -> None:
        self._folder = folder
        self._traces = folder / "traces"
        self._traces.mkdir(parents=True)
        env = {"PATH": os.environ.get("PATH", ""), "OPENBLAS_NUM_THREADS": "1", "LANG": "C.UTF-8"}
        self._process = subprocess.Popen(
            [*STRACE, "-o", str(self._traces / "t"), str(python), str(SESSION)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=folder,
            env={**env, "PYTHONDONTWRITEBYTECODE": "1"},
        )
        self._told()
        self._own = set(self._traces.iterdir())

    def _told(self) -> dict[str, object]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the session of the attacked plait has ended")
        told: dict[str, object] = json.loads(line)
        return told

    def run(self, command: Command) -> Ran:
        """Run a command to its end."""
        out, err = self._folder / "out", self._folder / "err"
        asked = {
            "arguments": list(command.arguments),
            "cwd": str(command.cwd),
            "env": dict(command.env),
            "seconds": command.seconds,
            "umask": command.umask,
            "out": str(out),
            "err": str(err),
        }
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(asked).encode() + b"\n")
        self._process.stdin.flush()
        told = self._told()
        traces = sorted(set(self._traces.iterdir()) - self._own)
        calls = [
            call
            for call in read_calls(traces)
            if call.opened not in (str(out), str(err)) and call.paths[:1] != (str(command.cwd),)
        ]
        for trace in traces:
            trace.unlink()
        return Ran(
            command,
            int(str(told["exit"])),
            told["late"] is True,
            float(str(told["cpu_s"])),
            int(str(told["rss_bytes"])),
            _text(out),
            _text(err),
            tuple(calls),
        )

    def close(self) -> None:
        """End it."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def run_real(plait: Path, command: Command) -> Ran:
    """Run the console script itself, a new interpreter, to its end."""
    folder = Path(tempfile.mkdtemp(prefix="real-"))
    out, err = folder / "out", folder / "err"
    strace = (*STRACE, "-o", str(folder / "t"))
    with out.open("wb") as to_out, err.open("wb") as to_err:
        process = subprocess.Popen(
            [*strace, str(plait), *command.arguments],
            stdin=subprocess.DEVNULL,
            stdout=to_out,
            stderr=to_err,
            cwd=command.cwd,
            env=dict(command.env),
            start_new_session=True,
            umask=command.umask,
        )
        is_late, end = False, time.monotonic() + command.seconds
        while True:
            pid, status, used = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > end and not is_late:
                is_late = True
                os.killpg(process.pid, 9)
            time.sleep(0.01)
    process.returncode = os.waitstatus_to_exitcode(status)
    calls = tuple(
        call
        for call in read_calls(sorted(folder.glob("t.*")))
        if not (call.name == "execve" and call.paths == (str(plait),))  # started by strace
    )
    ran = Ran(
        command,
        process.returncode,
        is_late,
        used.ru_utime + used.ru_stime,
        used.ru_maxrss * 1024,
        _text(out),
        _text(err),
        calls,
    )
    shutil.rmtree(folder)
    return ran


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "surrogateescape")


def arguments_of(call: Call) -> Sequence[str]:
    """The argument list of an execve."""
    head, _, rest = call.text.partition("[")
    del head
    listed = rest.partition("], ")[0]
    return Call("", (), listed, 0).strings
