"""Rules: which tag is given by which rule, and why."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from plait.sources.names import is_vendored
from plait.sources.tags.data import is_certificate, is_locale, is_migration
from plait.sources.tags.machines import is_built, is_generated
from plait.sources.tags.place import Place
from plait.sources.tags.prose import is_documentation, is_example, is_licence
from plait.sources.tags.reexports import is_reexport
from plait.sources.tags.stubs import is_stub
from plait.sources.tags.testing import is_fixture, is_test


class Rule(NamedTuple):
    """A tag, who gets it, and why one would want to know."""

    tag: str
    holds: Callable[[Place, bytes], bool]
    why: str


def lies_in_a_copy(place: Place, _content: bytes) -> bool:
    """Whether a folder above holds other people's code."""
    return is_vendored(place.path.lower())


def is_written_by_a_program(place: Place, content: bytes) -> bool:
    """Whether a program wrote a file, be it generator, compiler or bundler."""
    return is_generated(place, content) or is_built(place, content)


RULES = (
    Rule("test", is_test, "it uses the code that is looked for, in the words of the question"),
    Rule("vendored", lies_in_a_copy, "it belongs to another project"),
    Rule("generated", is_written_by_a_program, "nobody edits it: its source is elsewhere"),
    Rule("documentation", is_documentation, "it tells about the code"),
    Rule("example", is_example, "it uses the code, and is read by those who learn it"),
    Rule("fixture", is_fixture, "it is data or code that runs only as a test's input"),
    Rule("built", is_built, "the same code stands elsewhere as it was written"),
    Rule("locale", is_locale, "it repeats the product's words in one language of people"),
    Rule("migration", is_migration, "it changed a table once; the table is described elsewhere"),
    Rule("stub", is_stub, "it names what is written elsewhere"),
    Rule("reexport", is_reexport, "it names what is written elsewhere"),
    Rule("licence", is_licence, "it says nothing of the code"),
    Rule("certificate", is_certificate, "it says nothing that words could find"),
)


def tags_of(path: str, content: bytes) -> tuple[str, ...]:
    """The tags of a file, always in the same order."""
    place = Place.of(path)
    return tuple(rule.tag for rule in RULES if rule.holds(place, content))
