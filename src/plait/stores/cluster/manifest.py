"""Manifest: the one document that says what a collection holds.

OpenSearch makes single documents visible, not commits. So everything a commit writes carries
the number of its *attempt*, and the manifest says which attempts do not count: those that are
still being written, and those that were given up. Replacing the manifest is what makes a
commit happen; it is replaced only if it is still the one that was read, so that of two commits
at the same time none is lost.

    attempts    numbers that do not count yet, and when each last gave a sign of life; below
                zero, when it was given up: it will never count, whoever still writes
    dead        attempts whose commit replaced files that are not deleted yet, and in how many
                documents their versions are listed
    retired     indexes that were built anew elsewhere, and when: searches may still hold them
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from plait.errors import FormatMismatch, IndexBusy, IndexMissing
from plait.stores.cluster.connection import Connection
from plait.stores.cluster.schema import FORMAT, MANIFEST

CONFLICT, NOT_FOUND = 409, 404
RENEW_S = 60.0  # after so long an attempt says that it is alive
STALE_S = 900.0  # after so long without a sign its writer is taken for dead
FORGET_S = 86_400.0  # after so long nothing of a dead writer can still arrive
MAX_CHANGES = 60  # a replacement that loses so often against others gives up
REBUILD = "plait index --rebuild makes a new one"


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a collection holds, as one index says it."""

    analysis: str
    generation: int = 0  # 0: nothing was ever committed
    next_attempt: int = 1
    attempts: dict[int, float] = field(default_factory=dict)
    dead: dict[int, int] = field(default_factory=dict)
    index_bytes: int = 0
    shards: int = 1
    has_removed: bool = False  # a chunk was deleted; words may still be counted with it
    retired: dict[str, float] = field(default_factory=dict)
    closed_for: str = ""  # the index that takes over; nothing is published here any more
    held_until: float = 0.0  # nothing is published before: somebody copies the index
    format: int = FORMAT
    nonce: str = ""

    def to_json(self) -> dict[str, Any]:
        """As it is kept."""
        return asdict(self)

    @classmethod
    def from_json(cls, kept: dict[str, Any]) -> Manifest:
        """Read it back.

        Raises:
            FormatMismatch: Another version of plait wrote it.
        """
        if kept.get("format") != FORMAT:
            raise FormatMismatch(
                f"the collection has format {kept.get('format')}, this version reads {FORMAT}",
                hint=REBUILD,
            )
        known = {one.name for one in fields(cls)}
        values = {name: value for name, value in kept.items() if name in known}
        for name in ("attempts", "dead"):  # keys of JSON are texts
            values[name] = {int(number): value for number, value in values[name].items()}
        return cls(**values)


@dataclass(frozen=True, slots=True)
class Read:
    """A manifest, and where and at which version it was read."""

    index: str
    manifest: Manifest
    seq_no: int
    primary_term: int

    @property
    def place(self) -> tuple[str, int, int]:
        """Equal if and only if nothing has changed."""
        return self.index, self.seq_no, self.primary_term


def read_manifest(connection: Connection, name: str) -> Read | None:
    """The manifest behind an alias or of an index; None if there is none."""
    found = connection.ask("GET", f"/{name}/_doc/{MANIFEST}", allowed={NOT_FOUND})
    if found.get("status") == NOT_FOUND or not found.get("found"):
        return None
    return Read(
        found["_index"],
        Manifest.from_json(found["_source"]["manifest"]),
        found["_seq_no"],
        found["_primary_term"],
    )


def require(connection: Connection, name: str) -> Read:
    """The same, for those that need one.

    Raises:
        IndexMissing: Nothing was ever committed.
    """
    read = read_manifest(connection, name)
    if read is None or read.manifest.generation == 0:
        raise IndexMissing(
            f"nothing is indexed in {connection.address}",
            hint="plait index --store ... PATH indexes something",
        )
    return read


