"""Fetch the packages, mine their documentation, and lay out what ``plait eval run`` reads.

OUT/trees/NAME     the packages, as links into the corpora cache
OUT/cases/NAME     the cases of each

plait eval run OUT/cases --repos OUT/trees --qrels files_test
"""

from __future__ import annotations

import hashlib
import random
import sys
from collections.abc import Sequence
from pathlib import Path

from plait.evaluation.mining import DocCase, MinedDocs, mine_docs, write_mined
from tools.corpora import catalog
from tools.corpora.fetch import bring

PACKAGES = Path(__file__).with_name("packages.toml")
CORPUS = "docs"  # the folder of the corpora
FEWEST = 3  # cases of a package that is worth an index
SAMPLE = "sample.md"


def mine_all(corpora: Path, out: Path, names: Sequence[str] = ()) -> list[MinedDocs]:
    """Mine every package, or those named; what has cases is written below a folder."""
    packages = [one for one in catalog.load(PACKAGES) if not names or one.name in names]
    trees, cases = out / "trees", out / "cases"
    trees.mkdir(parents=True, exist_ok=True)
    mined = []
    for package, folder in bring(packages, corpora / CORPUS).items():
        one = mine_docs(folder, name=package.slug)
        print(f"{package.slug}: {len(one.cases)} cases", file=sys.stderr, flush=True)
        mined.append(one)
        if len(one.cases) >= FEWEST:
            tree = trees / package.slug
            tree.unlink(missing_ok=True)
            tree.symlink_to(folder.resolve())
            write_mined(cases / package.slug, one)
    return mined


def kept(mined: Sequence[MinedDocs]) -> list[MinedDocs]:
    """Those with enough cases to be asked."""
    return [one for one in mined if len(one.cases) >= FEWEST]


def digest_of(mined: MinedDocs) -> str:
    """Of every question and its answers: a case that changed is seen without being quoted."""
    lines = [f"{case.id}\0{case.text}\0{case.symbols}\0{case.without}" for case in mined.cases]
    return hashlib.sha256("\n".join(lines).encode("utf-8", "replace")).hexdigest()[:16]


def sample(mined: Sequence[MinedDocs], size: int, seed: int) -> list[DocCase]:
    """Cases chosen by chance, as evenly over the packages as their numbers allow."""
    chance = random.Random(seed)
    queues = [chance.sample(one.cases, len(one.cases)) for one in mined]
    chance.shuffle(queues)
    taken: list[DocCase] = []
    while len(taken) < size and any(queues):
        taken.extend(queue.pop() for queue in queues if queue)
    return taken[:size]


def sample_table(taken: Sequence[DocCase], seed: int) -> str:
    """The sample with an empty column for a judgement; it quotes, so it is never committed."""
    rows = [
        f"| {case.id} | {case.path}:{case.line} | {_cell(case.text)} "
        f"| {'<br>'.join(map(_cell, case.symbols))} | |"
        for case in taken
    ]
    head = [
        f"# {len(taken)} cases, seed {seed}",
        "",
        "Judge each by its section: right, arguable or wrong.",
        "",
        "| id | place | query | symbols | judgement |",
        "|---|---|---|---|---|",
    ]
    return "\n".join([*head, *rows]) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
