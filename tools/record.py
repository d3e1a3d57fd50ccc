"""Records: a folder per run that says what was run, on what, and what came out.

Records are never edited; a second run on the same day gets a folder of its own.
"""

from __future__ import annotations

import gzip
import json
import platform
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from plait.evaluation.provenance import machine

ROOT = Path(__file__).resolve().parents[1]
RECORDS = ROOT / "benchmarks" / "records"
RAW = "raw.json.gz"


def write_record(
    name: str, command: str, raw: Mapping[str, object], summary: str, packages: Sequence[str]
) -> Path:
    """Write a record: ``README.md``, ``raw.json.gz`` and ``summary.md``."""
    folder = _new_folder(f"{datetime.now(UTC):%Y-%m-%d}-{name}")
    (folder / "README.md").write_text(
        f"# {name}\n\n"
        f"- command: `{command}`\n"
        f"- commit: {commit()}\n"
        f"- machine: {machine()}\n"
        f"- Python: {platform.python_implementation()} {platform.python_version()}\n"
        f"- packages: {', '.join(_version(package) for package in packages)}\n",
        encoding="utf-8",
    )
    text = json.dumps(raw, indent=1) + "\n"
    (folder / RAW).write_bytes(gzip.compress(text.encode(), mtime=0))
    (folder / "summary.md").write_text(summary, encoding="utf-8")
    return folder


def read_raw(folder: Path) -> Any:
    """The raw data of a record."""
    return json.loads(gzip.decompress((folder / RAW).read_bytes()))


def command_line(module: str) -> str:
    """The command that is running, as somebody else would type it: a place is theirs to name."""
    given = ["DIR" if Path(argument).is_absolute() else argument for argument in sys.argv[1:]]
    return " ".join(["python", "-m", module, *given])


def commit() -> str:
    """The commit that is checked out, and whether anything differs from it."""
    head = _git("rev-parse", "HEAD")
    return f"{head}, with changes" if _git("status", "--porcelain") else head


def _git(*args: str) -> str:
    run = subprocess.run(
        ["git", "-C", str(ROOT), *args], capture_output=True, text=True, check=False
    )
    return run.stdout.strip()


def _version(package: str) -> str:
    return f"{package} {metadata.version(package)}"


def _new_folder(name: str) -> Path:
    for number in range(1, 100):
        folder = RECORDS / (name if number == 1 else f"{name}-{number}")
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        return folder
    raise FileExistsError(f"{RECORDS / name} and 98 more")
