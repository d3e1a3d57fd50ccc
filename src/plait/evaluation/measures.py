"""Measures: how good a ranking is, question by question and on average.

Values come from ir_measures and carry its names in files (``RR@10``); ``paper_name`` gives
what papers write (``MRR@10``). Every question with a right answer counts: one that got no
ranking scores 0, it is never left out of a mean. Targets are measured here, because several
of them may be met at one place, which no list of judged documents can say.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from plait.errors import EvaluationError
from plait.evaluation.dataset import Average, Judgements
from plait.evaluation.measure_names import Measure, parse_name
from plait.evaluation.runs import Outcome

Summary = dict[str, Any]  # measure names and counts to numbers, breakdowns to summaries

EXPONENTIAL = "nDCG(dcg='exp-log2')@10"  # gains 2^rel-1; without grades the same as nDCG@10
DEFAULT = (
    *("RR", "RR@10", "nDCG@10", "R@10", "R@100", "Success@1", "Success@5", "Success@10"),
    *("AP", "P@10"),
)
FOR_TARGETS = ("RR", "RR@10", "nDCG@10", "R@10", "Success@1", "Success@5", "Success@10")
BREAKDOWNS = ("part", "language", "category", "split")
PERCENTILES = (50, 95, 99)
HIGHEST_GRADE = 20  # the provider keeps a counter for each gain up to the highest


def parse_names(names: str) -> tuple[str, ...]:
    """Measures from a list with commas, in either spelling: ``MRR@10,nDCG@10``.

    Raises:
        EvaluationError: One of them is unknown.
    """
    return tuple(dict.fromkeys(parse_name(name).name for name in names.split(",")))


def paper_name(name: str) -> str:
    """What papers call a measure: ``MRR@10`` for ``RR@10``, ``Hit@1`` for ``Success@1``."""
    return parse_name(name).paper_name


# ---------------------------------------------------------------- rankings against judgements


def scores(
    rankings: Mapping[str, Sequence[str]], judgements: Judgements, names: Sequence[str] = DEFAULT
) -> dict[str, dict[str, float]]:
    """Measure to question to value, for every question that has a right answer.

    A question without a ranking scores 0. Of a document listed twice the first place counts
    and later ones close up. Questions without a right answer are not measured.
    """
    questions = _with_answer(judgements)
    run: dict[str, dict[str, float]] = {}
    grades: dict[str, dict[str, int]] = {}
    # Questions and documents are numbered, so that any text will do as an id.
    for number, question in enumerate(questions):
        order = list(dict.fromkeys(rankings.get(question, ())))
        numbers = {document: place for place, document in enumerate(order)}
        if order:
            # Scores that only fall: no rule for ties can come into it.
            run[str(number)] = {str(place): float(-place) for place in range(len(order))}
        grades[str(number)] = {
            str(numbers.setdefault(document, len(numbers))): max(grade, 0)
            for document, grade in judgements[question].items()
        }
    measures = [parse_name(name) for name in names]
    found = {measure.name: dict.fromkeys(questions, 0.0) for measure in measures}
    plain = [measure for measure in measures if not measure.is_exponential]
    exponential = [measure for measure in measures if measure.is_exponential]
    # ir_measures leaves these gains to a Perl script that rounds and takes only numbers for ids.
    # So they are given as grades, in a call of their own, to the nDCG of the others.
    for name, number, value in _computed(plain, grades, run):
        found[name][questions[number]] = value
    if exponential:
        for name, number, value in _computed(exponential, _gains(grades), run):
            found[name][questions[number]] = value
    return found


def unanswered(rankings: Mapping[str, Sequence[str]], judgements: Judgements) -> int:
    """How many questions with a right answer got no ranking, or an empty one."""
    return sum(1 for question in _with_answer(judgements) if not rankings.get(question))


def _with_answer(judgements: Judgements) -> list[str]:
    return [
        question
        for question, grades in judgements.items()
        if any(grade > 0 for grade in grades.values())
    ]


def _gains(grades: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    highest = max((grade for judged in grades.values() for grade in judged.values()), default=0)
    if highest > HIGHEST_GRADE:
        raise EvaluationError(f"gains of 2^rel-1 take grades up to {HIGHEST_GRADE}, got {highest}")
    return {
        question: {document: 2**grade - 1 for document, grade in judged.items()}
        for question, judged in grades.items()
    }


def _computed(
    measures: Sequence[Measure],
    grades: Mapping[str, Mapping[str, int]],
    run: Mapping[str, Mapping[str, float]],
) -> Iterator[tuple[str, int, float]]:
    """Name of the measure, number of the question, value; nothing where there is no ranking."""
    try:
        import ir_measures
    except ImportError as error:
        raise EvaluationError(
            "ir_measures is not installed", hint='pip install "plait[eval]"'
        ) from error
    names = {}
    for measure in measures:
        theirs = getattr(ir_measures, measure.family)
        names[theirs @ measure.cutoff if measure.cutoff else theirs] = measure.name
    if names and run:
        for metric in ir_measures.iter_calc(list(names), grades, run):
            yield names[metric.measure], int(metric.query_id), float(metric.value)


# ---------------------------------------------------------------- targets


def target_ndcg(ranks: Mapping[str, int], targets: int, k: int = 10) -> float:
    """Each target met at place r (from 1) earns 1 / log2(1 + r), over one at each place.

    Targets may share a place, so it can exceed 1.

    Raises:
        EvaluationError: There are no targets.
    """
    if targets < 1:
        raise EvaluationError(f"a question needs at least one target, got {targets}")
    earned = math.fsum(1 / math.log2(1 + rank) for rank in ranks.values() if rank <= k)
    return earned / math.fsum(1 / math.log2(1 + rank) for rank in range(1, min(k, targets) + 1))


def _target_score(outcome: Outcome, measure: Measure) -> float:
    targets = sum(1 for grade in outcome.relevant.values() if grade > 0)
    cutoff = measure.cutoff or max(targets, *outcome.ranks.values(), 1)
    met = sorted(rank for rank in outcome.ranks.values() if rank <= cutoff)
    if measure.family == "nDCG":
        return target_ndcg(outcome.ranks, targets, cutoff)
    if measure.family == "R":
        return len(met) / targets
    if measure.family == "Success":
        return 1.0 if met else 0.0
    if measure.family == "RR":
        return 1 / met[0] if met else 0.0
    raise EvaluationError(
        f"{measure.name} cannot be measured on targets",
        hint=f"there are {', '.join(FOR_TARGETS)}, with any number after the @",
    )


# ---------------------------------------------------------------- the outcomes of one mode


def per_question(
    outcomes: Sequence[Outcome], name: str, is_target: bool = False
) -> dict[str, float]:
    """One measure of one mode's outcomes: question to value, where there is a right answer.

    Raises:
        EvaluationError: The measure is unknown or not for targets, or a question comes twice.
    """
    return _values(outcomes, (name,), is_target)[parse_name(name).name]


def _values(
    outcomes: Sequence[Outcome], names: Sequence[str], is_target: bool
) -> dict[str, dict[str, float]]:
    relevant = {outcome.question: outcome.relevant for outcome in outcomes}
    if len(relevant) != len(outcomes):
        raise EvaluationError(
            f"{len(outcomes)} outcomes are of {len(relevant)} questions; a mode answers each once"
        )
    if not is_target:
        return scores({outcome.question: outcome.ranking for outcome in outcomes}, relevant, names)
    judged = set(_with_answer(relevant))
    kept = [outcome for outcome in outcomes if outcome.question in judged]
    return {
        measure.name: {outcome.question: _target_score(outcome, measure) for outcome in kept}
        for measure in map(parse_name, names)
    }


def averaged(values: Mapping[str, float], outcomes: Sequence[Outcome], average: Average) -> float:
    """The mean over questions, over parts, or over languages; each of these has an outcome.

    A part counts as the mean of its questions, a language as the mean of its parts.
    """
    if average == "question":
        return math.fsum(values[outcome.question] for outcome in outcomes) / len(outcomes)
    inner: Average = "question" if average == "part" else "part"
    groups = grouped(outcomes, average)
    return math.fsum(averaged(values, group, inner) for group in groups.values()) / len(groups)


def grouped(outcomes: Iterable[Outcome], field: str) -> dict[str, list[Outcome]]:
    """Outcomes by their part, language, category or split, in the order of names."""
    groups: defaultdict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        groups[getattr(outcome, field)].append(outcome)
    return dict(sorted(groups.items()))


def summary(
    outcomes: Sequence[Outcome],
    names: Sequence[str] | None = None,
    *,
    average: Average = "question",
    is_target: bool = False,
) -> Summary:
    """What one mode's outcomes come to: means, counts, latencies, and means of every group.

    Without names: the default ones, and nDCG with gains 2^rel-1 if there are grades above 1.

    Raises:
        EvaluationError: No question has a right answer, or a measure is unavailable.
    """
    if names is None:
        is_graded = any(grade > 1 for outcome in outcomes for grade in outcome.relevant.values())
        names = FOR_TARGETS if is_target else (*DEFAULT, EXPONENTIAL) if is_graded else DEFAULT
    values = _values(outcomes, names, is_target)
    judged = set(_with_answer({outcome.question: outcome.relevant for outcome in outcomes}))
    kept = [outcome for outcome in outcomes if outcome.question in judged]
    if not kept:
        raise EvaluationError(f"none of {len(outcomes)} questions has a right answer")

    def means(group: Sequence[Outcome]) -> Summary:
        return {name: averaged(values[name], group, average) for name in values} | {
            "questions": len(group)
        }

    found = means(kept)
    found["unanswered"] = sum(1 for outcome in kept if not outcome.ranking)
    for clock in ("cpu_ms", "wall_ms"):
        times = sorted(getattr(outcome, clock) for outcome in outcomes)
        for percent in PERCENTILES:
            found[f"p{percent}_{clock}"] = times[math.ceil(len(times) * percent / 100) - 1]
    for field in BREAKDOWNS:
        groups = grouped(kept, field)
        if any(groups):
            found[f"by_{field}"] = {name: means(group) for name, group in groups.items()}
    return found
