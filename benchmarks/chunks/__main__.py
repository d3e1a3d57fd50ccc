"""Are chunks what a person would cut? ``python -m benchmarks.chunks --before DIR``

Counts the fragments (``fragments.py``) among the chunks of the corpora that
``python tools/corpora/fetch.py`` brings, as this checkout cuts them and as the one in DIR does, and
what an index of some packages costs either way; writes a record. ``--sample FILE`` writes the
chunks that were drawn, to be read one by one; ``--verdicts FILE`` puts what a reader found, one
line per chunk that is a fragment or close to one, into the record. The text of packages is never
kept.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.chunks.census import packages
from benchmarks.chunks.summary import summary
from tools.record import ROOT, command_line, write_record

INDEXED = (
    "languages/cpp/leveldb-1.23",
    "languages/kotlin/com.squareup.okhttp3-okhttp-4.12.0",
    "languages/lua/luarocks-3.8.0+dfsg1",
)
TIMES = 2  # the best counts


def main() -> int:
    """Count, compare, write a record."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--before", type=Path, required=True, help="a checkout to compare with")
    parser.add_argument("--sample", type=Path, help="where to write what was drawn")
    parser.add_argument("--verdicts", type=Path, help="what a reader of the sample found")
    parser.add_argument("--counted", type=Path, nargs=2, help="two censuses made earlier")
    asked = parser.parse_args()
    checkouts = {"before": asked.before.resolve(), "after": ROOT}
    if asked.counted:
        lines = dict(zip(checkouts, (file.read_text() for file in asked.counted), strict=True))
    else:
        lines = {name: run(root, *packages()) for name, root in checkouts.items()}
    found = {name: [json.loads(line) for line in text.splitlines()] for name, text in lines.items()}
    if asked.sample:
        asked.sample.write_text(sample(found["after"]), encoding="utf-8")
    costs = {package: cost(checkouts, package) for package in INDEXED}
    verdicts = asked.verdicts.read_text(encoding="utf-8") if asked.verdicts else ""
    text = summary(found["before"], found["after"], costs, verdicts)
    raw = {name: [without_text(one) for one in many] for name, many in found.items()}
    folder = write_record(
        "chunks",
        command_line("benchmarks.chunks"),
        {**raw, "costs": costs},
        text,
        ("plait", "tree-sitter"),
    )
    print(text)
    print(f"wrote {folder.relative_to(ROOT)}", file=sys.stderr)
    return 0


def run(checkout: Path, *arguments: str) -> str:
    """What the census of a checkout prints."""
    path = os.pathsep.join((str(checkout / "src"), str(ROOT)))
    command = [sys.executable, "-m", "benchmarks.chunks.census", *arguments]
    done = subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": path},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        check=True,
    )
    return done.stdout.decode()


def cost(checkouts: dict[str, Path], package: str) -> dict[str, dict[str, float]]:
    """The least CPU time and the bytes of an index, the checkouts taken in turns."""
    runs: dict[str, list[dict[str, float]]] = {name: [] for name in checkouts}
    for _ in range(TIMES):
        for name, checkout in checkouts.items():
            runs[name].append(json.loads(run(checkout, "--index", package)))
    return {
        name: {"cpu_s": min(one["cpu_s"] for one in many), "bytes": many[0]["bytes"]}
        for name, many in runs.items()
    }


def sample(found: list[dict[str, Any]]) -> str:
    """Every chunk that was drawn, numbered."""
    drawn = [(one["package"], chunk) for one in found for chunk in one["drawn"]]
    return "".join(
        f"--- {number} {package} {chunk['place']} ({chunk['is']})\n{chunk['text'].rstrip()}\n"
        for number, (package, chunk) in enumerate(drawn, start=1)
    )


def without_text(one: dict[str, Any]) -> dict[str, Any]:
    """A census that quotes nobody's code."""
    places = [f"{chunk['place']} ({chunk['is']})" for chunk in one["drawn"]]
    return {**one, "drawn": places}


if __name__ == "__main__":
    sys.exit(main())
