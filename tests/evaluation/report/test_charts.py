"""Charts: what is drawn stands where its value says, and says its value."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.evaluation.report.charts import bars, heat, radar, scatter
from plait.evaluation.report.markup import NOTHING, Markup
from plait.evaluation.report.svg import Trace, free_box, log_ticks, span
from tests.evaluation.report.reading import Element, read

ONE, TWO, THREE = Trace("lexical", 1), Trace("dense", 2), Trace("graph", 3)


def drawn(chart: Markup | None) -> Element:
    assert chart is not None
    return read(chart).one("svg", role="img")


def titled(chart: Element, name: str) -> dict[str, Element]:
    """Marks by what they say when pointed at."""
    marks = [each for each in chart.all(name) if list(each.all("title"))]
    return {each.one("title").text: each for each in marks}


def number(mark: Element, name: str) -> float:
    return float(mark.attributes[name] or "")


def place(mark: Element) -> tuple[float, float]:
    found = re.match(r"translate\((\S+) ([^)]+)\)", mark.attributes["transform"] or "")
    assert found
    return float(found[1]), float(found[2])


def test_bars_are_as_long_as_their_values() -> None:
    chart = drawn(bars("Quality", ["MRR", "Recall@10"], [(ONE, [0.2, 0.8]), (TWO, [0.4, None])]))
    lengths = {says: number(bar, "width") for says, bar in titled(chart, "rect").items()}

    assert lengths["lexical, Recall@10: 0.800"] == 4 * lengths["lexical, MRR: 0.200"]
    assert lengths["dense, MRR: 0.400"] == 2 * lengths["lexical, MRR: 0.200"]
    assert lengths[f"dense, Recall@10: {NOTHING}"] == 0


def test_a_bar_above_one_stays_in_the_picture() -> None:
    """Targets that share a place can score above 1."""
    chart = drawn(bars("Quality", ["nDCG@10"], [(ONE, [1.0]), (TWO, [1.6])]))
    one, more = (number(bar, "width") for bar in titled(chart, "rect").values())

    assert one == more


def test_a_radar_has_its_best_value_near_the_rim_and_zero_in_the_middle() -> None:
    axes = ["MRR", "nDCG@10", "Recall@10"]
    chart = drawn(radar("Shape", axes, [(ONE, [0.5, 0.0, 0.25]), (TWO, [0.25, 0.25, None])]))
    marks = {says: place(mark) for says, mark in titled(chart, "path").items()}
    middle = marks["lexical, nDCG@10: 0.000"]

    assert marks[f"dense, Recall@10: {NOTHING}"] == middle
    high, half = marks["lexical, MRR: 0.500"], marks["dense, MRR: 0.250"]
    assert middle[1] - high[1] == pytest.approx(2 * (middle[1] - half[1]), abs=0.2)
    assert high[0] == middle[0]
    assert "0.5" in [each.text for each in chart.all("text")]


def test_a_radar_needs_three_axes() -> None:
    assert radar("Shape", ["MRR", "nDCG@10"], [(ONE, [0.5, 0.5])]) is None


def test_a_higher_value_has_a_later_shade_and_none_has_none() -> None:
    rows: list[tuple[str, int | None, list[float | None]]] = [
        ("Go", 3, [0.1, 0.35]),
        ("Rust", None, [0.7, None]),
    ]
    chart = drawn(heat("By language", [ONE, TWO], rows))
    shades = {says: mark.attributes["class"] for says, mark in titled(chart, "rect").items()}

    assert shades == {
        "Go, lexical: 0.100": "h0",
        "Go, dense: 0.350": "h4",
        "Rust, lexical: 0.700": "h9",
        f"Rust, dense: {NOTHING}": "none",
    }
    texts = [(each.attributes.get("class") or "", each.text) for each in chart.all("text")]
    cells = [text for kind, text in texts if kind.startswith("mono on ")]
    assert cells == ["0.100", "0.350", "0.700", NOTHING]


def test_a_heat_map_of_many_modes_grows_instead_of_shrinking_its_numbers() -> None:
    many = [Trace(f"mode {at}", at) for at in range(12)]
    chart = drawn(heat("By language", many, [("Go", 3, [0.5] * 12)]))

    assert chart.attributes["width"] == str((chart.attributes["viewbox"] or "").split()[2])
    assert number(chart, "width") > 700


def test_ten_times_the_cost_is_always_the_same_way_to_the_right() -> None:
    points = [(ONE, 1.0, 0.3), (TWO, 10.0, 0.5), (THREE, 100.0, 0.4)]
    chart = drawn(scatter("Cost", "p50 CPU ms", "nDCG@10", points))
    first, second, third = (place(mark) for mark in titled(chart, "path").values())

    assert second[0] - first[0] == pytest.approx(third[0] - second[0], abs=0.2)
    assert second[1] < third[1] < first[1]


def test_a_mode_without_a_cost_is_only_in_the_table() -> None:
    points = [(ONE, 1.0, 0.3), (TWO, None, 0.5), (THREE, 0.0, 0.5)]
    chart = scatter("Cost", "p50 CPU ms", "nDCG@10", points)

    assert chart is not None
    assert len(titled(drawn(chart), "path")) == 1
    assert read(chart).rows()[1:] == [
        ["lexical", "1.00", "0.300"],
        ["dense", NOTHING, "0.500"],
        ["graph", "0.00", "0.500"],
    ]
    assert scatter("Cost", "p50 CPU ms", "nDCG@10", [(TWO, None, 0.5)]) is None


def test_labels_of_points_that_nearly_meet_do_not_cover_each_other() -> None:
    room = (0.0, 0.0, 430.0, 200.0)
    taken = [(94.0, 94.0, 106.0, 106.0), (97.0, 98.0, 109.0, 110.0)]
    first = free_box(100, 100, 40, taken, room)
    second = free_box(103, 104, 40, [*taken, first], room)

    assert (
        second[2] <= first[0]
        or second[0] >= first[2]
        or second[3] <= first[1]
        or (second[1] >= first[3])
    )


def test_a_label_at_the_edge_turns_inward() -> None:
    left, _, right, _ = free_box(420, 100, 60, [], (0.0, 0.0, 430.0, 200.0))

    assert (left, right) == (351, 411)


@given(st.lists(st.floats(0, 1.5), min_size=1))
def test_a_span_holds_every_value_and_is_never_empty(values: list[float]) -> None:
    low, high = span(values)

    assert low - 1e-6 <= min(values)
    assert max(values) <= high + 1e-6
    assert high - low >= 0.09


@given(st.floats(-3, 6), st.floats(1.2, 7))
def test_a_log_axis_has_ticks_but_not_too_many(first: float, decades: float) -> None:
    ticks = log_ticks(first, first + decades)

    assert 1 <= len(ticks) <= 9
    assert ticks == sorted(ticks)
