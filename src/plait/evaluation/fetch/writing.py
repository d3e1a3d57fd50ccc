"""Writing the layout runs read: JSON lines and tables of judgements, the same bytes each time."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

HEADER = "query-id\tcorpus-id\tscore\n"
Judgement = tuple[str, str, int]  # question, answer, grade


def write_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write one JSON object a line."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for row in rows:
            file.write(f"{json.dumps(row, ensure_ascii=True)}\n")


def write_judgements(folder: Path, name: str, rows: Iterable[Judgement]) -> None:
    """Write ``qrels/name.tsv``."""
    path = folder / "qrels" / f"{name}.tsv"
    path.parent.mkdir(exist_ok=True)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(HEADER)
        for question, answer, grade in rows:
            file.write(f"{question}\t{answer}\t{grade}\n")
