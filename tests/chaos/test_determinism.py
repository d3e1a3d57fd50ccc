"""The same files give the same answers, to the last digit of every score."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.chaos.answering import answer
from tools.chaos.contents import QUESTIONS
from tools.chaos.tree import grow

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Seventy files, some of them equal, so that scores tie."""
    root = tmp_path_factory.mktemp("determinism") / "tree"
    grow(root, 60, seed=7)
    originals = sorted(path for path in root.rglob("*") if path.is_file())[:10]
    for number, path in enumerate(originals):
        path.with_name(f"copy{9 - number}{path.suffix}").write_bytes(path.read_bytes())
    return root


@pytest.fixture(scope="module")
def in_order(tree: Path) -> str:
    """What the tree answers when it is indexed in order by one worker."""
    return answer(tree, 1, 0)


def differences(left: str, right: str) -> list[str]:
    """The questions two runs answer differently."""
    first, second = json.loads(left)[0], json.loads(right)[0]
    return [
        question
        for question, one, other in zip(QUESTIONS, first, second, strict=False)
        if one != other
    ]


def run(tree: Path, *, workers: int, shuffles: int, hash_seed: str) -> list[str]:
    """The answers of other processes."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.chaos.answering", str(tree), str(workers), str(shuffles)],
        cwd=PROJECT,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(sys.path),
            "PYTHONHASHSEED": hash_seed,
        },
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return done.stdout.splitlines()


def test_the_questions_have_answers(in_order: str) -> None:
    given, _, near = json.loads(in_order)
    answered = [question for question, results, *_ in given[: len(QUESTIONS)] if results]

    assert len(answered) >= 15
    assert all(hits for hits, _ in near)
    assert len(set(QUESTIONS)) == 20


@pytest.mark.slow
@pytest.mark.parametrize("shuffles", [4, pytest.param(20, marks=pytest.mark.nightly)])
def test_the_order_in_which_files_are_listed_does_not_show(
    tree: Path, in_order: str, shuffles: int
) -> None:
    for seed in range(1, shuffles + 1):
        shuffled = answer(tree, 1, seed)

        assert differences(in_order, shuffled) == [], f"seed {seed}"
        assert json.loads(shuffled)[:2] == json.loads(in_order)[:2]


@pytest.mark.slow
def test_the_order_in_which_files_are_listed_does_not_show_by_vectors(
    tree: Path, in_order: str
) -> None:
    for seed in range(1, 6):
        assert json.loads(answer(tree, 1, seed))[2] == json.loads(in_order)[2], f"seed {seed}"


@pytest.mark.parametrize("workers", [2, 4])
def test_the_number_of_workers_does_not_show(tree: Path, in_order: str, workers: int) -> None:
    assert answer(tree, workers, 0) == in_order


@pytest.mark.parametrize("hash_seed", ["0", "1", "4294967295"])
def test_the_order_of_hash_tables_does_not_show(tree: Path, in_order: str, hash_seed: str) -> None:
    (line,) = run(tree, workers=2, shuffles=1, hash_seed=hash_seed)

    assert differences(in_order, line) == []
    assert line == in_order
