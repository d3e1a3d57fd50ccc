"""Shapes: what a question looks like, which decides how it is put to the lanes."""

from plait.search.shape.hints import shape_hints
from plait.search.shape.kinds import about, kinds_of
from plait.search.shape.rules import shape_of
from plait.search.shape.table import MESSAGE, PATH, SHAPES, WORDS, Shape, Weighing

__all__ = [
    "MESSAGE",
    "PATH",
    "SHAPES",
    "WORDS",
    "Shape",
    "Weighing",
    "about",
    "kinds_of",
    "shape_hints",
    "shape_of",
]
