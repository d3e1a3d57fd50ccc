"""The formats of an answer, to the letter where a program reads them."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
from typing import Any

import pytest

from plait.interfaces.fences import DATA_ONLY
from plait.search.packing.estimate import estimate
from tests.interfaces.command import PLAIT, SECONDS, Command

RESULT_KEYS = {
    "rank",
    "score",
    "repo",
    "path",
    "start_line",
    "end_line",
    "symbol",
    "kind",
    "language",
    "signature",
    "docstring",
    "snippet",
    "snippet_start_line",
    "more_in_file",
    "tags",
    "reason",
}


def test_json_has_these_keys_and_no_others(indexed: Command) -> None:
    data = indexed("timeout route", "--format", "json").json
    first = data["results"][0]

    assert set(data) == {
        "schema",
        "query",
        "shape",
        "about",
        "plan",
        "lanes",
        "generation",
        "stale",
        "absent",
        "notes",
        "hints",
        "expanded",
        "results",
    }
    assert (data["schema"], data["query"], data["generation"]) == (
        "plait.search/2",
        "timeout route",
        1,
    )
    assert (data["stale"], data["absent"], data["lanes"]) == (0, [], ["lexical"])
    assert set(first) == RESULT_KEYS
    first.pop("score")
    first.pop("reason")
    assert first == {
        "rank": 1,
        "repo": "tiny",
        "path": "server/limits.py",
        "start_line": 1,
        "end_line": 3,
        "symbol": "timeout_for",
        "kind": "function",
        "language": "python",
        "signature": "def timeout_for(route: str) -> float:",
        "docstring": '"""How long a route may take."""',
        "snippet": (
            "def timeout_for(route: str) -> float:\n"
            '    """How long a route may take."""\n'
            "    return 3.0"
        ),
        "snippet_start_line": 1,
        "more_in_file": 0,
        "tags": [],
    }


def check_sum(reason: dict[str, Any]) -> None:
    """A score is the sum of its signals; below a signal may be its lane's own account."""
    assert set(reason) == {"name", "value", "words", "parts"}
    assert reason["value"] == math.fsum(part["value"] for part in reason["parts"])
    for signal in reason["parts"]:
        for account in signal["parts"]:
            assert account["value"] == math.fsum(part["value"] for part in account["parts"])


def test_every_score_is_the_sum_of_its_reasons(indexed: Command) -> None:
    results = indexed("timeout connection server", "--json").json["results"]

    assert len(results) > 2
    for result in results:
        assert result["score"] == result["reason"]["value"]
        check_sum(result["reason"])


def test_json_lines_are_the_results_of_json(indexed: Command) -> None:
    whole = indexed("timeout", "--json").json["results"]
    lines = indexed("timeout", "--format", "jsonl").out.splitlines()

    assert [json.loads(line) for line in lines] == whole


def test_notes_and_hints_are_in_the_object_and_not_on_standard_error(indexed: Command) -> None:
    done = indexed("timout lang:klingon", "--json")

    assert done.code == 1
    assert done.json["hints"]
    assert done.err == ""


def test_text_is_blocks_with_numbered_lines(indexed: Command) -> None:
    done = indexed("timeout route", "--format", "text", "-n", "1")

    assert re.sub(r"\d+\.\d\d(?=\n)", "SCORE", done.out) == (
        "  1. server/limits.py:1-3  timeout_for function  SCORE\n"
        "     1  def timeout_for(route: str) -> float:\n"
        '     2      """How long a route may take."""\n'
        "     3      return 3.0\n"
    )


def test_explain_gives_the_terms_under_each_result(indexed: Command) -> None:
    done = indexed("timeout route", "--explain", "-n", "1")
    lines = [re.sub(r"\d+\.\d+", "N", line) for line in done.out.splitlines()]

    assert lines[1:] == [
        "    N  sum of",
        "      N  lexical, best chunk: N of the best match",
        "        N  sum of",
        "          N  timeout: N rarity x N frequency",
        "          N  rout (route): N rarity x N frequency",
        "      N  lexical, three best: N of the most that a file has",
        "      -N  file name, rest: nobody asked for `limits`",
        "      N  size: 90 bytes",
        "      -N  depth: 1 folder deep",
    ]


