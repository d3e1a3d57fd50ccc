"""Measures: against ir_measures asked directly, against sums done by hand, and on odd input."""

from __future__ import annotations

import math
import random
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence

import ir_measures
import pytest
from ir_measures import AP, RR, P, R, Success, nDCG

from plait.errors import EvaluationError
from plait.evaluation.dataset import Average
from plait.evaluation.measures import (
    DEFAULT,
    EXPONENTIAL,
    averaged,
    paper_name,
    parse_names,
    per_question,
    scores,
    summary,
    target_ndcg,
    unanswered,
)
from plait.evaluation.runs import Outcome

THEIRS = {
    "RR": RR,
    "RR@10": RR @ 10,
    "nDCG@10": nDCG @ 10,
    "R@10": R @ 10,
    "R@100": R @ 100,
    "Success@1": Success @ 1,
    "Success@5": Success @ 5,
    "Success@10": Success @ 10,
    "AP": AP,
    "P@10": P @ 10,
}
RUNS, BATCHES = 10_000, 20


def outcome(question: str, ranking: str = "", relevant: str = "r", **fields: object) -> Outcome:
    """``outcome("q1", "xr")`` answers q1 with x, then with r, which is right."""
    blank = Outcome("lexical", "", "", "", "", question, "", {}, (), {}, (), 0.0, 0.0)
    made = {"relevant": dict.fromkeys(relevant, 1), "ranking": tuple(ranking), **fields}
    return blank._replace(**made)  # type: ignore[arg-type]  # tests give them the right types


# ---------------------------------------------------------------- 10,000 random runs

Case = tuple[dict[str, list[str]], dict[str, dict[str, int]]]


def batch(seed: int, count: int) -> Case:
    """Rankings and judgements of every awkward kind, drawn at random."""
    rng = random.Random(seed)
    rankings, judgements = {}, {}
    for number in range(count):
        question = str(number)
        documents = [f"d{n}" for n in range(rng.choice((3, 12, 30, 150)))]
        raw = [(rng.randrange(5), name) for name in documents]  # few scores, so many tie
        rng.shuffle(raw)
        order = [name for _, name in sorted(raw, key=lambda pair: -pair[0])]
        order += rng.choices(order, k=rng.choice((0, 0, 3)))  # listed twice
        kind = rng.random()
        if kind > 0.1:
            rankings[question] = [] if kind < 0.15 else order[: rng.choice((5, 20, 200))]
        grades = rng.choice(((0, 1), (1,), (0, 1, 2, 3), (0,)))
        pool = [*documents, "never found", "nor this"]
        chosen = rng.sample(pool, min(len(pool), rng.choice((1, 2, 5, 25))))
        judgements[question] = {name: rng.choice(grades) for name in chosen}
    rankings["not judged"] = ["d1"]
    return rankings, judgements


