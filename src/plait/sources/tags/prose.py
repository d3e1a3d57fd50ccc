"""Prose: documentation, licences and examples."""

from __future__ import annotations

import re

from plait.sources.tags.habits import HABITS
from plait.sources.tags.place import Place
from plait.sources.tags.testing import is_test

DOC_FOLDERS = frozenset("doc docs documentation docs_src docsrc".split())
DOC_PROJECT = re.compile(r"^(?:docs|documentation)[-_.]")
SITES = (("guides",), ("website",))  # at the top of a tree
PAGE_FOLDERS = frozenset("man manual wiki".split())  # of pages; beside code they mean other things
DOC_SUFFIXES = frozenset("md markdown mdx rst adoc asciidoc rdoc pod tex texi org textile".split())
DOC_NAME = re.compile(
    r"(?i)^(readme|changelog|changes|history|news|contributing|authors|notice|security"
    r"|code_of_conduct|install|todo|maintainers|credits|thanks|contributors)(\.(txt|in))?$"
)
BOOKS = re.compile(r"^src/docs?/[^/]+/")  # of a compiler and its libraries
# Below these a folder of such a name holds code: ``app/views/docs``, ``org/apache/doc``.
PRODUCT = frozenset("src lib app apps main include pkg org com internal sources".split())

LICENCE_NAME = re.compile(
    r"(?i)^(?:un)?(?:licen[cs]e|copying|copyright|notice|patents|eula|third[-_]?party[-_]?"
    r"(?:notices?|licen[cs]es?))(?:[-_.][\w.+-]+)?$"
    r"|\.licen[cs]e$|^(?:[\w-]+[-_.])?licen[cs]es?\.(?:txt|md|rst)$"
)
NO_LICENCE = frozenset("json yml yaml toml svg xml erb tt css scss html".split())  # named after one
LICENCE_FOLDERS = frozenset("licenses licences".split())
PROSE_SUFFIXES = frozenset({"", "txt", "md", "rst", "html"})

EXAMPLE_FOLDERS = frozenset(
    "examples samples demos tutorials cookbook quickstarts docs_src example-apps sample-apps "
    "code-samples code_samples".split()
)
# These mean other things within a product: a sample of a distribution, a demo mode.
EXAMPLES_OUTSIDE = frozenset(
    "example sample demo tutorial playground playgrounds quickstart".split()
)
EXAMPLE_PROJECT = re.compile(r"(?:^|[-_])(?:examples?|samples?|demos?)(?:[-_]|$)")
GO_EXAMPLE = re.compile(r"^example(?:_\w+)?_test\.go$")
EXAMPLE_NAME = re.compile(
    r"[._-](?:example|sample)(?:\.(?:ya?ml|json|toml|ini|conf|cfg|env|xml|properties|txt))?$"
    r"|^(?:example|sample)s?\.\w+$"
)


def is_documentation(place: Place, content: bytes) -> bool:
    """Whether a file is prose, or one of the files its pages are made of."""
    if DOC_NAME.match(place.name) or is_licence(place, content):
        return True
    if place.suffix in DOC_SUFFIXES:
        return DOC_NAME.match(place.stem) is not None or not is_test(place, content)
    if place.suffix not in HABITS and not PAGE_FOLDERS.isdisjoint(place.lowered):
        return PRODUCT.isdisjoint(place.lowered)
    outside = outside_product(place)
    if place.suffix == "go" and EXAMPLE_FOLDERS.isdisjoint(outside):
        return False  # a package that is called doc writes documentation
    if outside[:1] in SITES:
        return True
    if not DOC_FOLDERS.isdisjoint(outside) or any(map(DOC_PROJECT.search, outside)):
        return True
    return BOOKS.match(place.path) is not None


def is_licence(place: Place, _content: bytes) -> bool:
    """Whether a file holds the text of a licence or a notice of rights."""
    if LICENCE_NAME.search(place.name):
        return place.suffix not in HABITS and place.suffix not in NO_LICENCE
    return place.suffix in PROSE_SUFFIXES and not LICENCE_FOLDERS.isdisjoint(place.lowered)


def is_example(place: Place, content: bytes) -> bool:
    """Whether a file is there to show how the code is used."""
    return (
        not EXAMPLE_FOLDERS.isdisjoint(place.lowered)
        or not EXAMPLES_OUTSIDE.isdisjoint(outside_product(place))
        or GO_EXAMPLE.match(place.name) is not None
        or (_looks_like_example(place) and not is_test(place, content))
    )


def _looks_like_example(place: Place) -> bool:
    if EXAMPLE_NAME.search(place.name):
        return True
    outside = outside_product(place)
    if any(map(EXAMPLE_PROJECT.search, outside)):
        return True
    return "snippets" in outside and any(map(DOC_PROJECT.search, outside))


def outside_product(place: Place) -> tuple[str, ...]:
    """The folders, in lower case, down to the first one that holds a product."""
    for number, folder in enumerate(place.lowered):
        if folder in PRODUCT:
            return place.lowered[:number]
    return place.lowered
