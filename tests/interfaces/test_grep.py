"""Searches for lines: ``plait grep`` and ``plait`` with a pattern."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from plait.interfaces.cli.lines.grep_arguments import HELP
from plait.interfaces.cli.lines.printing import Look, TextWriter
from plait.interfaces.cli.lines.stream import say_total, write
from plait.interfaces.cli.main import main
from plait.interfaces.fences import DATA_ONLY
from plait.types import FileLines, Line, Tally
from tests.interfaces.command import PLAIT, SECONDS, Command, Done
from tests.sources.repositories import repository, tree

FILES = {
    "app/client.py": """\
import time


class Client:
    def fetch_page(self, url: str) -> str:
        return self.send(url, timeout_s=3.0)

    def send(self, url: str, timeout_s: float) -> str:
        raise TimeoutError(url)
""",
    "app/zoo.py": "from app.client import Client\n\nclient = Client()\nclient.fetch_page('x')\n",
    "app/run.go": "package app\n\n// fetch_page is elsewhere\nfunc Run() {}\n",
    "tests/test_client.py": "def test_fetch():\n    assert Client().fetch_page('x')\n",
}
Run = Callable[..., Done]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A git repository that is indexed; not to be changed."""
    base = tmp_path_factory.mktemp("lines")
    command = Command(repository(base / "repo", FILES), base / "cache")
    assert command("index").code == 0
    return command.folder


@pytest.fixture
def run(place: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """The command in the repository, in this process."""
    monkeypatch.setenv("PLAIT_CACHE_DIR", str(place.parent / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(place.parent / "cache"))
    monkeypatch.setenv("PLAIT_MODE", "lexical")

    def command(*arguments: str, at: str = ".") -> Done:
        monkeypatch.chdir(place / at)
        capfd.readouterr()
        code = main(arguments)
        return Done(code, *capfd.readouterr())

    return command


# ---------------------------------------------------------------- a bare query


def test_a_pattern_prints_every_line_definitions_first_and_tests_last(run: Run) -> None:
    done = run("/fetch_page/")

    assert (done.code, done.err) == (0, "")
    assert done.out == (
        "app/client.py:5:    def fetch_page(self, url: str) -> str:\n"
        "app/run.go:3:// fetch_page is elsewhere\n"
        "app/zoo.py:4:client.fetch_page('x')\n"
        "tests/test_client.py:2:    assert Client().fetch_page('x')\n"
    )
    assert run("-F", "fetch_page").out == done.out


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        pytest.param(["/fetch_page/ lang:go"], ["app/run.go:3"], id="filter"),
        pytest.param(
            ["/fetch_page/ -is:test -lang:go"], ["app/client.py:5", "app/zoo.py:4"], id="-"
        ),
        pytest.param(["/fetch_page/ path:/zoo|run/"], ["app/run.go:3", "app/zoo.py:4"], id="path"),
        pytest.param(["/fetch_page/ -file:/^app/"], ["tests/test_client.py:2"], id="not-path"),
        pytest.param(["/fetch_page/ symbol:test_fetch"], ["tests/test_client.py:2"], id="symbol"),
        pytest.param(["/timeouterror/i"], ["app/client.py:9"], id="i"),
        pytest.param(["/timeouterror/ case:no"], ["app/client.py:9"], id="case"),
        pytest.param(["/timeouterror/", "-i"], ["app/client.py:9"], id="-i"),
        pytest.param(["-S", "/timeouterror/"], ["app/client.py:9"], id="-S"),
        pytest.param(["-S", "/Timeouterror/"], [], id="-S-capital"),
        pytest.param(["-F", "send("], ["app/client.py:6", "app/client.py:8"], id="-F"),
        pytest.param(["-F", "SEND(", "-i", "-m", "1"], ["app/client.py:6"], id="-m"),
        pytest.param(["-w", "/send|fetch/"], ["app/client.py:6", "app/client.py:8"], id="-w"),
        pytest.param(["-F", "fetch_page", "app", "-g", "*.go"], ["app/run.go:3"], id="-g"),
        pytest.param(["-F", "fetch_page", "-t", "go"], ["app/run.go:3"], id="-t"),
        pytest.param(["/fetch_page/", "app/zoo.py"], ["app/zoo.py:4"], id="file"),
        pytest.param(["/fetch_page/", "-n", "2"], ["app/client.py:5", "app/run.go:3"], id="-n"),
        pytest.param(["/def s/ /raise/"], ["app/client.py:8", "app/client.py:9"], id="and"),
        pytest.param(["/^package/ OR /^class/"], ["app/client.py:4", "app/run.go:1"], id="or"),
        pytest.param(['"client  = Client()"'], ["app/zoo.py:3"], id="code"),
        pytest.param(["-v", "/./", "app/zoo.py"], ["app/zoo.py:2"], id="-v"),
        pytest.param([r"/page\('x'\)\n/", "app"], ["app/zoo.py:4"], id="line-break"),
        pytest.param(["/zebra/"], [], id="none"),
    ],
)
def test_lines_found(run: Run, arguments: list[str], found: list[str]) -> None:
    done = run(*arguments)

    assert [":".join(line.split(":")[:2]) for line in done.out.splitlines()] == found
    assert done.code == (0 if found else 1)


