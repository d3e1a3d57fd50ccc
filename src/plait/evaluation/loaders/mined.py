"""Folders that ``plait eval mine`` wrote: the cases of one repository at one revision.

mined.json       name, repository, revision, from
queries.jsonl    {"_id", "text", "metadata": {"mentions_target", "without"}}
qrels/{symbols,files}[_test|_dev].tsv

Cases of a history are asked of code alone. Cases of documentation are asked of everything but
documentation, which holds the questions word for word; their repository may be any folder.

Which repository is searched is the user's to say. The one that ``mined.json`` names is taken
without being asked for only if the user stands in it.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from plait.errors import EvaluationError
from plait.evaluation.dataset import Dataset, Level, Part
from plait.evaluation.loaders.beir import questions
from plait.evaluation.loaders.files import json_object, judgements
from plait.evaluation.loaders.names import plain_name
from plait.evaluation.loaders.repositories import WithoutPages, find_clone, source_at
from plait.sources.directory import DirectorySource
from plait.sources.place import place_of
from plait.types import Source

MINED = "mined.json"
DEFAULT = "symbols"
DOCS = "docs"  # what cases were mined from, if not from a history
HINT = "stand in the repository, or name the folder that holds a clone of it: --repos DIR"


def fits(folder: Path) -> bool:
    """Whether a folder has this layout, itself or one level down."""
    return bool(_folders(folder))


def load(folder: Path, *, qrels: str, corpus: str, repos: Path | None) -> Dataset:
    """Load one mined folder or a collection of them."""
    del corpus
    chosen = qrels or DEFAULT
    folders = _folders(folder)
    if len(folders) > 1:  # a split by package leaves some of them nothing to ask
        folders = [inner for inner in folders if judgements(inner, chosen)]
    parts = [_part(inner, chosen, repos) for inner in folders]
    if not parts:
        raise EvaluationError(f"no case of {folder} is judged by {chosen!r}")
    level = Level.FILE if chosen.startswith("files") else Level.SYMBOL
    return Dataset(f"{folder.resolve().name}/{chosen}", level, parts, average="part")


def _part(folder: Path, qrels: str, repos: Path | None) -> Part:
    mined = json_object(folder / MINED)
    told = [mined.get(key) for key in ("name", "repository", "revision")]
    if not all(isinstance(value, str) for value in told):
        raise EvaluationError(f"{folder / MINED} does not say which repository, at which revision")
    name, repository, revision = map(str, told)
    store = plain_name(name.replace("/", "+"), folder / MINED)
    judged = judgements(folder, qrels)
    asked = [
        replace(q, category="names its target" if q.category == "True" else "does not")
        for q in questions(folder, judged, "mentions_target")
    ]
    source: Source
    if mined.get("from") != DOCS:
        clone = _clone(name, repository, repos)
        source = source_at(clone, revision, name, code_only=True)
    elif revision:
        source = WithoutPages(source_at(_clone(name, repository, repos), revision, name))
    else:
        source = WithoutPages(DirectorySource(_tree(store, repository, repos), name=name))
    split = str(mined.get("split", ""))
    return Part(name, str(mined.get("language", "")), source, store, asked, judged, split)


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


def _tree(store: str, recorded: str, repos: Path | None) -> Path:
    """The folder that the cases were mined from: among those named, or where the user stands."""
    if repos is not None and (repos / store).is_dir():
        return repos / store
    here = Path.cwd().resolve()
    if repos is None and Path(os.path.normpath(here / recorded)) == here:
        return here
    raise EvaluationError(f"cases of {store}, a folder that lies elsewhere", hint=HINT)


def _folders(folder: Path) -> list[Path]:
    if (folder / MINED).is_file():
        return [folder]
    return sorted(path.parent for path in folder.glob(f"*/{MINED}"))
