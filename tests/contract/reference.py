"""The contract, slow and obvious: a dictionary of files, and expressions read word by word."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator

from plait.types import (
    And,
    Change,
    Chunk,
    ChunkId,
    Defines,
    Entry,
    Expression,
    Field,
    Links,
    Not,
    Or,
    PathLike,
    Pattern,
    Phrase,
    Refers,
    Scope,
    Tag,
    Term,
)

K1, B = 1.2, 0.75


class Model:
    """What a store should hold."""

    def __init__(self, changes: Iterable[Change] = ()) -> None:
        self.files: dict[tuple[str, str], Change] = {}
        self.commit(changes)

    def commit(self, changes: Iterable[Change], *, anew: bool = False) -> None:
        if anew:
            self.files = {}
        for change in changes:
            self.files.pop((change.repo, change.path), None)
            if change.file is not None:
                self.files[change.repo, change.path] = change

    def entries(self) -> Iterator[Entry]:
        for key in sorted(self.files):
            yield from self.files[key].entries

    def repos(self) -> list[str]:
        return sorted({repo for repo, _ in self.files})

    def digests(self, repo: str) -> dict[str, str]:
        return {
            path: change.file.digest
            for (owner, path), change in self.files.items()
            if owner == repo and change.file is not None
        }

    def chunks(self) -> dict[ChunkId, Chunk]:
        return {entry.chunk.id: entry.chunk for entry in self.entries()}

    def links(self) -> dict[ChunkId, Links]:
        return {entry.chunk.id: entry.links for entry in self.entries()}

    # ------------------------------------------------------------ what matches

    def matching(self, wanted: Expression, scope: Scope) -> set[ChunkId]:
        return {
            entry.chunk.id
            for entry in self.entries()
            if is_within(scope, entry.chunk) and holds(wanted, entry)
        }

    # ------------------------------------------------------------ what it scores

    def scores(self, wanted: Expression, scope: Scope) -> dict[ChunkId, float]:
        return {
            entry.chunk.id: self.score(wanted, entry)
            for entry in self.entries()
            if is_within(scope, entry.chunk) and holds(wanted, entry)
        }

    def score(self, wanted: Expression, entry: Entry) -> float:
        """What an expression that holds gives a chunk: BM25, summed over its terms."""
        match wanted:
            case Term(text, field, weight):
                return weight * self._bm25(text, field, entry)
            case Phrase(terms=terms):
                return math.fsum(self._bm25(term, Field.WORDS, entry) for term in terms)
            case And(parts) | Or(parts):
                return math.fsum(self.score(part, entry) for part in parts if holds(part, entry))
            case _:
                return 0.0

    def _bm25(self, term: str, field: Field, entry: Entry) -> float:
        everything = [terms_of(other, field) for other in self.entries()]
        having = sum(term in row for row in everything)
        mean = sum(map(len, everything)) / len(everything)
        row = terms_of(entry, field)
        rarity = math.log(1 + (len(everything) - having + 0.5) / (having + 0.5))
        count = row.count(term)
        return rarity * count * (K1 + 1) / (count + K1 * (1 - B + B * len(row) / mean))


def terms_of(entry: Entry, field: Field) -> list[str]:
    return entry.terms.get(field, "").split()


def holds(wanted: Expression, entry: Entry) -> bool:
    """Whether a chunk satisfies an expression."""
    chunk = entry.chunk
    match wanted:
        case Term(text, field):
            return text in terms_of(entry, field)
        case Phrase(text, terms):
            regex = r"\s+".join(map(re.escape, text.split()))
            found = re.search(regex, chunk.text, re.IGNORECASE)
            return bool(found) and set(terms) <= set(terms_of(entry, Field.WORDS))
        case Pattern(regex, ignore_case):
            flags = re.MULTILINE | (re.IGNORECASE if ignore_case else 0)
            return bool(re.search(regex, chunk.text, flags))
        case Tag(name, value):
            return value in properties(chunk)[name]
        case PathLike(glob):
            return matches_glob(glob, chunk.path)
        case Defines(name):
            return name.lower() in defined(chunk)
        case Refers(relation, target):
            return (relation, target) in [one[:2] for one in entry.links.references]
        case And(parts):
            return all(holds(part, entry) for part in parts)
        case Or(parts):
            return any(holds(part, entry) for part in parts)
        case Not(part):
            return not holds(part, entry)
        case _:
            raise AssertionError(f"not for a store: {wanted!r}")


def properties(chunk: Chunk) -> dict[str, set[str]]:
    return {
        "repo": {chunk.repo},
        "lang": {chunk.language},
        "kind": {chunk.kind},
        "is": {*chunk.tags, *(["symbol"] if chunk.symbol else [])},
    }


def defined(chunk: Chunk) -> set[str]:
    """``c``, ``b.c`` and ``a.b.c``, if the chunk is the first of ``a.b.c``."""
    if chunk.symbol is None or chunk.part:
        return set()
    parts = chunk.symbol.qualified_name.lower().split(".")
    return {".".join(parts[at:]) for at in range(len(parts))}


def is_within(scope: Scope, chunk: Chunk) -> bool:
    return (
        (scope.repos is None or chunk.repo in scope.repos)
        and (not scope.languages or chunk.language in scope.languages)
        and (not scope.kinds or chunk.kind in scope.kinds)
        and (not scope.paths or any(matches_glob(glob, chunk.path) for glob in scope.paths))
        and (not scope.file or chunk.path == scope.file)
        and (not scope.under or chunk.path.startswith(f"{scope.under.rstrip('/')}/"))
    )


def matches_glob(glob: str, path: str) -> bool:
    if not any(mark in glob for mark in "*?["):
        return glob.lower() in path.lower()
    return _follows(glob if "/" in glob else f"**/{glob}", path)


def _follows(glob: str, path: str) -> bool:
    """Whether what is left of a glob matches what is left of a path."""
    if not glob:
        return not path
    if glob.startswith("**/"):
        starts = [0, *(at + 1 for at, letter in enumerate(path) if letter == "/")]
        return any(_follows(glob[3:], path[at:]) for at in starts)
    if glob.startswith("**"):
        return any(_follows(glob[2:], path[at:]) for at in range(len(path) + 1))
    if glob[0] == "*":
        folder = path.partition("/")[0]
        return any(_follows(glob[1:], path[at:]) for at in range(len(folder) + 1))
    if not path:
        return False
    if glob[0] == "?":
        return path[0] != "/" and _follows(glob[1:], path[1:])
    if glob[0] == "[" and "]" in glob:
        inner, _, rest = glob[1:].partition("]")
        is_in = bool(re.match(f"[{inner.replace('!', '^', 1)}]", path[0]))
        return is_in and _follows(rest, path[1:])
    return glob[0] == path[0] and _follows(glob[1:], path[1:])
