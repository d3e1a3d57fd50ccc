"""The command, run inside this process or in one of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from plait.interfaces.cli.main import main
from tests.interfaces import in_process

SOURCE = Path(__file__).resolve().parent.parent.parent / "src"
PLAIT = (sys.executable, "-m", "plait")
SETTLED_S = 0.1  # a file so old has a stamp; a younger one is read again by the next command
SECONDS = 120

FILES = {
    "client.py": '''\
"""A client."""

import time


class Client:
    """Talks to a server."""

    def connect(self, address: str, timeout_s: float = 10.0) -> None:
        """Open a connection; give up after the timeout."""
        self.address = address

    def retry(self, times: int) -> None:
        """Try again with exponential backoff."""
        for attempt in range(times):
            time.sleep(2**attempt)
''',
    "server/main.go": """\
package main

// Listen waits for connections.
func Listen(port int) error {
	return nil
}
""",
    "server/limits.py": '''\
def timeout_for(route: str) -> float:
    """How long a route may take."""
    return 3.0
''',
    "notes.md": "# Notes\n\nThe server closes idle connections.\n",
}


class Done(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:  # whatever was printed
        return json.loads(self.out)


@dataclass(frozen=True)
class Command:
    """``plait`` in a folder, with a cache and an environment of its own."""

    folder: Path
    cache: Path
    mode: str = "lexical"  # most of what a command does has nothing to do with how it ranks

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("PLAIT_", "NO_COLOR"))}
        return clean | {
            "PLAIT_CACHE_DIR": str(self.cache),
            "PLAIT_MODE": self.mode,
            "PYTHONPATH": str(SOURCE),
            "XDG_CONFIG_HOME": str(self.cache),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "TERM": "xterm",
            **(extra or {}),
        }

    def __call__(
        self, *arguments: str, at: Path | None = None, env: Mapping[str, str] | None = None
    ) -> Done:
        """Run it inside this process: three times as fast, and the same to whoever reads it."""
        code, *streams = self.raw(*arguments, at=at, env=env)
        return Done(code, *(stream.decode("utf-8") for stream in streams))

    def raw(
        self, *arguments: str, at: Path | None = None, env: Mapping[str, str] | None = None
    ) -> tuple[int, bytes, bytes]:
        """The same, to the byte."""
        return in_process.run(main, arguments, at or self.folder, self.environment(env))

    def process(
        self, *arguments: str, at: Path | None = None, env: Mapping[str, str] | None = None
    ) -> Done:
        """Run it in a process of its own, by the real entry point."""
        done = subprocess.run(
            [*PLAIT, *arguments],
            cwd=at or self.folder,
            env=self.environment(env),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=SECONDS,
            check=False,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    def start(self, *arguments: str, env: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
        """Begin a command in a process group of its own, as a terminal does."""
        # Whoever runs the tests in the background has them ignore Ctrl-C, which is inherited.
        hears_ctrl_c = None if os.name == "nt" else _hear_ctrl_c
        return subprocess.Popen(
            [*PLAIT, *arguments],
            cwd=self.folder,
            env=self.environment(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
            preexec_fn=hears_ctrl_c,  # noqa: PLW1509  # it does nothing a thread could disturb
        )


def _hear_ctrl_c() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
