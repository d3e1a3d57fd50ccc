"""Datasets over a folder, and asking them both ways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from plait.evaluation.dataset import Dataset, Level, Part, Question
from plait.evaluation.economy.economy import Given, Row, economy
from plait.interfaces.cli.evaluation.economy import packed, rendered
from plait.settings import Settings
from tests.sources.repositories import source

SETTINGS = Settings(workers=1, mode="lexical")


def asked(root: Path, questions: Mapping[str, Sequence[str]], level: Level = Level.FILE) -> Dataset:
    """``{question: right answers}`` about a folder."""
    listed = [Question(f"q{number}", text) for number, text in enumerate(questions, start=1)]
    judged = {q.id: dict.fromkeys(questions[q.text], 1) for q in listed}
    part = Part(root.name, "", source(root), root.name, listed, judged)
    return Dataset("own", level, [part])


def compare(dataset: Dataset, indexes: Path, limit: int = 0) -> list[Row]:
    """Every question, asked of plait and of ripgrep."""
    return economy(dataset, SETTINGS, indexes, Given(rendered, packed), limit=limit)