def cases() -> Iterator[Case]:
    for seed in range(BATCHES):
        yield batch(seed, RUNS // BATCHES)


def cleaned(case: Case) -> Case:
    """What is left when repeats are gone, and questions nobody can answer."""
    rankings, judgements = case
    judged = {name: grades for name, grades in judgements.items() if any(grades.values())}
    return {name: list(dict.fromkeys(rankings.get(name, []))) for name in judged}, judged


def by_hand(ranking: Sequence[str], grades: Mapping[str, int]) -> dict[str, float]:
    def dcg(gains: Sequence[int]) -> float:
        return sum(gain / math.log2(place + 1) for place, gain in enumerate(gains[:10], start=1))

    def ndcg(gain_of: Mapping[str, int]) -> float:
        best = sorted(gain_of.values(), reverse=True)
        return dcg([gain_of.get(name, 0) for name in ranking]) / dcg(best)

    right = [place for place, name in enumerate(ranking, start=1) if grades.get(name, 0) > 0]
    first = right[0] if right else math.inf
    return {
        "RR": 1 / first,
        "RR@10": 1 / first if first <= 10 else 0.0,
        "nDCG@10": ndcg(grades),
        EXPONENTIAL: ndcg({name: 2**grade - 1 for name, grade in grades.items()}),
    }


@pytest.mark.slow
def test_ten_thousand_random_runs_measure_as_ir_measures_and_a_pencil_do() -> None:
    seen = 0
    for case in cases():
        ours = scores(*case, [*DEFAULT, EXPONENTIAL])
        rankings, judged = cleaned(case)
        run = {
            name: {document: -float(place) for place, document in enumerate(ranking)}
            for name, ranking in rankings.items()
            if ranking
        }
        theirs = {name: dict.fromkeys(judged, 0.0) for name in THEIRS}
        for metric in ir_measures.iter_calc(list(THEIRS.values()), judged, run):
            theirs[str(metric.measure)][metric.query_id] = metric.value
        for name, values in theirs.items():
            assert ours[name] == pytest.approx(values, abs=1e-12), name
        pencil = {name: by_hand(rankings[name], judged[name]) for name in judged}
        for name in ("RR", "RR@10", "nDCG@10", EXPONENTIAL):
            expected = {question: values[name] for question, values in pencil.items()}
            assert ours[name] == pytest.approx(expected, abs=1e-9), name
        assert unanswered(*case) == sum(1 for ranking in rankings.values() if not ranking)
        seen += len(case[1])

    assert seen == RUNS


@pytest.mark.skipif(not shutil.which("perl"), reason="ir_measures needs perl for these gains")
def test_exponential_gains_are_those_of_ir_measures_to_its_five_digits() -> None:
    case = batch(99, 500)
    rankings, judged = cleaned(case)
    run = [
        ir_measures.ScoredDoc(name, document, 1000.0 - place)
        for name, ranking in rankings.items()
        for place, document in enumerate(ranking)
    ]
    qrels = [
        ir_measures.Qrel(name, document.replace(" ", "-"), grade)
        for name, grades in judged.items()
        for document, grade in grades.items()
    ]
    theirs = {
        metric.query_id: metric.value
        for metric in ir_measures.iter_calc([nDCG(dcg="exp-log2") @ 10], qrels, run)
    }

    assert scores(*case, [EXPONENTIAL])[EXPONENTIAL] == pytest.approx(theirs, abs=1.1e-5)


# ---------------------------------------------------------------- odd input


def test_a_question_without_an_answer_scores_zero_and_is_counted() -> None:
    judgements = {"found": {"a": 1}, "empty": {"a": 1}, "missing": {"a": 1}, "unjudged": {"a": 0}}
    rankings = {"found": ["a"], "empty": [], "unjudged": ["a"], "unheard of": ["a"]}

    assert scores(rankings, judgements, ["RR"]) == {
        "RR": {"found": 1.0, "empty": 0.0, "missing": 0.0}
    }
    assert unanswered(rankings, judgements) == 2


def test_no_ranking_at_all_scores_zero() -> None:
    assert scores({}, {"q": {"a": 1}}, ["nDCG@10", EXPONENTIAL]) == {
        "nDCG@10": {"q": 0.0},
        EXPONENTIAL: {"q": 0.0},
    }


def test_a_document_listed_twice_takes_one_place() -> None:
    assert scores({"q": ["x", "x", "a"]}, {"q": {"a": 1}}, ["RR"])["RR"]["q"] == 1 / 2


def test_any_text_is_an_id() -> None:
    odd = ["", "a b\tc", "\ud800", "\0", "naïve/ü.py::f#2"]
    judgements = {question: {document: 1} for question, document in zip(odd, odd, strict=True)}
    found = scores({question: ["x", question] for question in odd}, judgements, ["RR"])

    assert found["RR"] == dict.fromkeys(odd, 1 / 2)


@pytest.mark.parametrize(("ranking", "expected"), [("ab", 1.0), ("ba", 1 / 2)])
def test_places_count_whatever_the_ids(ranking: str, expected: float) -> None:
    assert scores({"q": list(ranking)}, {"q": {"a": 1}}, ["RR"])["RR"]["q"] == expected


def test_both_gains_can_be_asked_for_at_once() -> None:
    found = scores({"q": ["a", "b"]}, {"q": {"a": 1, "b": 3}}, ["nDCG@10", EXPONENTIAL])
    log3 = math.log2(3)

    assert found["nDCG@10"]["q"] == pytest.approx((1 + 3 / log3) / (3 + 1 / log3))
    assert found[EXPONENTIAL]["q"] == pytest.approx((1 + 7 / log3) / (7 + 1 / log3))


def test_a_negative_grade_is_not_right() -> None:
    assert scores({"q": ["a", "b"]}, {"q": {"a": -2, "b": 1}}, ["RR"])["RR"] == {"q": 0.5}


def test_grades_beyond_reason_are_refused_for_exponential_gains() -> None:
    with pytest.raises(EvaluationError, match="grades up to 20, got 40"):
        scores({"q": ["a"]}, {"q": {"a": 40}}, [EXPONENTIAL])


def test_a_missing_package_is_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_measures", None)

    with pytest.raises(EvaluationError, match="ir_measures is not installed") as caught:
        scores({"q": ["a"]}, {"q": {"a": 1}})
    assert caught.value.hint == 'pip install "plait[eval]"'


# ---------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("ours", "papers"),
    [
        ("RR", "MRR"),
        ("RR@10", "MRR@10"),
        ("nDCG@10", "nDCG@10"),
        ("R@100", "Recall@100"),
        ("Success@5", "Hit@5"),
        ("AP", "MAP"),
        ("P@10", "P@10"),
        (EXPONENTIAL, "nDCG@10 (2^rel-1)"),
    ],
)
def test_a_measure_has_two_names(ours: str, papers: str) -> None:
    assert paper_name(ours) == papers
    assert parse_names(ours) == parse_names(papers) == (ours,)


