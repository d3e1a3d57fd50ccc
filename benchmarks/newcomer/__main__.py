"""Ask a newcomer's questions: ``python -m benchmarks.newcomer [--modes ...] [--scratch]``.

Fetches the pinned packages into the corpora cache, indexes them, asks every question with default
settings, and records how often the right file is first or among the first three, by kind of
question, and every miss with what stood first and its tags.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks.newcomer.cases import load_newcomer
from benchmarks.newcomer.shares import asked_of, shares, summary_of
from plait.evaluation.dataset import Dataset
from plait.evaluation.runner import Plan, run
from plait.settings import Settings
from plait.sources.tags import tags_of
from tools.corpora.fetch import default_root
from tools.record import ROOT, command_line, write_record

PACKAGES = ("plait", "tantivy", "tree-sitter", "PyStemmer")
MEASURES = ("RR@10", "nDCG@10")


def main() -> int:
    """Exit 0 when all has been asked."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--modes", default="hybrid,lexical")
    parser.add_argument("--corpora", type=Path, default=default_root())
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep the indexes, for next time")
    parser.add_argument("--scratch", action="store_true", help="print only, write no record")
    options = parser.parse_args()
    dataset = load_newcomer(options.corpora)
    modes = [mode.strip() for mode in options.modes.split(",")]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        indexes = options.keep or folder / "indexes"
        plan = Plan(dataset, modes, Settings(), folder / "run", indexes, MEASURES)
        done = run(plan)
    tags = _Tags(dataset)
    asked = {mode: [asked_of(outcome, tags) for outcome in done.of(mode)] for mode in modes}
    text = summary_of(asked)
    print(text)
    if not options.scratch:
        raw = {
            mode: {
                **shares(ones),
                **{name: done.measures[mode][name] for name in MEASURES},
                "asked": [one._asdict() for one in ones],
            }
            for mode, ones in asked.items()
        }
        written = write_record("newcomer", command_line("benchmarks.newcomer"), raw, text, PACKAGES)
        print(f"wrote {written.relative_to(ROOT)}", file=sys.stderr)
    return 0


class _Tags:
    """The tags of a file, by its package and path."""

    def __init__(self, dataset: Dataset) -> None:
        self._sources = {part.name: part.source for part in dataset.parts}

    def __call__(self, part: str, path: str) -> tuple[str, ...]:
        file = self._sources[part].read(path)
        return tuple(getattr(file, "tags", ())) or tags_of(path, b"")


if __name__ == "__main__":
    sys.exit(main())
