"""A repository that holds a module of every name, searched from inside: none of them runs.

Each module leaves a trace when it is imported or run. Programs that plait may start lie in
the repository, too, with PATH naming the current folder.
"""

from __future__ import annotations

import importlib.metadata
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
SCRIPT = (str(Path(sys.executable).with_name("plait")),)
MODULE = (sys.executable, "-P", "-m", "plait")
SECONDS = 300
POSIX = pytest.mark.skipif(os.name != "posix", reason="plants shell scripts")

MINE = ("eval", "mine", ".", "--out", "../mined")
VERBS: list[tuple[str, ...]] = [
    ("index", "."),
    ("index", ".", "--rebuild"),
    ("retry with backoff",),
    ("search", "retry", ".", "--explain"),
    ("-F", "marker"),
    ("grep", "def marker", "."),
    ("def", "marker"),
    ("symbols", "marker"),
    ("symbols", "json.py"),
    ("explain", "marker", "json.py:2"),
    ("similar", "json.py:2"),
    ("similar", "--duplicates"),
    ("clusters",),
    ("status",),
    ("doctor",),
    ("model", "list"),
    ("model", "bench"),
    MINE,
    ("eval", "run", "../mined", "--repos", "..", "--out", "../run"),
    ("eval", "economy", "../mined", "--repos", "..", "-n", "1"),
    ("completion", "bash"),
    ("--help",),
    ("--version",),
    ("clear", ".", "-y"),
]


def module_names() -> list[str]:
    """Every name a module that plait or its dependencies import may have."""
    installed = set(importlib.metadata.packages_distributions())
    own = {"plait", "sitecustomize", "usercustomize", "obedient"}
    names = {*sys.stdlib_module_names, *installed, *own}
    return sorted(name for name in names if name.isidentifier() and name != "__main__")


def plant(repo: Path, trace: Path) -> None:
    """Fill a repository with modules, as files and as packages, and programs that leave a trace."""
    for number, name in enumerate(module_names()):
        body = f"open({str(trace)!r}, 'a').write({name!r} + '\\n')\ndef marker(): pass\n"
        (repo / f"{name}.py").write_text(body, encoding="utf-8")
        if number % 2 or name in ("plait", "tree_sitter"):  # a package comes before a module
            (repo / name).mkdir()
            (repo / name / "__init__.py").write_text(body, encoding="utf-8")
            (repo / name / "__main__.py").write_text(body, encoding="utf-8")
    (repo / "pyvenv.cfg").write_text("home = .\n", encoding="utf-8")
    (repo / "all.pth").write_text(f"import os; open({str(trace)!r}, 'a')\n", encoding="utf-8")
    for name in ("rg", "python", "python3", "plait", "ps", "uname", "ldconfig", "gcc"):
        program = repo / f"{name}" if not (repo / name).exists() else repo / f"{name}.exe"
        program.write_text(f"#!/bin/sh\necho program {name} >> '{trace}'\n", encoding="utf-8")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-C", str(repo)]
    for step in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "Add the marker function"]):
        subprocess.run([*git, *step], check=True, capture_output=True)
    (repo / "json.py").write_text(
        (repo / "json.py").read_text("utf-8") + "\n\ndef retry(times): return marker() or times\n"
    )
    subprocess.run(
        [*git, "commit", "-qam", "Retry with exponential backoff when the call fails"],
        check=True,
        capture_output=True,
    )


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("hostile")
    repo, trace = folder / "repo", folder / "trace"
    repo.mkdir()
    plant(repo, trace)
    return repo, trace


def traces(planted: tuple[Path, Path], *arguments: str, path: str = "") -> list[str]:
    """What left a trace while a command ran inside the repository; the command has to work."""
    repo, trace = planted
    trace.unlink(missing_ok=True)
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("PLAIT_", "PYTHONPATH"))}
    environment = inherited | {
        "PLAIT_CACHE_DIR": str(repo.parent / "cache"),
        "XDG_CONFIG_HOME": str(repo.parent / "config"),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "PATH": path + os.environ["PATH"],
    }
    done = subprocess.run(
        arguments,
        cwd=repo,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
    )
    ran = trace.read_text("utf-8").splitlines() if trace.exists() else []
    if not ran:
        assert done.returncode in (0, 1), f"{done.returncode}: {done.stdout}{done.stderr}"
    return ran


@POSIX
@pytest.mark.slow
@pytest.mark.parametrize("verb", VERBS, ids="_".join)
def test_no_verb_runs_what_lies_in_the_folder(
    planted: tuple[Path, Path], verb: tuple[str, ...]
) -> None:
    if verb[:1] == ("eval",) and verb != MINE and not (planted[0].parent / "mined").exists():
        assert traces(planted, *SCRIPT, *MINE) == []  # another process may have had its turn
    assert traces(planted, *SCRIPT, *verb) == []


@POSIX
@pytest.mark.slow
@pytest.mark.parametrize("verb", [VERBS[0], VERBS[2], ("doctor",)], ids="_".join)
def test_nor_when_python_runs_the_module(planted: tuple[Path, Path], verb: tuple[str, ...]) -> None:
    assert traces(planted, *MODULE, *verb) == []


MANY = """
import sys
from pathlib import Path
from plait.interfaces.cli.cluster.processes import Processes, Task
if __name__ == "__main__":
    tasks = [Task(path, "", hidden=False, no_ignore=False, workers=1) for path in sys.argv[1:]]
    for outcome in Processes(1).outcomes(tasks):
        print(outcome.line)
        assert not outcome.error, outcome.error
"""


@POSIX
@pytest.mark.slow
def test_nor_when_several_repositories_are_indexed_each_in_its_process(
    planted: tuple[Path, Path], tmp_path: Path
) -> None:
    script = tmp_path / "many.py"
    script.write_text(MANY, encoding="utf-8")

    assert traces(planted, sys.executable, str(script), ".") == []


@POSIX
@pytest.mark.slow
@pytest.mark.parametrize("path", [":", ".:"])
def test_a_path_that_names_the_current_folder_finds_no_program_there(
    planted: tuple[Path, Path], path: str
) -> None:
    assert traces(planted, *SCRIPT, "doctor", path=path) == []