def test_two_patterns_that_must_both_hold_come_from_chunks_with_both(run: Run) -> None:
    assert run("/import/ /zebra/").code == 1
    assert run("/package/ /raise/").code == 1


def test_lines_by_path_counts_paths_and_context(run: Run) -> None:
    paths = ["app/client.py", "app/run.go", "app/zoo.py", "tests/test_client.py"]

    assert run("/fetch_page/", "-l", "--sort", "path").out.splitlines() == paths
    assert run("/Client/", "-c", "--sort", "path").out.splitlines() == [
        "app/client.py:1",
        "app/zoo.py:2",
        "tests/test_client.py:1",
    ]
    assert run("/[Cc]lient/", "--count-matches", "app/zoo.py").out == "app/zoo.py:5\n"
    assert run("/[Cc]lient/", "-o", "-m", "1", "app/zoo.py").out == (
        "app/zoo.py:1:client\napp/zoo.py:1:Client\n"
    )
    assert run("/raise/", "-B", "1", "app").out == (
        "app/client.py-8-    def send(self, url: str, timeout_s: float) -> str:\n"
        "app/client.py:9:        raise TimeoutError(url)\n"
    )


def test_a_pattern_with_words_is_a_ranked_search_among_what_it_matches(run: Run) -> None:
    done = run("/Client/ fetch")

    assert done.code == 0
    assert all(" - " in line or "run.go" not in line for line in done.out.splitlines())
    assert "run.go" not in done.out
    assert "tests/test_client.py:1: test_fetch - def test_fetch():" in done.out


def test_code_in_quotation_marks_that_no_line_holds_is_looked_for_as_words(run: Run) -> None:
    over_lines = run('"timeout_s=3.0) def send(self"')
    wrong = run('"fetch_page(address)"')

    assert "app/client.py" in over_lines.out
    assert "no chunk has the exact phrase" in wrong.err
    assert "fetch_page" in wrong.out
    assert run('"fetch_page(address)"', "--format", "json").json["files"] == []


@pytest.mark.parametrize(
    "flags",
    [
        *(["-w"], ["-v"], ["-A", "1"], ["-B", "1"], ["-C", "1"], ["-m", "1"], ["-o"], ["-U"]),
        *(["--count-matches"], ["--sort", "path"]),
    ],
)
def test_a_flag_for_lines_is_refused_for_words_with_a_way_out(run: Run, flags: list[str]) -> None:
    done = run("fetch", *flags)

    assert (done.code, done.out) == (2, "")
    assert flags[0] in done.err.splitlines()[0]
    assert "/PATTERN/" in done.err.splitlines()[1]


