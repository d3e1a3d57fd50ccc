"""Damage an index in every way and ask it: ``python -m tools.chaos.bitflip --n 10000``.

An index with all there is to it (a history, words, lines, vectors of a fetched model, clusters,
stamps, proofs) is opened, and so proved. Then one of its files is damaged, of every kind in turn,
and something is asked in every way there is: of the snapshot that was open, of the index opened
anew, of the index brought up to date first, of the command. What counts is what the
answer says. It is *right*, the same as that of the sound index, or it is *told*: an error or a
note that the sound answer has not. What must not happen: a *wrong* answer without a word, a
*crash*, a *hang*, an *unforeseen* exception.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections import Counter
from math import inf
from pathlib import Path
from typing import Any

if __name__ == "__main__":  # run as a script, only this folder is on the path
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # this process forks: it has no threads

from tools.chaos.bitflip_trials import WAYS, Trials, build
from tools.chaos.damage import DAMAGES
from tools.chaos.record import conclude, say

BAD = ("wrong", "crash", "hang", "unforeseen")
COMMON = "anew"
# Of trials that damage what costs an answer little or nothing, so that all are asked, this share.
RARER = {"lock": 0.2, "model": 0.3, "stamps": 0.5, "clusters": 0.5, "proofs": 0.5}


def plan(count: int, kinds: list[str], rng: random.Random) -> list[tuple[str, str, str]]:
    """Which way to ask, which kind of file to damage and how, for each trial."""
    planned = []
    for number in range(count):
        kind = kinds[number % len(kinds)]
        if rng.random() > next((s for word, s in RARER.items() if word in kind), 1.0):
            kind = rng.choice(kinds)
        roll, way = rng.random(), COMMON
        for name, share in WAYS.items():
            roll -= share
            if roll < 0:
                way = name
                break
        if kind == "stamps" and rng.random() < 0.1:  # read only to bring an index up to date
            way = "up to date"
        planned.append((way, kind, rng.choice(DAMAGES)))
    return planned


def damage_repeatedly(
    count: int, *, files: int = 60, seed: int = 0, only: str = "", within_s: float = inf
) -> list[dict[str, Any]]:
    """Run so many trials, on the files of some kinds or of all, or fewer if time runs out; a row
    for each."""
    rng = random.Random(seed)
    rows = []
    with tempfile.TemporaryDirectory("-plait-bitflip") as name:
        folder = Path(name)
        if os.fork() == 0:  # this process must stay free of the engine's threads
            status = 1
            try:
                build(folder, files=files, seed=seed)
                status = 0
            finally:
                os._exit(status)
        if os.wait()[1]:
            raise SystemExit("the index could not be built")
        trials = Trials(folder, rng)
        kinds = [kind for kind in sorted(trials.victims()) if only in kind]
        began = time.monotonic()
        for number, (way, kind, how) in enumerate(plan(count, kinds, rng)):
            if time.monotonic() - began > within_s:
                break
            row = {"trial": number, **trials.run(way, kind, how)}
            rows.append(row)
            if row["verdict"] in BAD:
                say(f"{row}")
            if number % 500 == 499:
                say(f"{number + 1} of {count} after {time.monotonic() - began:.0f} s")
    return rows


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """What the trials come to."""
    verdicts = Counter(row["verdict"] for row in rows)
    answers = Counter(verdict for row in rows for verdict in row["questions"].values())
    counted: dict[str, Any] = {
        "damages": len(rows),
        "all answers right": verdicts["right"],
        "told, in some answer at least, and no answer wrong": verdicts["told"],
        **{name: verdicts[name] for name in BAD},
        "answers": sum(answers.values()),
        "answers that were right": answers["right"],
        "answers that said so": answers["told"],
        "slowest trial, seconds": max(row["seconds"] for row in rows),
    }
    for label, key in (("asked", "way"), ("file", "kind"), ("damage", "damage")):
        groups = Counter(row[key] for row in rows)
        bad = Counter(row[key] for row in rows if row["verdict"] in BAD)
        counted |= {
            f"{label}: {name}": f"{count}, {bad[name]} broke" for name, count in groups.items()
        }
    return counted


def main() -> None:
    """Run the trials and record them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--n", type=int, default=1000, help="how many damages")
    parser.add_argument("--files", type=int, default=60, help="files of the tree")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="kinds of files to damage: all that hold this")
    parser.add_argument("--within", type=float, default=inf, help="seconds it may take")
    parser.add_argument("--no-record", action="store_true", help="print only")
    asked = parser.parse_args()
    rows = damage_repeatedly(
        asked.n, files=asked.files, seed=asked.seed, only=asked.only, within_s=asked.within
    )
    counted = summary(rows)
    for row in rows:  # right and told are counted; what each said is not kept
        row["questions"] = dict(Counter(row["questions"].values()))
    conclude("bitflip", "tools.chaos.bitflip", counted, rows, record=not asked.no_record)
    sys.exit(1 if any(counted[name] for name in BAD) else 0)


if __name__ == "__main__":
    main()
