"""The smaller verbs, help, completion, and what starting up costs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from plait.interfaces.cli.help import HELP, LATER, VERBS
from tests.interfaces.command import PLAIT, SECONDS, Command

HELP_CPU_SECONDS = 0.3
HEAVY = ("pydantic", "rich", "tantivy", "tree_sitter", "re2", "plait.assembly")


# ---------------------------------------------------------------- symbols and definitions


def test_a_file_gives_its_outline(indexed: Command) -> None:
    done = indexed("symbols", "client.py")

    assert done.out == (
        "client.py:6: class Client  class Client:\n"
        "client.py:9: method Client.connect  "
        "def connect(self, address: str, timeout_s: float = 10.0) -> None:\n"
        "client.py:13: method Client.retry  def retry(self, times: int) -> None:\n"
    )


def test_a_name_gives_the_symbols_that_have_it(indexed: Command) -> None:
    names = [item["symbol"] for item in indexed("symbols", "client", "--json").json["symbols"]]
    none = indexed("symbols", "zebra")

    assert names == ["Client"]
    assert (none.code, none.out) == (1, "")
    assert "no symbol has a name with 'zebra' in it" in none.err


def test_a_definition_is_found_plain_and_qualified_whatever_its_case(indexed: Command) -> None:
    line = "client.py:13: method Client.retry  def retry(self, times: int) -> None:\n"

    assert indexed("def", "retry").out == line
    assert indexed("def", "client.Retry()").out == line
    assert indexed("def", "Client.retry", "server").code == 1


def test_an_unknown_name_is_answered_with_near_ones(indexed: Command) -> None:
    done = indexed("def", "Conect")

    assert (done.code, done.out) == (1, "")
    assert done.err == "no symbol is named 'Conect'\nhint: did you mean Client.connect?\n"


# ---------------------------------------------------------------- explain


def test_explain_tells_how_a_line_earns_its_score(indexed: Command) -> None:
    done = indexed("explain", "timeout connection zebra", "client.py:10")
    data = indexed("explain", "timeout connection zebra", "client.py:10", "--json").json

    assert done.code == 0
    lines = [re.sub(r"\d+\.\d+", "N", line) for line in done.out.splitlines()]
    assert lines == [
        "client.py:9-12 Client.connect method",
        "rank 1 among files",
        "N  sum of",
        "  N  lexical, best chunk: N of the best match",
        "    N  sum of",
        "      N  timeout: N rarity x N frequency",
        "      N  connect (connection): N rarity x N frequency",
        "  N  lexical, three best: N of the most that a file has",
        "  -N  file name, rest: nobody asked for `client`",
        "  N  size: 400 bytes",
        "not in this chunk: zebra",
    ]
    assert (data["matches"], data["rank"], data["missing"]) == (True, 1, ["zebra"])


def test_explain_tells_what_is_missing(indexed: Command) -> None:
    done = indexed("explain", "zebra lang:go", "client.py:10")

    assert done.code == 1
    assert done.out.splitlines()[1:] == ["does not match", "not in this chunk: zebra, lang:go"]
    assert indexed("explain", "zebra", "client.py").code == 2
    assert "no chunk at line 999" in indexed("explain", "zebra", "client.py:999").err


# ---------------------------------------------------------------- doctor, help, completion


def test_doctor_finds_a_sound_installation_sound(indexed: Command) -> None:
    done = indexed("doctor")

    assert done.code == 0
    assert all(line.startswith("ok ") for line in done.out.splitlines())
    assert re.search(r"^ok +grammars: all \d+ load$", done.out, re.MULTILINE)


@pytest.mark.skipif(os.name == "nt" or not os.getuid(), reason="this user may write anywhere")
def test_doctor_names_a_cache_that_cannot_be_written(indexed: Command, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    done = indexed("doctor", env={"PLAIT_CACHE_DIR": str(tmp_path / "cache")})

    assert done.code == 2
    assert "problem  cache: cannot write to" in done.out


def test_help_names_every_verb_and_no_verb_is_both_here_and_to_come(plait: Command) -> None:
    done = plait("--help")

    assert (done.code, done.out, done.err) == (0, HELP, "")
    assert all(re.search(rf"^  {verb} ", HELP, re.MULTILINE) for verb in VERBS)
    assert not set(VERBS) & set(LATER)
    assert HELP.count("\n  plait ") == 3


def test_every_verb_has_help(plait: Command) -> None:
    script = (
        "import typer; from plait.interfaces.cli.verbs import command; app = command();"
        "print(*app.commands);"
        "[print(app.commands[n].get_help(typer.Context(app.commands[n], info_name=n)))"
        " for n in app.commands]"
    )
    env = plait.environment()
    shown = subprocess.run(
        [sys.executable, "-c", script], env=env, capture_output=True, text=True, check=True
    ).stdout

    assert tuple(shown.splitlines()[0].split()) == VERBS
    assert shown.count("Usage: ") == len(VERBS)
    assert plait("def", "--help").out.startswith("Usage: plait def ")


def test_the_version_is_the_packages(plait: Command) -> None:
    assert re.fullmatch(r"plait \d+\.\d+\.\d+\S*\n", plait("--version").out)


def test_help_is_cheap_and_loads_nothing_heavy(plait: Command) -> None:
    plait("search", "--help")  # compiles
    for arguments in (["--help"], ["search", "--help"]):
        script = (
            "import sys, time; from plait.interfaces.cli.main import main;"
            f"main({arguments!r});"
            "print(time.process_time(), *sys.modules, file=sys.stderr)"
        )
        done = subprocess.run(
            [sys.executable, "-c", script],
            env=plait.environment(),
            capture_output=True,
            text=True,
            check=True,
        )
        seconds, *modules = done.stderr.split()

        assert not [name for name in HEAVY if name in modules]
        generous = 4 if os.environ.get("CI") else 2
        assert float(seconds) < HELP_CPU_SECONDS * generous


def test_a_piped_search_loads_neither_rich_nor_pydantic(indexed: Command) -> None:
    script = (
        "import sys; from plait.interfaces.cli.main import main; main(['timeout', '.']);"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=indexed.folder,
        env=indexed.environment(),
        capture_output=True,
        text=True,
        check=True,
    )

    assert not {"rich", "pydantic"} & set(done.stderr.split())


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes_verbs_and_options(indexed: Command, tmp_path: Path) -> None:
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    program = bin_folder / "plait"
    program.write_text(f'#!/bin/sh\nexec {" ".join(PLAIT)} "$@"\n')
    program.chmod(0o755)
    script = """
        eval "$(plait completion bash)"
        complete -p plait
        COMP_WORDS=(plait st); COMP_CWORD=1; _plait_completion plait; echo "${COMPREPLY[@]}"
        COMP_WORDS=(plait search x --per); COMP_CWORD=3; _plait_completion plait
        echo "${COMPREPLY[@]}"
        COMP_WORDS=(plait search x --format j); COMP_CWORD=4; _plait_completion plait
        echo "${COMPREPLY[@]}"
    """
    env = indexed.environment({"PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}"})
    done = subprocess.run(
        ["bash", "-c", script],
        env=env,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=True,
    )

    assert done.stdout.splitlines() == [
        "complete -o default -F _plait_completion plait",
        "status store",
        "--per-file",
        "json jsonl",
    ]


@pytest.mark.parametrize("shell", ["zsh", "fish", "powershell"])
def test_other_shells_have_a_script_too(plait: Command, shell: str) -> None:
    assert "_PLAIT_COMPLETE" in plait("completion", shell).out
