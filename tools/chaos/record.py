"""What a chaos run counted, as a record."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tools.record import ROOT, command_line, write_record

PACKAGES = ("tantivy", "google-re2", "tree-sitter", "PyStemmer")


def conclude(
    topic: str,
    module: str,
    counts: Mapping[str, Any],
    rows: Iterable[Mapping[str, Any]],
    *,
    record: bool = True,
) -> None:
    """Print what was counted, and keep it with a row per trial.

    Args:
        topic: Of the record.
        module: What was run, with the arguments of this process.
    """
    for name, value in counts.items():
        print(f"{name}: {value}")
    if record:
        folder = write_counts(topic, command_line(module), counts, rows)
        say(f"record: {folder.relative_to(ROOT)}")


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
