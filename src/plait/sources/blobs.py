"""Blobs: what a repository holds, read by one git process without checking anything out."""

from __future__ import annotations

import math
import subprocess
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from plait.errors import SourceError
from plait.sources.git import TIMEOUT_S, talking_to_git

WATCH_EVERY_S = 1.0
HEAD_BYTES = 1 << 16
BLOB_BYTES = 1 << 27  # a larger one is read as if it were not there


class Blobs:
    """Reads files of a repository, bare or not, at any revision.

    Args:
        repo: The repository's folder. One git process serves until ``close``.
    """

    def __init__(self, repo: Path) -> None:
        self._repo = repo
        self._open = ExitStack()
        self._due = [math.inf]  # when git has to have answered
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, spec: str, limit: int = BLOB_BYTES) -> bytes | None:
        """The bytes of a blob, by id or as ``revision:path``; None if there is none, or a larger.

        Raises:
            SourceError: git cannot be run, or broke off.
        """
        if "\n" in spec:
            return None  # it ends a request
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            self._due[0] = time.monotonic() + TIMEOUT_S
            process.stdin.write(spec.encode("utf-8", "surrogateescape") + b"\n")
            process.stdin.flush()
            head = process.stdout.readline(HEAD_BYTES)
            words = head.split()
            if words and words[-1] in (b"missing", b"ambiguous", b"dangling", b"loop", b"notdir"):
                self._due[0] = math.inf
                return None
            _, kind, size = words
            if int(size) > limit:
                self.close()  # quicker than to hear it out
                return None
            body = process.stdout.read(int(size) + 1)
            if len(body) != int(size) + 1:
                raise ValueError("it was cut short")
            self._due[0] = math.inf
        except (OSError, ValueError) as error:
            self.close()
            raise SourceError(f"git cat-file broke off in {self._repo}: {error}") from error
        return body[:-1] if kind == b"blob" else None

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            opened = talking_to_git(self._repo, "cat-file", "--batch")
            self._process = self._open.enter_context(opened)
            self._due[0] = math.inf
            stopped = threading.Event()
            self._open.callback(stopped.set)
            # It knows the process and the time, not this reader, which may be forgotten meanwhile.
            watching = (self._process, self._due, stopped)
            threading.Thread(target=_watch, args=watching, daemon=True).start()
        return self._process

    def close(self) -> None:
        """End the git process; the next ``read`` starts another."""
        self._process = None
        self._open.close()

    def __del__(self) -> None:
        self.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _watch(process: subprocess.Popen[bytes], due: list[float], stopped: threading.Event) -> None:
    """End a git that does not answer; its reader then hears it break off."""
    while not stopped.wait(WATCH_EVERY_S):
        if time.monotonic() > due[0]:
            process.kill()
            return
