"""Right places: one rule for what plait shows and for what is read with ripgrep."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from plait.assembly import open_source
from plait.evaluation.dataset import Level
from plait.evaluation.economy.right import NO_LINES, Right
from plait.types import Snapshot, Span
from tests.evaluation.economy.asking import SETTINGS, asked
from tests.sources.repositories import source, tree

FILES = {
    "tea/pot.py": (
        "import cup\n\n\nclass Pot:\n    def fill(self):\n        pass\n\n"
        "    def pour(self):\n        cup.take()\n\n\ndef fill():\n    pass\n"
    ),
    "tea/cup.py": "def take():\n    pass\n",
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tree(tmp_path_factory.mktemp("right") / "tree", FILES)


@pytest.fixture(scope="module")
def snapshot(root: Path) -> Iterator[Snapshot]:
    engine = open_source(source(root), root.parent / "index", SETTINGS)
    with closing(engine.reader.store):
        engine.writer.refresh()
    with closing(engine.reader.snapshot()) as made:
        yield made


def is_right(
    root: Path, snapshot: Snapshot, level: Level, answer: str, path: str, shown: Span
) -> bool:
    part = asked(root, {"how": [answer]}, level).parts[0]
    return Right(part, level, snapshot).to(part.questions[0])(path, shown)


@pytest.mark.parametrize(
    ("level", "answer", "path", "shown", "right"),
    [
        (Level.FILE, "tea/pot.py", "tea/pot.py", NO_LINES, True),
        (Level.FILE, "tea/pot.py", "pot.py", NO_LINES, False),
        (Level.TARGET, "pot.py", "tea/pot.py", NO_LINES, True),
        (Level.TARGET, "tea/pot.py:8-9", "tea/pot.py", Span(9, 12), True),
        (Level.TARGET, "tea/pot.py:8-9", "tea/pot.py", Span(10, 12), False),
        (Level.TARGET, "tea/pot.py:8-9", "tea/pot.py", NO_LINES, False),
        (Level.SYMBOL, "tea/pot.py::Pot.pour", "tea/pot.py", Span(1, 8), True),
        (Level.SYMBOL, "tea/pot.py::Pot.pour", "tea/pot.py", Span(1, 7), False),
        (Level.SYMBOL, "tea/pot.py::Pot.pour", "tea/pot.py", NO_LINES, False),
        (Level.SYMBOL, "tea/pot.py::Pot.pour", "tea/cup.py", Span(8, 9), False),
        (Level.SYMBOL, "tea/pot.py::Pot", "tea/pot.py", Span(8, 8), True),
        (Level.SYMBOL, "tea/pot.py::fill", "tea/pot.py", Span(5, 6), False),
        (Level.SYMBOL, "tea/pot.py::fill", "tea/pot.py", Span(12, 12), True),
        (Level.SYMBOL, "tea/pot.py::Pot.drain", "tea/pot.py", Span(1, 99), False),
    ],
)
def test_what_is_shown_is_right(
    level: Level,
    answer: str,
    path: str,
    shown: Span,
    right: bool,
    root: Path,
    snapshot: Snapshot,
) -> None:
    assert is_right(root, snapshot, level, answer, path, shown) is right


def test_an_answer_judged_wrong_is_not_right(root: Path, snapshot: Snapshot) -> None:
    part = asked(root, {"how": []}).parts[0]
    part.judgements["q1"]["tea/pot.py"] = 0  # type: ignore[index]  # a plain dict here

    assert not Right(part, Level.FILE, snapshot).to(part.questions[0])("tea/pot.py", Span(1, 1))
