"""Histories: real git repositories, written commit by commit with fixed people and dates."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

ADA = "Ada Lovelace <ada@example.org>"
FIRST_SECOND = 1_700_000_000
DAY_SECONDS = 86_400


class History:
    """A repository that grows by one commit at a time, each a day after the last."""

    def __init__(self, folder: Path, *, bare: bool = False) -> None:
        self.folder = folder
        self._stream: list[bytes] = []
        self._commits = 0
        subprocess.run(
            ["git", "init", "-q", "-b", "main", *(["--bare"] if bare else []), str(folder)],
            check=True,
            capture_output=True,
        )

    def commit(
        self,
        subject: str,
        files: Mapping[str, str | bytes | None],
        *,
        body: str = "",
        author: str = ADA,
        parents: Sequence[int] = (),
        mode: str = "100644",
    ) -> int:
        """Write files (None deletes one) and say so; the commit's number, from 1.

        ``parents`` are numbers of commits; by default the one before. ``mode`` is git's.
        """
        self._commits += 1
        when = FIRST_SECOND + self._commits * DAY_SECONDS
        message = os.fsencode(f"{subject}\n\n{body}" if body else subject)
        lines = [
            b"commit refs/heads/main",
            b"mark :%d" % self._commits,
            os.fsencode(f"author {author} {when} +0000"),
            os.fsencode(f"committer {author} {when} +0000"),
            b"data %d" % len(message),
            message,
        ]
        chosen = parents or ([self._commits - 1] if self._commits > 1 else [])
        for place, parent in enumerate(chosen):
            lines.append(b"%s :%d" % (b"merge" if place else b"from", parent))
        for path, content in files.items():
            quoted = b'"' + os.fsencode(path).replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'
            quoted = quoted.replace(b"\n", b"\\n")
            if content is None:
                lines.append(b"D " + quoted)
                continue
            raw = (
                content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
            )
            lines += [b"M %s inline " % mode.encode() + quoted, b"data %d" % len(raw), raw]
        self._stream.append(b"\n".join(lines) + b"\n")
        return self._commits

    def write(self) -> Path:
        """Have git store what was committed since the last time."""
        subprocess.run(
            ["git", "-C", str(self.folder), "fast-import", "--quiet", "--force"],
            input=b"\n".join(self._stream),
            check=True,
            capture_output=True,
        )
        return self.folder

    def id_of(self, revision: str = "main") -> str:
        """The full id of a commit."""
        return git(self.folder, "rev-parse", revision).strip()


def git(folder: Path, *args: str) -> str:
    """What git says."""
    done = subprocess.run(["git", "-C", str(folder), *args], check=True, capture_output=True)
    return os.fsdecode(done.stdout)