def write_first(connection: Connection, index: str, manifest: Manifest) -> None:
    """Give an index its first manifest, unless somebody else just did."""
    connection.ask(
        "PUT",
        f"/{index}/_create/{MANIFEST}",
        {"manifest": {**manifest.to_json(), "nonce": uuid.uuid4().hex}},
        allowed={CONFLICT},
    )


def replace_manifest(connection: Connection, read: Read, manifest: Manifest) -> Read | None:
    """Put a manifest in the place of the one that was read; None if that is there no more."""
    made = replace(manifest, nonce=uuid.uuid4().hex)
    answer = connection.ask(
        "PUT",
        f"/{read.index}/_doc/{MANIFEST}",
        {"manifest": made.to_json()},
        {"if_seq_no": read.seq_no, "if_primary_term": read.primary_term},
        allowed={CONFLICT},
    )
    if answer.get("status") != CONFLICT:
        return Read(read.index, made, answer["_seq_no"], answer["_primary_term"])
    now = read_manifest(connection, read.index)  # an answer may have been lost on the way
    return now if now is not None and now.manifest.nonce == made.nonce else None


def change_manifest(
    connection: Connection, name: str, edit: Callable[[Read], Manifest | None]
) -> Read:
    """Change what the manifest says, whoever else does the same; ``None`` leaves it as it is.

    Raises:
        IndexBusy: Others are always faster.
        IndexMissing: There is none.
    """
    for _ in range(MAX_CHANGES):
        read = read_manifest(connection, name)
        if read is None:
            raise IndexMissing(f"the index {name} is gone")
        edited = edit(read)
        if edited is None:
            return read
        done = replace_manifest(connection, read, edited)
        if done is not None:
            return done
    raise IndexBusy(f"gave up after {MAX_CHANGES} conflicting writes", hint="try again in a moment")


def begin_attempt(connection: Connection, name: str) -> tuple[Read, int]:
    """Take a number for a commit."""
    taken = 0

    def edit(read: Read) -> Manifest:
        nonlocal taken
        manifest = read.manifest
        taken = manifest.next_attempt
        return replace(
            manifest,
            next_attempt=taken + 1,
            attempts={**manifest.attempts, taken: time.time()},
        )

    return change_manifest(connection, name, edit), taken


def renew_attempt(connection: Connection, index: str, attempt: int) -> None:
    """Say that an attempt is alive.

    Raises:
        IndexBusy: It was taken for dead.
    """

    def edit(read: Read) -> Manifest:
        check_alive(read.manifest, attempt)
        return replace(read.manifest, attempts={**read.manifest.attempts, attempt: time.time()})

    change_manifest(connection, index, edit)


def check_alive(manifest: Manifest, attempt: int) -> None:
    """Raise if an attempt was given up."""
    if manifest.attempts.get(attempt, -1.0) < 0:
        raise IndexBusy("the commit took so long that it was given up", hint="try again")


def give_up(connection: Connection, index: str, attempt: int) -> Read:
    """See to it that an attempt will never count, before anything of it is deleted.

    If it is not in the list then, it counts: its publication was on the way.
    """

    def edit(read: Read) -> Manifest | None:
        manifest = read.manifest
        if manifest.attempts.get(attempt, -1.0) < 0:
            return None
        given_up = {**manifest.attempts, attempt: -time.time()}
        return replace(manifest, attempts=given_up, has_removed=True)

    return change_manifest(connection, index, edit)


def end_attempt(connection: Connection, index: str, attempt: int) -> None:
    """Forget an attempt of which nothing is left."""

    def edit(read: Read) -> Manifest | None:
        manifest = read.manifest
        if attempt not in manifest.attempts:
            return None
        return replace(manifest, attempts=without(manifest.attempts, attempt))

    change_manifest(connection, index, edit)


def without(table: dict[int, Any], number: int) -> dict[int, Any]:
    """A table less one entry."""
    return {key: value for key, value in table.items() if key != number}
