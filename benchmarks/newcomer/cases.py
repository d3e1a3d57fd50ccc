"""The questions as a dataset: each package one part, each right file one answer."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from plait.errors import EvaluationError
from plait.evaluation.dataset import Dataset, Level, Part, Question
from plait.sources.directory import DirectorySource
from tools.corpora import catalog
from tools.corpora.catalog import Package
from tools.corpora.fetch import bring

CASES = Path(__file__).with_name("cases.toml")
PACKAGES = Path(__file__).with_name("packages.toml")
CORPUS = "newcomer"  # the folder of the corpora
KINDS = ("question", "words", "message", "name", "setting", "apart")


def load_newcomer(corpora: Path) -> Dataset:
    """The questions over the packages, which are fetched if they are not there.

    Raises:
        CorpusError: A package cannot be had.
        EvaluationError: A question is of no known kind, or names a file that is not there.
    """
    folders = bring(catalog.load(PACKAGES), corpora / CORPUS)
    known = {package.name: package for package in folders}
    parts = [
        _part(table, known[table["name"]], folders[known[table["name"]]]) for table in tables()
    ]
    return Dataset(CORPUS, Level.FILE, parts)


def tables() -> list[dict[str, Any]]:
    """The tables of the file, one for each package."""
    found: list[dict[str, Any]] = tomllib.loads(CASES.read_text("utf-8"))["package"]
    return found


def _part(table: dict[str, Any], package: Package, folder: Path) -> Part:
    asked, judged = [], {}
    for number, case in enumerate(table["cases"]):
        if case["kind"] not in KINDS:
            raise EvaluationError(f"{CASES.name}: {case['kind']!r} is no kind of question")
        missing = [path for path in case["files"] if not (folder / path).is_file()]
        if missing:
            raise EvaluationError(f"{CASES.name}: {package.name} has no {', '.join(missing)}")
        question = Question(f"{package.slug}-{number:02}", case["ask"], case["kind"])
        asked.append(question)
        judged[question.id] = dict.fromkeys(case["files"], 1)
    source = DirectorySource(folder, name=package.slug)
    return Part(package.slug, package.language, source, package.slug, asked, judged)
