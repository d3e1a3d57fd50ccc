"""Stubs: which files declare without doing anything?"""

from __future__ import annotations

import re

from plait.sources.tags.place import Place

STUB_SUFFIXES = frozenset("pyi rbi rbs swiftinterface hs-boot".split())
STUB_NAME = re.compile(r"\.d\.(?:\w+\.)?[mc]?ts$|\.stub\.php$|\.js\.flow$")
LUA_META = re.compile(rb"\A\s*---@meta\b")  # the language server's mark of declarations


def is_stub(place: Place, content: bytes) -> bool:
    """Whether a file holds the declarations of what is written elsewhere."""
    if place.suffix in STUB_SUFFIXES or STUB_NAME.search(place.name):
        return True
    return place.suffix == "lua" and LUA_META.match(content) is not None
