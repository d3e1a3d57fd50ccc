"""Resolved: what a store has looked up of an expression, as leaves that only stores make and read.

A phrase or a pattern becomes the chunks that hold it, a glob the paths that it means.
"""

from __future__ import annotations

from dataclasses import dataclass

from plait.types import Leaf


@dataclass(frozen=True, slots=True)
class Numbers(Leaf):
    """One of these chunks, by the store's own numbering."""

    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Named(Leaf):
    """One of these chunks, by names that the store gave them, which numbers nothing."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Paths(Leaf):
    """The path is one of these."""

    paths: tuple[str, ...]
