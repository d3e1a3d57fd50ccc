"""From changed lines to the symbols that still stand, on definitions written by hand."""

from __future__ import annotations

from plait.evaluation.mining.definitions import Defined, Definitions
from plait.evaluation.mining.diffs import FileDiff, Line
from plait.evaluation.mining.truth import (
    Changed,
    Truth,
    Version,
    changed,
    last_name,
    needs_before,
    standing,
    truth_of,
)


def defined(
    id_: str, first: int, last: int, *, kind: str = "function", signature: str = "", doc: int = -1
) -> Defined:
    doc_rows = (doc, doc) if doc >= 0 else (0, -1)
    return Defined(id_, id_.partition("#")[0], kind, first, last, signature or id_, doc_rows)


def held(*symbols: Defined, imports: set[int] | None = None) -> Definitions:
    return Definitions(symbols, frozenset(imports or set()))


def change(
    *,
    removed: dict[int, str] | None = None,
    added: dict[int, str] | None = None,
    before: Definitions | None = None,
    after: Definitions | None = None,
    language: str = "python",
) -> Changed:
    """A change of ``a.py`` from ``{row: line}`` of each side."""
    diff = FileDiff("b", "a", lines(removed or {}), lines(added or {}))
    return changed("a.py", language, diff, before or held(), after or held())


def lines(of: dict[int, str], around: tuple[int, int] = (0, 0)) -> list[Line]:
    return [Line(row, text.encode(), around) for row, text in of.items()]


def version(*symbols: Defined, content: str = "") -> Version:
    return Version(held(*symbols), content.encode())


def test_the_innermost_symbol_owns_a_line() -> None:
    outer, inner = defined("C", 0, 9, kind="class"), defined("C.m", 3, 5)
    found = change(added={1: "x = 1", 4: "return x"}, after=held(outer, inner))

    assert set(found.symbols) == {"C", "C.m"}
    assert set(change(added={4: "x"}, after=held(outer, inner)).symbols) == {"C.m"}


def test_a_line_that_was_taken_away_is_looked_up_in_the_version_before() -> None:
    found = change(
        removed={4: "lock()"},
        before=held(defined("late", 3, 5)),
        after=held(defined("early", 3, 5)),
    )

    assert set(found.symbols) == {"late"}


def test_inside_one_function_the_version_before_need_not_be_read() -> None:
    f = defined("f", 0, 9, doc=1)
    inside = FileDiff("b", "a", lines({40: "lock()"}, (4, 5)), [])
    in_doc = FileDiff("b", "a", lines({40: "Words."}, (0, 2)), [])
    between = FileDiff("b", "a", lines({40: "def g(): ..."}, (9, 10)), [])
    a_class = held(defined("C", 0, 9, kind="class"))

    assert not needs_before(inside, held(f))
    assert set(changed("a.py", "python", inside, None, held(f)).symbols) == {"f"}
    assert needs_before(in_doc, held(f))
    assert needs_before(between, held(f))
    assert needs_before(inside, a_class)
    assert not needs_before(FileDiff("b", "a", lines({40: "  }"}, (9, 10)), []), held(f))


def test_blank_lines_and_closing_brackets_belong_to_nobody() -> None:
    found = change(
        added={1: "", 2: "  })", 3: "end"}, after=held(defined("f", 0, 9)), language="ruby"
    )

    assert not found.symbols
    assert not found.has_code


def test_comments_and_docstrings_are_no_code() -> None:
    f = defined("f", 0, 9, doc=1)
    found = change(added={1: "Says what.", 2: "    # why"}, after=held(f))

    assert found.has_comments
    assert not found.has_code
    assert truth_of([found], {"a.py": version(f)}, 9).reason == "comments only"


def test_what_begins_a_comment_depends_on_the_language() -> None:
    f = held(defined("f", 0, 9))

    assert change(added={1: "#define X 1"}, after=f, language="c").has_code
    assert not change(added={1: " * more"}, after=f, language="c").has_code
    assert change(added={1: "*p = 1;"}, after=f, language="c").has_code
    assert not change(added={1: "-- more"}, after=f, language="lua").has_code


def test_an_import_speaks_for_its_file_unless_a_function_encloses_it() -> None:
    module = defined("M", 0, 9, kind="module")
    outside = change(added={1: "import os"}, after=held(module, imports={1}))
    inside = change(added={1: "import os"}, after=held(defined("f", 0, 9), imports={1}))

    assert (outside.has_imports, outside.has_code, outside.symbols) == (True, False, {})
    assert set(inside.symbols) == {"f"}