def test_what_lines_do_not_have_is_refused(run: Run) -> None:
    assert "lines have no score" in run("/x/", "--explain").err
    assert "SARIF" in run("/x/", "--format", "sarif").err
    assert "cannot be combined with --format json" in run("/x/", "-l", "--json").err
    assert "--max-count must be at least 1" in run("/x/", "-m", "0").err
    assert "--sort must be one of" in run("/x/", "--sort", "size").err
    assert "-A must be at least 0" in run("/x/", "-A", "-1").err


# ---------------------------------------------------------------- formats


def test_one_object_holds_files_lines_and_the_tally(run: Run) -> None:
    data = run("/fetch_page/ lang:python -is:test", "--format", "json", "-n", "1").json

    assert data == {
        "schema": "plait.lines/1",
        "query": "/fetch_page/ lang:python -is:test",
        "generation": 1,
        "stale": 0,
        "notes": [],
        "hints": [],
        "tally": {"lines": 2, "matches": 1, "files": 2, "is_exact": True, "is_partial": False},
        "files": [
            {
                "repo": "repo",
                "path": "app/client.py",
                "language": "python",
                "tags": [],
                "lines": [
                    {
                        "line": 5,
                        "offset": 28,
                        "text": "    def fetch_page(self, url: str) -> str:",
                        "ranges": [[8, 18]],
                        "is_match": True,
                        "defines": True,
                    }
                ],
            }
        ],
    }


def test_json_lines_are_the_lines_of_the_object(run: Run) -> None:
    files = run("/fetch_page/", "--format", "json").json["files"]
    lines = map(json.loads, run("/fetch_page/", "--format", "jsonl").out.splitlines())
    placed = [
        {key: file[key] for key in ("repo", "path", "language", "tags")} | line
        for file in files
        for line in file["lines"]
    ]

    assert list(lines) == placed


def test_json_is_the_stream_of_messages(run: Run) -> None:
    messages = [json.loads(line) for line in run("/fetch_page/", "--json").out.splitlines()]

    assert [message["type"] for message in messages] == ["begin", "match", "end"] * 4 + ["summary"]
    assert messages[1]["data"]["path"] == {"text": "app/client.py"}
    assert messages[-1]["data"]["stats"]["matches"] == 4


def test_vimgrep_markdown_and_llm(run: Run) -> None:
    query = "/client/i path:zoo"

    assert run(query, "--format", "vimgrep", "-n", "1").out == (
        "app/zoo.py:1:10:from app.client import Client\n"
        "app/zoo.py:1:24:from app.client import Client\n"
    )
    rows = "1:from app.client import Client\n3:client = Client()\n4:client.fetch_page('x')\n"
    assert run(query, "--format", "llm").out == f"{DATA_ONLY}\napp/zoo.py\n```\n{rows}```\n"
    assert run(query, "--format", "md").out == f"## `app/zoo.py`\n\n```text\n{rows}```\n\n"
    cut = run("/client/i", "--format", "llm", "--max-tokens", "10")
    assert cut.out.count("```\n") == 2
    assert "2 more left out to stay within 10 tokens" in cut.err


# ---------------------------------------------------------------- plait grep


def test_grep_ranks_unless_told_to_sort(run: Run) -> None:
    ranked = ["app/client.py", "app/zoo.py", "tests/test_client.py"]

    assert run("grep", "-l", "Client", ".").out.splitlines() == [f"./{path}" for path in ranked]
    assert run("grep", "-l", "fetch_page|test_fetch").out.splitlines()[-1] == "app/zoo.py"
    assert run("grep", "-l", "--sort", "path", "fetch_page").out.splitlines() == [
        "app/client.py",
        "app/run.go",
        "app/zoo.py",
        "tests/test_client.py",
    ]


def test_grep_searches_several_paths_in_the_order_given(run: Run) -> None:
    done = run("grep", "-n", "fetch_page", "tests", "app/zoo.py", "app/run.go")

    assert [line.split(":")[0] for line in done.out.splitlines()] == [
        "tests/test_client.py",
        "app/zoo.py",
        "app/run.go",
    ]
    assert run("grep", "-l", "fetch_page", "../tests", at="app").out == "../tests/test_client.py\n"
    assert run("grep", "-l", "fetch_page", at="tests").out == "test_client.py\n"


