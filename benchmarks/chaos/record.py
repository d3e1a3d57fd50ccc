"""What a chaos run counted, as a record."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from benchmarks.record import write_record

PACKAGES = ("tantivy", "google-re2", "tree-sitter", "PyStemmer")


def write_counts(
    topic: str, command: str, counts: Mapping[str, Any], rows: Iterable[Mapping[str, Any]]
) -> Path:
    """Write a table of counts and a row per trial; the record's folder."""
    lines = [f"# {topic}", "", "| | |", "|---|---|"]
    lines += [f"| {name} | {value} |" for name, value in counts.items()]
    return write_record(topic, command, {"trials": list(rows)}, "\n".join(lines) + "\n", PACKAGES)


def say(line: str) -> None:
    """Tell the user how it goes."""
    print(line, file=sys.stderr, flush=True)
