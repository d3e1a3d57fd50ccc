"""Cutting a file into chunks: laws over any text, and the shapes people write, by example."""

from __future__ import annotations

from itertools import pairwise
from textwrap import dedent

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from plait.symbols.chunks import MAX_SIGNATURE_BYTES, cut
from plait.symbols.joining import LONGEST
from plait.symbols.linking import links_of
from plait.symbols.outline import outline
from plait.symbols.parse import parse, windows
from plait.symbols.pieces import MAX_BYTES
from plait.types import NO_LINKS, Chunk, Reference, Relation, SourceFile, SymbolId


def source(language: str, text: str) -> SourceFile:
    return SourceFile("repo", "a/file", language, text.encode(), "digest", ("test",))


def chunks(language: str, text: str) -> list[Chunk]:
    return parse(source(language, dedent(text))).chunks


def shape(found: list[Chunk]) -> list[tuple[str, int, int, int]]:
    """Name (``-`` for none), part, first and last line of every chunk, in order."""
    return [
        (c.symbol.qualified_name if c.symbol else "-", c.part, c.span.first, c.span.last)
        for c in found
    ]


# ---------------------------------------------------------------- laws

LANGUAGES = ("", "markdown", "python", "go", "javascript", "java", "ruby", "rust")
PIECES = (
    *("\n", "\n\n", "\r\n", "}\n", "end\n", "    ", "\t", ")", "{", "# note\n", "// note\n"),
    *("def f(x):\n", "    return x\n", "class A:\n", "    def m(self): pass\n", "@deco\n"),
    *("func F() {\n", "type T struct {\n", "function g() { return 1; }\n", "class B {\n"),
    *("  void m() { }\n", "fn h() {}\n", "impl T {\n", "def r\n", "# Title\n", "x = 1; y = 2\n"),
    *("a" * 700, "call(1)\n" * 60, "é", "日本語\n", "\u2028", "\x0c"),
)
texts = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=40).map("".join),
    st.text(st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"]), max_size=300),
)
files = st.builds(source, st.sampled_from(LANGUAGES), texts)


@given(files)
@example(source("", ""))
@example(source("python", "\n\n\n"))
@example(source("python", "x"))
def test_every_line_is_in_a_chunk(file: SourceFile) -> None:
    spans = [chunk.span for chunk in parse(file).chunks]
    covered = {line for first, last in spans for line in range(first, last + 1)}
    count = file.content.count(b"\n") + (not file.content.endswith(b"\n"))

    assert covered == set(range(1, count + 1))


@given(files)
def test_a_chunk_is_whole_lines_and_says_where_they_are(file: SourceFile) -> None:
    content = file.content
    for chunk in parse(file).chunks:
        begin, end, text = chunk.body

        assert text.encode() == content[begin:end]
        assert begin == 0 or content[begin - 1] == ord("\n")
        assert end == len(content) or content[end - 1] == ord("\n")
        assert chunk.span.first == content.count(b"\n", 0, begin) + 1
        assert chunk.span.last == max(content.count(b"\n", 0, max(end - 1, 0)), 0) + 1


@given(files)
def test_ordinals_count_from_zero_in_file_order(file: SourceFile) -> None:
    found = parse(file).chunks

    assert [chunk.id for chunk in found] == [("repo", "a/file", n) for n in range(len(found))]
    assert all(one.span.first <= next_.span.first for one, next_ in pairwise(found))
    assert all(chunk.language == file.language and chunk.tags == ("test",) for chunk in found)


@given(files)
@example(source("", "word " * 2000 + "\nshort\n"))
@example(source("python", "def f():\n" + "    call(1)\n" * 900))
def test_only_a_single_line_is_longer_than_a_chunk_may_be(file: SourceFile) -> None:
    for chunk in parse(file).chunks:
        long = chunk.body.end - chunk.body.begin > LONGEST

        assert not long or chunk.span.first == chunk.span.last


@given(files)
def test_the_parts_of_a_symbol_count_up_from_the_one_that_defines_it(file: SourceFile) -> None:
    parts: dict[int, list[int]] = {}
    found = parse(file).chunks
    for chunk in found:
        if chunk.symbol is None:
            assert chunk.part == 0
        else:
            parts.setdefault(id(chunk.symbol), []).append(chunk.part)

    assert all(row == list(range(len(row))) for row in parts.values())


