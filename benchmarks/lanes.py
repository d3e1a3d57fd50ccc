"""What each lane is worth: words, meaning and both, on every dataset, tested against each other.

    python -m benchmarks.lanes --runs DIR [--onnx DIR] [--design RECORD]

It reads the runs that ``python -m benchmarks.eval --work DIR --modes lexical,dense,hybrid``
left, those of the same with a transformer (``--set model=...``), and the record of
``benchmarks.codesearch_design``, and writes the table of docs/meaning.md and a record. A star
marks what differs from words alone, two stars what differs from the better single lane, both
at p < 0.05 by a paired randomisation test over questions, corrected by Holm over datasets.
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.eval import SETS
from benchmarks.evaluation_page import table
from plait.evaluation.dataset import Level
from plait.evaluation.measures import per_question
from plait.evaluation.runs import Outcome, load_run
from plait.evaluation.statistics import holm, paired
from tools.record import ROOT, command_line, read_raw, write_record

PAGE = ROOT / "docs" / "meaning.md"
BEGIN, END = "<!-- lanes: begin -->", "<!-- lanes: end -->"
LEXICAL, DENSE, HYBRID = "lexical", "dense", "hybrid"
MODES = (LEXICAL, DENSE, HYBRID)
SIGNIFICANT = 0.05
PACKAGES = ("plait", "numpy", "tantivy")


class Figures(NamedTuple):
    """One dataset: for each system, each question's value."""

    title: str
    measure: str
    values: Mapping[str, Mapping[str, float]]
    parts: Mapping[str, str]  # question to what is averaged over; "" for none


