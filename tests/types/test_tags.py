"""One table names the tags: rules, filters and pages follow it."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.search.parse import parse
from plait.sources.tags import RULES, tags_of
from plait.types import Tag
from plait.types.tags import TAG_NAMES, TAG_SPELLINGS, TAGS

PAGE = Path(__file__).parents[2] / "docs" / "query-language.md"


def test_every_tag_has_one_rule_in_the_order_of_the_table() -> None:
    assert tuple(rule.tag for rule in RULES) == TAG_NAMES


@pytest.mark.parametrize(
    "path", ["tests/fixtures/a.json", "dist/a.js", "LICENSE", "src/__snapshots__/a.txt"]
)
def test_a_narrow_tag_comes_with_the_wider_one(path: str) -> None:
    tags = tags_of(path, b"x\n")

    assert any(tag.within for tag in TAGS if tag.name in tags)
    assert all(tag.within in tags for tag in TAGS if tag.name in tags and tag.within)


@pytest.mark.parametrize(
    ("typed", "tag"), [*((name, name) for name in TAG_NAMES), *TAG_SPELLINGS.items()]
)
def test_every_tag_can_be_filtered_by(typed: str, tag: str) -> None:
    assert parse(f"is:{typed}").wanted == Tag("is", tag)


@pytest.mark.parametrize("tag", TAGS)
def test_the_page_tells_every_tag(tag: tuple[str, str, str]) -> None:
    name, means, within = tag
    told = f"{means}; also `{within}`" if within else means
    rows = [
        line for line in PAGE.read_text(encoding="utf-8").splitlines() if f"| `{name}` |" in line
    ]

    assert [row.split("|")[-2].strip() for row in rows] == [told]
