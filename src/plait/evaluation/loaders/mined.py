"""Folders that ``plait eval mine`` wrote: the cases of one repository at one revision.

mined.json       name, repository, revision
queries.jsonl    {"_id", "text", "metadata": {"mentions_target"}}
qrels/{symbols,files}[_test|_dev].tsv
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from plait.errors import EvaluationError
from plait.evaluation.dataset import Dataset, Level, Part, Question
from plait.evaluation.loaders.beir import questions
from plait.evaluation.loaders.files import judgements
from plait.evaluation.loaders.repositories import find_clone, source_at

MINED = "mined.json"
DEFAULT = "symbols"


def fits(folder: Path) -> bool:
    """Whether a folder has this layout, itself or one level down."""
    return bool(_folders(folder))


def load(folder: Path, *, qrels: str, corpus: str, repos: Path | None) -> Dataset:
    """Load one mined folder or a collection of them."""
    del corpus
    chosen = qrels or DEFAULT
    parts = [_part(inner, chosen, repos) for inner in _folders(folder)]
    level = Level.FILE if chosen.startswith("files") else Level.SYMBOL
    return Dataset(f"{folder.resolve().name}/{chosen}", level, parts, average="part")


def _part(folder: Path, qrels: str, repos: Path | None) -> Part:
    try:
        mined: dict[str, Any] = json.loads((folder / MINED).read_text(encoding="utf-8"))
        name, repository, revision = mined["name"], mined["repository"], mined["revision"]
    except (OSError, ValueError, KeyError) as error:
        raise EvaluationError(f"cannot read {folder / MINED}: {error}") from error
    clone = (find_clone(repos, name) if repos is not None else None) or Path(repository)
    judged = judgements(folder, qrels)
    asked = [
        Question(q.id, q.text, "names its target" if q.category == "True" else "does not")
        for q in questions(folder, judged, "mentions_target")
    ]
    source = source_at(clone, revision, name, code_only=True)
    return Part(name, mined.get("language", ""), source, name.replace("/", "+"), asked, judged)


def _folders(folder: Path) -> list[Path]:
    if (folder / MINED).is_file():
        return [folder]
    return sorted(path.parent for path in folder.glob(f"*/{MINED}"))
