"""agent63: questions to files, 63 repositories in 19 languages, each at a pinned revision.

    repos.json           name, language, url, revision, benchmark_root
    annotations/NAME.json   query, relevant, secondary, category

Scored as its publishers do: ten results; a target's rank is that of the first result that
meets it; targets are relevant and secondary alike; the mean over a repository's questions,
then over a language's repositories, then over languages. Within a language every second
repository by name is held out: nothing may be tuned on those.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from plait.errors import EvaluationError
from plait.evaluation.dataset import Dataset, Level, Part, Question
from plait.evaluation.loaders.names import plain_name
from plait.evaluation.loaders.repositories import find_clone, revision_or_newest, source_at

KEYS = ("name", "language", "url", "revision")
TUNING, HELD_OUT = "tuning", "held_out"


def fits(folder: Path) -> bool:
    """Whether a folder has this layout."""
    return (folder / "repos.json").is_file() and (folder / "annotations").is_dir()


def load(folder: Path, *, qrels: str, corpus: str, repos: Path | None) -> Dataset:
    """Load agent63 over the clones at hand; what is missing or stands in is named."""
    del corpus
    listed = _listed(folder / "repos.json")
    splits = halves((item["language"], item["name"]) for item in listed)
    parts, notes = [], []
    for item in listed:
        if qrels and splits[item["name"]] != qrels:
            continue
        clone = find_clone(repos, item["url"])
        if clone is None:
            notes.append(f"{item['name']} is left out: there is no clone of {item['url']}")
            continue
        under = item.get("benchmark_root") or ""
        revision, is_pinned = revision_or_newest(clone, item["revision"], under)
        slug = "/".join(item["url"].removesuffix(".git").split("/")[-2:])
        source = source_at(clone, revision, slug, under=under)
        part = _part(item, source, splits[item["name"]], folder)
        if not _has_targets(part):
            notes.append(f"{item['name']} is left out: {revision[:10]} has no annotated file")
            continue
        if not is_pinned:
            notes.append(
                f"{item['name']}: {revision[:10]} stands in for the pinned {item['revision'][:10]}"
            )
        parts.append(part)
    if not parts:
        raise EvaluationError(f"none of the repositories of {folder} was found in {repos}")
    name = f"{folder.resolve().name}/{qrels}" if qrels else folder.resolve().name
    return Dataset(name, Level.TARGET, parts, average="language", notes=tuple(notes))


def halves(repositories: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Name to half: within a language the first name is for tuning, the second held out, ..."""
    by_language: dict[str, list[str]] = {}
    for language, name in repositories:
        by_language.setdefault(language, []).append(name)
    return {
        name: HELD_OUT if at % 2 else TUNING
        for names in by_language.values()
        for at, name in enumerate(sorted(names))
    }


def _part(item: dict[str, Any], source: Any, split: str, folder: Path) -> Part:
    asked, judged = [], {}
    path = folder / "annotations" / f"{item['name']}.json"
    try:
        for number, case in enumerate(_json(path)):
            question = Question(f"{item['name']}-{number:03}", case["query"], case["category"])
            targets = [*case["relevant"], *case.get("secondary", [])]
            asked.append(question)
            judged[question.id] = {_target(target): 1 for target in targets}
    except (KeyError, TypeError, AttributeError):
        raise EvaluationError(f"{path} is no list of questions with their files") from None
    return Part(item["name"], item["language"], source, item["name"], asked, judged, split)


def _target(target: str | dict[str, Any]) -> str:
    if isinstance(target, str):
        return target
    if target.get("start_line") is None:
        return str(target["path"])
    return f"{target['path']}:{target['start_line']}-{target['end_line']}"


def _has_targets(part: Part) -> bool:
    listed = [item.path for item in part.source.listing()]
    wanted = {
        target.partition(":")[0] for answers in part.judgements.values() for target in answers
    }
    return any(path.endswith(target) for target in wanted for path in listed)


def _listed(path: Path) -> list[dict[str, Any]]:
    """The repositories, each with a name that can be a file's."""
    listed = _json(path)
    if not (isinstance(listed, list) and all(map(_is_repository, listed))):
        raise EvaluationError(f"{path} is no list of repositories with {', '.join(KEYS)}")
    for item in listed:
        plain_name(item["name"], path)
    return listed


def _is_repository(item: object) -> bool:
    return isinstance(item, dict) and all(
        isinstance(value, str)
        for value in (*(item.get(key) for key in KEYS), item.get("benchmark_root") or "")
    )


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except RecursionError:
        raise EvaluationError(f"cannot read {path}: nested too deeply") from None
    except (OSError, ValueError) as error:
        raise EvaluationError(f"cannot read {path}: {error}") from error
