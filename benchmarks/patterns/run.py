"""Patterns: as complete as ripgrep, beside zoekt.

    python -m benchmarks.patterns.run [--corpus DIR] [--work DIR] [--parts speed lines ...]
        [--zoekt PROGRAM --zoekt-index PROGRAM] [--out DIR]

The parts: ``speed``, CPU time of every question to plait, zoekt and ripgrep, and the size of
the indexes; ``lines``, the same lines as ripgrep on every question; ``edits``, the same after
a thousand edits; ``random``, ten thousand random patterns against a full scan; ``hostile``,
ten thousand made to hurt; ``changed``, one changed file among many. ripgrep has to be
installed. zoekt takes part if there is a program that asks it (see ``engines``) and its
``zoekt-index``. With ``--work`` what was built is kept, and found again by the next run.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.bench import say
from benchmarks.patterns import changed, edits, hostile, random_patterns, same_lines, speed
from benchmarks.patterns.engines import Plait, Ripgrep
from benchmarks.patterns.questions import read_questions
from benchmarks.patterns.summary import summary
from benchmarks.patterns.tree import link_tree
from benchmarks.speed.clock import measured
from benchmarks.speed.corpus import Sampled
from benchmarks.speed.ingest import whole_path
from plait.assembly import lexical_lane
from plait.settings import Settings
from plait.stores.embedded.store import EmbeddedStore
from tools.corpora.fetch import default_root
from tools.record import command_line, write_record

PACKAGES = ("plait", "google-re2", "numpy", "tantivy")
SMALL = 40  # every n-th file makes the index most hostile patterns are asked of
MEDIUM = 2_000  # and this one that of the random patterns


class Bench:
    """One run: what it was asked for, and what its parts share."""

    def __init__(self, options: argparse.Namespace, work: Path) -> None:
        self.options = options
        self.work = work
        self.questions = read_questions()
        self.parts: dict[str, Callable[[], object]] = {
            "speed": self.speed,
            "lines": lambda: same_lines.compared(self.plait(), self.ripgrep(), self.questions),
            "edits": self.edits,
            "random": self.random,
            "hostile": self.hostile,
            "changed": lambda: self.scratch(
                lambda work: changed.run(options.corpus, work, files=options.changed_among)
            ),
        }

    def tree(self) -> Path:
        """The files plait takes of the corpus."""
        folder = self.work / "tree"
        self._once(folder, lambda: link_tree(self._source().files(), self._root, folder)._asdict())
        return folder

    def index(self, every: int = 1) -> Path:
        """plait's index of every n-th file."""
        folder = self.work / f"index{every}"
        self._once(folder, lambda: whole_path(self._source(every), folder))
        return folder

    def shards(self) -> Path:
        """zoekt's index of the tree: nothing left out for its size, no ctags."""
        folder, tree = self.work / "shards", self.tree()
        how = ["-disable_ctags", "-max_trigram_count", "100000000", "-file_limit", "100000000"]
        program = [str(self.options.zoekt_index), "-index", str(folder), *how, str(tree)]

        def build() -> dict[str, float]:
            folder.mkdir()
            run = lambda: subprocess.run(program, capture_output=True, check=True)  # noqa: E731
            _, cpu, _ = measured(run)
            size = sum(file.stat().st_size for file in folder.iterdir())
            return {"cpu_s": cpu, "megabytes": size / 1e6}

        self._once(folder, build)
        return folder

    def plait(self) -> Plait:
        """The index of everything, opened."""
        store = EmbeddedStore(self.index(), lexical_lane(Settings()).analysis)
        return Plait(store.snapshot())

    def ripgrep(self) -> Ripgrep:
        """ripgrep, with every file in the system's memory from the first question on."""
        for path in self.tree().rglob("*"):
            if path.is_file():
                path.read_bytes()
        return Ripgrep(self.tree())

    def speed(self) -> dict[str, object]:
        """Times of all engines and sizes of their indexes."""
        shards = self.shards() if self.options.zoekt else self.work
        found = speed.times(
            self.plait(), self.ripgrep(), self.options.zoekt, shards, self.questions
        )
        return {
            "tree": self._figures(self.tree()),
            "index": self._figures(self.index()),
            "zoekt_index": self._figures(shards) if self.options.zoekt else None,
            "questions": {
                name: {engine: timed._asdict() for engine, timed in row.items()}
                for name, row in found.items()
            },
        }

    def edits(self) -> object:
        """The same lines after edits."""
        tree, options = self.tree(), self.options
        return self.scratch(
            lambda work: edits.run(
                tree, work, self.questions, files=options.edited_files, seed=options.seed
            )
        )

    def random(self) -> object:
        """Random patterns against a full scan."""
        options = self.options
        return random_patterns.run(
            options.corpus,
            self.index(MEDIUM),
            every=MEDIUM,
            count=options.random,
            seed=options.seed,
            processes=options.processes,
        )

    def hostile(self) -> dict[str, object]:
        """All on a part of the corpus, where most end before their time, some on all of it."""
        options = self.options
        step = max(options.hostile // max(options.hostile_on_all, 1), 1)
        return {
            "part": hostile.run(self.index(SMALL), range(options.hostile), options.seed),
            "all": hostile.run(self.index(), range(0, options.hostile, step), options.seed),
        }

    def scratch(self, work: Callable[[Path], object]) -> object:
        """Do something in a folder that goes afterwards."""
        with tempfile.TemporaryDirectory(dir=self.work) as folder:
            return work(Path(folder))

    @property
    def _root(self) -> Path:
        root: Path = self.options.corpus
        return root

    def _source(self, every: int = 1) -> Sampled:
        return Sampled(self._root, every)

    def _once(self, folder: Path, build: Callable[[], object]) -> None:
        """Build what is not there, and keep what it cost beside it."""
        if not self._kept(folder).exists():
            say(f"{folder.name} ...")
            self._kept(folder).write_text(json.dumps(build()), encoding="utf-8")

    def _figures(self, folder: Path) -> dict[str, float]:
        figures: dict[str, float] = json.loads(self._kept(folder).read_text(encoding="utf-8"))
        return figures

    def _kept(self, folder: Path) -> Path:
        return folder.with_name(f"{folder.name}.json")


def main() -> None:
    """Run the parts asked for and write the record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, default=default_root() / "mixed")
    parser.add_argument("--work", type=Path)
    parser.add_argument("--zoekt", type=Path, help="a program that asks zoekt's shards")
    parser.add_argument("--zoekt-index", type=Path)
    parts = ("speed", "lines", "edits", "random", "hostile", "changed")
    parser.add_argument("--parts", nargs="+", choices=parts, default=parts)
    parser.add_argument("--edited-files", type=int, default=4_000)
    parser.add_argument("--random", type=int, default=10_000)
    parser.add_argument("--hostile", type=int, default=10_000)
    parser.add_argument("--hostile-on-all", type=int, default=500)
    parser.add_argument("--changed-among", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=6)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--out", type=Path, help="where to write instead of a record")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="plait-bench-") as scratch:
        bench = Bench(options, options.work or Path(scratch))
        raw: dict[str, object] = {}
        for part in options.parts:
            say(f"{part} ...")
            raw[part] = bench.parts[part]()
            (bench.work / "raw.json").write_text(json.dumps(raw, indent=1), encoding="utf-8")
            say(summary({part: raw[part]}))
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "raw.json").write_text(json.dumps(raw, indent=1), encoding="utf-8")
        (options.out / "summary.md").write_text(summary(raw), encoding="utf-8")
        sys.exit()
    command = command_line("benchmarks.patterns.run")
    folder = write_record("patterns", command, raw, summary(raw), PACKAGES)
    print(summary(raw))
    say(f"record: {folder}")


if __name__ == "__main__":
    main()
