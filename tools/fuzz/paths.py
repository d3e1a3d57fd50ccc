"""Hostile paths: ``python -m tools.fuzz.paths --n 100000``.

Trees of paths that lead out or are taken for others: links, hard links, names of any bytes, names
that differ in case or form alone. Every verb that lists or reads files runs over them, in
namespaces under strace; nothing but the tree, the cache and plait's own may be opened. Exit 1 if
anything else was.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tools.attack import chamber
from tools.attack.bench import CANARY, GOOD_WORD, Bench, Case, Workshop
from tools.attack.files import git
from tools.attack.judging import plain_rules
from tools.attack.report import printable
from tools.attack.running import Session
from tools.fuzz.hostile_paths import Grower
from tools.record import ROOT, command_line, write_record

PER_TREE = 10_000
VERBS: tuple[tuple[str, ...], ...] = (
    ("index", "{tree}"),
    (GOOD_WORD, "{tree}", "--json"),
    ("grep", "planted_1", "{tree}"),
    ("status", "{tree}"),
    ("index", "--dry-run", "{tree}"),
)


def main() -> int:
    """Make the trees, run every verb, and say what was opened outside."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--n", type=int, default=100_000, help="paths")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-record", action="store_true")
    options = parser.parse_args()
    if not chamber.is_inside():
        if lacking := chamber.missing():
            print(f"skipped: hostile paths need namespaces and strace: {lacking}", file=sys.stderr)
            return 0
        return chamber.enter(sys.argv[1:], "tools.fuzz.paths")
    chamber.raise_loopback()
    began = time.monotonic()
    folder = Path(tempfile.mkdtemp(prefix="plait-paths-"))
    chamber.mount_memory(folder)
    try:
        made, opened, broken = fuzz(folder, options.n, options.seed)
    finally:
        chamber.unmount(folder)
        folder.rmdir()
    text = summary(made, opened, broken, time.monotonic() - began)
    print(text)
    if not options.no_record:
        raw = {"made": dict(made), "opened_inside": opened, "broken": broken, "seed": options.seed}
        place = write_record(
            "fuzz-paths", command_line("tools.fuzz.paths"), raw, text, ("tantivy",)
        )
        print(f"record: {place.relative_to(ROOT)}", file=sys.stderr)
    return 1 if broken else 0


def fuzz(folder: Path, count: int, seed: int) -> tuple[Counter[str], int, list[str]]:
    """Paths by kind, how many opens there were beneath the trees, and what did not hold."""
    plait = Path(sys.executable).with_name("plait")
    session = Session(plait.with_name("python"), folder / "session")
    shop = Workshop(folder, plait, plain_rules(plait), session)
    made: Counter[str] = Counter()
    opened = 0
    broken: list[str] = []

    def act(bench: Bench, things: object) -> None:
        nonlocal opened
        del things
        bench.plant_good()
        grower = Grower(bench.tree, bench.victim, number)
        grower.grow(min(PER_TREE, count - PER_TREE * (number - seed)))
        made.update(grower.made)
        if number % 2:
            git(bench.tree, "init", "-q")
            git(bench.tree, "-c", "core.longpaths=true", "add", "--ignore-errors", "-A", ".")
        for verb in VERBS:
            told = [part.format(tree=bench.tree) for part in verb]
            ran = bench.run(*told, seconds=600, max_cpu_s=400.0)
            opened += sum(call.opened.startswith(str(bench.tree)) for call in ran.calls)
            if verb[0] == GOOD_WORD and GOOD_WORD not in ran.out:
                bench.breaks("", f"the good file is not found: {ran.said[-200:]!r}")
        if bench.run("grep", CANARY, bench.tree, seconds=600).exit == 0:
            bench.breaks("", "what lies outside the tree is found")
        broken.extend(printable(f"tree {number}: {problem.words}") for problem in bench.broken)

    for number in range(seed, seed + -(-count // PER_TREE)):
        shop.attempt(Case(f"tree {number}", (f"tree {number}",), act))
        print(f"tree {number}: {len(broken)} broke", file=sys.stderr, flush=True)
    session.close()
    return made, opened, broken


def summary(made: Counter[str], opened: int, broken: list[str], seconds: float) -> str:
    """A table of the paths by kind, and what was opened."""
    rows = "".join(f"| {kind} | {number} |\n" for kind, number in sorted(made.items()))
    told = "".join(f"- {line}\n" for line in broken[:50])
    return (
        f"# Hostile paths\n\n| kind | paths |\n|---|--:|\n{rows}| all | {made.total()} |\n\n"
        f"{opened} opens beneath the trees, {len(broken)} complaints of anything else, "
        f"{seconds:.0f} s\n\n{told}"
    )


if __name__ == "__main__":
    sys.exit(main())
