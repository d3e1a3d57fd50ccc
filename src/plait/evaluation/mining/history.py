"""History: the commits of a repository, and the files each of them touched.

Two git processes read everything: one for what was said, one for which blobs changed
places. Both speak in NUL-separated records of raw paths, so nothing has to be unquoted,
and both read no blob, so a repository that lacks some can still be listed.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from plait.errors import SourceError
from plait.sources.git import run_git
from plait.sources.secrets.masking import masked

HEADER = "%H%n%P%n%an%n%ae%n%aI%n%B"
# What is kept of a message, and how much more is looked at for secrets: none is cut in two.
SUBJECT_CHARS, BODY_CHARS, BEYOND_CHARS = 1_000, 10_000, 10_000
REGULAR = frozenset({"100644", "100755"})  # git's modes: neither a link nor a submodule


class Commit(NamedTuple):
    """What a commit says."""

    id: str
    parents: tuple[str, ...]
    author: str
    email: str
    date: str  # of the author, ISO 8601
    subject: str
    body: str


class Touched(NamedTuple):
    """A path whose content changed, from one blob to another; "" where there is none."""

    path: str
    before: str
    after: str


def read_commits(repo: Path, revision: str, limit: int) -> list[Commit]:
    """The last ``limit`` commits a revision has behind it, newest first.

    Raises:
        SourceError: git cannot read them.
    """
    reply = run_git(
        repo,
        "log",
        "-z",
        f"--max-count={limit}",
        f"--format={HEADER}",
        "--encoding=UTF-8",
        "--no-show-signature",
        "--no-patch",
        revision,
        "--",
    )
    if reply.code != 0:
        raise SourceError(f"git cannot read the history of {repo}: {reply.complaint}")
    records = reply.out.decode("utf-8", "replace").split("\0")
    return [_commit(record) for record in records if record]


def _commit(record: str) -> Commit:
    id_, parents, author, email, date, message = record.split("\n", 5)
    subject, _, body = message.strip().partition("\n")
    looked_at = f"{subject[: SUBJECT_CHARS + BEYOND_CHARS]}\n{body[: BODY_CHARS + BEYOND_CHARS]}"
    message = masked(looked_at.encode()).text.decode("utf-8", "replace")
    subject, _, body = message.partition("\n")
    said = (subject.strip()[:SUBJECT_CHARS].strip(), body.strip()[:BODY_CHARS].strip())
    people = (author[:SUBJECT_CHARS], email[:SUBJECT_CHARS])
    return Commit(id_, tuple(parents.split()), *people, date, *said)


def read_touched(repo: Path, commits: Sequence[str]) -> dict[str, list[Touched]]:
    """The regular files each commit touched; a merge, which has no diff of its own, is absent.

    Raises:
        SourceError: git cannot compare them.
    """
    reply = run_git(
        repo,
        "diff-tree",
        "--stdin",
        "-r",
        "--root",
        "--raw",
        "--no-abbrev",
        "--no-renames",
        "-z",
        stdin="".join(f"{commit}\n" for commit in commits).encode(),
    )
    if reply.code != 0:
        raise SourceError(f"git cannot compare the commits of {repo}: {reply.complaint}")
    touched: dict[str, list[Touched]] = {}
    current: list[Touched] = []
    fields = iter(os.fsdecode(reply.out).split("\0"))
    for field in fields:
        if field.startswith(":"):
            path = next(fields)
            mode_before, mode_after, before, after, _ = field[1:].split(" ")
            before = before if mode_before in REGULAR else ""
            after = after if mode_after in REGULAR else ""
            if before != after:
                current.append(Touched(path, before, after))
        elif field:
            current = touched.setdefault(field, [])
    return touched
