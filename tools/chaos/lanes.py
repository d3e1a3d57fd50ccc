"""Kill or delay each lane and search: ``python -m tools.chaos.lanes``.

The dense lane asks a real endpoint on loopback that is down, late by ten seconds, hangs, drips,
resets or talks nonsense (``troubled.py``). Each search has a deadline for it (``model_wait_s``):
the reply has to be there 50 ms after it at the latest, with the results that words alone give, and
has to name the lane as absent. The same is run as a command, for its exit status.

The files that lanes read, vectors and words, are then damaged or removed. There is no deadline for
what lies on this disk. A search that may write mends the index and answers whole; one that may not
(``--no-refresh``) ends with exit status 2 and the name of the file. A wrong answer that looks
whole, exit status 1, or an exception nobody foresaw makes this command's own exit status 1.

``strict=1`` and statuses 5xx of goal R6 belong to a REST interface, which does not exist yet; what
stands for them here is ``--strict``, exit status 3.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from plait.assembly import open_index
from plait.settings import Settings
from tools.chaos.record import conclude, say
from tools.chaos.troubled import GOOD, TROUBLES, Troubled
from tools.record import ROOT

QUESTION = "where is a request dispatched to its handler"
DEADLINE_S = 1.0
MARGIN_S = 0.05
TRIES = 3  # a busy machine may hold up one, not three
COMMAND_S = 120
THOROUGH = ("down", "late")  # troubles in which a command is also run strictly, and by meaning
DAMAGES = ("cut short", "a byte changed", "removed")
PARTS = {
    "vectors": ("layers", "*.vectors"),
    "words": ("generations", "*.term"),
    "text": ("layers", "*.text"),
}


class Ran(NamedTuple):
    """What a command left."""

    code: int
    said: dict[str, Any]
    err: str

    @property
    def places(self) -> list[str]:
        return [f"{one['path']}:{one['start_line']}" for one in self.said.get("results", ())]

    @property
    def absent(self) -> list[str]:
        return [one["lane"] for one in self.said.get("absent", ())]


def delays(tree: Path, cache: Path, endpoint: Troubled, times: int) -> Iterator[dict[str, Any]]:
    """Search in this process, the dense lane in each of its troubles."""

    def answered(mode: str) -> tuple[float, Any]:
        settings = Settings(
            cache_dir=str(cache), model=endpoint.spec, mode=mode, model_wait_s=DEADLINE_S
        )
        index = open_index(tree, settings)  # another model each time: it remembers no failure
        began = time.monotonic()
        answer = index.search(QUESTION, fresh=False)
        return time.monotonic() - began, answer

    endpoint.be(GOOD)
    answered("hybrid")
    words = _places(answered("lexical")[1])
    for trouble in TROUBLES:
        endpoint.be(trouble)
        for number in range(times):
            took_s, answer = answered("hybrid")
            for _ in range(TRIES - 1):
                if took_s <= DEADLINE_S + MARGIN_S:
                    break
                took_s = min(took_s, answered("hybrid")[0])
            faults = []
            if took_s > DEADLINE_S + MARGIN_S:
                faults.append("late")
            if [one.lane for one in answer.absent] != ["dense"]:
                faults.append("not named")
            if _places(answer) != words:
                faults.append("other results")
            yield {
                "lane": "dense",
                "trouble": trouble,
                "trial": number,
                "ms": round(took_s * 1000, 1),
                "faults": faults,
            }
    endpoint.be(GOOD)
    whole = answered("hybrid")[1]
    yield {"lane": "dense", "trouble": "over", "faults": ["absent"] if whole.absent else []}


def _places(answer: Any) -> list[tuple[str, int]]:
    return [(one.chunk.path, one.chunk.span.first) for one in answer.results]


def commands(tree: Path, cache: Path, endpoint: Troubled) -> Iterator[dict[str, Any]]:
    """The same as commands: exit 0 with the lane named, 3 if that is refused, 2 if it is alone."""
    for trouble in TROUBLES:
        endpoint.be(trouble)
        env = _environment(cache, endpoint)
        usual = _run(tree, env)
        faults, codes = [], [usual.code]
        if usual.code != 0 or usual.absent != ["dense"] or not usual.places:
            faults.append("not degraded")
        if trouble in THOROUGH:
            strict, alone = _run(tree, env, "--strict"), _run(tree, env, "--mode", "dense")
            codes += [strict.code, alone.code]
            if strict.code != 3:
                faults.append("not strict")
            if alone.code != 2 or "error: " not in alone.err:
                faults.append("no error")
        yield {"lane": "dense", "trouble": f"{trouble}, command", "exits": codes, "faults": faults}
    endpoint.be(GOOD)


def damages(tree: Path, cache: Path, endpoint: Troubled) -> Iterator[dict[str, Any]]:
    """Damage what each lane reads, and search with and without leave to mend it."""
    env = _environment(cache, endpoint)
    sound = _run(tree, env)
    kept = cache.with_name("kept")
    shutil.copytree(cache, kept)
    for part, (folder, glob) in PARTS.items():
        for damage in DAMAGES:
            for flag, may_mend in (("--no-refresh", False), ("--refresh", True)):
                shutil.rmtree(cache)
                shutil.copytree(kept, cache)
                path = next(iter(sorted(cache.glob(f"*/{folder}/**/{glob}"))))
                _hurt(path, damage)
                ran = _run(tree, env, flag)
                is_same = ran.places == sound.places and not ran.absent
                is_named = ran.absent == ["dense"] and bool(ran.places)
                outcome = "exit 2, in words" if ran.code == 2 and "error: " in ran.err else "wrong"
                if ran.code == 0:
                    outcome = "whole" if is_same else "degraded" if is_named else "wrong"
                expected = ("whole", "degraded") if may_mend else ("exit 2, in words", "degraded")
                yield {
                    "lane": part,
                    "trouble": f"{damage}, {flag}",
                    "exits": [ran.code],
                    "outcome": outcome,
                    "faults": [] if outcome in expected else [outcome, ran.err[-300:]],
                }


def _hurt(path: Path, damage: str) -> None:
    content = bytearray(path.read_bytes())
    path.unlink()  # a hard link would share the damage
    if damage == "cut short":
        path.write_bytes(content[: len(content) // 2])
    elif damage == "a byte changed":
        content[len(content) // 2] ^= 0xFF
        path.write_bytes(content)


def _environment(cache: Path, endpoint: Troubled) -> dict[str, str]:
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PLAIT_")}
    return clean | {
        "PLAIT_CACHE_DIR": str(cache),
        "PLAIT_MODEL": endpoint.spec,
        "PLAIT_MODEL_WAIT_S": str(DEADLINE_S),
        "PYTHONPATH": str(ROOT / "src"),
    }


def _run(tree: Path, env: Mapping[str, str], *options: str) -> Ran:
    line = [sys.executable, "-m", "plait", QUESTION, str(tree), "--json", *options]
    done = subprocess.run(
        line,
        env=dict(env),
        cwd=tree,
        capture_output=True,
        text=True,
        timeout=COMMAND_S,
        check=False,
    )
    said = json.loads(done.stdout) if done.stdout.startswith("{") else {}
    return Ran(done.returncode, said, done.stderr)


def rows(times: int) -> Iterator[dict[str, Any]]:
    """A row for each search."""
    with tempfile.TemporaryDirectory("-plait-lanes") as name:
        tree, cache = Path(name) / "tree", Path(name) / "cache"
        shutil.copytree(ROOT / "tests" / "fixtures" / "corpus", tree)
        endpoint = Troubled()
        try:
            _run(tree, _environment(cache, endpoint))
            yield from delays(tree, cache, endpoint, times)
            yield from commands(tree, cache, endpoint)
            yield from damages(tree, cache, endpoint)
        finally:
            endpoint.close()


def summary(found: list[dict[str, Any]]) -> dict[str, Any]:
    """What the searches come to."""
    timed = [row for row in found if "ms" in row]
    counted: dict[str, Any] = {
        "searches in one process": len(timed),
        "deadline, ms": DEADLINE_S * 1000,
        "allowed after it, ms": MARGIN_S * 1000,
    }
    for trouble in TROUBLES:
        took = sorted(row["ms"] for row in timed if row["trouble"] == trouble)
        counted[f"{trouble}: median and slowest, ms"] = f"{took[len(took) // 2]}, {took[-1]}"
    counted["commands"] = sum(len(row.get("exits", ())) for row in found)
    for row in found:
        if "outcome" in row:
            counted[f"{row['lane']}, {row['trouble']}"] = row["outcome"]
    counted["faults"] = sum(bool(row["faults"]) for row in found)
    counted["not measured"] = "`strict=1` and 5xx: they belong to a REST interface yet to come"
    return counted


def main() -> None:
    """Run the searches and record them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--times", type=int, default=20, help="searches in each trouble")
    parser.add_argument("--no-record", action="store_true", help="print only")
    asked = parser.parse_args()
    found = []
    for row in rows(asked.times):
        found.append(row)
        if row["faults"] or "exits" in row:
            say(f"{row}")
    counted = summary(found)
    conclude("lanes-killed", "tools.chaos.lanes", counted, found, record=not asked.no_record)
    sys.exit(1 if counted["faults"] else 0)


if __name__ == "__main__":
    main()
