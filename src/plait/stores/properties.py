"""Properties: what is exact about a chunk, spelled the same in every store."""

from __future__ import annotations

from functools import lru_cache

from plait.types import Chunk, Relation

PREFIX = {relation: f"{relation.value}:" for relation in Relation}


@lru_cache(maxsize=4096)
def properties(
    repo: str, language: str, kind: str, is_symbol: bool, marks: tuple[str, ...]
) -> tuple[str, ...]:
    """The exact properties of the chunks of one kind in files of one kind."""
    tags = [f"repo:{repo}", f"kind:{kind}"]
    if language:
        tags.append(f"lang:{language}")
    if is_symbol:
        tags.append("is:symbol")
    tags.extend(f"is:{mark}" for mark in marks)
    return tuple(tags)


def names_of(chunk: Chunk) -> list[str]:
    """Every way to name what a chunk defines, lower-cased: ``c``, ``b.c``, ``a.b.c``."""
    if chunk.symbol is None or chunk.part:
        return []
    name = chunk.symbol.name
    names = [name.lower()]
    for outer in reversed(chunk.symbol.container.split(".")):
        if outer:
            name = f"{outer}.{name}"
            names.append(name.lower())
    return names


def reference(relation: Relation, target: str) -> str:
    """How one piece of code refers to another, as one term."""
    return PREFIX[relation] + target


def common_folder(one: str, other: str) -> str:
    """The folder that two paths share; "" if that is only the root."""
    shared = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        shared += 1
    return one[:shared].rpartition("/")[0]