@given(files)
def test_every_symbol_has_a_chunk_that_begins_where_it_does(file: SourceFile) -> None:
    for chunk in parse(file).chunks:
        if chunk.symbol is not None and chunk.part == 0:
            assert chunk.span.first <= chunk.symbol.span.first <= chunk.span.last


@given(files)
def test_signature_and_docstring_are_pieces_of_the_file(file: SourceFile) -> None:
    for chunk in parse(file).chunks:
        if chunk.symbol is not None:
            for begin, end, text in (chunk.symbol.signature, chunk.symbol.docstring):
                assert file.content[begin:end].decode() == text
            assert len(chunk.symbol.signature.text.encode()) <= MAX_SIGNATURE_BYTES


@given(files)
def test_a_reference_belongs_to_every_chunk_it_lies_in_and_to_no_other(file: SourceFile) -> None:
    if file.language in ("", "markdown"):
        return
    read = outline(file.language, file.content)
    chunks = cut(file, read.definitions, read.root)
    for chunk, links in zip(chunks, links_of(chunks, read.mentioned), strict=True):
        begin, end, _ = chunk.body
        inside = [one for at, one in read.mentioned.references if begin <= at < end]

        assert sorted(links.references) == sorted(inside)
        assert all(chunk.span.first <= one.line <= chunk.span.last for one in inside)


@given(files)
def test_without_a_parser_the_lines_are_all_there_is(file: SourceFile) -> None:
    found = windows(file)

    assert found.has_errors
    assert "".join(chunk.text for chunk in found.chunks).encode() == file.content
    assert all(chunk.symbol is None for chunk in found.chunks)
    assert found.links == [NO_LINKS] * len(found.chunks)


# ---------------------------------------------------------------- classes and methods

SHOP = '''\
"""A shop."""

import os


class Shop(Base):
    """Sells."""

    name = "x"

    # Opens the door.
    @logged
    @timed
    def open(self):
        return 1

    limit = 3

    def close(self):
        return 2


def main():
    Shop().open()
'''


def test_a_class_keeps_its_header_and_what_lies_between_its_methods() -> None:
    fields = "    a = 1\n    b = 2\n    c = 3\n"
    code = SHOP.replace('    name = "x"\n', fields).replace("    limit = 3\n", fields)

    assert shape(chunks("python", code)) == [
        ("Shop", 0, 1, 12),
        ("Shop.open", 0, 13, 18),
        ("Shop", 1, 19, 22),
        ("Shop.close", 0, 23, 26),
        ("main", 0, 27, 28),
    ]


def test_decorators_and_comments_belong_to_what_they_stand_above() -> None:
    opened = chunks("python", SHOP)[1]

    assert opened.text.startswith("    # Opens the door.\n    @logged\n")
    assert opened.symbol is not None
    assert opened.symbol.docstring.text == "# Opens the door."
    assert opened.symbol.signature.text == "def open(self):"


def test_tiny_symbols_are_not_joined() -> None:
    found = chunks("go", "package p\n\nfunc A() {}\nfunc B() {}\nfunc C() {}\n")

    assert shape(found) == [("A", 0, 1, 3), ("B", 0, 4, 4), ("C", 0, 5, 5)]


def test_closing_lines_stay_with_what_they_close() -> None:
    found = chunks(
        "java",
        """\
        class A {
          int x;
          int y;
          void m() {
            run();
          }
        }
        """,
    )

    assert shape(found) == [("A", 0, 1, 3), ("A.m", 0, 4, 7)]


def test_two_symbols_on_one_line_share_it() -> None:
    found = chunks("javascript", "function a() {} function b() {}\n")

    assert shape(found) == [("a", 0, 1, 1), ("b", 0, 1, 1)]


def test_a_method_on_the_line_of_its_class_has_its_own_chunk() -> None:
    found = chunks("javascript", "class A { m() {} }\n")

    assert shape(found) == [("A", 0, 1, 1), ("A.m", 0, 1, 1)]


# ---------------------------------------------------------------- nested functions

NESTED = """\
def outer():
    def inner():
        return 1
    x = inner()
    return x
"""


def test_a_short_function_is_whole_and_the_one_inside_is_a_chunk_too() -> None:
    found = chunks("python", NESTED)

    assert shape(found) == [("outer", 0, 1, 5), ("outer.inner", 0, 2, 3)]


def test_a_nested_function_ends_where_it_ends_whatever_follows() -> None:
    found = chunks("python", f"{NESTED}\n\ndef after():\n    return 3\n")

    assert shape(found) == [
        ("outer", 0, 1, 7),
        ("outer.inner", 0, 2, 3),
        ("after", 0, 8, 9),
    ]


