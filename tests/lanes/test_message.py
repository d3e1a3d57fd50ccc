"""Pasted text through a whole search: what comes first, why, and what is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.assembly.opening import open_index
from plait.settings import Settings

FILLER = "".join(f"    open_file = file_{n}  # open the file\n" for n in range(40))
SAYING = '    raise OSError(f"cannot open file {path} for gripping")\n'


@pytest.mark.parametrize("mode", ["lexical", "hybrid"])
def test_the_line_of_a_message_comes_first_and_is_shown(tmp_path: Path, mode: str) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "a.py").write_text(f"def grip(path):\n{FILLER}{SAYING}{FILLER}")
    (tree / "b.py").write_text("def open_file(file):\n    '''cannot open'''\n    gripping = file\n")
    index = open_index(tree, Settings(mode=mode, cache_dir=str(tmp_path / "cache"), workers=1))

    answer = index.search("OSError: cannot open file '/tmp/x' for gripping")

    first = answer.results[0]
    assert first.chunk.path == "a.py"
    assert SAYING.strip() in first.snippet
    assert any("says 100% of it" in line for line in first.reason.lines())


def test_a_question_that_no_literal_says_is_ranked_as_without_the_lane(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "b.py").write_text("def open_file(file):\n    '''cannot open'''\n    gripping = file\n")
    settings = Settings(mode="lexical", cache_dir=str(tmp_path / "cache"), workers=1)

    answer = open_index(tree, settings).search("open file with gripping")

    assert not [part for part in answer.results[0].reason.parts if part.name == "message"]
    assert answer.notes == ()
