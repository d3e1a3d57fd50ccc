"""What Python says about other code: qualifiers, imports and bindings."""

from __future__ import annotations

from plait.types import Relation
from tests.symbols.notation import bindings, imports, places


def test_a_call_keeps_what_stands_before_its_name() -> None:
    code = """\
        send()
        client.send()
        self.pool.client.send(1)
        super().send()
        a.b(c(1), "d.e(").f()
        items[0]["k"].run()
        ", ".join(x)
        (a or b).go()
        [1].append(2)
        (yield x).go()
        builder \\
            .one() \\
            .two()
        """
    assert places("python", code) == [
        "1 send",
        "2 client > send",
        "3 self.pool.client > send",
        "4 super",
        "4 super() > send",
        "5 a > b",
        "5 c",
        "5 a.b() > f",
        "6 items[][] > run",
        '7 "" > join',
        "8 () > go",
        "9 [] > append",
        "10 () > go",
        "12 builder > one",
        "13 builder.one() > two",
    ]


def test_repeats_are_kept_each_with_its_line() -> None:
    assert places("python", "a.f()\nb.f(); b.f()\n") == ["1 a > f", "2 b > f", "2 b > f"]


def test_bases_decorators_and_annotations_have_qualifiers_too() -> None:
    code = """\
        @app.route("/")
        @flask.cached
        class A(base.Box, models.Field[int]):
            x: shop.Item
            def f(self, a: shop.Item | stock.Shelf): ...
        """
    uses = places("python", code, Relation.EXTENDS, Relation.USES, Relation.CALLS)

    assert uses == [
        "1 app > route",
        "2 flask > cached",
        "3 base > Box",
        "3 models > Field",
        "4 shop > Item",
        "5 shop > Item",
        "5 stock > Shelf",
    ]


def test_imports_with_aliases_stars_and_dots() -> None:
    code = """\
        import os.path, numpy as np
        from shop.stock import (
            Shelf as Rack,
            Box,
        )
        from . import views
        from ..core.base import *
        from __future__ import annotations
        try:
            import ujson as json
        except ImportError:
            import json
        """
    assert imports("python", code) == [
        ("os.path", "", ""),
        ("numpy", "", "np"),
        ("shop.stock", "Shelf", "Rack"),
        ("shop.stock", "Box", ""),
        (".", "views", ""),
        ("..core.base", "*", ""),
        ("ujson", "", "json"),
        ("json", "", ""),
    ]


def test_annotations_of_parameters_returns_and_fields() -> None:
    code = """\
        class Shop:
            client: Client
            pool: "Pool" = Pool()

            async def get(self, a, b: int, c: shop.Item = None, *d: str, **e: list[
                Item,
            ]) -> dict[str, Item]: ...

        limit: float | None = read()
        """
    assert bindings("python", code) == [
        "field client: Client",
        'field pool: "Pool"',
        "returns : dict[str, Item]",
        "parameter b: int",
        "parameter c: shop.Item",
        "parameter *d: str",
        "parameter **e: list[Item]",
        "variable limit: float | None",
    ]


def test_what_is_assigned_to_names_and_attributes() -> None:
    code = """\
        x = Client("a", b=c())
        self.x = shop.Client()
        self.y = y
        self.z = other.z
        a, b = make()
        e = await self.get(1).send(2)
        n = 3
        copy = x
        table["k"] = Client()
        if (m := re.match(p)): ...
        """
    assert bindings("python", code) == [
        "value x: Client()",
        "value self.x: shop.Client()",
        "value self.y: y",
        "value self.z: other.z",
        "value a,b: make()",
        "value e: self.get().send()",
        "value m: re.match()",
    ]


def test_what_loops_and_with_bind() -> None:
    code = """\
        with Client() as c, self.lock(1) as (d, e): ...
        for x in self.items: ...
        for k, v in table.items(): ...
        [y for y in ys for z in y.all()]
        for i in [1, 2]: ...
        """
    assert bindings("python", code) == [
        "value c: Client()",
        "value (d,e): self.lock()",
        "element x: self.items",
        "element k,v: table.items()",
        "element y: ys",
        "element z: y.all()",
    ]


def test_broken_code_keeps_what_its_sound_parts_say() -> None:
    code = """\
        import os
        def sound(c: Client):
            c.send()

        def broken(:
            x =
        """
    assert places("python", code)[:1] == ["3 c > send"]
    assert imports("python", code) == [("os", "", "")]
    assert bindings("python", code)[:1] == ["parameter c: Client"]


def test_a_chain_too_long_to_follow_has_an_unknown_qualifier() -> None:
    chain = "a" + "".join(f".step_number_{n}(x)" for n in range(30))
    found = places("python", chain)

    assert found[0] == "1 a > step_number_0"
    assert found[-1] == "1 ? > step_number_29"
