"""docs/architecture.md says exactly what the code does: packages, layers, imports, the flow."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "plait"
PAGE = ROOT / "docs" / "architecture.md"
FOR_ALL = {"types", "errors"}  # the table leaves them out
WAYS_IN = {"__init__", "__main__"}


def units() -> set[str]:
    """The packages and modules directly below ``plait``."""
    found = {path.stem for path in PACKAGE.glob("*.py")}
    return found - WAYS_IN | {path.parent.name for path in PACKAGE.glob("*/__init__.py")}


def imported(file: Path) -> Iterator[str]:
    """What a module imports of ``plait``, anywhere in it."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module == "plait":
            names = [f"plait.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        yield from (name.split(".")[1] for name in names if name.startswith("plait."))


def arrows() -> dict[str, set[str]]:
    """What each unit imports of the others, besides what all may."""
    found: dict[str, set[str]] = {name: set() for name in units()}
    for name, targets in found.items():
        files = [PACKAGE / f"{name}.py", *(PACKAGE / name).rglob("*.py")]
        for file in files:
            targets.update(imported(file) if file.is_file() else ())
        targets.intersection_update(found)
        targets -= {name, *FOR_ALL}
    return found


def table(page: str) -> dict[str, set[str]]:
    """The rows of the page's table: a unit and what it imports."""
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \|", page, re.MULTILINE)
    return {name: set(re.findall(r"`(\w+)`", said)) for name, said in rows}


def row(name: str, targets: set[str]) -> str:
    """How a row has to begin."""
    return f"| `{name}` | {', '.join(f'`{t}`' for t in sorted(targets)) or 'nothing'} |"


def corrections(page: str, code: Mapping[str, set[str]]) -> list[str]:
    """What to do about a table that is not true, a sentence for each row."""
    told = table(page)
    return [
        *(
            f"add a row: {row(name, code[name])} what it is for |"
            for name in sorted(code.keys() - told)
        ),
        *(
            f"remove the row of `{name}`: there is no such package"
            for name in sorted(told.keys() - code)
        ),
        *(
            f"the row of `{name}` must begin: {row(name, code[name])}"
            for name in sorted(code.keys() & told)
            if code[name] != told[name]
        ),
    ]


def drawn(page: str, label: str) -> list[list[str]]:
    """The names on each line of a drawing, from the line that begins with its label."""
    block = re.search(rf"^{label} +(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert block, f"docs/architecture.md has no drawing that begins with {label!r}"
    return [line.split() for line in block.group(1).splitlines()]


def test_the_table_is_what_the_code_imports() -> None:
    wrong = corrections(PAGE.read_text("utf-8"), arrows())

    assert wrong == [], 'docs/architecture.md, "Who imports whom": ' + "; ".join(wrong)


def test_a_row_too_many_one_too_few_and_a_wrong_one_are_named() -> None:
    page = "| `search` | `lanes` | x |\n| `gone` | nothing | x |\n"

    assert corrections(page, {"search": {"stores", "lanes"}, "graph": set()}) == [
        "add a row: | `graph` | nothing | what it is for |",
        "remove the row of `gone`: there is no such package",
        "the row of `search` must begin: | `search` | `lanes`, `stores` |",
    ]


def test_the_layers_drawn_are_those_that_are_checked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    (contract,) = (c for c in project["tool"]["importlinter"]["contracts"] if c["type"] == "layers")
    checked = [re.findall(r"\w+", layer) for layer in contract["layers"]]
    layers = drawn(PAGE.read_text("utf-8"), "layers")

    assert layers == checked, "draw in docs/architecture.md: " + "\n".join(map("  ".join, checked))
    assert {name for layer in layers for name in layer} == units()


@pytest.mark.parametrize("path", ["write path", "read path"])
def test_every_station_of_a_path_is_a_package_or_a_module(path: str) -> None:
    line = re.search(rf"^{path} +(.+)$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert line
    for station in line.group(1).split(" ─▶ "):
        place = PACKAGE.joinpath(*station.strip().split("."))
        is_there = place.is_dir() or place.with_suffix(".py").is_file()
        assert is_there, f"docs/architecture.md draws {station!r} in the {path}; there is none"


def test_every_package_that_has_a_section_exists() -> None:
    named = re.findall(r"^## (\w+): ", PAGE.read_text("utf-8"), re.MULTILINE)

    assert named
    assert set(named) <= units()
