"""Packing, by example and by law."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.errors import SettingError
from plait.interfaces.packed import packed_lines
from plait.search.packing.estimate import estimate
from plait.search.packing.pack import LEAST_RESULTS, SURE_RESULTS, pack, pool
from plait.search.packing.shelf import Form
from plait.search.snippet import MAX_LINE
from plait.types import Result, Span
from tests.search.packing.packs import answer, function, result, shown

ENOUGH = 10_000


def by_lines(text: str) -> int:
    """Counts lines, so that what fits can be counted on one's fingers."""
    return text.count("\n")


def spans(results: list[Result], tokens: int, form: Form | None = None) -> dict[str, list[Span]]:
    packed = pack(answer(results), tokens, form)
    return {file.path: [span for span, _ in file.spans] for file in packed.files}


def test_what_fits_is_shown_whole() -> None:
    packed = pack(answer([function(1, "a.py", "brew", 3)]), ENOUGH)

    assert shown(packed) == [
        ("a.py", 1, "def brew(value):"),
        ("a.py", 2, "    brew_1 = value + 1"),
        ("a.py", 3, "    brew_2 = value + 2"),
    ]
    assert packed.left_out == 0


def test_where_the_body_does_not_fit_the_signature_is_kept_and_then_the_window() -> None:
    rows = ["@cached", "def brew(", "    leaves,", "):", *(f"    step_{at}()" for at in range(40))]
    long = result(
        1,
        "a.py",
        "\n".join(rows),
        first=101,
        name="brew",
        signature="def brew(\n    leaves,\n)",
        window=131,
    )

    # 2 fences of the list; then a heading and 2 fences for each of two runs, 3 + 5 lines.
    assert spans([long], 2 + 6 + 8, Form(by_lines)) == {"a.py": [Span(102, 104), Span(131, 135)]}


def test_a_result_without_room_for_its_body_is_the_line_with_its_name() -> None:
    many = [function(at, f"{at}.py", f"brew_{at}", 30) for at in range(1, 5)]
    packed = pack(answer(many), 2 + 4, Form(by_lines))

    assert shown(packed) == [(f"{at}.py", 1, f"def brew_{at}(value):") for at in range(1, 5)]
    assert packed.tokens == 6


def test_half_of_what_is_left_goes_to_one_body_and_the_rest_to_the_next() -> None:
    both = [function(1, "a.py", "brew", 90), function(2, "b.py", "pour", 12, score=0.9)]
    found = spans(both, 60, Form(by_lines))

    assert found["b.py"] == [Span(1, 12)]
    assert found["a.py"][0].last > 25  # it takes what the second did not need


def test_files_with_a_body_come_before_those_with_a_line_and_both_best_first() -> None:
    scores = [1.0, 0.2, 0.9, *(0.1 - at / 100 for at in range(LEAST_RESULTS))]
    given = [
        function(rank, f"{rank}.py", f"brew_{rank}", 4, score=score)
        for rank, score in enumerate(scores, start=1)
    ]
    found = spans(given, ENOUGH)

    assert list(found)[:4] == ["1.py", "3.py", "2.py", "4.py"]
    assert (found["3.py"], found["2.py"]) == ([Span(1, 4)], [Span(1, 1)])


def test_all_of_a_few_results_get_a_body() -> None:
    few = [function(at, f"{at}.py", f"brew_{at}", 4, score=1 / at**3) for at in range(1, 4)]

    assert set(map(tuple, spans(few, ENOUGH).values())) == {(Span(1, 4),)}


def test_results_of_one_file_are_merged_in_the_order_of_their_lines() -> None:
    later = function(1, "a.py", "brew", 5)
    first = result(1, "a.py", later.chunk.text, first=20, name="brew")
    second = result(2, "a.py", "x = 1\ny = 2\nz = 3\nw = 4", first=16, score=0.9)
    third = result(3, "a.py", "    overlapping = 1\n    more = 2", first=23, score=0.8)

    assert spans([first, second, third], ENOUGH) == {"a.py": [Span(16, 24)]}


def test_a_copy_keeps_its_head_alone() -> None:
    text = function(1, "a.py", "brew", 10).chunk.text
    copies = [result(1, "a.py", text), result(2, "copy/a.py", text, score=0.99)]

    assert spans(copies, ENOUGH) == {"a.py": [Span(1, 10)], "copy/a.py": [Span(1, 1)]}


