"""Prose: questions that a package's own documents, tests and change logs answer.

A heading or sentence right before a block of code asks for what the block calls; a line of
a change log speaks of the function it names; a test's name says what the tested function is
expected to do. Each counts only if the name belongs to one function of the package.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from training.docs import SENTENCE, flat, why_not

MIN_NAME = 4
MAX_PER_BLOCK = 2
MIN_TEST_WORDS = 2  # beyond the words of the tested function's name
MIN_TESTED_WORDS = 2  # one word may stand in a test's name by accident
MAX_PROSE_CHARACTERS = 400_000

HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$")
UNDERLINE = re.compile(r"^[=\-~^\"'*+#]{3,}\s*$")
FENCE = re.compile(r"^\s*(?:```|~~~)")
DIRECTIVE = re.compile(
    r"^\.\.\s+(?:code-block|code|sourcecode|testcode|ipython|jupyter-execute)::|::\s*$"
)
INDENTED = re.compile(r"^(?: {3,}|\t)\S")
CALL = re.compile(r"(?<![\w])([A-Za-z_]\w{3,})[!?]?\s*\(")
LISTED = re.compile(
    r"^\s*[-*+]\s+\*{0,2}`{1,2}([\w.:#]+)(?:\([^`]*\))?`{1,2}\*{0,2}\s*(?:[-:\u2013\u2014]|=>)\s*(.{12,300})$"
)
BULLET = re.compile(r"^\s*[-*+]\s+(.{20,320})$")
QUOTED_NAME = re.compile(
    r"`{1,2}~?(?:[\w.:]*[.:#])?([A-Za-z_]\w{3,})(?:\([^`]*\))?`{1,2}|\b([A-Za-z_]\w{3,})\(\)"
)
GENERIC = re.compile(
    r"""(?ix)^(?:\d+[.)]?\s*)*(?:basic\s+|simple\s+|quick\s+|advanced\s+|more\s+|code\s+)?(?:install\w*|usages?|examples?|api|api\s+reference|quick\s?start|getting\s+started|
    overview|introduction|features?|license|licence|contributing|development|tests?|testing|changelog|credits|authors?|links?|
    options?|configuration|setup|requirements|documentation|docs|methods?|functions?|properties|events|notes?|faq|support|
    output|result|results|example\s+usage|how\s+to\s+use|how\s+it\s+works|demo|readme|table\s+of\s+contents|syntax|parameters|
    returns?|see\s+also|basics?|summary|tutorial|reference|classes|description)\W*$"""
)
WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
LOG_NAME = re.compile(r"(?i)(?:^|/)(?:change|history|news|release)")
IDLE = re.compile(
    r"(?ix)^(?:for\s+example|example|e\.g|like\s+(?:so|this)|as\s+follows|output|result|and\s+then|then|or|this\s+(?:will|would)\s+(?:output|print|give|return|produce)|"
    r"which\s+(?:will|would|gives?|prints?|returns?)|becomes|before|after|note|the\s+above|the\s+following\s+example|prints?)\b"
)


class Question(NamedTuple):
    """A text, the name of the function it asks for, and where it came from."""

    kind: str
    query: str
    name: str


def decoded(path: str, content: bytes) -> str:
    """A document as text, unpacked; a wheel's metadata without its headers."""
    if path.endswith(".gz"):
        try:
            content = gzip.decompress(content)
        except (OSError, EOFError, zlib.error):
            return ""
    text = content.decode("utf-8", "replace").replace("\r", "")[:MAX_PROSE_CHARACTERS]
    return text.partition("\n\n")[2] if path.endswith("/METADATA") else text


def split_name(name: str) -> tuple[str, ...]:
    """A name in lower-case words."""
    return tuple(word.lower() for word in WORDS.findall(name))


def questions(path: str, content: bytes, known: Mapping[str, object]) -> Iterator[Question]:
    """What a document asks of the functions that ``known`` holds by name."""
    text = decoded(path, content)
    if LOG_NAME.search(path):
        yield from log_lines(text, known)
        return
    for query, block in blocks(text):
        yield from about_block(query, block, known)
    for line in text.split("\n"):
        listed = LISTED.match(line)
        if listed:
            name = re.split(r"[.:#]", listed[1])[-1]
            query = flat(listed[2])
            if name in known and len(name) >= MIN_NAME and not why_not(query):
                yield Question("readme", query, name)