@pytest.mark.parametrize("flag", ["--explain", "--timings"])
def test_the_plan_is_told_in_words(indexed: Command, flag: str) -> None:
    told = indexed("where are the tests for a timeout", flag, "-n", "1").err.splitlines()

    assert told[:2] == [
        "plan: the question is read as question, about test",
        "plan: lexical x 1, 100 chunks, 20 s (the only lane)",
    ]


def test_json_has_the_plan_and_what_it_follows_from(indexed: Command) -> None:
    data = indexed("where are the tests for a timeout", "--json").json

    assert (data["shape"], data["about"]) == ("question", ["test"])
    assert data["plan"] == [
        {"lane": "lexical", "weight": 1.0, "depth": 100, "within_s": 20.0, "why": "the only lane"}
    ]


def test_vimgrep_lines_have_a_column(indexed: Command) -> None:
    done = indexed("Client.connect", "--format", "vimgrep", "-n", "1")

    line = "    def connect(self, address: str, timeout_s: float = 10.0) -> None:"
    assert done.out == f"client.py:9:5:{line}\n"


def test_markdown_and_llm_blocks(indexed: Command) -> None:
    code = (
        "```python\n"
        "def timeout_for(route: str) -> float:\n"
        '    """How long a route may take."""\n'
        "    return 3.0\n"
        "```\n"
    )
    llm = indexed("timeout route", "--format", "llm", "-n", "1")
    markdown = indexed("timeout route", "--format", "md", "-n", "1")

    assert llm.out == f"{DATA_ONLY}\nserver/limits.py:1-3 timeout_for\n{code}"
    assert markdown.out == (f"## 1. `server/limits.py:1-3`\n\n`timeout_for` (function)\n\n{code}\n")


def test_markdown_within_tokens_leaves_out_what_does_not_fit_and_says_so(indexed: Command) -> None:
    whole = indexed("timeout", "--format", "md")
    cut = indexed("timeout", "--format", "md", "--max-tokens", "40")

    assert whole.out.startswith(cut.out)
    assert len(cut.out) < len(whole.out)
    assert "1 more left out to stay within 40 tokens" in cut.err


def test_a_question_within_tokens_is_bodies_and_then_a_list(indexed: Command) -> None:
    packed = indexed("timeout route", "--max-tokens", "90")

    assert packed.out == (
        f"{DATA_ONLY}\n"
        "server/limits.py:1-3\n"
        "```\n"
        "def timeout_for(route: str) -> float:\n"
        '    """How long a route may take."""\n'
        "    return 3.0\n"
        "```\n"
        "```\n"
        "client.py:9: def connect(self, address: str, timeout_s: float = 10.0) -> None:\n"
        "```\n"
    )
    assert estimate(packed.out) <= 90


@pytest.mark.parametrize("tokens", [45, 60, 100, 200, 1000])
def test_no_more_is_printed_than_there_is_room_for(indexed: Command, tokens: int) -> None:
    packed = indexed("timeout client", "--max-tokens", str(tokens))

    assert 0 < estimate(packed.out) <= tokens


def test_packed_json_has_files_with_their_spans(indexed: Command) -> None:
    packed = indexed("timeout route", "--max-tokens", "1000", "--json").json
    first = packed["files"][0]
    rows = indexed("timeout route", "--max-tokens", "1000", "--format", "jsonl").out.splitlines()

    assert packed["schema"] == "plait.pack/1"
    assert (packed["max_tokens"], packed["left_out"]) == (1000, 0)
    assert first["path"] == "server/limits.py"
    assert first["spans"][0]["text"].startswith("def timeout_for(route: str)")
    assert [json.loads(row) for row in rows] == packed["files"]


