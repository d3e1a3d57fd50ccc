"""Sections: what a page or a doc comment asks, and which names it answers with.

The names that count stand in the heading or the first paragraph. A name set as code counts on a
page of Markdown only, and only if it looks like a name: ``true`` or ``data`` does not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from plait.evaluation.mining.docs.blocks import (
    Block,
    godoc_blocks,
    html_blocks,
    markdown_blocks,
    rst_blocks,
)
from plait.evaluation.mining.docs.comments import Comment
from plait.evaluation.mining.docs.inline import marked
from plait.evaluation.mining.docs.marks import CODE, LINK, Name, mark, names, shown
from plait.evaluation.mining.query import telling_words

Blocks = Callable[[str], Iterator[Block]]
BLOCKS: Mapping[str, Blocks] = {
    "markdown": markdown_blocks,
    "rst": rst_blocks,
    "html": html_blocks,
    "godoc": godoc_blocks,
}
SIGNATURE = re.compile(r"[\w.$#:]+")
CALL = re.compile(
    r"(?:(?:new|async|static|await|func|def|class|type)\s+)?([A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*)\s*(\(.*\)|<.*>)?"
)
LOOKS_LIKE_CODE = re.compile(r"[a-z0-9][A-Z]|_\w|\w[.#]\w|::|\(")
STOP = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\betc)(?<!\bvs)(?<!\bcf)[.!?](?=[\"')\]]?(?:\s|$))")

# Words that head sections of any subject.
GENERIC_HEADINGS = frozenset(
    """api abstract advanced arguments basic caveats class classes concepts description details
    errors example examples feature features functions getting guide guides installation
    introduction invariants note notes options overview panics parameters params performance
    platform properties quick quickstart readme reference remarks returns safety section see
    start started summary synopsis tips tutorial type types usage warning warnings""".split()
)


class Section(NamedTuple):
    """A heading with the first paragraph below it, both marked."""

    path: str
    line: int
    heading: str
    above: str  # the heading that this one is below
    paragraph: str

    @property
    def sentence(self) -> str:
        """The first sentence of the paragraph."""
        found = STOP.search(self.paragraph)
        return self.paragraph[: found.start()] if found else self.paragraph

    @property
    def meant(self) -> list[Name]:
        """The names the author means, each once."""
        found = [name for name in names(f"{self.heading} {self.paragraph}") if name.kind == LINK]
        near = [*names(self.heading), *names(self.sentence)]
        found += [name for name in near if name.kind == CODE and looks_like_code(name.name)]
        return list({name.name: name for name in found}.values())


def looks_like_code(text: str) -> bool:
    """Whether a text set as code is a name and no value, word or command."""
    return CALL.fullmatch(text) is not None and LOOKS_LIKE_CODE.search(text) is not None


def sections(path: str, comment: Comment) -> Iterator[Section]:
    """The sections of a page or a doc comment."""
    above: list[tuple[int, str]] = []
    waiting: Block | None = Block(comment.line, "")
    for block in BLOCKS[comment.blocks](comment.text):
        if block.depth:
            while above and above[-1][0] >= block.depth:
                above.pop()
            above.append((block.depth, _heading(block, comment.markup)))
            waiting = block
        elif waiting is not None:
            heading = above[-1][1] if above else ""
            paragraph = marked(block.text, comment.markup)
            if not telling_words(shown(paragraph)):
                continue
            if comment.needs_heading and not says_something(shown(heading)):
                waiting = None
                continue
            line = comment.line + waiting.line - 1
            yield Section(path, line, heading, above[-2][1] if len(above) > 1 else "", paragraph)
            waiting = None


def _heading(block: Block, markup: str) -> str:
    """A heading as marked text; one that is nothing but a name or a call is a link to it."""
    if block.names_api:
        found = SIGNATURE.match(block.text.removeprefix("async ").strip())
        return mark(found[0], LINK) if found else ""
    text = marked(block.text, markup)
    plain = shown(text)
    found = CALL.fullmatch(plain)
    if found and LOOKS_LIKE_CODE.search(plain):
        return mark(found[1], LINK)
    return text


def says_something(heading: str) -> bool:
    """Whether a heading tells what its section is about."""
    return bool(telling_words(heading) - GENERIC_HEADINGS)


def question(section: Section, is_cut: Callable[[Name], bool]) -> str:
    """Heading and first sentence, without the names that are cut.

    A heading that says nothing, such as "Usage", lends its place to the one above it.
    """
    heading = shown(section.heading, is_cut)
    if not says_something(heading):
        heading = shown(section.above, is_cut)
        heading = heading if says_something(heading) else ""
    sentence = shown(section.sentence, is_cut)
    return f"{heading}: {sentence}" if heading and sentence else heading or sentence


def of_pages(pages: Sequence[tuple[str, Comment]]) -> Iterator[Section]:
    """The sections of several pages."""
    for path, comment in pages:
        yield from sections(path, comment)
