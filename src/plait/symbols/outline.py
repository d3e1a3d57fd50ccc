"""Outline: what a file defines and what it refers to, read off its syntax tree.

The tree's meaning comes from the language's query file through these captures:

    @definition.KIND   a symbol; the same match holds its @name and, where there are any, its
                       @body (the signature ends where it begins), @doc (a docstring inside)
                       and @receiver (a type that qualifies it, as in Go); several @name
                       nodes are one name in pieces
    @definition.KIND.clause   one of several adjacent clauses of one symbol (Haskell, Elixir)
    @definition.KIND.outer    a symbol unless a function encloses it: then it is a local
    @scope.type, @scope.module   encloses and qualifies by its @name but is no symbol itself;
                       a function directly inside a type is a method
    @extent            a wrapper (decorators, ``export``) whose lines belong to what it wraps
    @attribute         a node before a definition that belongs to it (Rust's attributes)
    @comment           a comment; one right above a definition belongs to it and documents it
    @reference.RELATION   a name referred to: calls, extends, implements, uses, imports;
                       several imports in one match are one path

Where several patterns define the same node, the one written first counts. The name of a
definition is no reference, and a use counts only where nothing more precise is said of the
same name: a query may call every type a use. Captures that begin with an underscore serve
predicates only.

A tree with errors still yields the symbols of its sound parts. Trees are never walked by
recursion: real files nest thousands of levels deep.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING

from tree_sitter import QueryCursor

from plait.symbols.grammars import grammar
from plait.types import Reference, Relation

if TYPE_CHECKING:
    from tree_sitter import Node

TYPE_KINDS = frozenset({"class", "struct", "interface", "trait", "enum", "object", "union", "type"})
FUNCTION_KINDS = frozenset({"function", "method", "constructor"})
MAX_NAME_BYTES = 400  # longer "names" are parse accidents
MAX_SIGNATURE_BYTES = 400  # of a definition without a body, such as a table of constants
# Only before a name: the operators "</>" and "::" are names themselves.
SEPARATORS = re.compile(rb"(?:::|\\|/|->|#|:)(?=[\w~])")
LAST_PART = re.compile(r"(?:[.:\\]|->)(?=\w)")
ARGUMENTS = re.compile(rb"<[^<>]*>(?=[>:,*&])")  # of a template, inside a qualified name
SPACE = re.compile(rb"\s+")
WORD = re.compile(rb"\w")
QUOTES = frozenset(b"\"'`")
WHITE = frozenset(b" \t\r\n\f")
KNOWN_REFERENCES = 1 << 15  # names recur; this many are remembered between files
RELATIONS = {f"reference.{relation.value.lower()}": relation for relation in Relation}
USES = "reference.uses"
IMPORTS = "reference.imports"


@dataclass(frozen=True, slots=True)
class Definition:
    """A symbol by its place in the file: bytes half open, rows from 0 and inclusive."""

    name: str
    container: str  # the names of what encloses it, outermost first, joined by "."
    kind: str
    begin: int
    end: int
    first_row: int  # decorators, attributes and leading comments included
    last_row: int
    signature: tuple[int, int]
    docstring: tuple[int, int]

    @property
    def qualified_name(self) -> str:
        return f"{self.container}.{self.name}" if self.container else self.name


@dataclass(frozen=True, slots=True)
class Outline:
    """Definitions, outermost first in file order; references by byte; how the parse went."""

    definitions: tuple[Definition, ...]
    references: tuple[tuple[int, Reference], ...]
    has_errors: bool
    root: Node


@dataclass(slots=True)
class _Found:
    """A definition or scope while its neighbours are still being read."""

    qualifier: str  # from the name itself (C++) or the receiver (Go)
    name: str
    kind: str  # "" for a scope
    begin: int
    end: int
    first_row: int
    last_row: int
    body: int
    docstring: tuple[int, int]
    is_type: bool
    is_clause: bool
    is_outer: bool


def outline(language: str, content: bytes) -> Outline:
    """Read the outline of a file. Call it in a worker process only: parsers can crash."""
    parser, query = grammar(language)
    root = parser.parse(content).root_node
    defined: dict[tuple[int, int], tuple[int, _Found]] = {}
    extents: list[tuple[int, int, int]] = []
    before: list[tuple[int, int, int, int, bool]] = []  # comments and attributes
    references: list[tuple[int, Reference]] = []
    uses: list[tuple[int, Reference]] = []
    named: set[int] = set()  # where definitions have their names

    # References are nine matches of ten.
    for pattern, captures in QueryCursor(query).matches(root):
        if names := captures.get("name"):
            item = _found(captures, names, content)
            if item is not None:
                candidate = (pattern, item)
                place = (item.begin, item.end)
                defined[place] = min(defined.get(place, candidate), candidate, key=itemgetter(0))
                if item.kind:
                    named.add(names[0].start_byte)
            continue
        for label, nodes in captures.items():
            if label in RELATIONS:
                kept = uses if label == USES else references
                ends = [nodes[-1]] if label == IMPORTS else nodes
                for first, last in zip(nodes, ends, strict=False):
                    begin = first.start_byte
                    reference = _reference(label, content[begin : last.end_byte])
                    if reference is not None:
                        kept.append((begin, reference))
            elif label in ("comment", "attribute"):
                before.extend(_before(node, content, label == "comment") for node in nodes)
            elif label == "extent":
                extents.extend((n.start_byte, n.end_byte, n.start_point.row) for n in nodes)

    found = [item for _, item in defined.values()]
    found.sort(key=lambda item: (item.begin, -item.end))
    _recede(found, before, content)
    _widen(found, extents)
    _adopt(found, before, content)
    references = [reference for reference in references if reference[0] not in named]
    named.update(begin for begin, _ in references)
    references.extend(use for use in uses if use[0] not in named)
    references.sort(key=itemgetter(0))
    return Outline(_qualify(found, content), tuple(references), root.has_error, root)


def _trimmed(content: bytes, begin: int, end: int) -> int:
    """The end without the white space before it."""
    while end > begin and content[end - 1] in WHITE:
        end -= 1
    return end


def _end(node: Node, content: bytes) -> tuple[int, int]:
    """Where a node ends and on which row, white space at its end left out."""
    end = _trimmed(content, node.start_byte, node.end_byte)
    return end, node.end_point.row - content.count(b"\n", end, node.end_byte)


def _before(node: Node, content: bytes, is_comment: bool) -> tuple[int, int, int, int, bool]:
    end, last_row = _end(node, content)
    return node.start_point.row, last_row, node.start_byte, end, is_comment


def _found(captures: dict[str, list[Node]], names: list[Node], content: bytes) -> _Found | None:
    label = next((key for key in captures if key.startswith(("definition.", "scope."))), None)
    if label is None:
        return None
    node = captures[label][0]
    qualifier, name = _name(b"".join([content[n.start_byte : n.end_byte] for n in names]))
    if not name:
        return None
    if receivers := captures.get("receiver"):
        receiver = _name(content[receivers[0].start_byte : receivers[0].end_byte])
        qualifier = ".".join(filter(None, [*receiver, qualifier]))
    body = captures.get("body")
    doc = captures.get("doc")
    role, kind, *marks = label.split(".")
    end, last_row = _end(node, content)
    return _Found(
        qualifier=qualifier,
        name=name,
        kind=kind if role == "definition" else "",
        begin=node.start_byte,
        end=end,
        first_row=node.start_point.row,
        last_row=last_row,
        body=body[0].start_byte if body else 0,
        docstring=(doc[0].start_byte, doc[-1].end_byte) if doc else (0, 0),
        is_type=kind in TYPE_KINDS,
        is_clause="clause" in marks,
        is_outer="outer" in marks,
    )


def _name(raw: bytes) -> tuple[str, str]:
    """A name as text, after what qualifies it: every language's separator becomes a dot.

    What is written in quotes, such as the name of a test, is kept as it is.
    """
    if len(raw) > MAX_NAME_BYTES:
        return "", ""
    if (plain := _unquoted(raw)) != raw:
        return "", SPACE.sub(b" ", plain).strip().decode("utf-8", "replace")
    flat = SPACE.sub(b"", raw)
    if not WORD.search(flat):
        return "", flat.decode("utf-8", "replace")
    while b">::" in flat:
        flat, count = ARGUMENTS.subn(b"", flat)
        if not count:
            break
    text = SEPARATORS.sub(b".", flat).strip(b".").decode("utf-8", "replace")
    qualifier, _, name = text.rpartition(".")
    return (qualifier, name) if name else ("", text)


def _unquoted(raw: bytes) -> bytes:
    """Without the quotes around it; one quote alone is part of a name (Haskell's primes)."""
    return raw[1:-1] if len(raw) > 2 and raw[0] in QUOTES and raw[0] == raw[-1] else raw


@lru_cache(maxsize=KNOWN_REFERENCES)
def _reference(label: str, raw: bytes) -> Reference | None:
    """What a name points at: the last part of a call or type, an import in full."""
    if len(raw) > MAX_NAME_BYTES:
        return None
    relation = RELATIONS[label]
    text = _unquoted(SPACE.sub(b"", raw)).decode("utf-8", "replace")
    is_import = relation is Relation.IMPORTS
    target = text.strip("<>") if is_import else LAST_PART.split(text)[-1]
    return Reference(relation, target) if target else None


def _recede(
    found: list[_Found], before: list[tuple[int, int, int, int, bool]], content: bytes
) -> None:
    """End each definition before comments on lines of their own: they speak of what follows.

    Blocks made by indentation swallow them in some grammars (Scala, Haskell).
    """
    comments = {end: begin for _, _, begin, end, is_comment in before if is_comment}
    for item in found:
        while (begin := comments.get(item.end, 0)) > item.begin:
            end = _trimmed(content, item.begin, begin)
            if b"\n" not in content[end:begin]:
                break
            item.last_row -= content.count(b"\n", end, item.end)
            item.end = end


def _widen(found: list[_Found], extents: list[tuple[int, int, int]]) -> None:
    """Give what a wrapper wraps the wrapper's first row."""
    begins = [item.begin for item in found]
    for begin, end, row in extents:
        at = bisect_left(begins, begin)
        if at < len(found) and found[at].end <= end:
            found[at].first_row = min(found[at].first_row, row)


def _adopt(
    found: list[_Found], before: list[tuple[int, int, int, int, bool]], content: bytes
) -> None:
    """Give each definition the comments and attributes that end right above it."""
    ending = {last: (first, begin, end, comment) for first, last, begin, end, comment in before}
    taken_rows = {item.last_row for item in found}
    for item in found:
        if not item.kind:
            continue
        doc_begin = doc_end = 0
        row = item.first_row - 1
        while (above := ending.get(row)) is not None:
            first, begin, end, is_comment = above
            line_begin = content.rfind(b"\n", 0, begin) + 1
            if content[line_begin:begin].strip() or row in taken_rows:
                break  # it trails code, so it speaks of that
            if is_comment:
                doc_begin, doc_end = begin, doc_end or end
            del ending[row]  # the outermost definition of a line takes it
            item.first_row = first
            row = first - 1
        if item.docstring == (0, 0) and doc_end:
            item.docstring = (doc_begin, doc_end)


def _qualify(found: list[_Found], content: bytes) -> tuple[Definition, ...]:
    """Name each definition by what encloses it, and join the clauses of one symbol."""
    definitions: list[Definition] = []
    enclosing: list[tuple[_Found, str]] = []
    previous: tuple[_Found, str] | None = None
    for item in found:
        while enclosing and enclosing[-1][0].end < item.end:
            enclosing.pop()
        if item.is_outer and any(around.kind in FUNCTION_KINDS for around, _ in enclosing):
            continue
        outer = enclosing[-1] if enclosing else None
        container = ".".join(filter(None, (outer[1] if outer else "", item.qualifier)))
        name = f"{container}.{item.name}" if container else item.name
        kind = item.kind
        if kind == "function" and ((outer and outer[0].is_type) or item.qualifier):
            kind = "method"
        enclosing.append((item, name))
        if not kind:
            continue
        if item.is_clause and previous and previous[1] == name and previous[0].kind == item.kind:
            definitions[-1] = replace(definitions[-1], end=item.end, last_row=item.last_row)
            continue
        previous = (item, name)
        definitions.append(
            Definition(
                name=item.name,
                container=container,
                kind=kind,
                begin=item.begin,
                end=item.end,
                first_row=item.first_row,
                last_row=item.last_row,
                signature=(item.begin, _signature_end(item, content)),
                docstring=item.docstring,
            )
        )
    return tuple(definitions)


def _signature_end(item: _Found, content: bytes) -> int:
    """Where the body begins; without one, the end, or that of the first line if it is long."""
    if item.body > item.begin:
        return _trimmed(content, item.begin, item.body)
    if item.end - item.begin <= MAX_SIGNATURE_BYTES:
        return item.end
    line_end = content.find(b"\n", item.begin, item.end)
    return item.end if line_end < 0 else line_end