# ---------------------------------------------------------------- long pieces


def test_a_long_function_is_split_where_a_statement_starts() -> None:
    statement = "    total = compute(\n        first,\n        second,\n    )\n"
    found = chunks("python", "def long():\n" + statement * 100)
    texts = [chunk.text for chunk in found]

    assert len(found) > 2
    assert texts[0].startswith("def long():")
    assert all(text.startswith("    total = compute(") for text in texts[1:])
    assert [chunk.part for chunk in found] == list(range(len(found)))
    assert all(len(text) > MAX_BYTES // 2 for text in texts[:-1])


def test_the_shallowest_break_wins() -> None:
    deep = "    if a:\n" + "        b()\n" * 30  # 370 bytes
    found = chunks("go", "package p\n\nfunc F() {\n" + "\tif a {\n" + "\t\tb()\n" * 80 + "\t}\n}\n")
    parts = chunks("python", "def f():\n" + deep * 20)

    assert shape(found)[-1][0] == "F"
    assert len(parts) > 2
    assert all(chunk.text.startswith("    if a:") for chunk in parts[1:])


def test_no_break_parts_a_comment_from_what_it_speaks_of() -> None:
    pair = "    # says why\n    call_something_long(1, 2, 3)\n"
    found = chunks("python", "def f():\n" + pair * 120)

    assert len(found) > 2
    assert all(chunk.text.startswith("    # says why") for chunk in found[1:])


def test_long_text_is_split_at_blank_lines() -> None:
    paragraph = "words of a paragraph\n" * 30 + "\n"
    found = chunks("", paragraph * 10)

    assert len(found) > 2
    assert all(chunk.text.endswith("\n\n") for chunk in found)


def test_one_long_line_stays_whole_between_its_neighbours() -> None:
    found = chunks("", "before\n" + "x" * 3 * MAX_BYTES + "\nafter\n")

    assert [chunk.text.strip()[:6] for chunk in found] == ["before", "xxxxxx", "after"]


# ---------------------------------------------------------------- line ends


def test_carriage_returns_stay_and_are_no_lines() -> None:
    found = chunks("python", SHOP.replace("\n", "\r\n"))

    assert shape(found) == shape(chunks("python", SHOP))
    assert found[-1].text.endswith("open()\r\n")


def test_the_last_line_needs_no_newline() -> None:
    assert shape(chunks("python", SHOP.rstrip())) == shape(chunks("python", SHOP))


@pytest.mark.parametrize("text", ["", "\n", "\n \n\t\n", "}\n"])
@pytest.mark.parametrize("language", ["", "python", "c"])
def test_a_file_with_nothing_in_it_is_one_chunk(text: str, language: str) -> None:
    (only,) = parse(source(language, text)).chunks

    assert only.text == text


def test_symbols_of_one_qualified_name_are_counted() -> None:
    code = """\
        class A:
            def f(self): ...
            def f(self, x): ...

        def f(): ...
        class A:
            def f(self): ...
        """
    found = [str(chunk.symbol_id) for chunk in chunks("python", code)]

    assert found == [
        "repo:a/file::A",
        "repo:a/file::A.f",
        "repo:a/file::A.f#2",
        "repo:a/file::f",
        "repo:a/file::A#2",
        "repo:a/file::A.f#3",
    ]


def test_the_parts_of_a_symbol_have_one_id() -> None:
    code = "def f():\n" + "    call_something_or_other(1)\n" * 300
    found = chunks("python", code)

    assert len(found) > 1
    assert {chunk.symbol_id for chunk in found} == {SymbolId("repo", "a/file", "f", 1)}
    assert chunks("text", "one\n")[0].symbol_id is None


# ---------------------------------------------------------------- references


def test_references_lie_with_the_lines_that_make_them() -> None:
    code = """\
        import json
        import re
        import sys

        def a():
            load()
            load()

        def b():
            save()
        """
    found = parse(source("python", code)).links

    assert [links.references for links in found] == [
        (
            Reference(Relation.IMPORTS, "json", "", 1),
            Reference(Relation.IMPORTS, "re", "", 2),
            Reference(Relation.IMPORTS, "sys", "", 3),
        ),
        (Reference(Relation.CALLS, "load", "", 6), Reference(Relation.CALLS, "load", "", 7)),
        (Reference(Relation.CALLS, "save", "", 10),),
    ]
