"""Records: a dated folder with the exact command, the machine, the raw data and a summary."""

from __future__ import annotations

import datetime
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("tantivy", "google-re2", "tree-sitter", "PyStemmer")


def write_record(
    topic: str, command: str, summary: Mapping[str, Any], rows: Iterable[Mapping[str, Any]]
) -> Path:
    """Write a record; its folder."""
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    folder = ROOT / "benchmarks" / "records" / f"{today}-{topic}"
    for again in range(2, 100):  # a record is never written over
        if not folder.exists():
            break
        folder = folder.with_name(f"{today}-{topic}-{again}")
    folder.mkdir(parents=True)
    raw = "".join(json.dumps(row, sort_keys=True) + "\n" for row in rows)
    (folder / "raw.jsonl").write_text(raw, encoding="utf-8")
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    readme = [
        f"# {topic}, {today}",
        "",
        f"- command: `{command}`",
        f"- commit: {_commit()}",
        f"- machine: {platform.machine()}, {os.cpu_count()} cores, {platform.system()}",
        f"- versions: Python {platform.python_version()}, {versions}",
        "- raw data: `raw.jsonl`, a line per trial; what it comes to: `summary.md`",
    ]
    (folder / "README.md").write_text("\n".join(readme) + "\n", encoding="utf-8")
    lines = [f"# {topic}, {today}", "", "| | |", "|---|---|"]
    lines += [f"| {name} | {value} |" for name, value in summary.items()]
    (folder / "summary.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def _commit() -> str:
    def git(*arguments: str) -> str:
        run = subprocess.run(
            ["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=False
        )
        return run.stdout.strip()

    dirty = git("status", "--porcelain", "--", "src")
    return (git("rev-parse", "HEAD") or "unknown") + (
        " with changes not committed" if dirty else ""
    )


def say(line: str) -> None:
    """Tell the user how it goes."""
    print(line, file=sys.stderr, flush=True)
