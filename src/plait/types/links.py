"""Links: what a chunk says about other code, as its source writes it.

A name in code means nothing by itself: which ``send`` a call calls follows from what stands before
the name, what the file imports, and which types its variables and parameters are said to have.
All of that is kept as written, with its line; nothing is resolved here.

A chunk has ten such facts on average and few searches ask for them. So a chunk's links travel and
are stored as one short text, which is read when somebody asks. Its records are separated by
tabs, their fields by spaces:

    12                             the first line; every other line counts from it
    0send 0:self.client 3          relation and target, then each place: line and qualifier
    i0 net/http Client http        an import: line, module, name, alias
    p0 timeout float | None        a binding: role and line, name, type; only a type holds spaces
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Self


class Relation(StrEnum):
    """How one piece of code refers to another."""

    CALLS = "CALLS"
    EXTENDS = "EXTENDS"
    IMPLEMENTS = "IMPLEMENTS"
    USES = "USES"
    IMPORTS = "IMPORTS"


class Reference(NamedTuple):
    """A place where code refers to something by name.

    ``qualifier`` is what stands before the name, with dots and without arguments:
    ``self.client``, ``a.b()``, ``items[]``; ``?`` if it is no such path.
    """

    relation: Relation
    target: str
    qualifier: str = ""
    line: int = 0


class Import(NamedTuple):
    """A name that a file takes from elsewhere.

    ``from .shop import Shelf as Rack`` has the module ``.shop``, the name ``Shelf`` and the alias
    ``Rack``. Without a name the module itself is meant, under its alias if it has one; the name
    ``*`` means all of it.
    """

    module: str  # as written, without quotes
    name: str = ""
    alias: str = ""
    line: int = 0


class Role(StrEnum):
    """What a binding tells about a name."""

    PARAMETER = "PARAMETER"  # the type of a parameter
    RETURNS = "RETURNS"  # the type of what a function returns; it has no name
    FIELD = "FIELD"  # the type of a field of the type around it
    VARIABLE = "VARIABLE"  # the type of a variable or attribute, declared or constructed
    VALUE = "VALUE"  # what is assigned to it
    ELEMENT = "ELEMENT"  # what it is an element of, in a loop


class Binding(NamedTuple):
    """What a name is said to be.

    Several names that take a value apart are joined by commas: ``client,err``.
    """

    role: Role
    name: str
    type: str  # as written on one line; of a value the path, without arguments: ``Client()``
    line: int = 0


CODES = {relation: str(code) for code, relation in enumerate(Relation)}
RELATIONS = {code: relation for relation, code in CODES.items()}
IMPORT = "i"
ROLE_CODES = {role: role.value[0].lower() for role in Role if role is not Role.VALUE} | {
    Role.VALUE: "="
}
ROLES = {code: role for role, code in ROLE_CODES.items()}
WORD = "[^ \t\n]"
LINE = "[0-9]{1,9}+"
RECORDS = re.compile(
    rf"{LINE}"
    rf"(?:\t[0-{len(RELATIONS) - 1}]{WORD}++(?: {LINE}(?::{WORD}++)?+)++)*+"
    rf"(?:\t{IMPORT}{LINE} {WORD}*+ {WORD}*+ {WORD}*+)*+"
    rf"(?:\t[{''.join(ROLES)}]{LINE} {WORD}*+ [^\t\n]*+)*+"
)


@dataclass(frozen=True, slots=True)
class Links:
    """The references, imports and bindings of a chunk, written down.

    Raises:
        ValueError: ``text`` is not what ``of`` writes.
    """

    text: str = ""

    def __post_init__(self) -> None:
        if self.text and not RECORDS.fullmatch(self.text):
            raise ValueError(f"not the links of a chunk: {self.text[:100]!r}")

    @classmethod
    def of(
        cls,
        references: Iterable[Reference] = (),
        imports: Iterable[Import] = (),
        bindings: Iterable[Binding] = (),
        first: int = 0,
    ) -> Self:
        """Write down what was found in a chunk, whose first line makes the text shorter.

        References to the same target are kept together, in the order of the first of each.

        Raises:
            ValueError: A name holds white space, or a line lies before the first.
        """
        places: dict[str, list[str]] = {}
        for relation, target, qualifier, line in references:
            key = CODES[relation] + target
            place = f" {line - first}:{qualifier}" if qualifier else f" {line - first}"
            places.setdefault(key, [key]).append(place)
        records = ["".join(parts) for parts in places.values()]
        for module, name, alias, line in imports:
            records.append(f"{IMPORT}{line - first} {module} {name} {alias}")
        for role, name, said, line in bindings:
            records.append(f"{ROLE_CODES[role]}{line - first} {name} {said}")
        return cls("\t".join([str(first), *records])) if records else cls()

    def targets(self) -> list[tuple[Relation, str]]:
        """What is referred to and how, without repeats: the edges that can be searched."""
        return [
            (RELATIONS[record[0]], record[1 : record.index(" ")])
            for record in self.text.split("\t")[1:]
            if record[0] in RELATIONS
        ]

    @property
    def references(self) -> tuple[Reference, ...]:
        """Every reference, those to the same target together."""
        return tuple(self._references())

    def _references(self) -> Iterator[Reference]:
        first, records = self._records(RELATIONS)
        for record in records:
            relation = RELATIONS[record[0]]
            target, *places = record[1:].split(" ")
            for place in places:
                line, _, qualifier = place.partition(":")
                yield Reference(relation, target, qualifier, first + int(line))

    @property
    def imports(self) -> tuple[Import, ...]:
        """Every import, in order of appearance."""
        first, records = self._records(IMPORT)
        fields = (record[1:].split(" ") for record in records)
        return tuple(
            Import(module, name, alias, first + int(line)) for line, module, name, alias in fields
        )

    @property
    def bindings(self) -> tuple[Binding, ...]:
        """Every binding, in order of appearance."""
        first, records = self._records(ROLES)
        made = []
        for record in records:
            line, name, said = record[1:].split(" ", 2)
            made.append(Binding(ROLES[record[0]], name, said, first + int(line)))
        return tuple(made)

    def _records(self, codes: Iterable[str]) -> tuple[int, list[str]]:
        """The first line, and the records that begin with one of the codes."""
        first, *records = self.text.split("\t")
        kinds = frozenset(codes)
        return int(first or 0), [record for record in records if record[0] in kinds]


NO_LINKS = Links()
