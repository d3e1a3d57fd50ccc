"""Material: what of a tree is documentation, what is code, and what the code defines.

Tests, examples, generated and vendored code define nothing here: a section that names a thing
means the thing itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from plait.evaluation.loaders.repositories import EXAMPLES, NOT_SOURCE
from plait.evaluation.mining.definitions import Blob, Defined, DefinitionCache
from plait.evaluation.mining.docs.comments import Comment, comments
from plait.symbols.grammars import GRAMMARS
from plait.types import Listed, Source, SourceFile

MARKUPS = {"md": "markdown", "markdown": "markdown", "mdx": "markdown", "rst": "rst", "txt": "rst"}
# What changed, who may do what, and how to take part: no question about the code.
NEWS = re.compile(
    r"(?i)(?:^|[/_.-])(?:change(?:s|log|_?log)?|history|news|whats?_?new|release[s_-]?\w*|"
    r"migrat\w*|upgrad\w*|contributing|code_of_conduct|security|licen[cs]e|authors|copying|"
    r"roadmap|todo|\d+\.\d+[\w.]*)(?:[/_.-]|$)"
)


@dataclass(slots=True)
class Material:
    """A tree by what its files are for."""

    pages: list[tuple[str, Comment]] = field(default_factory=list)  # beside the code
    comments: list[tuple[str, Comment]] = field(default_factory=list)  # inside of it
    languages: dict[str, str] = field(default_factory=dict)  # of the code, by path
    definitions: dict[str, tuple[Defined, ...]] = field(default_factory=dict)  # by path


def read_material(source: Source, known: DefinitionCache) -> Material:
    """Read a tree and have its code parsed."""
    found = Material()
    blobs: list[Blob] = []
    for file in _files(source):
        if page := page_of(file):
            found.pages.append((file.path, page))
        elif is_meant(file):
            text = file.content.decode("utf-8", "replace")
            found.comments += [(file.path, one) for one in comments(file.language, file.path, text)]
            found.languages[file.path] = file.language
            blobs.append(Blob(file.path, file.language, file.content))
    known.read(blobs)
    for path, language in found.languages.items():
        found.definitions[path] = known[path, language].symbols
    return found


def _files(source: Source) -> Iterator[SourceFile]:
    for item in source.listing():
        if isinstance(item, Listed):
            file = source.read(item.path)
            if isinstance(file, SourceFile):
                yield file


def page_of(file: SourceFile) -> Comment | None:
    """A file as a page of documentation, if it is one that tells how things are used."""
    markup = MARKUPS.get(file.path.rpartition(".")[2].lower(), "")
    if not markup or "documentation" not in file.tags or "test" in file.tags:
        return None
    if NEWS.search(file.path):
        return None
    return Comment(file.content.decode("utf-8", "replace"), 1, markup, markup)


def is_meant(file: SourceFile) -> bool:
    """Whether documentation may mean what a file defines."""
    return (
        file.language in GRAMMARS
        and NOT_SOURCE.isdisjoint(file.tags)
        and "vendored" not in file.tags
        and EXAMPLES.isdisjoint(file.path.lower().split("/")[:-1])
    )
