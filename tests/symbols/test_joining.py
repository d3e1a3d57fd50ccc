"""Rows that say too little to be read alone, and headers: whose chunk they are in."""

from __future__ import annotations

from textwrap import dedent

import pytest
from hypothesis import given

from plait.symbols.joining import LONGEST
from plait.symbols.parse import parse
from plait.types import SourceFile
from tests.symbols.test_chunks import chunks, files, shape

BODY = "    first()\n    second()\n"


def test_what_ends_a_long_function_is_no_chunk_of_its_own() -> None:
    inner = "    def inner():\n" + "        call_something(1)\n" * 40 + "\n"
    found = chunks("python", f"def outer():\n{inner * 3}    return inner\n")

    assert found[-1].symbol is not None
    assert found[-1].symbol.name == "inner"
    assert found[-1].text.endswith("    return inner\n")


@pytest.mark.parametrize(
    ("between", "owner"),
    [
        pytest.param("# Says what follows.\n\n", "b", id="a comment, though a blank line follows"),
        pytest.param("####\n\n", "b", id="a rule"),
        pytest.param("x = [\n", "b", id="an opening line"),
        pytest.param("\nx = 1\n", "b", id="only a blank line before"),
        pytest.param("x = 1\n\n", "a", id="only a blank line behind"),
        pytest.param("\nx = 1\n\n", "a", id="blank lines on both sides"),
        pytest.param("x = 1\ny = 2\nz = 3\n", "", id="three lines of code"),
    ],
)
def test_rows_between_functions_belong_to(between: str, owner: str) -> None:
    found = chunks("python", f"def a():\n{BODY}{between}def b():\n{BODY}")
    said = between.strip()
    holders = [c.symbol.name if c.symbol else "" for c in found if said in c.text]

    assert holders == [owner]


def test_a_label_goes_with_the_members_it_speaks_of() -> None:
    found = chunks(
        "cpp",
        """\
        class A {
          int x;
          int y;
          void m() { run(); }

         private:

          void n() { run(); }
        };
        """,
    )

    assert shape(found) == [("A", 0, 1, 3), ("A.m", 0, 4, 5), ("A.n", 0, 6, 9)]


def test_what_closes_goes_back_even_where_more_follows() -> None:
    uses = "use a::b;\nuse c::d;\nuse e::f;\n"
    found = chunks("rust", f"impl T {{\n    fn m() {{}}\n}}\n\n{uses}\nfn n() {{}}\n")

    assert shape(found) == [("T.m", 0, 1, 4), ("-", 0, 5, 8), ("n", 0, 9, 9)]


def test_the_end_of_a_class_is_not_given_to_what_follows_the_class() -> None:
    code = "class A:\n    x = 1\n    y = 2\n    def m(self): pass\n    z = 3\ndef f(): pass\n"

    assert shape(chunks("python", code)) == [("A", 0, 1, 3), ("A.m", 0, 4, 5), ("f", 0, 6, 6)]


def test_a_licence_stays_apart_from_the_first_definition() -> None:
    licence = "// Permission is hereby granted, free of charge, to any person.\n" * 8
    found = chunks("go", f"{licence}package p\n\nfunc A() {{}}\n")

    assert shape(found) == [("-", 0, 1, 10), ("A", 0, 11, 11)]


# ---------------------------------------------------------------- headers


def test_a_thin_header_reaches_over_its_first_members() -> None:
    found = chunks(
        "python",
        '''\
        class A:
            """Says
            a lot
            of things."""

            def m(self):
                return 1

            def n(self):
                return 2
        ''',
    )

    assert shape(found) == [("A", 0, 1, 10), ("A.m", 0, 6, 8), ("A.n", 0, 9, 10)]


def test_what_was_joined_does_not_make_a_header_thicker() -> None:
    code = "import os\nimport re\n\n@final\nclass A:\n    def m(self):\n        return 1\n"

    assert shape(chunks("python", code)) == [("A", 0, 1, 7), ("A.m", 0, 6, 7)]


def test_a_signature_counts_once_however_many_lines_it_takes() -> None:
    code = "trait A\n    extends B\n    with C {\n  def m: Int =\n    1\n}\n"

    assert shape(chunks("scala", code)) == [("A", 0, 1, 6), ("A.m", 0, 4, 6)]


def test_a_header_reaches_no_further_than_a_screen() -> None:
    method = "  void m() {\n" + "    run();\n" * 100 + "  }\n"
    found = chunks("java", f"class A {{\n{method}{method}}}\n")

    assert shape(found)[0] == ("A", 0, 1, 4)
    assert shape(found)[1] == ("A.m", 0, 2, 103)


def test_a_header_that_reaches_into_a_member_ends_with_a_statement() -> None:
    body = "        if check(\n            a,\n            b,\n        ):\n            go()\n"
    head = f"class A:\n    def m(self):\n{body}"
    code = head + "        run()\n" * 100

    assert chunks("python", code)[0].text == head


def test_a_header_does_not_end_with_the_comment_of_a_member_it_does_not_reach() -> None:
    member = "    def m(self):\n        go()\n        return 1\n"
    long = "    def n(self):\n" + "        run()\n" * 100

    assert shape(chunks("python", f"class A:\n{member}\n    # Of n.\n{long}"))[0] == ("A", 0, 1, 5)


def test_a_title_reaches_into_its_first_subsection() -> None:
    text = "# Title\n\n## One\n\nWords.\n\n## Two\n\nMore.\n"

    assert shape(chunks("markdown", text))[0] == ("Title", 0, 1, 9)


def test_a_member_keeps_its_own_chunk_whatever_reaches_over_it() -> None:
    found = chunks("python", "class A:\n    def m(self):\n        return 1\n")

    assert shape(found) == [("A", 0, 1, 3), ("A.m", 0, 2, 3)]


# ---------------------------------------------------------------- laws


@given(files)
def test_no_chunk_grows_too_long_by_joining(file: SourceFile) -> None:
    for chunk in parse(file).chunks:
        size = chunk.body.end - chunk.body.begin

        assert size <= LONGEST or chunk.span.first == chunk.span.last


def test_rows_stay_alone_where_no_neighbour_has_room() -> None:
    long = "    call_something_or_other(1)\n" * 87  # 2,700 bytes
    found = chunks("python", dedent(f"def a():\n{long}\nx = {'1' * 200}\n\ndef b():\n{long}"))

    assert ("-", 0) in [(name, part) for name, part, *_ in shape(found)]
