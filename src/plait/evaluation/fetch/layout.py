"""Layout: is this folder a dataset, and does every judgement speak of something that is there?

    BEIR         queries.jsonl[.gz], qrels/*.tsv, corpus*.jsonl[.gz] (none if the answers are
                 files or symbols of repositories)
    agent63      repos.json, annotations/NAME.json
    collection   folders that are each one of these

A fault is named by file and line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any, NamedTuple

from plait.errors import EvaluationError
from plait.evaluation.loaders.files import found, json_lines

COMMIT = re.compile("[0-9a-f]{40}")
HEAD = ["query-id", "corpus-id"]


class Contents(NamedTuple):
    """What a dataset holds."""

    questions: int
    documents: int
    judgements: int


def check_layout(folder: Path) -> Contents:
    """Count what a dataset holds.

    Raises:
        EvaluationError: It is no dataset, or something in it does not fit.
    """
    if (folder / "repos.json").is_file():
        return _check_annotations(folder)
    if found(folder, "queries") is not None:
        return _check_beir(folder)
    inner = [path for path in sorted(folder.iterdir()) if found(path, "queries")]
    if not inner:
        raise EvaluationError(
            f"{folder} is no dataset: it has neither queries.jsonl[.gz] nor repos.json",
            hint="BEIR's layout is queries.jsonl, qrels/*.tsv and, for documents, corpus.jsonl",
        )
    counts = [_check_beir(path) for path in inner]
    return Contents(*(sum(column) for column in zip(*counts, strict=True)))


def _check_beir(folder: Path) -> Contents:
    queries = found(folder, "queries")
    assert queries is not None
    asked = _ids(queries)
    corpora = {path.name: _ids(path) for path in sorted(folder.glob("corpus*.jsonl*"))}
    tables = sorted((folder / "qrels").glob("*.tsv"))
    if not tables:
        raise EvaluationError(f"{folder} has no judgements: qrels/*.tsv")
    judged = sum(_check_table(table, queries.name, asked, corpora) for table in tables)
    return Contents(len(asked), max(map(len, corpora.values()), default=0), judged)


def _ids(path: Path) -> AbstractSet[str]:
    """The ids of a file of queries or documents, each of which must have a text."""
    ids: set[str] = set()
    for number, line in enumerate(json_lines(path), start=1):
        key = line.get("_id")
        if not isinstance(key, str) or not isinstance(line.get("text"), str):
            raise EvaluationError(f"{path}, line {number}: no _id and text that are strings")
        if key in ids:
            raise EvaluationError(f"{path}, line {number}: the id {key!r} is there twice")
        ids.add(key)
    return ids


def _check_table(
    path: Path, queries: str, asked: AbstractSet[str], corpora: dict[str, AbstractSet[str]]
) -> int:
    """Check one table of judgements; how many it holds."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, ValueError) as error:
        raise EvaluationError(f"cannot read {path}: {error}") from error
    if lines[0].split("\t")[:2] != HEAD:
        raise EvaluationError(f"{path}, line 1: not the header query-id<TAB>corpus-id<TAB>score")
    judged = 0
    for number, line in enumerate(lines[1:], start=2):
        fields = line.split("\t")
        if not line.strip():
            continue
        if len(fields) < 3 or not _is_number(fields[2]):
            raise EvaluationError(f"{path}, line {number}: not question, answer, grade: {line!r}")
        if fields[0] not in asked:
            raise EvaluationError(f"{path}, line {number}: {queries} has no query {fields[0]!r}")
        for name, ids in corpora.items():
            if fields[1] not in ids:
                raise EvaluationError(
                    f"{path}, line {number}: {name} has no document {fields[1]!r}"
                )
        judged += 1
    return judged


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


# ---------------------------------------------------------------- agent63


def _check_annotations(folder: Path) -> Contents:
    listed = _json_list(folder / "repos.json")
    names: set[str] = set()
    questions = targets = 0
    for number, item in enumerate(listed, start=1):
        where = f"{folder / 'repos.json'}, repository {number}"
        for key in ("name", "language", "url", "revision"):
            if not isinstance(item.get(key), str):
                raise EvaluationError(f"{where}: it has no {key}")
        if not COMMIT.fullmatch(item["revision"]):
            raise EvaluationError(f"{where}: revision {item['revision']!r} is no commit")
        if item["name"] in names:
            raise EvaluationError(f"{where}: {item['name']} is there twice")
        names.add(item["name"])
        path = folder / "annotations" / f"{item['name']}.json"
        for place, case in enumerate(_json_list(path), start=1):
            if not isinstance(case.get("query"), str) or not isinstance(case.get("relevant"), list):
                raise EvaluationError(f"{path}, question {place}: it has no query or no relevant")
            questions += 1
            targets += len(case["relevant"]) + len(case.get("secondary") or ())
    strays = {path.stem for path in (folder / "annotations").glob("*.json")} - names
    if strays:
        raise EvaluationError(f"{folder}: repos.json does not name {', '.join(sorted(strays))}")
    return Contents(questions, 0, targets)


def _json_list(path: Path) -> list[dict[str, Any]]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise EvaluationError(f"cannot read {path}: {error}") from error
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise EvaluationError(f"{path} is not a list of objects")
    return value
