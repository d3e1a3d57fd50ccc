"""Mentions: the references, imports and bindings of a file, gathered match by match.

``outline.py`` lists the captures they come from. A reference has one place per relation, however
many patterns match it; one with a qualifier is preferred. Of several bindings of one name in one
place a type is preferred to a value, then the pattern written first.
"""

from __future__ import annotations

from bisect import bisect_right
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from plait.symbols.names import Targets
from plait.symbols.paths import MAX_BYTES, UNKNOWN, Names, Paths, Types
from plait.types import Binding, Import, Reference, Relation, Role

if TYPE_CHECKING:
    from tree_sitter import Node

    from plait.symbols.rows import Rows

T = TypeVar("T")
Placed = tuple[tuple[int, T], ...]  # by byte, rising

TARGETS = {relation: Targets(relation) for relation in Relation}
IMPORTED = TARGETS[Relation.IMPORTS]
IMPORTS = "reference.imports"
LABELS = {f"reference.{relation.value.lower()}": relation for relation in Relation}
EVERYTHING, DOT = "*", "."  # Go's dot takes everything
AFTER_TYPES = 10_000  # more than there are patterns
PATHS, NAMES, TYPES = Paths(), Names(), Types()
# What a binding's label says: its role, how its text is read, and what is written behind that.
BOUND: dict[str, tuple[Role, dict[bytes, str], str]] = {
    "bound.parameter": (Role.PARAMETER, TYPES, ""),
    "bound.returns": (Role.RETURNS, TYPES, ""),
    "bound.field": (Role.FIELD, TYPES, ""),
    "bound.variable": (Role.VARIABLE, TYPES, ""),
    "bound.value": (Role.VALUE, PATHS, ""),
    "bound.call": (Role.VALUE, PATHS, "()"),
    "bound.element": (Role.ELEMENT, PATHS, ""),
    "bound.element.call": (Role.ELEMENT, PATHS, "()"),
}


class Mentioned(NamedTuple):
    """What a file says about other code."""

    references: Placed[Reference] = ()
    imports: Placed[Import] = ()
    bindings: Placed[Binding] = ()


class Mentions:
    """Gathers what matches say about other code."""

    def __init__(self, rows: Rows) -> None:
        self._content = rows.content
        self._begins = rows.begins  # of lines: as many as there are up to a byte is its line
        self._references: dict[Relation, dict[int, Reference]] = {r: {} for r in Relation}
        self._kinds = {
            label: (relation, TARGETS[relation], self._references[relation])
            for label, relation in LABELS.items()
            if label != IMPORTS
        }
        self._qualified: dict[int, str] = {}
        self._imports: dict[int, list[Import]] = {}
        self._bindings: dict[int, tuple[int, Binding]] = {}

    def add(self, pattern: int, captures: dict[str, list[Node]]) -> None:
        """Take in a match that defines nothing."""
        content, qualifier = self._content, ""
        if "qualifier" in captures:
            nodes = captures["qualifier"]
            begin, end = nodes[0].start_byte, nodes[-1].end_byte
            qualifier = PATHS[content[begin:end]] if end - begin <= MAX_BYTES else UNKNOWN
        elif "bound" in captures:
            self._bind(pattern, captures)
            return
        for label, nodes in captures.items():
            kind = self._kinds.get(label)
            if kind is not None:  # nine of ten
                relation, targets, found = kind
                for node in nodes:
                    begin = node.start_byte
                    if qualifier or begin not in found:
                        target = targets[content[begin : node.end_byte]]
                        line = bisect_right(self._begins, begin)
                        found[begin] = Reference(relation, target, qualifier, line)
            elif label == IMPORTS:
                self._import(captures, nodes[0].start_byte, nodes[-1].end_byte)
            elif label == "qualified":
                self._qualified[nodes[0].start_byte] = qualifier

    def _import(self, captures: dict[str, list[Node]], begin: int, end: int) -> None:
        target = IMPORTED[self._content[begin:end]]
        if not target:
            return
        line = bisect_right(self._begins, begin)
        self._references[Relation.IMPORTS][begin] = Reference(Relation.IMPORTS, target, "", line)
        module = self._imported(captures, "import.module") or target
        name = self._imported(captures, "import.name")
        name = EVERYTHING if name == DOT else name
        alias = self._imported(captures, "import.alias")
        if "import.default" in captures:
            name, alias = "default", self._imported(captures, "import.default")
        self._imports.setdefault(begin, []).append(Import(module, name, alias, line))

    def _imported(self, captures: dict[str, list[Node]], label: str) -> str:
        nodes = captures.get(label)
        if nodes is None:
            return ""
        return IMPORTED[self._content[nodes[0].start_byte : nodes[-1].end_byte]]

    def _bind(self, pattern: int, captures: dict[str, list[Node]]) -> None:
        bound = captures["bound"][0]
        begin, end = bound.start_byte, bound.end_byte
        known = self._bindings.get(begin)
        label = next(filter(BOUND.__contains__, captures))
        role, read, ending = BOUND[label]
        rank = pattern + AFTER_TYPES if read is PATHS else pattern
        if known is not None and known[0] < rank:
            return
        node = captures[label][0]
        said_begin, said_end = node.start_byte, node.end_byte
        name = ""
        if role is not Role.RETURNS:
            if end - begin > MAX_BYTES:
                return
            name = NAMES[self._content[begin:end]]
        if said_end - said_begin > MAX_BYTES:
            return
        said = read[self._content[said_begin:said_end]]
        if said and said != UNKNOWN:
            binding = Binding(role, name, said + ending, bisect_right(self._begins, begin))
            self._bindings[begin] = (rank, binding)

    def gathered(self, named: set[int]) -> Mentioned:
        """Everything in the order of the file, less what stands where definitions have their
        names, and uses of which something more precise is said."""
        self._refine()
        uses = self._references.pop(Relation.USES)
        references = [
            (begin, reference)
            for of_relation in self._references.values()
            for begin, reference in of_relation.items()
            if begin not in named and reference.target
        ]
        told = named.union(begin for begin, _ in references)
        references += [
            (begin, use) for begin, use in uses.items() if use.target and begin not in told
        ]
        references.sort(key=itemgetter(0))
        imports = [
            (begin, one) for begin, several in self._imports.items() for one in _precise(several)
        ]
        imports.sort(key=itemgetter(0))
        bindings = [(begin, binding) for begin, (_, binding) in self._bindings.items()]
        bindings.sort(key=itemgetter(0))
        return Mentioned(tuple(references), tuple(imports), tuple(bindings))

    def _refine(self) -> None:
        """Give references the qualifiers that patterns of their own found."""
        for begin, qualifier in self._qualified.items():
            for found in self._references.values():
                known = found.get(begin)
                if known is not None and not known.qualifier:
                    found[begin] = known._replace(qualifier=qualifier)


def _precise(imports: list[Import]) -> list[Import]:
    """Imports of one module without the mere module, if anything of it is named."""
    distinct = list(dict.fromkeys(imports))
    return [one for one in distinct if one.name or one.alias] or distinct[:1]
