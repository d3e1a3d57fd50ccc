"""gitloc: commit subjects to the symbols and files the commits changed, many repositories.

Each folder, or each sub-folder of a collection, holds one repository's cases:

    info.json        repo, tag, tag_commit, languages
    queries.jsonl    {"_id", "text", "metadata": {"mentions_target"}}
    qrels/{test,dev}[_files].tsv

The corpus is the repository at the tag, its tests, documentation and examples left out.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from plait.errors import EvaluationError
from plait.evaluation.dataset import Dataset, Level, Part, Question
from plait.evaluation.loaders.beir import questions
from plait.evaluation.loaders.files import json_object, judgements
from plait.evaluation.loaders.names import plain_name
from plait.evaluation.loaders.repositories import find_clone, revision_or_newest, source_at
from plait.sources import canonical

INFO = "info.json"
DEFAULT = "test"


def fits(folder: Path) -> bool:
    """Whether a folder has this layout, itself or one level down."""
    return bool(_folders(folder))


def load(folder: Path, *, qrels: str, corpus: str, repos: Path | None) -> Dataset:
    """Load one repository's cases or a whole collection of them."""
    del corpus
    chosen = qrels or DEFAULT
    parts, notes = [], []
    for inner in _folders(folder):
        info = _info(inner)
        clone = find_clone(repos, info["repo"])
        if clone is None:
            notes.append(f"{info['name']} is left out: there is no clone of {info['repo']}")
            continue
        revision, is_pinned = revision_or_newest(clone, info["tag_commit"])
        if not is_pinned:
            notes.append(f"{info['name']}: {revision[:10]} stands in for {info['tag_commit'][:10]}")
        parts.append(_part(inner, info, chosen, clone, revision))
    if not parts:
        raise EvaluationError(f"none of the repositories of {folder} was found in {repos}")
    level = Level.FILE if chosen.endswith("_files") else Level.SYMBOL
    name = f"{folder.resolve().name}/{chosen}"
    return Dataset(name, level, parts, average="part", notes=tuple(notes))


def _part(folder: Path, info: dict[str, Any], qrels: str, clone: Path, revision: str) -> Part:
    judged = judgements(folder, qrels)
    languages = [canonical(language) or language for language in info["languages"]]
    source = source_at(
        clone, revision, info["repo"], code_only=True, languages=frozenset(languages)
    )
    asked = [
        Question(q.id, q.text, "names its target" if q.category == "True" else "does not")
        for q in questions(folder, judged, "mentions_target")
    ]
    return Part(info["name"], languages[-1], source, info["name"], asked, judged)


def _folders(folder: Path) -> list[Path]:
    if (folder / INFO).is_file():
        return [folder] if (folder / "qrels").is_dir() else []
    return sorted(
        path.parent for path in folder.glob(f"*/{INFO}") if (path.parent / "qrels").is_dir()
    )


def _info(folder: Path) -> dict[str, Any]:
    info = json_object(folder / INFO)
    if missing := {"name", "repo", "tag_commit", "languages"} - info.keys():
        raise EvaluationError(f"{folder / INFO} lacks {', '.join(sorted(missing))}")
    languages = info["languages"]
    told = [info["repo"], info["tag_commit"], *(languages if isinstance(languages, list) else [])]
    if len(told) < 3 or not all(isinstance(value, str) for value in told):
        raise EvaluationError(f"{folder / INFO} does not say which repository, in which languages")
    plain_name(info["name"], folder / INFO)
    return info
