"""The page: it holds everything, and its numbers are the measures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from plait.errors import EvaluationError
from plait.evaluation.report import write_report
from plait.evaluation.report.markup import NOTHING
from plait.evaluation.report.page import as_page
from plait.evaluation.runs import Run
from tests.evaluation.report.reading import Element, read
from tests.evaluation.report.synthetic import MODES, large_run, outcome, run_of

OVERLAP = {"before": {"1": 0.531, "2": 0.25}, "after": {"1": 0.402, "2": 0.11}}
ECONOMY = {
    "median_tokens": 812,
    "baseline_median_tokens": 3410,
    "found": 118,
    "baseline_found": 121,
    "questions": 150,
    "losses": [{"question": "q9", "text": "fold lease", "tokens": 900, "baseline_tokens": 300}],
}


@pytest.fixture(scope="module")
def run() -> Run:
    return large_run(
        Path("runs/first"), 24, overlap=OVERLAP, economy=ECONOMY, notes=["Titles are queries."]
    )


@pytest.fixture(scope="module")
def page(run: Run) -> Element:
    return read(as_page([run]))


def panel(page: Element, id_: str) -> Element:
    return page.one("section", id=id_)


def test_every_section_is_there_and_named(page: Element) -> None:
    titles = {each.attributes["id"]: each for each in page.all("section", class_="panel")}

    assert list(titles) == [
        *("runs", "summary", "bars", "radar", "cost", "part", "category", "split", "languages"),
        *("corpora", "overlap-0", "economy-0", "notes", "drill-down"),
    ]
    for id_, section in titles.items():
        assert section.attributes["aria-labelledby"] == f"{id_}-title"
        assert section.one("h2", id=f"{id_}-title").text


def test_the_head_says_how_the_run_was_made(page: Element) -> None:
    known = {each.one("dt").text: each.one("dd").text for each in panel(page, "runs").all("div")}

    assert page.one("h1").text == "Evaluation of own-history"
    assert known["Dataset"] == "own-history d1"
    assert (known["Level"], known["Questions"]) == ("file", "24")
    assert (known["Commit"], known["Machine"]) == ("0f9d2c41", "2 x Example CPU, Linux")
    assert known["Date"] == "2026-01-20 10:00:00 UTC to 2026-01-20 10:04:00 UTC"
    assert known["Settings"] == "k 60weights.lexical 1.0exclude vendor"


def test_the_summary_shows_the_measures_and_the_best_in_bold(page: Element, run: Run) -> None:
    head, *rows = panel(page, "summary").rows()
    best = max(run.measures[mode]["nDCG@10"] for mode in MODES)
    bold = [each.text for each in panel(page, "summary").all("b")]

    assert head[:5] == ["Mode", "MRR", "MRR@10", "nDCG@10", "Recall@10"]
    assert head[-5:] == ["Questions", "Unanswered", "p50 CPU ms", "p95 CPU ms", "p99 CPU ms"]
    assert [row[0] for row in rows] == list(MODES)
    for row in rows:
        found = run.measures[row[0]]
        assert row[1] == f"{found['RR']:.4f}"
        assert row[3] == f"{found['nDCG@10']:.4f}"
        assert row[-5:-3] == [str(found["questions"]), str(found["unanswered"])]
        assert row[-3:] == [f"{found[f'p{n}_cpu_ms']:.2f}" for n in (50, 95, 99)]
    assert f"{best:.4f}" in bold


def test_nothing_is_best_alone() -> None:
    page = read(as_page([run_of(Path("one"), [outcome()])]))

    assert not list(panel(page, "summary").all("b"))


@pytest.mark.parametrize("id_", ["bars", "radar", "cost", "languages", "overlap-0"])
def test_every_chart_has_a_name_and_a_table_of_its_numbers(page: Element, id_: str) -> None:
    section = panel(page, id_)
    chart = next(section.all("svg", role="img"))
    titles = " ".join(each.text for each in chart.all("title"))

    assert chart.attributes["aria-label"]
    for row in section.rows()[1:]:
        for value in row[1:]:
            assert value in titles or value.isdigit()


def test_the_heat_map_and_the_breakdowns_show_the_measures(page: Element, run: Run) -> None:
    languages = {row[0]: row[1:] for row in panel(page, "languages").rows()[1:]}
    for name, (count, *values) in languages.items():
        found = [run.measures[mode]["by_language"][name] for mode in MODES]
        assert count == str(found[0]["questions"])
        assert values == [f"{each['nDCG@10']:.3f}" for each in found]
    assert set(languages) == set(run.measures["lexical"]["by_language"])
    for by in ("part", "category", "split"):
        over, _, *rows = panel(page, by).rows()
        assert over[1:] == ["MRR", "nDCG@10", "Recall@10"]
        assert [row[0] for row in rows] == list(run.measures["lexical"][f"by_{by}"])
        for row in rows:
            groups = [run.measures[mode][f"by_{by}"][row[0]] for mode in MODES]
            wanted = [f"{each[name]:.3f}" for name in ("RR", "nDCG@10", "R@10") for each in groups]
            assert row[2:] == wanted


def test_leakage_economy_and_notes_are_told(page: Element) -> None:
    overlap = panel(page, "overlap-0").rows()
    economy = panel(page, "economy-0")

    assert overlap == [
        ["", "1-grams", "2-grams"],
        ["before stripping", "0.531", "0.250"],
        ["after stripping", "0.402", "0.110"],
    ]
    assert economy.rows()[1:] == [
        ["Median tokens", "812", "3,410"],
        ["Found, of 150", "118", "121"],
    ]
    assert "fold lease" in economy.one("details").text
    assert panel(page, "notes").one("li").text == "Titles are queries."


def test_leakage_is_told_once_where_nothing_was_stripped() -> None:
    same = {"before": {"1": 0.25}, "after": {"1": 0.25}}
    page = read(as_page([run_of(Path("one"), [outcome()], overlap=same)]))

    assert panel(page, "overlap-0").rows()[1:] == [["as indexed", "0.250"]]
    assert "nothing was stripped" in panel(page, "overlap-0").text


def test_of_a_later_run_only_what_differs_is_told() -> None:
    first = run_of(Path("a"), [outcome()], settings={"k": 60, "limit": 10})
    second = run_of(Path("b"), [outcome()], settings={"k": 10, "limit": 10}, commit="77")
    _, told = panel(read(as_page([first, second])), "runs").all("dl")

    assert {each.one("dt").text: each.one("dd").text for each in told.all("div")} == {
        "Run": "b",
        "Commit": "77",
        "Settings": "k 10",
        "Otherwise": "as a",
    }


def test_a_name_says_no_more_than_tells_the_rows_apart() -> None:
    both, one = [outcome(), outcome("dense")], [outcome()]
    runs = {name: run_of(Path(name), both) for name in ("a", "b")}
    single = run_of(Path("c"), one)

    def labels(*runs: Run) -> list[str]:
        return [row[0] for row in panel(read(as_page(runs)), "summary").rows()[1:]]

    assert labels(runs["a"]) == ["lexical", "dense"]
    assert labels(single, run_of(Path("d"), one)) == ["c", "d"]
    assert labels(runs["b"], single) == ["b · lexical", "b · dense", "c · lexical"]


def test_what_is_not_known_of_a_run_is_a_dash() -> None:
    page = read(as_page([run_of(Path("one"), [outcome()], commit="")]))
    known = {each.one("dt").text: each.one("dd").text for each in panel(page, "runs").all("div")}

    assert known["Commit"] == NOTHING


def test_what_was_not_measured_has_no_panel() -> None:
    run = run_of(Path("one"), [outcome()], parts=[])
    bare = {"lexical": {"nDCG@10": 0.5, "questions": 1}}
    page = read(as_page([replace(run, measures=bare)]))

    assert [each.attributes["id"] for each in page.all("section", class_="panel")] == [
        *("runs", "summary", "bars", "drill-down"),
    ]


def test_runs_stand_beside_each_other_under_names_of_their_own() -> None:
    first = run_of(Path("a/night"), [outcome(), outcome(question="q2")])
    second = run_of(Path("b/night"), [outcome(ranking=("src/a.py",))])
    page = read(as_page([first, second]))

    labels = [row[0] for row in panel(page, "summary").rows()[1:]]
    columns = [len(list(each.all("h3"))) for each in page.one(id="questions").all(data_at="0")]
    assert labels == ["night (1)", "night (2)"]
    assert columns == [2]
    assert not list(page.all(class_="warning"))


def test_runs_of_different_questions_are_not_compared() -> None:
    first = run_of(Path("a"), [outcome()])
    second = run_of(Path("b"), [outcome(ranking=("src/a.py",))], digest="d2")
    page = read(as_page([first, second]))

    assert not list(panel(page, "summary").all("b"))
    assert "different questions" in page.one(class_="warning").text
    assert len(page.one(id="questions").children) == 2


def test_a_run_that_was_stopped_is_measured_on_what_it_has() -> None:
    whole = run_of(Path("one"), [outcome()])
    page = read(as_page([replace(whole, measures={})]))

    assert panel(page, "summary").rows() == panel(read(as_page([whole])), "summary").rows()
    assert "one was stopped before its end" in page.one(class_="warning").text


def test_nothing_to_report_is_said() -> None:
    with pytest.raises(EvaluationError, match="no run to report"):
        as_page([])
    with pytest.raises(EvaluationError, match="asked nothing yet"):
        as_page([Run(Path("empty"), {"format": 1}, ())])


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="cannot write"):
        write_report([run_of(Path("one"), [outcome()])], tmp_path / "none" / "report.html")