def about_block(query: str, block: str, known: Mapping[str, object]) -> Iterator[Question]:
    """The functions a block of code calls, those that share a word with the query first."""
    called = dict.fromkeys(name for name in CALL.findall(block) if name in known)
    asked = set(split_name(query))
    shared = [name for name in called if asked.intersection(split_name(name))]
    if not shared and len(called) == 1:  # no word in common, but nothing else it could mean
        shared = [name for name in called if len(split_name(name)) > 1]
    for name in shared[:MAX_PER_BLOCK]:
        yield Question("readme", query, name)


def blocks(text: str) -> Iterator[tuple[str, str]]:
    """Blocks of code, each with the sentence or heading that introduces it."""
    heading = paragraph = ""
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        following = lines[at + 1] if at + 1 < len(lines) else ""
        at += 1
        if FENCE.match(line):
            end = at
            while end < len(lines) and not FENCE.match(lines[end]):
                end += 1
            if query := introduction(heading, paragraph):
                yield query, "\n".join(lines[at:end])
            at, paragraph = end + 1, ""
        elif found := HEADING.match(line):
            heading, paragraph = found[1], ""
        elif (
            line.strip()
            and UNDERLINE.match(following)
            and len(following.strip()) >= len(line.strip()) - 1
        ):
            heading, paragraph = line.strip(), ""
            at += 1
        elif INDENTED.match(line) and not paragraph_runs(lines, at - 1):
            end = at
            while end < len(lines) and (INDENTED.match(lines[end]) or not lines[end].strip()):
                end += 1
            if query := introduction(heading, paragraph):
                yield query, "\n".join(lines[at - 1 : end])
            at, paragraph = end, ""
        elif DIRECTIVE.match(line):
            continue
        elif line.strip():
            is_new = at < 2 or not lines[at - 2].strip()
            paragraph = line.strip() if is_new else f"{paragraph} {line.strip()}"


def paragraph_runs(lines: list[str], at: int) -> bool:
    """Whether an indented line only continues what is above it."""
    return at > 0 and bool(lines[at - 1].strip()) and not INDENTED.match(lines[at - 1])


def introduction(heading: str, paragraph: str) -> str:
    """The last sentence before a block, or the heading above it; "" if neither says anything."""
    text = flat(paragraph.rstrip(":")).rstrip(":")
    sentences = [piece.strip() for piece in SENTENCE.split(text) if piece.strip()]
    if sentences and not IDLE.match(sentences[-1]) and not why_not(sentences[-1]):
        return sentences[-1]
    title = flat(heading)
    return "" if GENERIC.match(title) or why_not(title) else title


def log_lines(text: str, known: Mapping[str, object]) -> Iterator[Question]:
    """Lines of a change log that name one known function."""
    for line in text.split("\n"):
        bullet = BULLET.match(line)
        if not bullet:
            continue
        names = {a or b for a, b in QUOTED_NAME.findall(bullet[1])}
        named = sorted(name for name in names if name in known and len(name) >= MIN_NAME)
        query = flat(re.sub(r"\(?#\d+\)?|\bGH-?\d+|\[#?\d+\]|@\w+", "", bullet[1]))
        if len(named) == 1 and len(query.split()) > MIN_NAME and not why_not(query):
            yield Question("changelog", query, named[0])


def question_of_test(
    test: str, calls: tuple[str, ...], known: Mapping[str, object]
) -> Question | None:
    """What a test's name says of a function that it calls and names."""
    said = [
        word for word in split_name(test) if word not in ("test", "tests", "should", "it", "spec")
    ]
    best: tuple[int, str] = (0, "")
    for name in calls:
        parts = split_name(name)
        if name in known and len(parts) >= MIN_TESTED_WORDS and set(parts) <= set(said):
            best = max(best, (len(parts), name))
    if best[1] and len(said) >= best[0] + MIN_TEST_WORDS and not why_not(" ".join(said)):
        return Question("test", " ".join(said), best[1])
    return None
