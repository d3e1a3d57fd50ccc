"""Resolving names: one definition, or none."""

from __future__ import annotations

import pytest

from plait.evaluation.mining.definitions import Defined
from plait.evaluation.mining.docs.resolve import Resolver, parts_of


def defined(name: str, kind: str = "class", repeat: str = "") -> Defined:
    return Defined(f"{name}{repeat}", name, kind, 0, 1, "", (0, -1))


RESOLVER = Resolver(
    {
        "src/pkg/app.py": [defined("App"), defined("App.run", "method"), defined("Shared")],
        "src/pkg/text.py": [defined("slug", "function"), defined("Shared")],
        "src/pkg/io/mod.rs": [defined("copy", "function")],
        "src/pkg/fs.rs": [defined("copy", "function")],
        "lib/a.js": [defined("send", "function"), defined("send", "function", "#2")],
        "lib/a.d.ts": [defined("send", "function")],
        "src/pkg/net.py": [defined("net", "module"), defined("tests.helper", "function")],
    },
    "pkg",
)


@pytest.mark.parametrize(
    ("written", "symbols"),
    [
        ("App", ["src/pkg/app.py::App"]),
        ("~pkg.App", ["src/pkg/app.py::App"]),
        ("pkg.app.App.run()", ["src/pkg/app.py::App.run"]),
        ("App#run(int)", ["src/pkg/app.py::App.run"]),
        ("run", ["src/pkg/app.py::App.run"]),
        ("text.slug", ["src/pkg/text.py::slug"]),
        ("app.Shared", ["src/pkg/app.py::Shared"]),
        ("crate::io::copy", ["src/pkg/io/mod.rs::copy"]),
        ("send", ["lib/a.js::send", "lib/a.js::send#2", "lib/a.d.ts::send"]),
    ],
)
def test_a_name_means_the_one_definition_its_path_leads_to(
    written: str, symbols: list[str]
) -> None:
    meant = RESOLVER.meant(written)

    assert meant is not None
    assert list(meant.symbols) == symbols


@pytest.mark.parametrize(
    "written",
    [
        "Shared",  # two files
        "copy",
        "other.App",  # of another package
        "Other.run",
        "net",  # a module is no definition
        "helper",  # a test
        "x",
        "a b",
        "",
    ],
)
def test_what_is_ambiguous_or_elsewhere_means_nothing(written: str) -> None:
    assert RESOLVER.meant(written) is None


@pytest.mark.parametrize(
    ("written", "parts"),
    [
        ("~a.b.Cat", ["a", "b", "Cat"]),
        ("crate::a::Bag", ["a", "Bag"]),
        ("Foo#bar(int, long)", ["Foo", "bar"]),
        ("Array.prototype.map()", ["Array", "map"]),
        ("Vec<T>", ["Vec"]),
        ("println!", ["println"]),
        ("--flag", []),
    ],
)
def test_a_name_is_cut_into_its_parts(written: str, parts: list[str]) -> None:
    assert parts_of(written) == parts