def test_names_are_read_in_any_case_and_once() -> None:
    assert parse_names("mrr@10, NDCG@20 ,RR@10") == ("RR@10", "nDCG@20")


@pytest.mark.parametrize("name", ["", "F1", "R", "Hit", "RR@0", "RR@x", "MRR@10 (2^rel-1)"])
def test_an_unknown_measure_is_named_in_the_error(name: str) -> None:
    with pytest.raises(EvaluationError, match="no measure is called") as caught:
        parse_names(f"nDCG@10,{name}")

    assert repr(name) in str(caught.value)
    assert "nDCG@10" in caught.value.hint


# ---------------------------------------------------------------- targets


@pytest.mark.parametrize(
    ("ranks", "targets", "expected"),
    [
        pytest.param({"a": 1}, 1, 1.0, id="first"),
        pytest.param({"a": 3}, 1, 1 / 2, id="third"),
        pytest.param({"a": 10}, 1, 1 / math.log2(11), id="last-that-counts"),
        pytest.param({"a": 11}, 1, 0.0, id="too-late"),
        pytest.param({}, 2, 0.0, id="none"),
        pytest.param({"a": 1}, 2, 1 / (1 + 1 / math.log2(3)), id="one-of-two"),
        pytest.param({"a": 1, "b": 1}, 2, 2 / (1 + 1 / math.log2(3)), id="sharing-a-place"),
        pytest.param(
            {"a": 1},
            30,
            1 / sum(1 / math.log2(1 + r) for r in range(1, 11)),
            id="more-targets-than-places",
        ),
    ],
)
def test_targets_earn_by_place(ranks: dict[str, int], targets: int, expected: float) -> None:
    assert target_ndcg(ranks, targets) == pytest.approx(expected)


def test_a_question_without_targets_is_refused() -> None:
    with pytest.raises(EvaluationError, match="at least one target, got 0"):
        target_ndcg({}, 0)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("nDCG@10", (1 / 2) / (1 + 1 / math.log2(3))),
        ("nDCG@2", 0.0),
        ("RR", 1 / 3),
        ("RR@2", 0.0),
        ("R@10", 1 / 2),
        ("R@20", 1.0),
        ("Success@1", 0.0),
        ("Success@5", 1.0),
    ],
)
def test_outcomes_of_targets_are_measured_by_their_ranks(name: str, expected: float) -> None:
    asked = outcome("q", relevant="ab", ranks={"a": 3, "b": 14})

    assert per_question([asked], name, is_target=True)["q"] == pytest.approx(expected)


