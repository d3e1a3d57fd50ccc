"""Mine the documentation of packages and ask it: ``python -m benchmarks.mining_docs --out DIR``.

Fetches the pinned packages into the corpora cache, makes cases of the sections of their
documentation, and asks them with default settings. Below ``--out`` go the cases, the trees and a
sample to be judged by hand; the record holds figures, ids and digests, and no text of the packages.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.mining_docs.figures import (
    BY_FILE,
    answered_table,
    language_table,
    mined_table,
    totals,
)
from benchmarks.mining_docs.mined import SAMPLE, digest_of, kept, mine_all, sample, sample_table
from plait.evaluation.load import load_dataset
from plait.evaluation.mining.docs.cases import split_of
from plait.evaluation.runner import Plan, run
from plait.settings import Settings
from tools.corpora.fetch import default_root
from tools.record import ROOT, command_line, write_record

RECORDED = ("plait", "tantivy", "tree-sitter", "PyStemmer", "ir-measures")
LEVELS = ("files", "symbols")


def main() -> int:
    """Exit 0 if there are cases."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("names", nargs="*", metavar="NAME", help="packages; by default all")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--corpora", type=Path, default=default_root())
    parser.add_argument("--modes", default="hybrid,lexical,dense")
    parser.add_argument("--sample", type=int, default=50, help="cases to be judged")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only-mine", action="store_true", help="ask nothing, write no record")
    options = parser.parse_args()
    mined = kept(mine_all(options.corpora, options.out, options.names))
    taken = sample(mined, options.sample, options.seed)
    (options.out / SAMPLE).write_text(sample_table(taken, options.seed), encoding="utf-8")
    print(totals(mined))
    if options.only_mine or not mined:
        return 0 if mined else 1
    modes = [mode.strip() for mode in options.modes.split(",")]
    measured = {level: _asked(options.out, level, modes) for level in LEVELS}
    text = "\n\n".join(
        [
            "# Cases mined from documentation",
            totals(mined),
            answered_table(measured),
            f"Files by language, {modes[0]}, both splits:",
            language_table(measured, modes[0]),
            mined_table(mined),
        ]
    )
    print(text)
    raw: dict[str, Any] = {
        "packages": {
            one.name: {
                "split": split_of(one.name),
                "sections": one.sections,
                "digest": digest_of(one),
                "left_out": dict(one.left_out),
                "ids": [case.id for case in one.cases],
            }
            for one in mined
        },
        "measured": measured,
        "sample": [case.id for case in taken],
    }
    command = command_line("benchmarks.mining_docs")
    written = write_record("mining-docs", command, raw, f"{text}\n", RECORDED)
    print(f"wrote {written.relative_to(ROOT)}", file=sys.stderr)
    return 0


def _asked(out: Path, level: str, modes: list[str]) -> Mapping[str, Any]:
    """Ask every case at one level; indexes are kept beside the cases."""
    dataset = load_dataset(out / "cases", qrels=level, repos=out / "trees")
    folder = out / "runs" / f"{level}-{dataset.digest[:12]}"
    names = (*BY_FILE, "RR", "R@10")
    return run(Plan(dataset, modes, Settings(), folder, out / "indexes", names)).measures


if __name__ == "__main__":
    sys.exit(main())
