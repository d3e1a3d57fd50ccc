"""Outline: what a file defines and what it refers to, read off its syntax tree.

The tree's meaning comes from the language's query file through these captures:

    @definition.KIND   a symbol; the same match holds its @name and, where there are any, its
                       @body (the signature ends where it begins), @doc (a docstring inside)
                       and @receiver (a type that qualifies it, as in Go); several @name
                       nodes are one name in pieces
    @definition.KIND.clause   one of several adjacent clauses of one symbol (Haskell, Elixir)
    @definition.KIND.outer    a symbol unless a function encloses it: then it is a local
    @definition.KIND.tokens   the name of a symbol that is written in tokens (a macro's argument in
                       Rust): it ends with the braces or the semicolon that follow
    @scope.type, @scope.module   encloses and qualifies by its @name but is no symbol itself;
                       a function directly inside a type is a method
    @extent            a wrapper (decorators, ``export``) whose lines belong to what it wraps
    @attribute         a node before a definition that belongs to it (Rust's attributes); several
                       in one match are one
    @comment           a comment; one right above a definition belongs to it and documents it
    @reference.RELATION   a name referred to: calls, extends, implements, uses, imports;
                       several imports in one match are one path
    @qualifier         what stands before the name referred to in the same match; with
                       @qualified, of whatever is referred to there by another pattern
    @import.name, @import.alias, @import.module   beside an import: what is taken, what it is
                       called here, and the module if that is not the whole path; what
                       @import.default calls is a module's default
    @bound             a name of which the same match says something: its type
                       (@bound.parameter, .returns, .field, .variable), its value (.value,
                       .call) or what it is an element of (.element, .element.call)

Where several patterns define the same node, the one written first counts. The name of a
definition is no reference, and a use counts only where nothing more precise is said of the
same name: a query may call every type a use. Captures that begin with an underscore serve
predicates only.

A tree with errors still yields the symbols of its sound parts. Trees are never walked by
recursion: real files nest thousands of levels deep.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from tree_sitter import QueryCursor

from plait.symbols.grammars import grammar
from plait.symbols.mentions import Mentioned, Mentions
from plait.symbols.names import name_of
from plait.symbols.rows import Rows

if TYPE_CHECKING:
    from tree_sitter import Node

TYPE_KINDS = frozenset({"class", "struct", "interface", "trait", "enum", "object", "union", "type"})
FUNCTION_KINDS = frozenset({"function", "method", "constructor"})
MAX_SIGNATURE_BYTES = 400  # of a definition without a body, such as a table of constants
MAX_TOKENS = 200  # of a signature in a macro
ITEMS = frozenset({"fn", "struct", "enum", "trait", "impl", "mod"})  # begin what is next
WHITE = frozenset(b" \t\r\n\f")


class Definition(NamedTuple):
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
    """Definitions, outermost first in file order; what is said about other code, by byte; how
    the parse went."""

    definitions: tuple[Definition, ...]
    mentioned: Mentioned
    has_errors: bool
    root: Node
    rows: Rows
    comments: tuple[tuple[int, int], ...]  # first byte and end of each, rising
    attributes: tuple[tuple[int, int], ...]  # the same


class _Role(NamedTuple):
    """What the label of a definition or scope says."""

    kind: str  # "" for a scope
    is_type: bool
    is_clause: bool
    is_outer: bool
    is_tokens: bool


@dataclass(slots=True)
class _Found:
    """A definition or scope while its neighbours are still being read."""

    role: _Role
    qualifier: str  # from the name itself (C++) or the receiver (Go)
    name: str
    begin: int
    end: int
    first_row: int
    last_row: int
    body: int
    docstring: tuple[int, int]


def outline(language: str, content: bytes) -> Outline:
    """Read the outline of a file. Call it in a worker process only: parsers can crash."""
    parser, query = grammar(language)
    root = parser.parse(content).root_node
    rows = Rows(content)
    defined: dict[tuple[int, int], tuple[int, _Found]] = {}
    extents: list[tuple[int, int, int]] = []
    before: list[tuple[int, int, int, int, bool]] = []  # comments and attributes
    mentions = Mentions(rows)
    named: set[int] = set()  # where definitions have their names

    for pattern, captures in QueryCursor(query).matches(root):
        if "name" in captures:
            names = captures["name"]
            item = _found(captures, names, rows)
            if item is not None:
                place = (item.begin, item.end)
                if place not in defined or pattern < defined[place][0]:
                    defined[place] = (pattern, item)
                if item.role.kind:
                    named.add(names[0].start_byte)
            continue
        if "comment" in captures:
            before.extend([_before(node, node, rows, True) for node in captures["comment"]])
        elif "attribute" in captures:
            nodes = captures["attribute"]
            before.append(_before(nodes[0], nodes[-1], rows, False))
        elif "extent" in captures:
            nodes = captures["extent"]
            extents.extend([(n.start_byte, n.end_byte, rows.row(n.start_byte)) for n in nodes])
        else:
            mentions.add(pattern, captures)

    items = [item for _, item in defined.values()]
    items.sort(key=lambda item: (item.begin, -item.end))
    _recede(items, before, content)
    _widen(items, extents)
    _adopt(items, before, content)
    mentioned = mentions.gathered(named)
    comments, attributes = (
        tuple(sorted((begin, end) for _, _, begin, end, comment in before if comment is wanted))
        for wanted in (True, False)
    )
    definitions = _qualify(items, content)
    return Outline(definitions, mentioned, root.has_error, root, rows, comments, attributes)


def _trimmed(content: bytes, begin: int, end: int) -> int:
    """The end without the white space before it."""
    while end > begin and content[end - 1] in WHITE:
        end -= 1
    return end


def _before(
    first: Node, last: Node, rows: Rows, is_comment: bool
) -> tuple[int, int, int, int, bool]:
    begin = first.start_byte
    end = _trimmed(rows.content, begin, last.end_byte)
    return rows.row(begin), rows.row(end), begin, end, is_comment


@cache
def _role(label: str) -> _Role | None:
    """What a label says; None if it speaks of no definition and no scope."""
    role, _, rest = label.partition(".")
    if role not in ("definition", "scope"):
        return None
    kind, *marks = rest.split(".")
    return _Role(
        kind if role == "definition" else "",
        kind in TYPE_KINDS,
        *(mark in marks for mark in ("clause", "outer", "tokens")),
    )


def _found(captures: dict[str, list[Node]], names: list[Node], rows: Rows) -> _Found | None:
    for label in captures:
        role = _role(label)
        if role is not None:
            node = captures[label][0]
            break
    else:
        return None
    content = rows.content
    parts = [content[n.start_byte : n.end_byte] for n in names]
    qualifier, name = name_of(parts[0] if len(parts) == 1 else b"".join(parts))
    if not name:
        return None
    if receivers := captures.get("receiver"):
        receiver = name_of(content[receivers[0].start_byte : receivers[0].end_byte])
        qualifier = ".".join(filter(None, [*receiver, qualifier]))
    body = captures.get("body")
    doc = captures.get("doc")
    begin = node.start_byte
    last = _last_token(node) if role.is_tokens else node
    end = _trimmed(content, begin, last.end_byte)
    return _Found(
        role,
        qualifier,
        name,
        begin,
        end,
        rows.row(begin),
        rows.row(end),
        body[0].start_byte if body else last.start_byte if last is not node else 0,
        (doc[0].start_byte, doc[-1].end_byte) if doc else (0, 0),
    )


def _last_token(name: Node) -> Node:
    """The braces or the semicolon that end what a name in a row of tokens begins."""
    token = name
    for _ in range(MAX_TOKENS):
        following = token.next_sibling
        if following is None or following.type in ITEMS:
            break
        token = following
        if token.type == ";" or (token.type == "token_tree" and token.children[0].type == "{"):
            return token
    return name


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
    # Of several that end on one row the first counts: a comment may trail an attribute.
    ending = {
        last: (first, begin, end, comment)
        for first, last, begin, end, comment in sorted(before, key=itemgetter(2), reverse=True)
    }
    taken_rows = {item.last_row for item in found}
    for item in found:
        if not item.role.kind:
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
        role = item.role
        if role.is_outer and any(around.role.kind in FUNCTION_KINDS for around, _ in enclosing):
            continue
        outer = enclosing[-1] if enclosing else None
        container = outer[1] if outer else ""
        if item.qualifier:
            container = f"{container}.{item.qualifier}" if container else item.qualifier
        name = f"{container}.{item.name}" if container else item.name
        kind = role.kind
        if kind == "function" and ((outer and outer[0].role.is_type) or item.qualifier):
            kind = "method"
        enclosing.append((item, name))
        if not kind:
            continue
        if (
            role.is_clause
            and previous
            and previous[1] == name
            and previous[0].role.kind == role.kind
        ):
            definitions[-1] = definitions[-1]._replace(end=item.end, last_row=item.last_row)
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
