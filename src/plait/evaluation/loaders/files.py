"""The files datasets are made of: JSON lines, plain or compressed, and tables of judgements."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from plait.errors import EvaluationError
from plait.sources import canonical

MAX_BYTES = 64 << 20  # of a line, or of a file that is one object
MAX_BLANK = 1_000_000  # empty lines


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
        EvaluationError: A line is not an object or is too long, or the file cannot be read.
    """
    read = blank = 0
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as lines:
            while line := lines.readline(MAX_BYTES + 1):
                read += 1
                if len(line) > MAX_BYTES:
                    raise ValueError(f"longer than {MAX_BYTES >> 20} MB")
                if line.strip():
                    yield _object(line)
                else:
                    blank += 1
                    if blank > MAX_BLANK:
                        raise ValueError(f"more than {MAX_BLANK} empty lines")
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise EvaluationError(f"{path}, line {read}: {error}") from error


def json_object(path: Path) -> dict[str, Any]:
    """The object that is all of a file.

    Raises:
        EvaluationError: It is not an object or is too large, or the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
        if len(raw) > MAX_BYTES:
            raise ValueError(f"larger than {MAX_BYTES >> 20} MB")
        return _object(raw)
    except (OSError, ValueError) as error:
        raise EvaluationError(f"cannot read {path}: {error}") from error


def _object(raw: bytes) -> dict[str, Any]:
    try:
        value = json.loads(raw)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(value, dict):
        raise ValueError("not an object")
    return value


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
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise EvaluationError(f"cannot read {path}: {error}") from error
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
                f"{path}, line {number}: not `question<TAB>answer<TAB>grade`"
            ) from None
    return judged


def language_of(value: dict[str, Any]) -> str:
    """The language a corpus or query says it is in, as plait calls it; "" if it says none."""
    said = metadata_of(value, "language")
    return canonical(said) or said


def metadata_of(value: dict[str, Any], key: str) -> str:
    """What a line's metadata says about something; "" if it says nothing."""
    metadata = value.get("metadata")
    return str(metadata.get(key, "")) if isinstance(metadata, dict) else ""
