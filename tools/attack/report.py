"""The table of attempts, held, broke; what broke, with how to see it; the record."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from tools.attack.bench import Outcome
from tools.record import command_line, commit, write_record

PACKAGES = ("tantivy", "google-re2", "tree-sitter", "numpy")
SHOWN = 3  # complaints of one thing, things of one case


def rows_of(outcomes: Mapping[str, list[Outcome]]) -> dict[str, Any]:
    """Counts by class, and everything that broke."""
    classes: dict[str, dict[str, int]] = {}
    broken: list[dict[str, str]] = []
    for name, several in outcomes.items():
        attempts = sum(len(outcome.case.things) for outcome in several)
        broke = sum(len(outcome.broken) for outcome in several)
        classes[name] = {"attempts": attempts, "held": attempts - broke, "broke": broke}
        for outcome in several:
            for thing, problems in outcome.broken.items():
                for problem in problems[:SHOWN]:
                    row = {"class": name, "case": outcome.case.name, "thing": thing}
                    broken.append({**row, "words": problem.words, "command": problem.command})
    return {"classes": classes, "broken": broken}


def table(
    rows: Mapping[str, Any], before: Mapping[str, Mapping[str, int]], seconds: float = 0.0
) -> str:
    """The table, with what broke before beside it if that is known."""
    head = "| class | attempts | held | broke |"
    rule = "|---|--:|--:|--:|"
    lines = [head + (" broke before |" if before else ""), rule + ("--:|" if before else "")]
    classes: Mapping[str, Mapping[str, int]] = rows["classes"]
    total = {
        key: sum(row[key] for row in classes.values()) for key in ("attempts", "held", "broke")
    }
    for name, row in [*classes.items(), ("all", total)]:
        line = f"| {name} | {row['attempts']} | {row['held']} | {row['broke']} |"
        if before:
            known = before if name == "all" else {name: before[name]} if name in before else {}
            line += f" {sum(was['broke'] for was in known.values()) if known else '-'} |"
        lines.append(line)
    if seconds:
        lines += ["", f"{seconds:.0f} s"]
    return "\n".join(lines) + "\n"


def told(outcomes: Mapping[str, list[Outcome]]) -> str:
    """What broke, a line each; of a case that broke in many ways, the first few."""
    lines = []
    for name, several in outcomes.items():
        for outcome in several:
            for thing, problems in list(outcome.broken.items())[:SHOWN]:
                for problem in problems[:SHOWN]:
                    line = f"BROKE {name} / {outcome.case.name} / {thing}: {problem.words}"
                    lines.append(line + (f" [{problem.command}]" if problem.command else ""))
    return "".join(f"{printable(line)}\n" for line in lines)


def printable(line: str) -> str:
    """A line that holds what it says and does nothing to a terminal."""
    return "".join(char if char.isprintable() else f"\\u{{{ord(char):x}}}" for char in line)[:600]


def note(log: Path, name: str, outcome: Outcome) -> None:
    """Append what came of a case."""
    broken = {thing: [problem.words for problem in found[:SHOWN]]
              for thing, found in outcome.broken.items()}  # fmt: skip
    case = outcome.case
    line = {"class": name, "case": case.name, "things": case.things, "broken": broken}
    with log.open("a", encoding="utf-8") as file:
        file.write(json.dumps({**line, "commit": _commit()}) + "\n")


@cache
def _commit() -> str:
    return commit()


def held_before(log: Path) -> set[tuple[str, str, tuple[str, ...]]]:
    """The cases that held when they were last tried."""
    last = {}
    for line in log.read_text(encoding="utf-8").splitlines() if log.exists() else []:
        row = json.loads(line)
        last[row["class"], row["case"], tuple(row["things"])] = not row["broken"]
    return {case for case, is_held in last.items() if is_held}


def rows_of_log(log: Path) -> dict[str, Any]:
    """Counts by class of the last time each case was tried, as :func:`rows_of` gives them."""
    last: dict[tuple[str, ...], dict[str, Any]] = {}
    for line in log.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        last[row["class"], row["case"], *row["things"]] = row
    classes: dict[str, dict[str, int]] = {}
    broken: list[dict[str, str]] = []
    commits: Counter[str] = Counter()
    tried: dict[str, set[str]] = {}
    for row in sorted(last.values(), key=lambda row: -len(row["things"])):
        name, known = row["class"], tried.setdefault(row["class"], set())
        fresh = [thing for thing in row["things"] if f"{row['case']} / {thing}" not in known]
        known.update(f"{row['case']} / {thing}" for thing in fresh)
        broke = [thing for thing in fresh if thing in row["broken"]]
        counts = classes.setdefault(name, {"attempts": 0, "held": 0, "broke": 0})
        counts["attempts"] += len(fresh)
        commits[row["commit"]] += len(fresh)
        counts["held"] += len(fresh) - len(broke)
        counts["broke"] += len(broke)
        for thing in broke:
            told = {"class": name, "case": row["case"], "thing": thing, "command": ""}
            broken += [{**told, "words": words} for words in row["broken"][thing]]
    return {"classes": classes, "broken": broken, "commits": dict(commits)}


def in_parts(commits: Mapping[str, int]) -> str:
    """At which commits the parts of a run were tried last."""
    told = ", ".join(f"{count} at {name[:9]}" for name, count in commits.items())
    return f"\nTried in parts; a case that broke was tried again after its repair: {told}.\n"


def write(
    rows: Mapping[str, Any], text: str, before: Mapping[str, Any], log: Path | None = None
) -> Path:
    """A dated record of a run."""
    raw = {**rows, "before": before}
    page = f"# Attacks\n\nHostile things tried, held and broken, by class.\n\n{text}"
    place = write_record("attack", command_line("tools.attack"), raw, page, PACKAGES)
    if log is not None:
        with gzip.open(place / "cases.jsonl.gz", "wb") as file:
            file.write(log.read_bytes())
    return place
