"""What is written while nodes fail, and the questions whose answers are known.

Some files are there from the beginning and never change: *fixed*. Every question about them has
one right answer, whatever else is written. The others have an owner each and many versions;
``version`` says which one a text is.
"""

from __future__ import annotations

import hashlib
import math
import random
import struct
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from plait.errors import StoreDegraded
from plait.types import (
    And,
    Change,
    Chunk,
    ChunkId,
    Defines,
    Entry,
    Excerpt,
    Expression,
    Field,
    FileLines,
    LineQuery,
    Or,
    Passage,
    Pattern,
    Phrase,
    Scope,
    Snapshot,
    SourceFile,
    Span,
    Symbol,
    Tally,
    Term,
    Vectors,
)

FIXED_REPOS, FIXED_FILES = 12, 5
OWN_REPOS, OWN_FILES = 8, 12  # of each writer
WORDS = (
    "account buffer cache digest encode field graph header index journal kernel ledger merge "
    "node offset packet query record schema token update vector window"
).split()
MANY = 10_000
WITHIN_S = 120.0  # a search for lines may wait for a node to be missed, but not be cut short


def written(repo: str, path: str, lines: Sequence[str], name: str) -> Change:
    """A file of two chunks: the first line defines a name, the others follow."""
    content = "".join(f"{line}\n" for line in lines).encode()
    split = len(lines[0].encode()) + 1
    symbol = Symbol(name, "function", Span(1, 1))
    pieces = [(0, split, Span(1, 1), symbol), (split, len(content), Span(2, len(lines)), None)]
    entries = []
    for ordinal, (begin, end, span, defined) in enumerate(pieces):
        text = content[begin:end].decode()
        terms = {Field.WORDS: " ".join(text.split())}
        if defined:
            terms[Field.NAME] = name
        chunk = Chunk(
            ChunkId(repo, path, ordinal), "python", span, Excerpt(begin, end, text), defined
        )
        entries.append(Entry(chunk, terms))
    digest = hashlib.sha256(content).hexdigest()
    return Change(repo, path, SourceFile(repo, path, "python", content, digest), tuple(entries))


def fixed() -> Iterator[Change]:
    """The files that never change."""
    for repo in range(FIXED_REPOS):
        for number in range(FIXED_FILES):
            own = f"fixed{repo:02}x{number}"
            lines = [
                f"def {own} fixed",
                f"return {own} of fixed ground",
                f"end{own} fixed{repo:02}",
            ]
            yield written(f"fixed/{repo:02}", f"src/{own}.py", lines, own)


def version(owner: int, number: int, draw: random.Random) -> list[Change]:
    """What one writer commits as its n-th: some files replaced, sometimes one removed."""
    repo = f"owner{owner}/{draw.randrange(OWN_REPOS)}"
    changes = []
    for place in draw.sample(range(OWN_FILES), draw.randint(1, 4)):
        path = f"src/file{place:02}.py"
        if draw.random() < 0.1:
            changes.append(Change(repo, path))
            continue
        words = " ".join(draw.choices(WORDS, k=12))
        lines = [f"def name{place} {words}", f"version{owner}x{number} {' '.join(WORDS[:place])}"]
        changes.append(written(repo, path, lines, f"name{place}"))
    return changes


# ---------------------------------------------------------------- questions


class Question(NamedTuple):
    """Something to ask of any generation, and its one right answer.

    An answer that says that it is partial counts as none: it may be asked for again.
    """

    name: str
    ask: Callable[[Snapshot], object]
    right: object


def questions() -> list[Question]:
    """About the fixed files."""
    made = []
    for repo in range(FIXED_REPOS):
        key, word = f"fixed/{repo:02}", f"fixed{repo:02}"
        paths = [f"src/{word}x{number}.py" for number in range(FIXED_FILES)]
        scope = Scope(repos=frozenset([key]))
        firsts = [ChunkId(key, path, 0) for path in paths]
        seconds = [ChunkId(key, path, 1) for path in paths]
        made += [
            Question("words", _matching(Term(word)), seconds),
            Question("name", _matching(Defines(f"{word}x3")), firsts[3:4]),
            Question("phrase", _matching(Phrase("of fixed ground"), scope), seconds),
            Question("pattern", _matching(Pattern(f"{word}x[0-9] of")), seconds),
            Question("scope", _matching(And(()), scope), sorted(firsts + seconds)),
            Question("lines", _lines(f"^end{word}"), [(path, 3) for path in paths]),
            Question("meaning", _near(f"return {word}x2 of fixed ground", scope), seconds[2]),
        ]
    return made


def _matching(wanted: Expression, scope: Scope = Scope()) -> Callable[[Snapshot], object]:  # noqa: B008  # frozen
    def ask(snapshot: Snapshot) -> object:
        ranking = snapshot.match(wanted, scope, MANY)
        if ranking.is_partial:
            raise StoreDegraded(" ".join(ranking.notes))
        return sorted(hit.chunk for hit in ranking.hits)

    return ask


def _lines(regex: str) -> Callable[[Snapshot], object]:
    def ask(snapshot: Snapshot) -> object:
        *found, tally = snapshot.grep(LineQuery((Pattern(regex),), within_s=WITHIN_S))
        if isinstance(tally, Tally) and tally.is_partial:
            raise StoreDegraded(" ".join(tally.notes))
        files = [one for one in found if isinstance(one, FileLines)]
        return [(file.path, line.number) for file in files for line in file.lines]

    return ask


def _near(text: str, scope: Scope) -> Callable[[Snapshot], object]:
    question = Drawn().questions([text])

    def ask(snapshot: Snapshot) -> object:
        hits = snapshot.nearest(Drawn.digest, question, And(()), scope, 1).hits
        return hits[0].chunk if hits else None

    return ask


def rankings(count: int, seed: int = 1) -> list[Expression]:
    """Questions about everything, to compare two collections by."""
    draw = random.Random(seed)
    made: list[Expression] = []
    while len(made) < count:
        words = draw.sample(WORDS, 3)
        made += [
            Or(tuple(Term(word) for word in words)),
            And((Term(words[0]), Term(words[1]))),
            Phrase(f"{words[0]} {words[1]}"),
            And((Or((Term(words[0]), Term(words[2]))), Pattern(f"{words[1]} [a-m]"))),
        ]
    return made[:count]


# ---------------------------------------------------------------- vectors


class Drawn:
    """A model whose vectors are drawn by a text's hash."""

    name, dimension, digest, waits = "drawn", 32, "d" * 32, False

    def questions(self, texts: Sequence[str]) -> Vectors:
        return Vectors(self.dimension, b"".join(self._vector(text) for text in texts))

    def passages(self, passages: Sequence[Passage]) -> Vectors:
        return self.questions([passage.text for passage in passages])

    def _vector(self, text: str) -> bytes:
        draw = random.Random(hashlib.sha256(text.encode()).digest())
        raw = [draw.gauss(0, 1) for _ in range(self.dimension)]
        length = math.sqrt(sum(x * x for x in raw))
        return struct.pack(f"<{self.dimension}f", *(x / length for x in raw))


def passage_of(chunk: Chunk) -> Passage:
    """A chunk's first line."""
    return Passage("", chunk.text.partition("\n")[0])
