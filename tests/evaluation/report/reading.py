"""Reads a page the way a browser's parser does, far enough to ask what is on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "input"}


@dataclass
class Element:
    """A tag with what is in it."""

    name: str
    attributes: dict[str, str | None]
    children: list[Element | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(each if isinstance(each, str) else each.text for each in self.children)

    def all(self, name: str = "", **attributes: str) -> Iterator[Element]:
        """Every element below, in order, of a name and with these attributes."""
        wanted = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items()}
        for each in self.children:
            if isinstance(each, str):
                continue
            if name in ("", each.name) and wanted.items() <= each.attributes.items():
                yield each
            yield from each.all(name, **attributes)

    def one(self, name: str = "", **attributes: str) -> Element:
        (found,) = self.all(name, **attributes)
        return found

    def rows(self) -> list[list[str]]:
        """The cells of every row of the first table below."""
        table = next(self.all("table"))
        return [
            [cell.text for cell in row.children if isinstance(cell, Element)]
            for row in table.all("tr")
        ]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Element("", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, dict(attrs))
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].name == tag, f"</{tag}> closes <{self.open[-1].name}>"
        self.open.pop()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(Element(tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def read(page: str) -> Element:
    """The page as a tree; fails where a tag is not closed."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    (top,) = reader.open
    return top
