"""Corruption: an index damaged in any way answers rightly or says that it cannot."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tools.attack.bench import Bench, Case, batched
from tools.chaos.damage import DAMAGES, damage
from tools.chaos.tree import grow

TRIALS = 200
QUESTIONS: tuple[tuple[str, ...], ...] = (
    ("parse the header of a packet", "{tree}", "--no-refresh", "--json"),
    ("grep", "--no-refresh", "cache|token", "{tree}"),
)


def cases() -> Iterator[Case]:
    """Random damages, ten to a sound index that is put back after each."""
    trials = tuple(f"damage {number}" for number in range(TRIALS))
    for number, portion in enumerate(batched(trials, 10)):
        yield Case(f"damages {number}", portion, _act)


def _act(bench: Bench, things: Sequence[str]) -> None:
    grow(bench.tree, 40, 7)
    bench.run("index", bench.tree)
    sound = bench.scratch / "sound"
    shutil.copytree(bench.cache, sound, symlinks=True)
    right = [_answer(bench, question, "")[0] for question in QUESTIONS]
    for thing in things:
        rng = random.Random(thing)
        shutil.rmtree(bench.cache)
        shutil.copytree(sound, bench.cache, symlinks=True)
        files = sorted(path for path in bench.cache.rglob("*") if path.is_file())
        path = rng.choice(files)
        done = damage(path, rng.choice(DAMAGES), files, rng)
        for question, wanted in zip(QUESTIONS, right, strict=True):
            answer, said = _answer(bench, question, thing)
            if answer != wanted and not said:
                what = f"{_inner(path, bench.cache)}: {done}"
                bench.breaks(thing, f"a wrong answer without a word after {what}", question[0])


def _answer(bench: Bench, question: tuple[str, ...], thing: str) -> tuple[Any, str]:
    """What was answered, and what was said about it."""
    told = [part.format(tree=bench.tree) for part in question]
    ran = bench.run(*told, thing=thing)
    said = ran.err
    if ran.exit in (2, 3):
        said += " failed"
    if "--json" not in question:
        return ran.out, said
    try:
        answer = json.loads(ran.out)
    except ValueError:
        return ran.out, said
    said += "".join(answer.get("absent", ())) + "".join(answer.get("notes", ()))
    results = [(row["path"], row.get("symbol"), row.get("score")) for row in answer["results"]]
    return results, said


def _inner(path: Path, cache: Path) -> str:
    return "/".join(path.relative_to(cache).parts[1:])
