"""What the query file of Python reads off a file."""

from __future__ import annotations

from plait.symbols.outline import outline
from tests.symbols.notation import docstring, lines, mentions, signature, symbols

SHOP = '''\
import os.path
from shop.stock import Shelf as Rack

MAX_ITEMS = 10
ratio = 0.5
type Price = int


# Not a docstring.
@register
@audited(level=1)
class Basket(base.Box, Generic[Item], metaclass=Meta):
    """Holds items."""

    LIMIT = 3

    @property
    def total(self) -> Price:
        # A comment, not a docstring.
        return sum_up(self.items)

    async def refill(self, shelf: Rack) -> list[Item]:
        """Take from the shelf."""

        def one(item):
            return shelf.take(item)

        return await gather(one)


def main():
    Basket().total
'''


def test_every_definition_is_found_with_its_kind() -> None:
    assert symbols("python", SHOP) == [
        ("MAX_ITEMS", "constant"),
        ("Price", "type"),
        ("Basket", "class"),
        ("Basket.LIMIT", "constant"),
        ("Basket.total", "method"),
        ("Basket.refill", "method"),
        ("Basket.refill.one", "function"),
        ("main", "function"),
    ]


def test_decorators_and_comments_above_belong_to_the_definition() -> None:
    found = lines("python", SHOP)

    assert found["Basket"] == (9, 28)
    assert found["Basket.total"] == (17, 20)
    assert found["Basket.refill"] == (22, 28)


def test_signature_ends_where_the_body_begins() -> None:
    assert (
        signature("python", SHOP, "Basket.refill")
        == "async def refill(self, shelf: Rack) -> list[Item]:"
    )
    assert signature("python", SHOP, "MAX_ITEMS") == "MAX_ITEMS = 10"


def test_signature_of_a_long_table_is_its_first_line() -> None:
    code = "COLORS = [\n" + '    "red",\n' * 50 + "]\n"

    assert signature("python", code, "COLORS") == "COLORS = ["


def test_docstring_is_preferred_to_a_comment() -> None:
    assert docstring("python", SHOP, "Basket") == '"""Holds items."""'
    assert docstring("python", SHOP, "Basket.refill") == '"""Take from the shelf."""'
    assert docstring("python", SHOP, "main") == ""


def test_references_in_order_of_appearance() -> None:
    assert mentions("python", SHOP) == [
        "imports os.path",
        "imports shop.stock",
        "uses Shelf",
        "uses int",
        "uses register",
        "calls audited",
        "extends Box",
        "extends Generic",
        "uses property",
        "uses Price",
        "calls sum_up",
        "uses Rack",
        "uses list",
        "uses Item",
        "calls take",
        "calls gather",
        "calls Basket",
    ]


def test_both_sides_of_a_union_are_used() -> None:
    code = "def take(item: Item | None, bag: dict[Key, stock.Shelf] | Box | None): ...\n"

    assert mentions("python", code) == [
        "uses Item",
        "uses dict",
        "uses Key",
        "uses Shelf",
        "uses Box",
    ]


def test_broken_code_yields_the_symbols_of_its_sound_parts() -> None:
    found = outline("python", b"def sound():\n    pass\n\n\ndef broken(:\n    pass\n")

    assert found.has_errors
    assert found.definitions[0].qualified_name == "sound"