def main() -> None:
    """Compare and write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--runs", type=Path, default=ROOT / "build" / "evaluation")
    parser.add_argument("--onnx", type=Path)
    parser.add_argument("--design", type=Path)
    options = parser.parse_args()
    rows = tomllib.loads(SETS.read_text(encoding="utf-8"))["row"]
    design = _design(options.design)
    found = []
    for row in rows:
        if row.get("set"):
            continue
        values, parts, measure = _read(options.runs, row, "")
        if not values:
            continue
        if options.onnx:
            values |= _read(options.onnx, row, "onnx ")[0]
        for mode, own in design.get(row["title"], {}).items():
            values[f"design {mode}"] = own
        found += _halves(Figures(row["title"], measure, values, parts), options.runs, row)
    text = summary(found)
    raw = {"sets": [_account(each) for each in found]}
    record = write_record("lanes", command_line("benchmarks.lanes"), raw, text, PACKAGES)
    _write_page(f"{text}\nFrom `benchmarks/records/{record.name}`.\n")
    print(record)
    print(text)


def _read(
    work: Path, row: Mapping[str, Any], prefix: str
) -> tuple[dict[str, dict[str, float]], dict[str, str], str]:
    name = "".join(c if c.isalnum() else "-" for c in row["title"].lower())
    folder = work / "runs" / name
    if not (folder / "run.json").is_file():
        return {}, {}, ""
    run = load_run(folder)
    is_target = run.config["dataset"]["level"] == Level.TARGET.value
    measure = row.get("measure") or ("nDCG@10" if is_target else "RR@10")
    by_mode: dict[str, list[Outcome]] = {}
    for outcome in run.outcomes:
        by_mode.setdefault(outcome.mode, []).append(outcome)
    values = {
        f"{prefix}{mode}": per_question(own, measure, is_target) for mode, own in by_mode.items()
    }
    by_part = row["folder"] in ("gitloc", "agent63")
    parts = {o.question: o.part if by_part else "" for o in run.outcomes}
    return values, parts, measure


def _halves(figures: Figures, work: Path, row: Mapping[str, Any]) -> list[Figures]:
    """agent63 by its halves: what was tuned on, and what was not."""
    if row["folder"] != "agent63":
        return [figures]
    name = "".join(c if c.isalnum() else "-" for c in row["title"].lower())
    split = {o.question: o.split for o in load_run(work / "runs" / name).outcomes}
    made = []
    for half, label in (("tuning", "tuning half"), ("held_out", "held-out half")):
        values = {
            system: {q: value for q, value in own.items() if split[q] == half}
            for system, own in figures.values.items()
        }
        made.append(figures._replace(title=f"{figures.title}, {label}", values=values))
    return made


def _design(record: Path | None) -> dict[str, dict[str, dict[str, float]]]:
    if record is None:
        return {}
    raw = read_raw(record)
    return {title: own["questions"] for title, own in raw["sets"].items()}


def mean(figures: Figures, system: str) -> float | None:
    """Over questions, or over parts where the set has many."""
    own = figures.values.get(system)
    if not own:
        return None
    groups: dict[str, list[float]] = {}
    for question, value in own.items():
        groups.setdefault(figures.parts[question], []).append(value)
    means = [sum(group) / len(group) for group in groups.values()]
    return sum(means) / len(means)


def _tested(figures: Figures, system: str, against: str) -> tuple[float, float, float, float]:
    a, b = figures.values[against], figures.values[system]
    found = paired([b[question] - a[question] for question in sorted(a) if question in b])
    return found.mean, found.low, found.high, found.p


def better_single(figures: Figures) -> str:
    """The better of the two lanes alone."""
    return max((LEXICAL, DENSE), key=lambda system: mean(figures, system) or 0.0)


def summary(found: Sequence[Figures]) -> str:
    """The tables."""
    tests = {
        (system, against): [
            _tested(each, system, better_single(each) if against == "better" else against)
            if system in each.values
            else None
            for each in found
        ]
        for system, against in ((DENSE, LEXICAL), (HYBRID, LEXICAL), (HYBRID, "better"))
    }
    corrected = {}
    for key, results in tests.items():
        known = [result[3] for result in results if result]
        left = iter(holm(known))
        corrected[key] = [next(left) if result else 1.0 for result in results]
    extra = [
        system
        for system in (f"onnx {DENSE}", f"onnx {HYBRID}", "design BM25Okapi", "design MiniLM",
                       "design RRF")
        if any(system in each.values for each in found)
    ]  # fmt: skip
    rows = []
    for at, each in enumerate(found):
        row = [each.title, each.measure, f"{len(each.values[LEXICAL]):,}"]
        for system in (*MODES, *extra):
            value = mean(each, system)
            stars = ""
            if system in (DENSE, HYBRID) and corrected[system, LEXICAL][at] < SIGNIFICANT:
                stars = "*"
            if system == HYBRID and corrected[HYBRID, "better"][at] < SIGNIFICANT:
                stars = "**"
            row.append("" if value is None else f"{value:.3f}{stars}")
        difference, low, high, _ = tests[HYBRID, "better"][at] or (0.0, 0.0, 0.0, 1.0)
        p = corrected[HYBRID, "better"][at]
        row.append(f"{difference:+.3f} ({low:+.3f} to {high:+.3f}), p {p:.3f}")
        rows.append(row)
    macro = ["mean of the sets", "", ""]
    for system in (*MODES, *extra):
        values = [mean(each, system) for each in found]
        known_values = [value for value in values if value is not None]
        is_whole = len(known_values) == len(found)
        macro.append(f"{sum(known_values) / len(known_values):.4f}" if is_whole else "")
    rows.append([*macro, ""])
    if extra:
        rows.append(_common(found, extra))
    head = ("dataset", "measure", "questions", *MODES, *extra, "hybrid less the better lane")
    return table(head, rows)


def _common(found: Sequence[Figures], extra: Sequence[str]) -> list[str]:
    """The mean over the sets that every system was measured on."""
    own = [each for each in found if all(system in each.values for system in extra)]
    cells = [
        f"{sum(mean(each, system) or 0.0 for each in own) / len(own):.4f}" if own else ""
        for system in (*MODES, *extra)
    ]
    return [f"mean of the {len(own)} sets measured with all", "", "", *cells, ""]


def _account(figures: Figures) -> dict[str, Any]:
    tests = {
        f"{system} less {against}": _tested(figures, system, against)
        for system in figures.values
        for against in (LEXICAL, DENSE)
        if system != against
    }
    return {
        "title": figures.title,
        "measure": figures.measure,
        "mean": {system: mean(figures, system) for system in figures.values},
        "tests (difference, low, high, p)": tests,
    }


def _write_page(text: str) -> None:
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    PAGE.write_text(f"{before}{BEGIN}\n{text}{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
