"""The JSON shapes can be used by pydantic, on Python 3.11 too."""

from __future__ import annotations

import sys

import pytest

from plait.interfaces import line_schemas, packed, schemas, similar_schemas, status_schemas

MODULES = (line_schemas, packed, schemas, similar_schemas, status_schemas)
SHAPES = {
    name: shape
    for module in MODULES
    for name, shape in vars(module).items()
    if name.endswith("Out") and isinstance(shape, type)
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_is_of_the_kind_that_pydantic_takes(name: str) -> None:
    """Before Python 3.12 it refuses those of ``typing``, whose type is defined there."""
    pytest.importorskip("typing_extensions")
    kind = type(SHAPES[name]).__module__

    assert sys.version_info >= (3, 12) or kind == "typing_extensions"


def test_there_are_shapes() -> None:
    assert len(SHAPES) >= 20
