"""Blobs: what a repository holds, read by one git process without checking anything out."""

from __future__ import annotations

import subprocess
from pathlib import Path
from types import TracebackType
from typing import Self

from plait.errors import SourceError
from plait.sources.git import command, environment


class Blobs:
    """Reads files of a repository, bare or not, at any revision.

    Args:
        repo: The repository's folder. One git process serves until ``close``.
    """

    def __init__(self, repo: Path) -> None:
        self._repo = repo
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, spec: str) -> bytes | None:
        """The bytes of a blob, by id or as ``revision:path``; None if there is no such blob.

        Raises:
            SourceError: git cannot be run, or broke off.
        """
        if "\n" in spec:
            return None  # it ends a request
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(spec.encode("utf-8", "surrogateescape") + b"\n")
            process.stdin.flush()
            head = process.stdout.readline()
            words = head.split()
            if words and words[-1] in (b"missing", b"ambiguous", b"dangling", b"loop", b"notdir"):
                return None
            _, kind, size = words
            body = process.stdout.read(int(size) + 1)
            if len(body) != int(size) + 1:
                raise ValueError("it was cut short")
        except (OSError, ValueError) as error:
            self.close()
            raise SourceError(f"git cat-file broke off in {self._repo}: {error}") from error
        return body[:-1] if kind == b"blob" else None

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            try:
                self._process = subprocess.Popen(
                    command(self._repo, "cat-file", "--batch"),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    env=environment(),
                )
            except OSError as error:
                raise SourceError(f"git could not be run: {error}") from error
        return self._process

    def close(self) -> None:
        """End the git process; the next ``read`` starts another."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

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
