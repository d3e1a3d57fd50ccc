"""Hostile paths: the same for the same seed, of every kind, and none made outside the tree."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tools.attack import chamber
from tools.fuzz.hostile_paths import KINDS, Grower


def grown(folder: Path, seed: int) -> tuple[set[bytes], Grower]:
    tree, victim = folder / "tree", folder / "victim"
    tree.mkdir(parents=True)
    victim.mkdir()
    grower = Grower(tree, victim, seed)
    grower.grow(400)
    assert list(victim.iterdir()) == []
    return {bytes(path.relative_to(tree)) for path in tree.rglob("*")}, grower


def test_a_seed_gives_the_same_paths_and_another_gives_others(tmp_path: Path) -> None:
    first, grower = grown(tmp_path / "a", 1)
    again, _ = grown(tmp_path / "b", 1)
    other, _ = grown(tmp_path / "c", 2)

    assert first == again
    assert len(first & other) < len(first) // 10
    assert grower.made.total() == 400 == len(first)
    assert grower.made.keys() <= {kind for kind, _ in KINDS}
    assert grower.made["link out"] > 20


@pytest.mark.slow
def test_a_tree_of_them_is_searched_and_nothing_outside_is_opened() -> None:
    if lacking := chamber.missing():
        pytest.skip(f"hostile paths need namespaces and strace: {lacking}")

    done = subprocess.run(
        [sys.executable, "-m", "tools.fuzz.paths", "--n", "150", "--no-record"],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 complaints of anything else" in done.stdout
