"""Working directories: a tree that holds modules named as those plait imports.

Every module leaves a trace when it is imported, by whatever process. The tree is the working
directory of every verb, run as the console script.
"""

from __future__ import annotations

import importlib.metadata
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tools.attack.bench import GOOD_NAME, GOOD_WORD, Bench, Case, touch

KEY = "canary-key-of-the-model"
EXTRAS = (
    *("sitecustomize", "usercustomize", "plait", "conftest", "setup", "__main__", "__init__"),
    *("_sitebuiltins", "site", "encodings", "_frozen_importlib", "worker", "parse", "serve"),
)
VERBS: tuple[tuple[str, ...], ...] = (
    ("search", GOOD_WORD),
    ("index", "."),
    ("index", "--rebuild"),
    ("index", "--check"),
    ("index", "--dry-run"),
    ("status",),
    ("doctor",),
    ("grep", GOOD_WORD),
    ("symbols", GOOD_WORD),
    ("symbols", GOOD_NAME),
    ("def", GOOD_WORD),
    ("explain", GOOD_WORD, f"{GOOD_NAME}:1"),
    ("similar", f"{GOOD_NAME}:1"),
    ("similar", "--duplicates"),
    ("clusters",),
    (GOOD_WORD, "--mode", "dense"),
    (GOOD_WORD, ".", "--no-refresh"),
    ("eval", "mine", ".", "--out", "{scratch}/mined"),
    ("eval", "run", "{dataset}", "--out", "{scratch}/run"),
    ("model", "list"),
    ("completion", "bash"),
    ("clear", "."),
)
FEW = (VERBS[0], VERBS[2], VERBS[6], VERBS[18])


def cases() -> Iterator[Case]:
    """One tree of files and one of packages."""
    names = tuple(sorted(module_names()))
    yield Case("name.py", names, lambda bench, things: _act(bench, things, _file))
    yield Case("name/__init__.py", names, lambda bench, things: _act(bench, things, _package))
    empty = tuple(name for name in names if not name.startswith("_"))
    yield Case("empty name/", empty, lambda bench, things: _act(bench, things, _empty))


def module_names() -> set[str]:
    """Every module of the standard library and of everything that is installed here."""
    found = {name for name in sys.stdlib_module_names if name not in ("this", "antigravity")}
    for name, packages in importlib.metadata.packages_distributions().items():
        del packages
        if name.isidentifier():
            found.add(name)
    return found | set(EXTRAS)


def _act(bench: Bench, things: Sequence[str], plant: object) -> None:
    assert callable(plant)
    bench.plant_good()
    for name in things:
        plant(bench.tree, name, bench.traces / name)
    dataset = plant_dataset(bench.scratch / "dataset")
    for verb in FEW if bench.is_sample else VERBS:
        touch(bench.tree / GOOD_NAME)
        told = [part.format(scratch=bench.scratch, dataset=dataset) for part in verb]
        hidden = (*bench.rules.hidden, KEY)
        ran = bench.run(*told, real=True, env={"PLAIT_MODEL_KEY": KEY}, hidden=hidden)
        if verb[0] in ("search", "grep", "def") and GOOD_WORD not in ran.out:
            bench.breaks("", f"the good file is not found: {ran.said[-200:]!r}", " ".join(verb))
        if verb[0] == "doctor" and "problem" in ran.out.lower():
            bench.breaks("", f"the doctor finds something: {ran.out[-300:]!r}", "doctor")


def plant_dataset(folder: Path) -> Path:
    """A small dataset of questions."""
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text('{"_id": "d1", "title": "a", "text": "def a(): 1"}\n')
    (folder / "queries.jsonl").write_text('{"_id": "q1", "text": "a"}\n')
    (folder / "qrels" / "test.tsv").write_text("q1\td1\t1\n")
    return folder


def leaving(trace: Path) -> str:
    """A module that leaves a trace, wherever it is imported."""
    return f"import os\nos.close(os.open({str(trace)!r}, os.O_CREAT | os.O_WRONLY))\n"


def _file(tree: Path, name: str, trace: Path) -> None:
    (tree / f"{name}.py").write_text(leaving(trace), encoding="utf-8")


def _package(tree: Path, name: str, trace: Path) -> None:
    (tree / name).mkdir()
    (tree / name / "__init__.py").write_text(leaving(trace), encoding="utf-8")


def _empty(tree: Path, name: str, trace: Path) -> None:
    """A folder without a module hides nothing that has one, unless the path begins here."""
    del trace
    (tree / name).mkdir()
    (tree / name / "empty.txt").write_text("nothing\n")
