"""Markup: HTML that is made of tags, never of pasted strings.

Whatever is not already ``Markup`` is escaped on its way in, so that a query or a path can
hold any character and still be nothing but text on the page.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

NOTHING = "\u2013"  # a dash, where there is no value
VOID = frozenset({"input", "meta"})
# Control characters, those that turn the direction of text, and halves of characters.
UNSHOWABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


class Markup(str):
    """HTML that may stand on the page as it is."""

    __slots__ = ()


Child = str | Iterable[str]
Attribute = str | float | bool | None


def escaped(text: str) -> Markup:
    """Text as HTML; characters that cannot be shown, or steer what is shown, become visible."""
    if isinstance(text, Markup):
        return text
    if UNSHOWABLE.search(text):
        text = UNSHOWABLE.sub(_picture, text)
    return Markup(html.escape(text))


def tag(name: str, /, *children: Child, **attributes: Attribute) -> Markup:
    """One element. ``class_`` is class, ``aria_label`` aria-label; None and False are left out."""
    head = "".join([name, *_attributes(attributes)])
    if name in VOID:
        return Markup(f"<{head}>")
    return Markup(f"<{head}>{joined(*children)}</{name}>")


def joined(*children: Child) -> Markup:
    """Elements and texts one after the other."""
    made: list[str] = []
    for child in children:
        if isinstance(child, str):
            made.append(escaped(child))
        else:
            made.extend(escaped(each) for each in child)
    return Markup("".join(made))


def number(value: object, digits: int = 3) -> str:
    """A number for reading, a dash if there is none."""
    if not isinstance(value, int | float) or value != value:
        return NOTHING
    return f"{value:,.{digits}f}"


def shortened(text: str, length: int) -> str:
    """Text that fits; the middle goes, since names differ at both ends."""
    if len(text) <= length:
        return text
    left = (length - 1) // 2
    return f"{text[:left]}…{text[len(text) - (length - 1 - left) :]}"


def _attributes(attributes: dict[str, Attribute]) -> Iterable[str]:
    for name, value in attributes.items():
        if value is None or value is False:
            continue
        name = name.rstrip("_").replace("_", "-")
        if isinstance(value, float):
            value = f"{value:.1f}".removesuffix(".0")
        yield f" {name}" if value is True else f' {name}="{escaped(str(value))}"'


def _picture(found: re.Match[str]) -> str:
    code = ord(found[0])
    return chr(0x2400 + code) if code < 0x20 else "\ufffd"