def test_globs_with_a_slash_begin_where_the_command_runs(run: Run) -> None:
    assert run("grep", "-l", "fetch_page", "-g", "/zoo.py", at="app").out == "zoo.py\n"
    assert run("grep", "-l", "fetch_page", "-g", "app/*.go", "app").out == "app/run.go\n"
    assert run("grep", "-l", "fetch_page", "-g", "app/*.go", at="app").code == 1
    assert run("grep", "-l", "fetch_page", "-g", "!/app/**").out == "tests/test_client.py\n"


def test_globs_apply_below_where_the_command_runs_too(run: Run, place: Path) -> None:
    tree(place.parent / "plain", {"sub/a.py": "zebra\n", "b.py": "zebra\n"})
    here = ".."

    assert run("grep", "-l", "zebra", "plain", "-g", "plain/*.py", at=here).out == "plain/b.py\n"
    assert run("grep", "-l", "zebra", "plain", "-g", "*/sub/*", at=here).out == "plain/sub/a.py\n"
    assert run("grep", "-l", "zebra", "plain", "-g", "**/b.py", at=here).out == "plain/b.py\n"
    assert run("grep", "-l", "zebra", "plain", "-g", "repo/*.py", at=here).code == 1


def test_a_path_that_is_not_there_does_not_stop_the_others(run: Run) -> None:
    done = run("grep", "fetch_page", "nowhere", "app/zoo.py")

    assert (done.code, done.out) == (2, "app/zoo.py:client.fetch_page('x')\n")
    assert done.err == "error: no such file or folder: nowhere\n"
    assert run("grep", "-q", "fetch_page", "nowhere", "app/zoo.py").code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-P", "x"], "cannot do -P: look-around"),
        (["--engine", "pcre2", "x"], "cannot do --engine pcre2"),
        (["-z", "x"], "compressed files are not indexed"),
        (["--encoding", "latin1", "x"], "UTF-8"),
        (["-r", "y", "x"], "prints lines as they are"),
        (["--files"], "without a pattern"),
        (["--sortr", "path", "x"], "by rank or path only"),
        (["--sort", "modified", "x"], "--sort must be one of path, none, rank"),
        (["--frobnicate", "x"], "option --frobnicate not recognized"),
        (["-m", "few", "x"], "takes a number, got 'few'"),
        (["-A", "-1", "x"], "takes a number, got '-1'"),
        (["--timeout", "0", "x"], "above 0"),
        (["-t", "klingon", "x"], "no language is called 'klingon'"),
        (["--json", "-l", "x"], "--files-with-matches cannot go with --json"),
        (["a("], "not a pattern RE2 accepts"),
        (["a\\nb"], "asks for a line break"),
        ([], "needs a pattern"),
    ],
)
def test_what_grep_cannot_do_it_says(run: Run, arguments: list[str], message: str) -> None:
    done = run("grep", *arguments)

    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: ")
    assert message in done.err.splitlines()[0]


def test_totals_are_told_when_asked_for(run: Run) -> None:
    assert run("grep", "--stats", "fetch_page").err == "4 lines in 4 files\n"
    assert run("grep", "--stats", "--limit", "2", "fetch_page").err == "4 lines in 4 files\n"
    assert run("grep", "fetch_page").err == ""


def test_a_total_that_may_be_higher_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    say_total(Tally(1_000, 1_000, 1, is_exact=False))

    assert capsys.readouterr().err == "at least 1,000 lines in at least 1 file\n"


def test_a_search_that_runs_out_of_time_says_so_and_is_partial(run: Run) -> None:
    done = run("grep", "--timeout", "0.000001", "e")

    assert done.code == 1
    assert "time was up after 1e-06 s" in done.err
    assert "--timeout gives it more" in done.err
    assert run("grep", "--timeout", "0.000001", "--strict", "e").code == 3
    assert run("grep", "--strict", "fetch_page").code == 0


