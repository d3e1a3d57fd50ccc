"""Questions whose answer is a file, over packages of the registries: a dataset without clones.

``package_cases.toml`` holds the questions; ``tools/corpora/fetch.py languages`` brings the
packages.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from plait.errors import EvaluationError
from plait.evaluation.dataset import Dataset, Level, Part, Question
from plait.sources.directory import DirectorySource
from tools.corpora import catalog
from tools.corpora.catalog import Package
from tools.corpora.fetch import is_present, read_fetched

CASES = Path(__file__).with_name("package_cases.toml")
HALVES = ("tuning", "held_out")


def load_packages(corpora: Path, half: str) -> Dataset:
    """One half of the questions, over the packages of a folder of corpora.

    Raises:
        EvaluationError: A package is not there, or a question names a file that is not.
    """
    into = corpora / "languages"
    present = read_fetched(into)
    known = {(one.language, one.name): one for one in catalog.load(catalog.LANGUAGE_PACKAGES)}
    parts = []
    for table in cases():
        package = known[table["language"], table["name"]]
        if table["half"] != half:
            continue
        if not is_present(package, present, into):
            raise EvaluationError(f"{package.name} of the {half} half is not in {into}")
        folder = into / present[f"{package.registry} {package.name}"]["folder"]
        parts.append(_part(table, package, folder / table["under"]))
    return Dataset(f"packages/{half}", Level.FILE, parts, average="part")


def cases() -> list[dict[str, Any]]:
    """The tables of the file, one for each package."""
    tables: list[dict[str, Any]] = tomllib.loads(CASES.read_text("utf-8"))["package"]
    return tables


def _part(table: dict[str, Any], package: Package, folder: Path) -> Part:
    asked, judged = [], {}
    for number, case in enumerate(table["cases"]):
        question = Question(f"{package.slug}-{number:02}", case["ask"])
        missing = [path for path in case["files"] if not (folder / path).is_file()]
        if missing:
            raise EvaluationError(f"{CASES.name}: {package.name} has no {', '.join(missing)}")
        asked.append(question)
        judged[question.id] = dict.fromkeys(case["files"], 1)
    source = DirectorySource(folder, name=package.slug)
    return Part(package.slug, package.language, source, package.slug, asked, judged, table["half"])
