"""Every file that is left out can say by whose rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.types import SourceFile
from tests.sources.repositories import paths, repository, source, tree

FILES = {
    ".gitignore": "# first\n*.log\n",
    ".plaitignore": "gen/\n",
    "a.py": "x = 1\n",
    "a.log": "x",
    "gen/b.py": "x",
    "s/.gitignore": "c.*\n",
    "s/c.py": "x",
    "id_rsa": "x",
    ".hidden.py": "x",
    "node_modules/m.js": "x",
}


@pytest.mark.parametrize("is_git", [True, False])
@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.py", "a.py is indexed as python"),
        ("./a.py", "a.py is indexed as python"),
        ("a.log", "a.log is left out by .gitignore:2: *.log"),
        ("gen/b.py", "gen/b.py is left out by .plaitignore:1: gen/"),
        ("s/c.py", "s/c.py is left out by s/.gitignore:1: c.*"),
        (
            "id_rsa",
            (
                "id_rsa is skipped as secret: a credentials file by its name"
                "; --include-secrets shows it"
            ),
        ),
        ("nope.py", "nope.py is skipped as missing: there is no such file"),
        ("gen/", "gen is left out by .plaitignore:1: gen/"),
        ("s", "s is a folder that no rule leaves out"),
        ("../x", "'../x' is left out: not a plain path relative to the root"),
    ],
)
def test_the_rule_is_named(tmp_path: Path, is_git: bool, path: str, expected: str) -> None:
    root = repository(tmp_path / "r", {}) if is_git else tmp_path
    tree(root, FILES)

    assert source(root).explain_ignore(path) == expected


@pytest.mark.parametrize("is_git", [True, False])
def test_a_path_is_explained_as_indexed_exactly_if_it_is(tmp_path: Path, is_git: bool) -> None:
    root = repository(tmp_path / "r", {}) if is_git else tmp_path
    tree(root, FILES)
    found = source(root)
    read = {path for path in paths(found) if isinstance(found.read(path), SourceFile)}

    assert read == {path for path in FILES if "is indexed" in found.explain_ignore(path)}
    assert read == {"a.py"}
