"""Ask plait where messages come from: ``python -m benchmarks.messages.ask HALF FILE``.

Writes what came first for every case, by words and by both lanes, to a file. ``run.py`` calls it
for this checkout and for an older one.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import groupby
from pathlib import Path
from typing import Any

from benchmarks.messages.mine import Case, load_cases
from benchmarks.messages.packages import packages
from plait.answering.index import Index
from plait.assembly.opening import open_index
from plait.search.parse import parse
from plait.sources import canonical
from plait.types import Answer, Query, Snapshot

MODES = ("lexical", "hybrid")
SHOWN = 3
LANE = "message"


def main() -> None:
    """Ask everything and write it down."""
    half, out = sys.argv[1:]
    rows = [row for part in asked_packages(half, load_cases(half)) for row in part]
    Path(out).write_text(json.dumps(rows), encoding="utf-8")


def asked_packages(half: str, cases: Sequence[Case]) -> Iterator[list[dict[str, Any]]]:
    """What came of the cases, a list for each package."""
    folders = {one.package.name: one.folder for one in packages(half)}
    for name, own in groupby(cases, key=lambda case: case.package):
        index = open_index(folders[name])
        index.search("warm up")  # builds it
        with closing(index.snapshot()) as snapshot:
            files = snapshot.statistics().files
            for mode in MODES:  # the first question opens what it needs
                _asked(index, snapshot, mode, "cannot open 'x'")
            yield [_row(index, snapshot, case, files) for case in own]
        print(f"{name}: {files:,} files", file=sys.stderr, flush=True)


def _row(index: Index, snapshot: Snapshot, case: Case, files: int) -> dict[str, Any]:
    row: dict[str, Any] = {"files": files}
    for mode in MODES:
        began = time.process_time()
        answer = _asked(index, snapshot, mode, case.text)
        row[f"{mode}_cpu_s"] = time.process_time() - began
        row[mode] = [
            _place(case, result.chunk.path, result.chunk.span) for result in answer.results
        ]
        row[f"{mode}_lane_s"] = dict(answer.timings.lanes).get(LANE, 0.0)
    return row


def _asked(index: Index, snapshot: Snapshot, mode: str, text: str) -> Answer:
    parsed = parse(text, canonical)
    query = Query(text, parsed.wanted, index.scope(), SHOWN, index.settings.per_file)
    return index.reader.searcher(snapshot, mode).search(query, parsed.hints)


def _place(case: Case, path: str, span: Sequence[int]) -> str:
    """Whether a result is right: "line", "file" or ""."""
    of_file = [(first, last) for one, first, last in case.lines if one == path]
    if any(first <= span[1] and last >= span[0] for first, last in of_file):
        return "line"
    return "file" if of_file else ""


if __name__ == "__main__":
    assert os.environ.get("PLAIT_CACHE_DIR"), "indexes go to PLAIT_CACHE_DIR"
    main()
