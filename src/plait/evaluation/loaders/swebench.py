"""SWE-bench localisation: the text of an issue to the files and functions its fix changed.

    instances.jsonl   {"id", "query", "source", "commit", "relevant_files", "relevant_symbols"}
    qrels/test.tsv, qrels/test_files.tsv

Every instance has a corpus of its own: the repository at the commit before the fix, its
Python files without tests. Instances of one repository are asked in the order of their
commits and share an index, so each costs only what changed since the one before.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from plait.errors import EvaluationError
from plait.evaluation.dataset import Dataset, Level, Part, Question
from plait.evaluation.loaders.files import found, json_lines, judgements
from plait.evaluation.loaders.names import plain_name
from plait.evaluation.loaders.repositories import find_clone, source_at
from plait.sources.git import run_git

INSTANCES = "instances"
DEFAULT = "test_files"
KEYS = ("id", "query", "source", "commit")
PYTHON = frozenset({"python"})


def fits(folder: Path) -> bool:
    """Whether a folder has this layout."""
    return found(folder, INSTANCES) is not None


def load(folder: Path, *, qrels: str, corpus: str, repos: Path | None) -> Dataset:
    """Load the instances whose commits are at hand."""
    del corpus
    chosen = qrels or DEFAULT
    judged = judgements(folder, chosen)
    path = found(folder, INSTANCES)
    assert path is not None
    by_repo: dict[str, list[dict[str, Any]]] = {}
    for instance in json_lines(path):
        if not all(isinstance(instance.get(key), str) for key in KEYS):
            raise EvaluationError(f"{path}: an instance without {', '.join(KEYS)}")
        if judged.get(instance["id"]):
            by_repo.setdefault(instance["source"], []).append(instance)
    parts, notes = [], []
    for slug, instances in sorted(by_repo.items()):
        store = plain_name(slug.replace("/", "+"), path)
        clone = find_clone(repos, slug)
        if clone is None:
            notes.append(f"{len(instances)} instances are left out: there is no clone of {slug}")
            continue
        dates = _dates(clone, [instance["commit"] for instance in instances])
        at_hand = [instance for instance in instances if instance["commit"] in dates]
        if len(at_hand) < len(instances):
            gone = len(instances) - len(at_hand)
            notes.append(f"{gone} instances are left out: {clone} lacks their commits")
        at_hand.sort(key=lambda instance: (dates[instance["commit"]], instance["id"]))
        for instance in at_hand:
            source = source_at(clone, instance["commit"], slug, code_only=True, languages=PYTHON)
            asked = [Question(instance["id"], instance["query"])]
            own = {instance["id"]: judged[instance["id"]]}
            parts.append(Part(slug, "python", source, store, asked, own))
    if not parts:
        raise EvaluationError(f"none of the repositories of {folder} was found in {repos}")
    level = Level.FILE if chosen.endswith("_files") else Level.SYMBOL
    name = f"{folder.resolve().name}/{chosen}"
    return Dataset(name, level, parts, average="question", notes=tuple(notes))


def _dates(repo: Path, commits: Iterable[str]) -> dict[str, int]:
    """When each of these commits was made; those the clone lacks are left out."""
    names = "\n".join(commits).encode()
    sizes = run_git(repo, "cat-file", "--batch-check=%(objectname) %(objecttype)", stdin=names)
    known = [
        line.split()[0] for line in sizes.out.decode().splitlines() if line.endswith(" commit")
    ]
    stdin = "\n".join(known).encode()
    reply = run_git(repo, "log", "--no-walk", "--stdin", "--format=%H %ct", stdin=stdin)
    return {name: int(date) for name, date in map(str.split, reply.out.decode().splitlines())}