def test_too_few_tokens_are_an_error_that_says_how_many_would_do(indexed: Command) -> None:
    none = indexed("timeout route", "--max-tokens", "9")
    least = re.search(r"--max-tokens (\d+)", none.err)

    assert (none.code, none.out) == (2, "")
    assert "9 tokens are too few" in none.err
    assert least
    assert indexed("timeout route", "--max-tokens", least[1]).code == 0
    assert indexed("timeout route", "--max-tokens", str(int(least[1]) - 1)).code == 2


def test_nothing_found_is_not_packed(indexed: Command) -> None:
    none = indexed("zebra", "--max-tokens", "100")

    assert (none.code, none.out) == (1, "")
    assert "no results" in none.err


def test_sarif_has_what_the_standard_requires(indexed: Command) -> None:
    log = indexed("timeout route", "server", "--format", "sarif").json
    run = log["runs"][0]
    place = run["results"][0]["locations"][0]["physicalLocation"]

    assert log["version"] == "2.1.0"
    assert run["tool"]["driver"]["name"] == "plait"
    assert run["results"][0]["ruleId"] in {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    assert run["results"][0]["message"]["text"].startswith("timeout_for (function), score ")
    assert place["artifactLocation"]["uri"] == "limits.py"
    assert (place["region"]["startLine"], place["region"]["endLine"]) == (1, 3)


# ---------------------------------------------------------------- color and pipes


def test_color_is_there_when_wanted_and_only_then(indexed: Command) -> None:
    always = indexed("timeout", "--color", "always", "--format", "text")
    plain = indexed("timeout", "--format", "text")

    assert "\x1b[" in always.out
    assert "\x1b" not in plain.out
    assert re.sub(r"\x1b\[[0-9;]*m", "", always.out) == plain.out


@pytest.mark.skipif(os.name == "nt", reason="there are no pseudo-terminals")
@pytest.mark.parametrize(
    ("env", "colored"),
    [
        pytest.param({}, True, id="terminal"),
        pytest.param({"NO_COLOR": "1"}, False, id="NO_COLOR"),
        pytest.param({"TERM": "dumb"}, False, id="dumb"),
    ],
)
def test_a_terminal_gets_blocks_in_color_unless_it_says_no(
    indexed: Command, env: dict[str, str], colored: bool
) -> None:
    import pty

    own, theirs = pty.openpty()
    with subprocess.Popen(
        [*PLAIT, "timeout"],
        cwd=indexed.folder,
        env=indexed.environment(env),
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.PIPE,
    ) as process:
        os.close(theirs)
        shown = b""
        try:
            while piece := os.read(own, 65536):
                shown += piece
        except OSError:  # the other side is closed
            pass
        process.communicate(timeout=SECONDS)
    os.close(own)

    assert process.returncode == 0
    assert b"server/limits.py" in shown
    assert b"  1. " in shown
    assert (b"\x1b[" in shown) is colored


def test_a_reader_that_has_read_enough_is_no_failure(indexed: Command) -> None:
    process = indexed.start("timeout connection", "--per-file", "0", "--explain")
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()  # before anything was written
    complaint = process.stderr.read()
    process.stderr.close()

    assert (process.wait(timeout=SECONDS), complaint) == (0, "")


def test_a_bug_is_reported_without_a_traceback_unless_debugging(indexed: Command) -> None:
    script = (
        "import sys; from plait.interfaces.cli import main as m;"
        "m._dispatch = lambda _: 1 / 0; sys.exit(m.main([]))"
    )

    def run(debug: str) -> subprocess.CompletedProcess[str]:
        env = indexed.environment({"PLAIT_DEBUG": debug})
        return subprocess.run(
            [sys.executable, "-c", script], env=env, capture_output=True, text=True, check=False
        )

    assert run("0").returncode == 2
    assert run("0").stderr.startswith("error: plait has a bug: ZeroDivisionError")
    assert "Traceback" not in run("0").stderr
    assert "Traceback" in run("1").stderr