def test_targets_have_no_average_precision() -> None:
    with pytest.raises(EvaluationError, match="AP cannot be measured on targets"):
        per_question([outcome("q", ranks={"r": 1})], "AP", is_target=True)


# ---------------------------------------------------------------- summaries

# Of one language two parts, of the other one; the first part has three questions.
MIXED = [
    outcome("q1", "r", part="a", language="go"),
    outcome("q2", "xr", part="a", language="go"),
    outcome("q3", "", part="a", language="go"),
    outcome("q4", "r", part="b", language="go"),
    outcome("q5", "xyzr", part="c", language="rust"),
]


@pytest.mark.parametrize(
    ("average", "expected"),
    [("question", 2.75 / 5), ("part", (0.5 + 1 + 0.25) / 3), ("language", (0.75 + 0.25) / 2)],
)
def test_means_are_over_questions_parts_or_languages(average: Average, expected: float) -> None:
    found = summary(MIXED, ["RR"], average=average)

    assert found["RR"] == pytest.approx(expected)
    assert averaged(per_question(MIXED, "RR"), MIXED, average) == pytest.approx(expected)


def test_groups_are_averaged_by_the_same_rule() -> None:
    found = summary(MIXED, ["RR"], average="part")

    assert found["by_language"]["go"] == {"RR": pytest.approx(0.75), "questions": 4}
    assert found["by_part"]["a"] == {"RR": pytest.approx(0.5), "questions": 3}
    assert list(found["by_part"]) == ["a", "b", "c"]


def test_a_breakdown_without_names_is_left_out() -> None:
    found = summary([*MIXED, outcome("q6", "r", category="symbol")], ["RR"])

    assert "by_split" not in found
    assert found["by_category"] == {
        "": {"RR": pytest.approx(2.75 / 5), "questions": 5},
        "symbol": {"RR": 1.0, "questions": 1},
    }


def test_questions_are_counted_answered_or_not_and_only_if_they_have_an_answer() -> None:
    found = summary([*MIXED, outcome("q6", "x", relevant="")], ["RR"])

    assert (found["questions"], found["unanswered"]) == (5, 1)


def test_latencies_are_those_of_a_question_that_was_asked() -> None:
    timed = [outcome(f"q{n}", "r", cpu_ms=float(n), wall_ms=n + 0.5) for n in range(1, 201)]
    found = summary(timed[::-1], ["RR"])

    assert [found[f"p{percent}_cpu_ms"] for percent in (50, 95, 99)] == [100, 190, 198]
    assert [found[f"p{percent}_wall_ms"] for percent in (50, 95, 99)] == [100.5, 190.5, 198.5]
    assert summary(timed[:1], ["RR"])["p99_cpu_ms"] == 1.0


def test_exponential_gains_are_given_where_there_are_grades() -> None:
    graded = outcome("q", "ab")._replace(relevant={"a": 1, "b": 2})

    assert EXPONENTIAL in summary([graded])
    assert EXPONENTIAL not in summary([outcome("q", "r")])


def test_a_summary_of_targets_goes_by_their_ranks() -> None:
    asked = [outcome("q1", "x", ranks={"r": 1}), outcome("q2", "x")]
    found = summary(asked, is_target=True)

    assert found["nDCG@10"] == found["RR"] == 0.5
    assert "AP" not in found


def test_questions_nobody_can_answer_have_no_mean() -> None:
    with pytest.raises(EvaluationError, match="none of 1 questions has a right answer"):
        summary([outcome("q", "r", relevant="")])


def test_a_question_answered_twice_is_refused() -> None:
    with pytest.raises(EvaluationError, match="2 outcomes are of 1 questions"):
        per_question([outcome("q", "r"), outcome("q", "x")], "RR")
