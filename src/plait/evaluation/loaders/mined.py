"""Folders that ``plait eval mine`` wrote: the cases of one repository at one revision.

mined.json       name, repository, revision
queries.jsonl    {"_id", "text", "metadata": {"mentions_target"}}
qrels/{symbols,files}[_test|_dev].tsv

Which repository is searched is the user's to say. The one that ``mined.json`` names is taken
without being asked for only if the user stands in it.
"""

from __future__ import annotations

import os
from pathlib import Path

from plait.errors import EvaluationError
from plait.evaluation.dataset import Dataset, Level, Part, Question
from plait.evaluation.loaders.beir import questions
from plait.evaluation.loaders.files import json_object, judgements
from plait.evaluation.loaders.names import plain_name
from plait.evaluation.loaders.repositories import find_clone, source_at
from plait.sources.place import place_of

MINED = "mined.json"
DEFAULT = "symbols"
HINT = "stand in the repository, or name the folder that holds a clone of it: --repos DIR"


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
    mined = json_object(folder / MINED)
    told = [mined.get(key) for key in ("name", "repository", "revision")]
    if not all(isinstance(value, str) for value in told):
        raise EvaluationError(f"{folder / MINED} does not say which repository, at which revision")
    name, repository, revision = map(str, told)
    store = plain_name(name.replace("/", "+"), folder / MINED)
    clone = _clone(name, repository, repos)
    judged = judgements(folder, qrels)
    asked = [
        Question(q.id, q.text, "names its target" if q.category == "True" else "does not")
        for q in questions(folder, judged, "mentions_target")
    ]
    source = source_at(clone, revision, name, code_only=True)
    return Part(name, str(mined.get("language", "")), source, store, asked, judged)


def _clone(name: str, recorded: str, repos: Path | None) -> Path:
    """The repository that the cases were mined from.

    Raises:
        EvaluationError: It is neither among the clones nor where the user stands.
    """
    if repos is not None:
        if clone := find_clone(repos, name):
            return clone
        raise EvaluationError(f"there is no clone of {name} in {repos}", hint=HINT)
    here = Path.cwd().resolve()
    tree, bare, _ = place_of(here)
    # Text alone is compared: nothing is looked up at a path that somebody else has chosen.
    named = Path(os.path.normpath(here / recorded))
    if (tree or bare) and named in (here, tree.top if tree else here):
        return named
    raise EvaluationError(f"cases of {name}, a repository that lies elsewhere", hint=HINT)


def _folders(folder: Path) -> list[Path]:
    if (folder / MINED).is_file():
        return [folder]
    return sorted(path.parent for path in folder.glob(f"*/{MINED}"))
