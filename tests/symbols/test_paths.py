"""Paths: one spelling for what every language writes before a name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.symbols.paths import UNKNOWN, Names, Types, path_of


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("self", "self"),
        ("self.client", "self.client"),
        ("a.b(c, d(e)).f[g]", "a.b().f[]"),
        ("$this->client", "$this.client"),
        ("$this?->client", "$this.client"),
        ("std::io::Write", "std.io.Write"),
        ("Foo::<Bar<T>>::new()", "Foo.new()"),
        (r"App\Models\User", "App.Models.User"),
        ("obj:method()", "obj.method()"),
        ("a?.b!.c", "a.b.c"),
        ("@client", "@client"),
        ("*p", "*p"),
        ("a\n    .b( 1 )\n    .c", "a.b().c"),
        ("new Foo(1)", "Foo()"),
        ("await x.get()", "x.get()"),
        ('"a.b(" ', '""'),
        ("{a: 1}", "{}"),
        ("(a or b)", "()"),
        ("naïve.größe", "naïve.größe"),
        ("a or b", UNKNOWN),
        ("a + b", UNKNOWN),
        ("not x", UNKNOWN),
        ("x as Y", UNKNOWN),
        ("f(", UNKNOWN),
        ("f)", UNKNOWN),
        ("", UNKNOWN),
        ("...", UNKNOWN),
    ],
)
def test_an_expression_becomes_a_path_or_is_unknown(written: str, path: str) -> None:
    assert path_of(written.encode()) == path


def test_types_stand_on_one_line_and_names_without_white_space() -> None:
    assert Types()[b"Union[\n    A,\n    B |  None,\n]"] == "Union[A, B | None]"
    assert Names()[b"client,\n  err"] == "client,err"


@given(st.binary(max_size=60))
def test_whatever_is_read_holds_no_separator_of_links(raw: bytes) -> None:
    path, name, said = path_of(raw), Names()[raw], Types()[raw]

    assert path
    assert not {" ", "\t", "\n"} & set(path + name)
    assert not {"\t", "\n"} & set(said)
