"""The full evaluation: every dataset, in every mode, into docs/evaluation.md and a record.

    python -m benchmarks.eval [--repos DIR] [--built DIR] [--modes ...] [--only TEXT] [--set K=V]

Each row is one ``plait eval run`` command, run as a user would. ``--repos`` holds the clones
that some sets need, ``--built`` the sets that have to be built first (see the page). A row
whose data is missing is left out and named. ``--work`` keeps the runs, so that a second
call goes on where the first stopped.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.evaluation_page import page
from tools.record import ROOT, command_line, write_record

SETS = ROOT / "benchmarks" / "eval_sets.toml"
PAGE = ROOT / "docs" / "evaluation.md"
PACKAGES = ("plait", "tantivy", "tree-sitter", "PyStemmer", "ir-measures")


def main() -> None:
    """Run the rows and write the page and the record."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--repos", type=Path)
    parser.add_argument("--built", type=Path)
    parser.add_argument("--modes", default="lexical,dense,hybrid")
    parser.add_argument("--only", default="", help="rows whose title holds this")
    parser.add_argument(
        "--skip", nargs="*", default=[], help="leave out rows that hold one of these"
    )
    parser.add_argument("--set", action="append", default=[], help="change a setting everywhere")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "evaluation")
    parser.add_argument("--no-page", action="store_true", help="write the record alone")
    options = parser.parse_args()
    rows = tomllib.loads(SETS.read_text(encoding="utf-8"))["row"]
    done = []
    for row in rows:
        if options.only.lower() not in row["title"].lower():
            continue
        row["set"] = [*row.get("set", []), *options.set]
        row["command"] = shown(row, options.modes)
        argv = command(row, options)
        if any(text.lower() in row["title"].lower() for text in options.skip):
            row["missing"] = "left out of this run"
        elif argv is None:
            row["missing"] = "the data is not at hand"
        else:
            result = carried_out(argv, options.work, row["title"])
            row |= {"result": result} if result else {"missing": "the command failed"}
        done.append(row)
    text = page(done)
    record = write_record(
        "evaluation", command_line("benchmarks.eval"), {"rows": done}, text, PACKAGES
    )
    if not options.no_page and not options.only:
        write_page(text, record.name)
    print(record)


def arguments(row: dict[str, Any], modes: str) -> list[str]:
    """What follows the folder on the command line, apart from places on this machine."""
    given = [*(["--qrels", row["qrels"]] if row.get("qrels") else [])]
    given += ["--corpus", row["corpus"]] if row.get("corpus") else []
    given += ["--strip"] if row.get("strip") else []
    for change in row.get("set", []):
        given += ["--set", change]
    return [*given, "--modes", modes, "--format", "json"]


def shown(row: dict[str, Any], modes: str) -> str:
    """The command as somebody else would type it."""
    repos = ["--repos", "CLONES"] if row.get("repos") else []
    return " ".join(["plait eval run", f"data/{row['folder']}", *repos, *arguments(row, modes)])


def command(row: dict[str, Any], options: argparse.Namespace) -> list[str] | None:
    """The command to run; None if its data is missing."""
    shared = Path(os.environ.get("PLAIT_SHARED") or ROOT.parent / "shared") / "data"
    folder = shared / row["folder"]
    if row.get("built"):
        folder = (options.built or Path("/nowhere")) / Path(row["folder"]).name
    if not folder.is_dir() or (row.get("repos") and options.repos is None):
        return None
    repos = ["--repos", str(options.repos)] if row.get("repos") else []
    return [str(folder), *repos, *arguments(row, options.modes)]


def carried_out(argv: Sequence[str], work: Path, title: str) -> dict[str, Any] | None:
    """What the command printed, less the run's settings, which the record need not repeat.

    None if it failed; it has said why.
    """
    name = "".join(c if c.isalnum() else "-" for c in title.lower())
    out = work / "runs" / name
    environment = os.environ | {"PLAIT_CACHE_DIR": str(work / "cache")}
    run = [sys.executable, "-m", "plait", "eval", "run", *argv, "--out", str(out)]
    print(f"{title} ...", file=sys.stderr, flush=True)
    done = subprocess.run(run, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        return None
    result: dict[str, Any] = json.loads(done.stdout)
    config = json.loads((out / "run.json").read_text(encoding="utf-8"))
    result["parts"] = len({part["name"] for part in config["parts"]})
    for key in ("run", "settings"):
        result.pop(key)
    return result


def write_page(text: str, record: str) -> None:
    """Put the table between its marks in the page."""
    begin, end = "<!-- generated: begin -->", "<!-- generated: end -->"
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(begin)
    after = rest.partition(end)[2]
    source = f"\nFrom `benchmarks/records/{record}`, by `make eval`.\n"
    PAGE.write_text(f"{before}{begin}\n{text}{source}{end}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
