"""How often the line of a message comes first, as a record:

    PYTHONPATH=OLD/src python -m benchmarks.messages.ask test FILE
    python -m benchmarks.messages.run --half test --before FILE

``OLD`` is a checkout of an older plait, asked the same. Beside them ripgrep looks for the longest
fixed part of the message (``rg -F``), as it can be told from the message, and as the code has it;
its first line, by path, counts.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from benchmarks.evaluation_page import table
from benchmarks.messages.mine import Case, load_cases
from benchmarks.messages.packages import HALVES, packages
from plait.messages.pasted import messages_in
from plait.messages.values import fixed_parts
from tools.record import ROOT, command_line, write_record

PACKAGES = ("plait", "tree-sitter")
WAYS = (
    ("plait, hybrid", "now", "hybrid"),
    ("plait, by words", "now", "lexical"),
    ("before: hybrid", "before", "hybrid"),
    ("before: by words", "before", "lexical"),
    ("ripgrep, longest part of the message", "ripgrep", "told"),
    ("ripgrep, longest part of the literal", "ripgrep", "known"),
)


def main() -> None:
    """Ask, compare, write the record."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--half", choices=HALVES, default="dev")
    parser.add_argument("--before", type=Path, help="what an older plait answered")
    parser.add_argument("--cache", type=Path, help="keep indexes there")
    parser.add_argument("--no-record", action="store_true")
    options = parser.parse_args()
    cases = load_cases(options.half)
    with tempfile.TemporaryDirectory() as scratch:
        cache = options.cache or Path(scratch)
        rows: dict[str, list[dict[str, Any]]] = {"now": answers(options.half, ROOT, cache)}
        if options.before:
            rows["before"] = json.loads(options.before.read_text("utf-8"))
    if not options.no_record:
        rows["ripgrep"] = list(ripgrep(options.half, cases))
    text = summary(cases, rows)
    print(text)
    for case, row in zip(cases, rows["now"], strict=True):
        if row["hybrid"][:1] != ["line"]:
            print(case.package, case.form, row["hybrid"], repr(case.text), case.lines[:2], sep="\t")
    if not options.no_record:
        raw = {"cases": [case._asdict() for case in cases], **rows}
        command = command_line("benchmarks.messages.run")
        print(write_record(f"messages-{options.half}", command, raw, text, PACKAGES))


def answers(half: str, checkout: Path, cache: Path) -> list[dict[str, Any]]:
    """What a checkout of plait answers."""
    with tempfile.NamedTemporaryFile() as out:
        subprocess.run(
            [sys.executable, "-m", "benchmarks.messages.ask", half, out.name],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(checkout / "src"), "PLAIT_CACHE_DIR": str(cache)},
            check=True,
        )
        rows: list[dict[str, Any]] = json.loads(Path(out.name).read_text("utf-8"))
    return rows


def ripgrep(half: str, cases: Sequence[Case]) -> Iterator[dict[str, Any]]:
    """Whether the first line that ripgrep finds is right, by what it looks for."""
    folders = {one.package.name: one.folder for one in packages(half)}
    for case in cases:
        told = messages_in(case.text)
        parts = fixed_parts(told[0].text if told else case.text) or (case.text,)
        known = max((part.strip() for part in case.fixed), key=len)
        folder = folders[case.package]
        yield {"told": [_first(parts[0], folder, case)], "known": [_first(known, folder, case)]}


def _first(text: str, folder: Path, case: Case) -> str:
    command = ["rg", "-F", "-n", "--no-heading", "--sort", "path", "-m", "1", "--", text, "."]
    found = subprocess.run(command, cwd=folder, capture_output=True, check=False).stdout
    path, _, rest = found.partition(b"\n")[0].decode("utf-8", "replace").partition(":")
    path, number = path.removeprefix("./"), rest.partition(":")[0]
    lines = [(first, last) for one, first, last in case.lines if one == path]
    if number.isdecimal() and any(first <= int(number) <= last for first, last in lines):
        return "line"
    return "file" if lines else ""


def summary(cases: Sequence[Case], rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """Shares of right first answers: of all, by language, by form; and what it costs."""
    present = [way for way in WAYS if way[1] in rows]
    groups = [("all", "")]
    groups += [("language", one) for one in sorted({case.language for case in cases})]
    groups += [("form", one) for one in sorted({case.form for case in cases})]
    lines = []
    for label, run, mode in present:
        row = [label]
        for field, value in groups:
            chosen = [
                given[mode]
                for case, given in zip(cases, rows[run], strict=True)
                if field == "all" or getattr(case, field) == value
            ]
            row.append(f"{_share(chosen, ('line',)):.1%}")
        files = [given[mode] for given in rows[run]]
        lines.append([*row, f"{_share(files, ('line', 'file')):.1%}"])
    head = ["first answer right", *(value or field for field, value in groups), "its file, all"]
    costs = []
    for label, run, mode in present:
        if run != "ripgrep":
            spent = [1e3 * given[f"{mode}_cpu_s"] for given in rows[run]]
            lane = [1e3 * given[f"{mode}_lane_s"] for given in rows[run] if given[f"{mode}_lane_s"]]
            costs.append([label, *_spread(spent), *(_spread(lane) if len(lane) > 1 else "--")])
    names = ["", "CPU ms p50", "p95", "the message lane: ms p50", "p95"]
    count = f"{len(cases):,} messages of {len({case.package for case in cases})} packages.\n"
    return "\n".join([count, table(head, lines), table(names, costs)])


def _share(given: Sequence[Sequence[str]], right: Sequence[str]) -> float:
    return sum(bool(one) and one[0] in right for one in given) / max(len(given), 1)


def _spread(values: Sequence[float]) -> list[str]:
    return [f"{median(values):.1f}", f"{quantiles(values, n=20)[-1]:.1f}"]


if __name__ == "__main__":
    main()
