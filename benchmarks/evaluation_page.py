"""The tables of docs/evaluation.md, made from what the commands printed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

COLUMNS = ("RR@10", "nDCG@10", "R@10", "R@100", "Success@5", "p50_cpu_ms")
HEADS = ("MRR@10", "nDCG@10", "Recall@10", "Recall@100", "Hit@5", "p50, CPU ms")
EXPONENTIAL = "nDCG(dcg='exp-log2')@10"


def page(rows: Sequence[dict[str, Any]]) -> str:
    """Every table, one after the other."""
    ran = [row for row in rows if "result" in row]
    parts = [_main(ran), _anchors(ran), _agent(ran), _leakage(ran), _commands(ran)]
    missing = [f"{row['title']} ({row['missing']})" for row in rows if "missing" in row]
    if missing:
        parts.append(f"Not measured: {', '.join(missing)}.\n")
    return "\n".join(part for part in parts if part)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown; all but the first column are aligned to the right."""
    lines = [f"| {' | '.join(head)} |", f"|---|{'---:|' * (len(head) - 1)}"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(lines) + "\n"


def _main(rows: Sequence[dict[str, Any]]) -> str:
    shown = []
    for row in rows:
        result = row["result"]
        for mode, measures in result["modes"].items():
            cells = [_cell(measures.get(name)) for name in COLUMNS]
            if EXPONENTIAL in measures:
                cells[1] = f"{_cell(measures[EXPONENTIAL])} *"
            counts = [f"{measures['questions']:,}", f"{result['documents']:,}"]
            cost = f"{result['index_cpu_s']:.1f}"
            shown.append([row["title"], result["dataset"]["level"], mode, *counts, *cells, cost])
    head = ("dataset", "level", "mode", "questions", "files", *HEADS, "index, CPU s")
    note = (
        "Averages are over questions; over repositories for git-mined sets; over repositories, "
        "then languages, for agent63. * graded, gains 2^rel-1. A set that was indexed before "
        "shows the cost of finding that nothing had changed.\n"
    )
    return f"{table(head, shown)}\n{note}"


def _anchors(rows: Sequence[dict[str, Any]]) -> str:
    named = [row for row in rows if row.get("anchor")]
    body = []
    for row in named:
        name = row.get("measure", "RR@10" if row["result"]["dataset"]["level"] != "target" else "")
        name = name or "nDCG@10"
        ours = ", ".join(
            f"{mode} {_cell(measures.get(name))}"
            for mode, measures in row["result"]["modes"].items()
        )
        body.append([row["title"], f"{name}: {ours}", row["anchor"]])
    return f"### Beside published figures\n\n{table(('dataset', 'plait', 'published'), body)}"


def _agent(rows: Sequence[dict[str, Any]]) -> str:
    found = [row for row in rows if row["folder"] == "agent63"]
    if not found:
        return ""
    parts = ["### agent63 in detail (nDCG@10)\n"]
    body = []
    for row in found:
        for mode, measures in row["result"]["modes"].items():
            cells = [measures, measures.get("tuning"), measures.get("held_out")]
            cells += [measures["by_category"].get(name) for name in CATEGORIES]
            body.append(
                [f"{row['title']}, {mode}", *(_cell((c or {}).get("nDCG@10")) for c in cells)]
            )
    parts.append(table(("", "all", "tuning half", "held-out half", *CATEGORIES), body))
    result = found[0]["result"]
    measures = next(iter(result["modes"].values()))
    languages = [[name, _cell(m["nDCG@10"])] for name, m in measures["by_language"].items()]
    parts.append(table(("language", "nDCG@10"), languages))
    notes = result["dataset"]["notes"]
    parts.append("".join(f"- {note}\n" for note in notes))
    return "\n".join(parts)


CATEGORIES = ("semantic", "architecture", "symbol")


def _leakage(rows: Sequence[dict[str, Any]]) -> str:
    body = []
    for row in rows:
        before, after = row["result"]["overlap"]["before"], row["result"]["overlap"]["after"]
        body.append(
            [row["title"], *(f"{_share(before.get(n))} / {_share(after.get(n))}" for n in "123")]
        )
    text = (
        "### How much of a question stands in its answer\n\n"
        "The share of a question's words, pairs and triples found in the right answers, as the "
        "source has them / as they were indexed.\n\n"
    )
    return text + table(("dataset", "words", "pairs", "triples"), body)


def _commands(rows: Sequence[dict[str, Any]]) -> str:
    return "### Commands\n\n" + "".join(f"- {row['title']}: `{row['command']}`\n" for row in rows)


def _cell(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"
