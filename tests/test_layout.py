"""Rules of the project that no other tool checks in full."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "plait"
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))


def imported(file: Path) -> set[str]:
    """The top-level packages a module imports, anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").partition(".")[0])
    return found


def normal(name: str) -> str:
    """A distribution's name as locks spell it."""
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize(
    "path", [PACKAGE / "errors.py", *sorted((PACKAGE / "types").glob("*.py"))], ids=lambda p: p.name
)
def test_the_nouns_need_only_the_standard_library(path: Path) -> None:
    assert imported(path) - sys.stdlib_module_names <= {"plait"}


def test_importing_plait_loads_nothing_but_itself() -> None:
    script = (
        "import sys; before = set(sys.modules); import plait;"
        "print(*sorted(set(sys.modules) - before - {'__future__'}))"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )

    assert run.stdout.split() == ["plait"]


def test_every_package_says_what_it_is_and_holds_no_code() -> None:
    for file in (ROOT / "src" / "plait").glob("*/**/__init__.py"):
        tree = ast.parse(file.read_text("utf-8"))

        assert ast.get_docstring(tree), f"{file} has no docstring"
        rest = [
            node
            for node in tree.body[1:]
            if not isinstance(node, ast.Import | ast.ImportFrom | ast.Assign)
        ]
        assert not rest, f"{file} holds code"


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_a_lock_names_no_address_and_hashes_every_package(lock: Path) -> None:
    text = lock.read_text("utf-8")
    entries = re.split(r"\n(?=[A-Za-z0-9])", text)[1:]

    assert "://" not in text
    assert not re.search(r"^\s*--(index|extra-index|find-links|trusted)", text, re.MULTILINE)
    assert entries
    assert all("==" in entry and "--hash=sha256:" in entry for entry in entries)


@pytest.mark.parametrize("name", ["core.txt", "dev.txt"])
def test_a_lock_that_plait_runs_on_covers_every_core_dependency(name: str) -> None:
    lock = ROOT / "requirements" / name
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = {normal(re.split(r"[<>=~!; ]", line)[0]) for line in project["dependencies"]}
    pins = re.findall(r"^([\w.-]+)==", lock.read_text("utf-8"), re.MULTILINE)
    locked = {normal(name) for name in pins}

    assert wanted <= locked


def test_only_translators_take_expressions_apart_by_themselves() -> None:
    """Everybody else walks and rewrites them by ``plait/expressions.py``."""
    takes_apart = re.compile(r"case (And|Or)\(|isinstance\([^()]*, *(And|Or) \| (And|Or)\)")
    found = {
        file.relative_to(PACKAGE).as_posix()
        for file in PACKAGE.rglob("*.py")
        if takes_apart.search(file.read_text("utf-8"))
    }

    assert found == {
        "expressions.py",
        "search/relax.py",  # as a user would type it
        "stores/cluster/queries.py",  # as OpenSearch asks it
        "stores/embedded/words.py",  # as tantivy asks it
    }


# ---------------------------------------------------------------- beside the package

MAY_IMPORT = {  # of what lies beside the package; `plait` itself imports none of it
    "tools": set(),
    "training": {"tools"},
    "benchmarks": {"tools", "training"},
    "tests": {"tests", "tools", "training"},
    "tests/benchmarks": {"tests", "tools", "training", "benchmarks"},
}
BESIDE = {"benchmarks", "tests", "tools", "training"}


def owner(file: Path) -> str:
    """Whose rule holds for a file: the longest folder that has one."""
    path = file.relative_to(ROOT).as_posix()
    return max((name for name in MAY_IMPORT if path.startswith(f"{name}/")), key=len)


def test_only_the_tests_of_benchmarks_import_benchmarks_and_tools_stand_alone() -> None:
    tracked = [file for name in sorted(BESIDE) for file in (ROOT / name).rglob("*.py")]
    wrong = {
        file.relative_to(ROOT).as_posix(): sorted(extra)
        for file in tracked
        if "fixtures" not in file.parts
        and (extra := (imported(file) & BESIDE) - {owner(file)} - MAY_IMPORT[owner(file)])
    }

    assert wrong == {}, "move what is shared to tools/ or tests/"