def test_a_file_with_only_imports_changed_counts_if_there_is_no_other() -> None:
    imports = change(added={0: "import os.path"}, after=held(imports={0}))
    code = change(added={1: "x"}, after=held(defined("f", 0, 9)))._replace(path="b.py")
    now = {
        "a.py": version(content="import os.path\n"),
        "b.py": version(defined("f", 0, 9)),
    }

    assert truth_of([imports], now, 9).files == ("a.py",)
    assert truth_of([imports, code], now, 9).files == ("b.py",)


def test_tests_inside_the_source_they_test_are_no_answer() -> None:
    zig = defined("adds", 0, 9, kind="test")
    rust = defined("tests.adds", 0, 9)

    for owner in (zig, rust):
        found = change(added={1: "x"}, after=held(owner))
        assert truth_of([found], {"a.py": version(owner)}, 9) == Truth(
            reason="whitespace or move only"
        )
    assert set(change(added={1: "x"}, after=held(defined("contests.add", 0, 9))).symbols)


def test_only_the_repeat_with_the_same_signature_counts() -> None:
    met = Changed("a.py", {"f": {"f(int)"}}, set(), True, False, False)
    now = version(
        defined("f", 0, 1, signature="f()"),
        defined("f#2", 2, 3, signature="f(int)"),
        defined("f#3", 4, 5, signature="f(str)"),
    )

    assert standing(met, now) == ["a.py::f#2"]


def test_repeats_that_cannot_be_told_apart_all_count() -> None:
    met = Changed("a.py", {"f": {"f(int)"}}, set(), True, False, False)
    same = version(
        defined("f", 0, 1, signature="f(int)"),
        defined("f#2", 2, 3, signature="f(int)"),
        defined("f#3", 4, 5, signature="f()"),
    )
    other = version(defined("f", 0, 1, signature="f()"), defined("f#2", 2, 3, signature="f(str)"))

    assert standing(met, same) == ["a.py::f", "a.py::f#2"]
    assert standing(met, other) == ["a.py::f", "a.py::f#2"]


def test_lines_outside_of_every_symbol_stand_while_one_of_them_does() -> None:
    found = change(added={0: "LIMIT_BYTES = 10", 1: "OTHER = 1"})

    assert truth_of([found], {"a.py": version(content="  LIMIT_BYTES = 10\n")}, 9).files == (
        "a.py",
    )
    assert truth_of([found], {"a.py": version(content="LIMIT_BYTES = 11\n")}, 9).reason == (
        "nothing left"
    )


def test_a_line_taken_away_does_not_stand_outside() -> None:
    found = change(removed={0: "LIMIT_BYTES = 10"})
    now = {"a.py": version(content="LIMIT_BYTES = 10\n")}

    assert truth_of([found], now, 9).reason == "nothing left"


def test_a_line_too_short_to_be_told_from_others_does_not_stand() -> None:
    found = change(added={0: "else:"})

    assert truth_of([found], {"a.py": version(content="else:\n")}, 9).reason == "nothing left"


def test_a_file_whose_changed_symbols_are_gone_is_gone_too() -> None:
    found = change(added={0: "LIMIT_BYTES = 10", 1: "x = 1"}, after=held(defined("f", 1, 1)))
    now = {"a.py": version(defined("g", 1, 1), content="LIMIT_BYTES = 10\n")}

    assert truth_of([found], now, 9).reason == "nothing left"


def test_where_half_of_the_files_are_gone_the_rest_is_no_answer() -> None:
    code = change(added={1: "x"}, after=held(defined("f", 0, 9)))
    changes = [code._replace(path=path) for path in ("a.py", "b.py", "c.py")]
    stands, gone = version(defined("f", 0, 9)), version()

    assert truth_of(changes[:2], {"a.py": stands, "b.py": gone}, 9).reason == "nothing left"
    assert truth_of(changes, {"a.py": stands, "b.py": stands, "c.py": gone}, 9).files == (
        "a.py",
        "b.py",
    )


def test_symbols_are_counted_before_those_that_are_gone_are_dropped() -> None:
    names = [defined(f"f{number}", number, number) for number in range(4)]
    found = change(added=dict.fromkeys(range(4), "x"), after=held(*names))

    assert truth_of([found], {"a.py": version(names[0])}, 3).reason == "too many symbols"
    truth = truth_of([found], {"a.py": version(names[0])}, 4)
    assert truth.symbols == ("a.py::f0",)
    assert truth.gone == ("f1", "f2", "f3")


def test_ids_that_would_break_a_table_are_left_out() -> None:
    odd = defined("a\u2028b", 0, 9)
    found = change(added={1: "x"}, after=held(odd))

    assert truth_of([found], {"a.py": version(odd)}, 9).symbols == ()


def test_the_last_name_has_neither_qualifier_nor_number() -> None:
    assert last_name("a/b.js::Traces.#otel") == "#otel"
    assert last_name("a/b.java::Gson.fromJson#11") == "fromJson"
    assert last_name("f") == "f"
