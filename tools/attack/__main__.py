"""Attack plait in every way the threat model names: ``python -m tools.attack``.

Everything runs in a network, mount and process namespace, under strace: real commands over
hostile trees, files, names, settings, caches, models and replies. A thing is *held* if only
plait's own programs ran, nothing was reached, read or written that is none of its business,
the command ended in words within its limits, and the good file beside it was found; else it
*broke*. Prints a table; exit 1 if anything broke, 0 with a sentence where namespaces or strace
cannot be had.
"""

from __future__ import annotations

import argparse
import json
import queue
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from tools.attack import chamber
from tools.attack.bench import Case, Outcome, Workshop
from tools.attack.catalogue import CLASSES
from tools.attack.judging import plain_rules
from tools.attack.report import (
    held_before,
    in_parts,
    note,
    printable,
    rows_of,
    rows_of_log,
    table,
    told,
    write,
)
from tools.attack.running import Session

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Enter the chamber and try everything that was asked for."""
    options = parsed()
    if options.report:
        return report(options)
    if not chamber.is_inside():
        if lacking := chamber.missing():
            print(f"skipped: attacks need namespaces and strace: {lacking}", file=sys.stderr)
            return 0
        return chamber.enter(sys.argv[1:])
    chamber.raise_loopback()
    began = time.monotonic()
    folder = Path(tempfile.mkdtemp(prefix="plait-attack-", dir=options.scratch))
    if options.keep:
        outcomes = attack(folder, options)
        print(f"kept: {folder}", file=sys.stderr)
    else:
        chamber.mount_memory(folder)
        try:
            outcomes = attack(folder, options)
        finally:
            chamber.unmount(folder)
            folder.rmdir()
    rows = rows_of(outcomes)
    before = json.loads(options.before.read_text()) if options.before else {}
    text = table(rows, before.get("classes", {}), time.monotonic() - began)
    print(text)
    print(told(outcomes), end="")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    if options.record:
        place = write(rows, text, before, options.log)
        print(f"record: {place.relative_to(ROOT)}", file=sys.stderr)
    return 1 if any(row["broke"] for row in rows["classes"].values()) else 0


def report(options: argparse.Namespace) -> int:
    """Tell what runs in parts, into one log, came to."""
    rows = rows_of_log(options.report)
    before = json.loads(options.before.read_text()) if options.before else {}
    text = table(rows, before.get("classes", {})) + in_parts(rows["commits"])
    print(text)
    for row in rows["broken"]:
        print(printable("BROKE {class} / {case} / {thing}: {words}".format(**row)))
    if options.record:
        place = write(rows, text, before, options.report)
        print(f"record: {place.relative_to(ROOT)}", file=sys.stderr)
    return 1 if rows["broken"] else 0


def parsed() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.attack", description=(__doc__ or "").split("\n", 1)[0]
    )
    parser.add_argument("--class", dest="classes", action="append", choices=sorted(CLASSES))
    parser.add_argument("--sample", type=float, default=1.0, help="of each class (0.1: a tenth)")
    parser.add_argument("--seed", type=int, default=0, help="which sample")
    parser.add_argument("--jobs", type=int, default=2, help="at a time")
    parser.add_argument("--only", default="", help="cases whose name holds this")
    parser.add_argument("--keep", action="store_true", help="leave the folders for a look")
    parser.add_argument("--scratch", type=Path, help="where the folders are made")
    parser.add_argument("--plait", type=Path, default=Path(sys.executable).with_name("plait"))
    parser.add_argument("--log", type=Path, help="a line per case; cases that held in it are done")
    parser.add_argument("--report", type=Path, help="tell what such a log holds, and try nothing")
    parser.add_argument("--json", type=Path, help="write the outcome here")
    parser.add_argument("--before", type=Path, help="an outcome to set beside it in the table")
    parser.add_argument("--record", action="store_true", help="write a dated record")
    return parser.parse_args()


def attack(folder: Path, options: argparse.Namespace) -> dict[str, list[Outcome]]:
    """Try every case of every class; what came of them."""
    compile_installation(options.plait)
    rules = plain_rules(options.plait)
    waiting: queue.Queue[tuple[str, Case]] = queue.Queue()
    outcomes: dict[str, list[Outcome]] = {}
    done = held_before(options.log) if options.log else set()
    for name in options.classes or CLASSES:
        outcomes[name] = []
        cases = [case for case in CLASSES[name]() if options.only in case.name]
        for case in sampled(cases, options.sample, options.seed):
            if (name, case.name, case.things) in done:
                outcomes[name].append(Outcome(case, {}))
            else:
                waiting.put((name, case))

    def work(number: int) -> None:
        place = folder / f"worker{number}"
        place.mkdir()
        session = Session(options.plait.with_name("python"), place / "session")
        shop = Workshop(
            place, options.plait, rules, session, is_sample=options.sample < 1, keep=options.keep
        )
        while True:
            try:
                name, case = waiting.get_nowait()
            except queue.Empty:
                break
            began = time.monotonic()
            outcome = shop.attempt(case)
            outcomes[name].append(outcome)
            if options.log:
                note(options.log, name, outcome)
            spent = time.monotonic() - began
            verdict = (
                f"{len(outcome.broken)} BROKE {first_words(outcome)}" if outcome.broken else "held"
            )
            print(f"{name}: {case.name}: {len(case.things)} {verdict} ({spent:.1f} s)",
                  file=sys.stderr, flush=True)  # fmt: skip
        session.close()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(options.jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if not waiting.empty():
        raise SystemExit("error: not every case was tried")
    return outcomes


def first_words(outcome: Outcome) -> str:
    """What broke first, for whoever watches."""
    problem = next(iter(outcome.broken.values()))[0]
    return printable(problem.words)[:200]


def sampled(cases: list[Case], part: float, seed: int = 0) -> list[Case]:
    """Every tenth, or so, of a class; the same ones for the same seed, and at least one.

    What costs time is how many cases there are, so whole cases are taken of many; of a few
    cases that hold many things each, a part of each one's things.
    """
    step = max(1, round(1 / part))
    if len(cases) >= step:
        return cases[seed % step :: step]
    return [case.only(case.things[seed % min(step, len(case.things)) :: step]) for case in cases]


def compile_installation(plait: Path) -> None:
    """Compile the attacked installation, so that commands start as a user's do."""
    python = plait.with_name("python")
    probe = (
        "import plait, sysconfig; print(plait.__path__[0]); print(sysconfig.get_path('purelib'))"
    )
    places = subprocess.run(
        [python, "-c", probe], capture_output=True, text=True, check=True, cwd="/"
    ).stdout.split()
    subprocess.run([python, "-m", "compileall", "-q", *places], check=False, capture_output=True)


if __name__ == "__main__":
    sys.exit(main())
