"""The files datasets are made of: JSON lines, plain or compressed, and tables of judgements."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from plait.errors import EvaluationError
from plait.sources import canonical


def found(folder: Path, name: str) -> Path | None:
    """``name.jsonl`` or ``name.jsonl.gz`` of a folder; None if there is neither."""
    for suffix in (".jsonl", ".jsonl.gz"):
        path = folder / f"{name}{suffix}"
        if path.is_file():
            return path
    return None


def json_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file of JSON lines.

    Raises:
        EvaluationError: A line is not an object, or the file cannot be read.
    """
    read = 0
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as lines:
            for line in lines:
                read += 1
                if line.strip():
                    value = json.loads(line)
                    if not isinstance(value, dict):
                        raise ValueError("not an object")
                    yield value
    except (OSError, EOFError, ValueError) as error:
        raise EvaluationError(f"{path}, line {read}: {error}") from error


def judgements(folder: Path, name: str) -> dict[str, dict[str, int]]:
    """The judgements of ``qrels/name.tsv``: question to answer to grade.

    Raises:
        EvaluationError: There is no such file, or a line is not one.
    """
    path = folder / "qrels" / f"{name}.tsv"
    if not path.is_file():
        known = sorted(file.stem for file in (folder / "qrels").glob("*.tsv"))
        raise EvaluationError(
            f"{folder} has no judgements {name!r}",
            hint=f"there are {', '.join(known)}" if known else "it has no folder qrels",
        )
    judged: dict[str, dict[str, int]] = {}
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, start=1):
        fields = line.split("\t")
        if number == 1 and fields[-1] == "score":
            continue
        if not line.strip():
            continue
        try:
            question, answer, grade = fields
            judged.setdefault(question, {})[answer] = int(grade)
        except ValueError:
            raise EvaluationError(
                f"{path}, line {number}: not `question<TAB>answer<TAB>grade`: {line!r}"
            ) from None
    return judged


def language_of(value: dict[str, Any]) -> str:
    """The language a corpus or query says it is in, as plait calls it; "" if it says none."""
    said = str(value.get("metadata", {}).get("language", ""))
    return canonical(said) or said
