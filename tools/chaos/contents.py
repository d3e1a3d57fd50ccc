"""What an index holds and answers, as plain values that can be compared."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from plait.answering.index import Index
from plait.assembly import open_index
from plait.settings import Settings
from plait.stores.embedded.manifest import read_current
from plait.stores.embedded.owner import OWNER
from plait.stores.embedded.proofs import RECORD
from plait.types import Field, LineQuery, Pattern, Result, Snapshot, Tally, Term

READERS_LOCK = ".tantivy-meta.lock"  # the word index makes it when it is opened

QUESTIONS = (
    "cache",
    "parse token stream",
    "encode the header of a packet",
    "merge segment",
    "ledger journal retry session",
    "how is a vector updated",
    "reader_writer",
    "BufferCache",
    '"return"',
    "/return [a-z]+/",
    "/(?i)CACHE/ signal",
    "lang:go socket",
    "lang:python -cache digest",
    "kind:class queue",
    "path:**/*.md window",
    "path:account node",
    "cachee",  # looked for in other spellings
    "is:test offset OR cursor",
    "schema naïve",
    "文",
)


PATTERNS = (
    Pattern("cache"),
    Pattern("CACHE", ignore_case=True),
    Pattern(r"[a-z]+_[a-z]+\("),
    Pattern(r"^(def|func|class) \w+"),
    Pattern("文"),
    Pattern(r"\bnode\b|socket"),
)


def opened(tree: Path, cache: Path, *, workers: int = 1) -> Index:
    """The index of a tree, kept in a folder of its own."""
    return open_index(tree, Settings(cache_dir=str(cache), workers=workers))


def contents(snapshot: Snapshot) -> list[Any]:
    """Every file in order: repository, path, digest and the texts of its chunks."""
    rows: list[Any] = []
    for repo in snapshot.repos():
        for path, digest in sorted(snapshot.digests(repo).items()):
            ids = snapshot.outline(repo, path)
            chunks = snapshot.fetch(ids)
            rows.append([repo, path, digest, [chunks[key].text for key in ids]])
    return [*rows, *(matching(snapshot, Pattern(regex)) for regex in ("^", "return"))]


def matching(snapshot: Snapshot, pattern: Pattern) -> list[Any]:
    """The lines in which a pattern matches, in order, and how many they are."""
    rows: list[Any] = []
    for found in snapshot.grep(LineQuery((pattern,), within_s=60)):
        if isinstance(found, Tally):
            rows.append(list(found))
        else:
            rows.append([found.path, [(line.number, line.ranges) for line in found.lines]])
    return rows


def fingerprint(snapshot: Snapshot) -> str:
    """A digest of everything a snapshot holds."""
    return hashlib.sha256(json.dumps(contents(snapshot)).encode()).hexdigest()


def answers(index: Index, snapshot: Snapshot) -> list[Any]:
    """Twenty questions, their results with scores and reasons, and what else can be asked."""
    given: list[Any] = []
    for question in QUESTIONS:
        answer = index.ask(snapshot, question, limit=10)
        links = snapshot.links([result.chunk.id for result in answer.results])
        rows = [answer_row(result) for result in answer.results]
        given.append([question, rows, list(answer.notes), [one.text for one in links.values()]])
    given += [matching(snapshot, pattern) for pattern in PATTERNS]
    given.append(list(snapshot.spellings("cachee", 5)))
    given.append(snapshot.count([Term("cach"), Term("parse", Field.NAME)]))
    return given


def answer_row(result: Result) -> list[Any]:
    """A result with all it says."""
    chunk = result.chunk
    symbol = chunk.symbol.qualified_name if chunk.symbol else ""
    return [
        str(chunk.id),
        result.score,
        list(result.reason.lines()),
        result.snippet,
        list(chunk.span),
        symbol,
        chunk.text,
    ]


def unnamed_files(index: Index) -> list[str]:
    """Files in the folder of an index that belong to nothing."""
    root = index.writer.folder
    manifest = read_current(root)
    named = {*manifest.files, f"generations/{manifest.generation:06d}/manifest.json"}
    named |= {"CURRENT", "lock", RECORD, OWNER, str(index.writer.stamps_path.relative_to(root))}
    named.add(f"generations/{manifest.generation:06d}/words/{READERS_LOCK}")
    found = {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}
    return sorted(found - named)
