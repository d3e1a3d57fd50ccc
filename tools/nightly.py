"""Run the tests marked ``nightly`` and write what ran to a record: ``python -m tools.nightly``.

Arguments are handed on to pytest. Where shared test data or clusters are at hand, a test that
needs them and is skipped fails, as in ``.ci/run``.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tools.record import ROOT, command_line, write_record

PACKAGES = ("plait", "pytest", "hypothesis", "opensearch-py")
SLOWEST = 20  # named in the summary


class Ran(NamedTuple):
    """A test and what came of it."""

    name: str
    outcome: str  # passed, failed or skipped
    seconds: float
    words: str  # why it failed or was skipped


def ran(report: Path) -> list[Ran]:
    """The tests of a JUnit report."""
    found = []
    for case in ElementTree.parse(report).iter("testcase"):  # noqa: S314 - pytest wrote it
        name = f"{case.get('classname')}::{case.get('name')}"
        problem = next((part for part in case if part.tag in ("failure", "error", "skipped")), None)
        outcome = "passed"
        if problem is not None:
            outcome = "skipped" if problem.tag == "skipped" else "failed"
        words = (problem.get("message") or "") if problem is not None else ""
        found.append(Ran(name, outcome, float(case.get("time") or 0), words[:500]))
    return found


def summary(tests: Sequence[Ran]) -> str:
    """The counts, what did not pass, and what took longest."""
    counted = Counter(test.outcome for test in tests)
    lines = [
        "# Tests that run at night",
        "",
        *(f"- {outcome}: {count}" for outcome, count in sorted(counted.items())),
        f"- seconds: {sum(test.seconds for test in tests):.0f}",
        "",
        "| test | outcome | seconds |",
        "|---|---|---|",
    ]
    by_time = sorted(tests, key=lambda test: -test.seconds)
    shown = [test for test in by_time if test.outcome != "passed"] + by_time[:SLOWEST]
    lines += [f"| {t.name} | {t.outcome} | {t.seconds:.1f} |" for t in dict.fromkeys(shown)]
    return "\n".join(lines) + "\n"


def environment() -> dict[str, str]:
    """What the tests are told: the profile of CI, and that shared data is needed if it is there."""
    told = {"HYPOTHESIS_PROFILE": "ci", **os.environ}
    if Path(told.get("PLAIT_SHARED") or ROOT.parent / "shared").is_dir():
        told["PLAIT_REQUIRE_SHARED"] = "1"
    return told


def main() -> int:
    """Run them, write a record; pytest's exit code."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-m", "nightly", "-rs", f"--junit-xml={report}"]
        done = subprocess.run([*command, *sys.argv[1:]], cwd=ROOT, env=environment(), check=False)
        tests = ran(report)
    raw = {"tests": [test._asdict() for test in tests]}
    where = write_record(
        "nightly-tests", command_line("tools.nightly"), raw, summary(tests), PACKAGES
    )
    sys.stdout.write(f"{where.relative_to(ROOT)}\n")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
