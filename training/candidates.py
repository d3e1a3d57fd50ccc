"""Candidates: the functions of one package into pairs of a query and code, each of one kind.

doc        what the doc comment says first
returns    what it says of the result; raises: when it fails
error      a message the function raises, taken out of the code
readme     what a document says before a block of code that calls the function
changelog  a line of a change log that names it
test       what a test that calls it is named
name       the words of its name, for functions without a doc
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from training.functions import MIN_LINES, Function, without_error
from training.lists import Package
from training.prose import Question, split_name

# The most pairs of one kind from one package, so that none outweighs the rest.
MOST = {
    "doc": 4_000,
    "returns": 800,
    "raises": 300,
    "error": 300,
    "readme": 300,
    "changelog": 200,
    "test": 400,
    "name": 1_200,
}
MIN_NAME_WORDS = 2
LANGUAGES = {"tsx": "typescript"}
PLAIN_NAME = re.compile(r"[A-Za-z_$][\w$]*[!?=]?")

Known = dict[str, tuple["ParsedFile", Function]]


@dataclass(slots=True)
class ParsedFile:
    """A file of a package and, once it has been parsed, its functions."""

    path: str
    language: str
    content: bytes
    functions: list[Function] = field(default_factory=list)


class Candidate(NamedTuple):
    """A pair before it is counted against what its package may give."""

    kind: str
    file: ParsedFile
    function: Function
    query: str
    more: dict[str, object]


def unique(files: Iterable[ParsedFile]) -> Known:
    """The functions whose name no other function of the package has."""
    found: Known = {}
    twice: set[str] = set()
    for file in files:
        for function in file.functions:
            if function.code and (function.name in found or function.name in twice):
                twice.add(function.name)
                found.pop(function.name, None)
            elif function.code:
                found[function.name] = (file, function)
    return found


def pairs(
    package: Package,
    files: list[ParsedFile],
    asked: Iterable[Question],
    left_out: Counter[str],
) -> list[dict[str, Any]]:
    """The pairs of a package, in the order of their places; what is left out is counted."""
    known = unique(files)
    counts: Counter[str] = Counter()
    seen: set[tuple[str, str, str]] = set()
    made: list[dict[str, Any]] = []
    for candidate in _candidates(files, known, asked, left_out):
        key = (candidate.kind, candidate.function.name, candidate.query)
        if key in seen:
            left_out["pair: the same name and text in this package"] += 1
        elif counts[candidate.kind] >= MOST[candidate.kind]:
            left_out["pair: the package has given its share"] += 1
        else:
            seen.add(key)
            counts[candidate.kind] += 1
            made.append(_row(package, candidate))
    made.sort(key=lambda pair: (pair["path"], pair["line"], pair["kind"], pair["query"]))
    return made


def _candidates(
    files: list[ParsedFile], known: Known, asked: Iterable[Question], left_out: Counter[str]
) -> Iterator[Candidate]:
    declared = _declared(files)
    for file in files:
        for function in file.functions:
            if function.code:
                yield from _of_function(file, function, declared, left_out)
            else:
                left_out["function: shorter or longer than wanted"] += 1
    for question in asked:
        yield Candidate(question.kind, *known[question.name], question.query, {})


def _of_function(
    file: ParsedFile,
    function: Function,
    declared: dict[tuple[str, str], tuple[str, int]],
    left_out: Counter[str],
) -> Iterator[Candidate]:
    doc, more = function.query, {"sentence": function.sentence}
    if not doc and function.why_not == "no doc":
        doc, sentence = declared.get((function.container, function.name), ("", 0))
        more = {"sentence": sentence, "joined": True}
    words = split_name(function.name)
    if doc:
        yield Candidate("doc", file, function, doc, dict(more))
    else:
        left_out[f"function: {function.why_not}"] += 1
        if len(words) >= MIN_NAME_WORDS and PLAIN_NAME.fullmatch(function.name):
            yield Candidate("name", file, function, " ".join(words), {})
    for kind, query in (("returns", function.returns), ("raises", function.raises)):
        if query and query != doc:
            yield Candidate(kind, file, function, query, {})
    if function.error:
        blanked = function._replace(code=without_error(function.code))
        yield Candidate("error", file, blanked, function.error, {})


def _declared(files: Iterable[ParsedFile]) -> dict[tuple[str, str], tuple[str, int]]:
    """Docs that stand on a declaration: a header documents what another file defines."""
    found: dict[tuple[str, str], tuple[str, int]] = {}
    twice = set()
    for file in files:
        for function in file.functions if file.language in ("c", "cpp") else ():
            if function.query and function.lines < MIN_LINES:
                key = (function.container, function.name)
                doc = (function.query, function.sentence)
                if found.setdefault(key, doc) != doc:
                    twice.add(key)
    return {key: doc for key, doc in found.items() if key not in twice}


def _row(package: Package, candidate: Candidate) -> dict[str, Any]:
    kind, file, function, query, more = candidate
    label = f"{package.key}={package.version}|{file.path}|{function.first}|{kind}|{query}"
    return {
        "id": hashlib.sha256(label.encode("utf-8", "replace")).hexdigest()[:16],
        "kind": kind,
        "language": LANGUAGES.get(file.language, file.language),
        "package": f"{package.ecosystem}:{package.name}",
        "path": file.path,
        "line": function.first,
        "name": function.name,
        "container": function.container,
        "query": query,
        "code": function.code,
        **more,
    }