def test_help_tells_the_options(run: Run) -> None:
    assert run("grep", "--help").out == run("grep", "-h").out == HELP


# ---------------------------------------------------------------- streams and terminals


def test_a_file_is_written_before_the_next_is_looked_for() -> None:
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    seen = []

    def read() -> bytes:
        try:
            return os.read(reading, 1_000)
        except BlockingIOError:
            return b""

    def found() -> Iterator[FileLines | Tally]:
        for name in ("a", "b"):
            seen.append(read())
            yield FileLines("", name, "", (), 2, (Line(1, 0, b"x"),))
        seen.append(read())
        yield Tally(2, 2, 2, is_exact=True)

    with open(writing, "wb") as out:  # noqa: PTH123 - a pipe has no path
        tally = write(found(), TextWriter(Look()), lambda file: file.path, out)
    os.close(reading)

    assert seen == [b"", b"a:1:x\n", b"b:1:x\n"]
    assert tally.lines == 2


def shown_on_a_terminal(command: Command, *arguments: str) -> str:
    import pty

    own, theirs = pty.openpty()
    with subprocess.Popen(
        [*PLAIT, *arguments],
        cwd=command.folder,
        env=command.environment(),
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        shown = b""
        try:
            while piece := os.read(own, 65536):
                shown += piece
        except OSError:  # the other side is closed
            pass
        process.wait(timeout=SECONDS)
    os.close(own)
    return shown.decode().replace("\r\n", "\n")


@pytest.mark.skipif(os.name == "nt", reason="there are no pseudo-terminals")
def test_a_terminal_gets_headings_and_no_control_characters(plait: Command) -> None:
    tree(plait.folder, {"evil.py": "zebra = '\x1b[31mred\x07'\n", "b.py": "zebra = 1\n"})
    plait("index")

    plain = "b.py\n1:zebra = 1\n\nevil.py\n1:zebra = '␛[31mred␇'\n"
    total = "2 lines in 2 files\n"
    assert shown_on_a_terminal(plait, "grep", "--color", "never", "zebra") == plain
    assert shown_on_a_terminal(plait, "/zebra/", "--color", "never") == plain + total
    assert "\x1b[0m\x1b[1m\x1b[31mzebra\x1b[0m = 1" in shown_on_a_terminal(plait, "grep", "zebra")
    assert "\x1b[31mred\x07" in plait("grep", "zebra").out


# ---------------------------------------------------------------- freshness and cost


def test_new_lines_are_found_at_once_unless_told_not_to_look(plait: Command) -> None:
    tree(plait.folder, {"a.py": "zebra = 1\n"})
    assert plait("grep", "zebra").out == "a.py:zebra = 1\n"

    (plait.folder / "b.py").write_text("zebra = 2\n")

    assert plait("grep", "-c", "--no-refresh", "zebra").out == "a.py:1\n"
    assert plait("grep", "--no-refresh", "--strict", "zebra").code == 3
    assert plait("grep", "-c", "zebra").out == "a.py:1\nb.py:1\n"


def test_no_vectors_are_made_for_lines(plait: Command) -> None:
    tree(plait.folder, {"a.py": "def zebra():\n    pass\n"})
    env = {"PLAIT_MODE": "hybrid"}

    assert plait("grep", "zebra", env=env).code == 0
    assert plait("/zebra/", env=env).code == 0
    assert plait("status", "--json", env=env).json["vectors"] == 0


def test_grep_loads_neither_typer_nor_rich(plait: Command) -> None:
    tree(plait.folder, {"a.py": "zebra = 1\n"})
    script = (
        "import sys; from plait.interfaces.cli.main import main; main(['grep', 'zebra']);"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=plait.folder,
        env=plait.environment(),
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout == "a.py:zebra = 1\n"
    assert not {"rich", "typer", "pydantic"} & set(done.stderr.split())
