"""What ran at night is written down: every test, what came of it, and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.nightly import Ran, environment, ran, summary

REPORT = """<?xml version="1.0"?>
<testsuites><testsuite name="pytest">
<testcase classname="tests.a" name="test_good" time="1.5"/>
<testcase classname="tests.a" name="test_bad" time="0.5"><failure message="1 == 2"/></testcase>
<testcase classname="tests.b" name="test_torn" time="0.1"><error message="no node"/></testcase>
<testcase classname="tests.b" name="test_left[3]" time="0"><skipped message="no strace"/></testcase>
</testsuite></testsuites>
"""


def test_every_test_is_told_with_its_outcome_and_reason(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    report.write_text(REPORT)

    assert ran(report) == [
        Ran("tests.a::test_good", "passed", 1.5, ""),
        Ran("tests.a::test_bad", "failed", 0.5, "1 == 2"),
        Ran("tests.b::test_torn", "failed", 0.1, "no node"),
        Ran("tests.b::test_left[3]", "skipped", 0.0, "no strace"),
    ]


def test_the_summary_counts_and_names_what_did_not_pass_even_if_it_was_quick() -> None:
    slow = [Ran(f"t{n}", "passed", 9.0, "") for n in range(30)]
    text = summary([*slow, Ran("torn", "failed", 0.1, "why")])

    assert "- failed: 1\n- passed: 30\n- seconds: 270\n" in text
    assert "| torn | failed | 0.1 |" in text
    assert text.count("| passed |") == 20


@pytest.mark.parametrize("is_there", [True, False])
def test_shared_data_that_is_there_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_there: bool
) -> None:
    monkeypatch.setenv("PLAIT_SHARED", str(tmp_path if is_there else tmp_path / "none"))
    monkeypatch.delenv("PLAIT_REQUIRE_SHARED", raising=False)

    assert ("PLAIT_REQUIRE_SHARED" in environment()) == is_there
