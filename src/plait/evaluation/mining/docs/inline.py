"""Inline markup: what stands inside a paragraph, as marked text.

Each function takes the raw text of one paragraph or heading. A text may come from anyone, so no
repetition here can match the same characters in two ways.
"""

from __future__ import annotations

import html
import re

from plait.evaluation.mining.docs.marks import CODE, LINK, WORD, mark, unmarked

TAG = re.compile(r"</?[A-Za-z][^<>]{0,400}>|<!--[^<>]{0,400}-->")
IMAGE = re.compile(r"!\[[^\[\]]{0,300}\](?:\([^()]{0,600}\)|\[[^\[\]]{0,100}\])")
CODE_LINK = re.compile(r"\[`([^`\[\]]{1,120})`\](?:\(([^()]{0,400})\)|\[([^\[\]]{0,120})\])?")
PROSE_LINK = re.compile(
    r"\[([^\[\]]{1,300})\](?:\(([^()]{0,400}(?:\([^()]{0,100}\))?)\)|\[([^\[\]]{0,120})\])"
)
BRACKETS = re.compile(r"\[([A-Za-z_][\w.:!*&]{1,100}(?:\(\))?)\](?![(\[:\w])")
SPAN = re.compile(r"(`{1,3})([^`\n]{1,160})\1")
STRONG = re.compile(r"(?<![\w*])(\*{1,3}|_{2,3})(?=\S)([^*_\n]{1,200}?)\1(?![\w*])")
RUST_PATH = re.compile(r"(?:(?:crate|self|super|\w{1,60})::)*(?:\w+@)?[A-Za-z_]\w{0,80}!?(?:\(\))?")
UNDERLINED = re.compile(r"(?<!\w)_(?=[^\s_])([^_\n]{1,120})_(?!\w)")
ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+.!<>|-])")

ROLE = re.compile(r":([a-z]{1,20}(?:[:+.-][a-z]{1,20})?):`([^`]{1,300})`")
API_ROLES = frozenset(
    "func function meth method class exc exception attr attribute obj data const type deco "
    "decorator any api".split()
)
TITLED = re.compile(r"^(.*\S)\s*<([^<>]+)>$", re.DOTALL)
LITERAL = re.compile(r"``([^`]{1,200})``")
REFERENCE = re.compile(r"`([^`<>]{1,200})(?:<[^<>`]{1,400}>)?`__?")
DEFAULT_ROLE = re.compile(r"`([^`]{1,200})`")
SUBSTITUTION = re.compile(r"\|[\w ._-]{1,60}\|_?")
PATH = re.compile(r"[~!.]?[A-Za-z_]\w*(?:\.\w+)*(?:\(\))?")

JAVA_LINK = re.compile(r"\{@link(?:plain)?\s+([^\s{}()]+(?:\([^(){}]*\))?)\s*([^{}]*)\}")
JAVA_CODE = re.compile(r"\{@(?:code|literal|value)\s*([^{}]{0,200})\}")
JAVA_TAG = re.compile(r"\{@\w+\s*([^{}]*)\}")
HTML_CODE = re.compile(r"(?is)<code>([^<>]{1,200})</code>")


def markdown(text: str) -> str:
    """Markdown of a page: links in code are links, and what is set as code may be meant."""
    return _markdown(text, CODE)


def rustdoc(text: str) -> str:
    """Markdown of a doc comment, where authors link what they mean."""
    return _markdown(BRACKETS.sub(_rust_brackets, _rust_titled(text)), WORD)


def _markdown(text: str, code: str) -> str:
    text = IMAGE.sub(" ", text)
    text = CODE_LINK.sub(lambda found: mark(found[1], LINK), text)
    text = PROSE_LINK.sub(lambda found: found[1], text)
    text = SPAN.sub(lambda found: mark(found[2], code), text)
    text = TAG.sub(" ", text)
    text = UNDERLINED.sub(r"\1", STRONG.sub(r"\2", text))
    return html.unescape(ESCAPED.sub(r"\1", text))


def _rust_titled(text: str) -> str:
    """Links such as ``[a spawned task](crate::spawn)`` are to what they name."""

    def replaced(found: re.Match[str]) -> str:
        target = (found[2] or found[3] or "").strip("`")
        title = found[1].strip("`")
        return mark(target, LINK, title) if RUST_PATH.fullmatch(target) else found[0]

    return PROSE_LINK.sub(replaced, text)


def _rust_brackets(found: re.Match[str]) -> str:
    return mark(found[1], LINK) if "::" in found[1] or found[1][0].isupper() else found[0]


def godoc(text: str) -> str:
    """A comment of Go: names in brackets are links."""
    return BRACKETS.sub(lambda found: mark(found[1], LINK), text)


def rst(text: str) -> str:
    """reStructuredText: roles of the API are links, other roles what they show."""
    text = ROLE.sub(_role, text)
    text = LITERAL.sub(lambda found: mark(found[1], WORD), text)
    text = REFERENCE.sub(lambda found: found[1], text)
    text = DEFAULT_ROLE.sub(_default_role, text)
    text = SUBSTITUTION.sub(" ", text)
    return ESCAPED.sub(r"\1", STRONG.sub(r"\2", text))


def _role(found: re.Match[str]) -> str:
    role, content = re.split("[:+.]", found[1])[-1], found[2]
    titled = TITLED.match(content)
    title, target = (titled[1], titled[2]) if titled else ("", content)
    if role in API_ROLES:
        last = re.split(r"[.#]", target)[-1] if target.startswith("~") else target.lstrip("!.")
        return mark(target, LINK, title or last)
    return title or target.lstrip("~!").rpartition("/")[2]


def _default_role(found: re.Match[str]) -> str:
    name = found[1]
    return mark(name, LINK) if PATH.fullmatch(name) else name


def javadoc(text: str) -> str:
    """Javadoc or JSDoc: inline tags are links, code is code, HTML is gone."""
    text = JAVA_LINK.sub(lambda found: mark(found[1], LINK, found[2].strip(" |")), text)
    text = JAVA_CODE.sub(lambda found: mark(found[1], WORD) if found[1].strip() else " ", text)
    text = HTML_CODE.sub(lambda found: mark(found[1], WORD), text)
    text = JAVA_TAG.sub(r"\1", text)
    return html.unescape(TAG.sub(" ", text))


MARKUPS = {
    "markdown": markdown,
    "rustdoc": rustdoc,
    "godoc": godoc,
    "rst": rst,
    "javadoc": javadoc,
}


def marked(text: str, markup: str) -> str:
    """A paragraph or heading of one of the markups as marked text."""
    return MARKUPS[markup](unmarked(text))
