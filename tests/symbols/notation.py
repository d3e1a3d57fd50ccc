"""What the tests of every language's query file ask of an outline."""

from __future__ import annotations

from textwrap import dedent

from plait.symbols.outline import Definition, outline
from plait.types import Relation


def read(language: str, text: str) -> tuple[Definition, ...]:
    """The definitions of a snippet, which has to parse without an error."""
    result = outline(language, dedent(text).encode())
    assert not result.has_errors, f"not {language}: {text}"
    return result.definitions


def symbols(language: str, text: str) -> list[tuple[str, str]]:
    """Qualified name and kind of every symbol, in order."""
    return [(item.qualified_name, item.kind) for item in read(language, text)]


def lines(language: str, text: str) -> dict[str, tuple[int, int]]:
    """First and last line of every symbol, counted from 1."""
    return {i.qualified_name: (i.first_row + 1, i.last_row + 1) for i in read(language, text)}


def signature(language: str, text: str, name: str) -> str:
    """The signature of the symbol of this qualified name, on one line."""
    begin, end = next(i.signature for i in read(language, text) if i.qualified_name == name)
    return " ".join(dedent(text).encode()[begin:end].decode().split())


def docstring(language: str, text: str, name: str) -> str:
    """The docstring of the symbol of this qualified name, as written."""
    begin, end = next(i.docstring for i in read(language, text) if i.qualified_name == name)
    return dedent(text).encode()[begin:end].decode()


def references(language: str, text: str, relation: Relation) -> list[str]:
    """What a snippet refers to by one relation, in order."""
    result = outline(language, dedent(text).encode())
    return [found.target for _, found in result.mentioned.references if found.relation is relation]


def mentions(language: str, text: str) -> list[str]:
    """Every reference as "relation target", in order of appearance."""
    found = outline(language, dedent(text).encode()).mentioned.references
    return [f"{reference.relation.value.lower()} {reference.target}" for _, reference in found]


def places(language: str, text: str, *relations: Relation) -> list[str]:
    """Every reference as "line qualifier > target" ("line target" without), in file order."""
    found = outline(language, dedent(text).encode()).mentioned.references
    wanted = relations or (Relation.CALLS,)
    return [
        f"{one.line} {one.qualifier} > {one.target}"
        if one.qualifier
        else f"{one.line} {one.target}"
        for _, one in found
        if one.relation in wanted
    ]


def imports(language: str, text: str) -> list[tuple[str, str, str]]:
    """Module, name and alias of every import."""
    return [one[:3] for _, one in outline(language, dedent(text).encode()).mentioned.imports]


def bindings(language: str, text: str) -> list[str]:
    """Every binding as "role name: type", in file order."""
    found = outline(language, dedent(text).encode()).mentioned.bindings
    return [f"{one.role.lower()} {one.name}: {one.type}" for _, one in found]