def test_a_name_that_one_place_defines_is_not_padded() -> None:
    given = [function(at, f"{at}.py", f"brew_{at}", 5, score=1.0) for at in range(1, 9)]
    sure = pack(answer(given, "Pot.brew_1"), ENOUGH)
    unsure = pack(answer(given, "where is brew_1"), ENOUGH)

    assert len(sure.files) == SURE_RESULTS
    assert [len(file.spans[0].text.split("\n")) for file in sure.files] == [5, 1, 1]
    assert len(unsure.files) == 8


def test_a_name_defined_twice_is_not_sure() -> None:
    given = [function(at, f"{at}.py", "brew", 5) for at in range(1, 9)]

    assert len(pack(answer(given, "brew"), ENOUGH).files) == 8


def test_too_few_tokens_say_how_many_are_needed() -> None:
    given = answer([function(1, "a.py", "brew", 3)])
    packed = pack(given, 1)

    assert (packed.files, packed.tokens, packed.left_out) == ((), 0, 1)
    assert not pack(given, packed.least - 1).files
    assert len(pack(given, packed.least).files) == 1


def test_no_results_are_an_empty_pack() -> None:
    assert pack(answer([]), 100).files == ()
    assert pack(answer([result(1, "a.py", "\n  \n")]), 100).files == ()


def test_no_tokens_are_refused() -> None:
    with pytest.raises(SettingError, match="at least 1, got 0"):
        pack(answer([]), 0)


def test_long_lines_are_cropped() -> None:
    [(_, _, line)] = shown(pack(answer([result(1, "a.min.js", "x" * 9_000)]), ENOUGH))

    assert line == "x" * MAX_LINE + "…"


@pytest.mark.parametrize(
    ("tokens", "results"), [(1, 10), (500, 10), (2_000, 40), (4_000, 60), (100_000, 60)]
)
def test_more_tokens_are_filled_from_more_results(tokens: int, results: int) -> None:
    assert pool(tokens) == results


# ---------------------------------------------------------------- laws

lines = st.text(alphabet=st.sampled_from("abcXYZ_019 (){}`'\"\t→ß語é"), max_size=60)
texts = st.lists(lines, min_size=1, max_size=25).map("\n".join)


@st.composite
def answers(draw: st.DrawFn) -> list[Result]:
    """Results, some of them in one file, some overlapping as chunks of one file may."""
    files: dict[str, list[str]] = {
        path: draw(texts).split("\n")
        for path in draw(st.sets(st.sampled_from("abcdé"), min_size=1))
    }
    made = []
    for rank in range(1, draw(st.integers(1, 8)) + 1):
        path = draw(st.sampled_from(sorted(files)))
        first = draw(st.integers(1, len(files[path])))
        last = draw(st.integers(first, len(files[path])))
        text = "\n".join(files[path][first - 1 : last])
        window, score = draw(st.integers(first, last)), draw(st.floats(0, 1))
        made.append(result(rank, path, text, first=first, window=window, score=score))
    return made


@given(answers(), st.integers(1, 400))
def test_no_more_tokens_are_printed_than_allowed(results: list[Result], tokens: int) -> None:
    form = Form(fence="`" * 70)
    packed = pack(answer(results), tokens, form)
    _, *printed = [line.text for line in packed_lines(packed, form)] or [""]

    assert estimate("".join(f"{line}\n" for line in printed)) <= packed.tokens <= tokens


@given(answers(), st.integers(1, 400))
def test_lines_are_those_of_the_files_in_order_and_none_is_there_twice(
    results: list[Result], tokens: int
) -> None:
    known = {
        (one.chunk.path, number): text.rstrip()
        for one in results
        for number, text in enumerate(one.chunk.text.split("\n"), start=one.chunk.span.first)
    }
    packed = pack(answer(results), tokens)
    there = [(path, number) for path, number, _ in shown(packed)]

    assert len(set(there)) == len(there)
    assert all(known[path, number] == text for path, number, text in shown(packed))
    for file in packed.files:
        numbers = [number for path, number in there if path == file.path]
        assert numbers == sorted(numbers)
    assert len({file.path for file in packed.files}) == len(packed.files)


@given(answers(), st.integers(1, 400))
def test_the_first_result_is_shown_if_anything_is(results: list[Result], tokens: int) -> None:
    packed = pack(answer(results), tokens)
    filled = [one.chunk.path for one in results if one.chunk.text.strip()]

    assert not packed.files or filled[0] in [file.path for file in packed.files]
