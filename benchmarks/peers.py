"""What a hybrid query costs beside a peer's, on one tree, in one run.

    python -m benchmarks.peers [--model DIR] [--peer-model DIR] [--questions N] [--rounds N]

The tree is csn-python of ``../shared`` (or ``PLAIT_SHARED``), 13,627 functions put back into
the files they came from; the questions are docstrings of its test split. plait and semble each
get a process of their own, semble in a virtual environment of its own, and are asked in turn,
question by question, so that whatever else the machine does slows both alike. Of each question
the least CPU time over the rounds counts, one thread each. ``--peer-model`` is a folder in the
layout of model2vec for semble to use where its own weights cannot be downloaded.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.evaluation_page import table
from benchmarks.speed.clock import percentile
from benchmarks.speed.contender import LIMIT
from plait.evaluation.load import load_dataset
from tools.record import ROOT, command_line, write_record

SEMBLE = "semble==0.7.0"
CONTENDER = ROOT / "benchmarks" / "speed" / "contender.py"
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS")
PACKAGES = ("plait", "tantivy", "numpy")
DESIGN_MS = 43.9  # hybrid p50 over 13,000 functions, by the account of CodeSearch's authors
SHARES = {"p50": 0.5, "p95": 0.95, "p99": 0.99}

Times = Mapping[str, Sequence[Sequence[float]]]  # way, question, round: CPU milliseconds


class Contender:
    """An engine in its process, from this side of the pipe."""

    def __init__(self, name: str, process: subprocess.Popen[str]) -> None:
        self.name = name
        self._process = process
        self.about: dict[str, Any] = self._read()

    def ask(self, way: str, text: str) -> float:
        """CPU milliseconds of one answer."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([way, text]) + "\n")
        self._process.stdin.flush()
        milliseconds, _ = self._read()
        return float(milliseconds)

    def _read(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"error: {self.name} ended before it answered")
        return json.loads(line)


def main() -> None:
    """Ask both and write the record."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--model", default="", help="plait's; default: the one it brings")
    parser.add_argument("--peer-model", default="", help="semble's; default: the one it downloads")
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--work", type=Path, help="keep the tree, the indexes and semble here")
    options = parser.parse_args()
    data = Path(os.environ.get("PLAIT_SHARED") or ROOT.parent / "shared") / "data" / "csn-python"
    texts = [question.text for question in load_dataset(data, qrels="test_1k").parts[0].questions]
    texts = random.Random(1).sample(sorted(texts), options.questions)
    with tempfile.TemporaryDirectory() as folder:
        work: Path = (options.work or Path(folder)).resolve()
        tree = written(data / "corpus.jsonl.gz", work / "tree")
        python = installed(work / "semble")
        with (
            started("plait", sys.executable, tree, work, options.model) as plait,
            started("semble", str(python), tree, work, options.peer_model) as semble,
        ):
            times = compared([plait, semble], texts, options.rounds)
    found = figures(times)
    about = {plait.name: plait.about, semble.name: semble.about | {"version": SEMBLE}}
    least = {way: [min(own) for own in of] for way, of in times.items()}
    raw = {"found_cpu_ms": found, "contenders": about, "least_cpu_ms_by_question": least}
    summary = summarised(found, about, options)
    print(write_record("peers", command_line("benchmarks.peers"), raw, summary, PACKAGES))
    print(summary)


def written(corpus: Path, tree: Path) -> Path:
    """The functions of the corpus in the files they came from, if that is not done yet."""
    if tree.is_dir():
        return tree
    files: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    with gzip.open(corpus, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            origin = row["metadata"]
            files[f"{origin['repo']}/{origin['path']}"].append((origin["start_line"], row["text"]))
    for path, functions in files.items():
        target = tree / path
        target.parent.mkdir(parents=True, exist_ok=True)
        whole = "\n\n\n".join(text.rstrip() for _, text in sorted(functions))
        target.write_text(whole + "\n", encoding="utf-8")
    return tree


def installed(folder: Path) -> Path:
    """The interpreter of an environment that has semble."""
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", SEMBLE], check=True)
    return python


@contextmanager
def started(name: str, python: str, tree: Path, work: Path, model: str) -> Iterator[Contender]:
    """A contender that has indexed the tree."""
    cache = work / "semble-cache"
    cache.mkdir(parents=True, exist_ok=True)
    environment = os.environ | dict.fromkeys(ONE_THREAD, "1")
    environment["SEMBLE_CACHE_LOCATION"] = str(cache)
    command = [python, str(CONTENDER), name, str(tree), str(work), model]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        yield Contender(name, process)


def compared(contenders: Sequence[Contender], texts: Sequence[str], rounds: int) -> Times:
    """Every question put to every contender in every way, in turn; rounds alternate the order."""
    ways = [(one, way) for one in contenders for way in one.about["ways"]]
    times: dict[str, list[list[float]]] = {way: [[] for _ in texts] for _, way in ways}
    for number in range(rounds):
        for at, text in enumerate(texts):
            for one, way in ways[:: -1 if number % 2 else 1]:
                times[way][at].append(one.ask(way, text))
    return times


def figures(times: Times) -> dict[str, dict[str, float]]:
    """Percentiles over the questions, each question's least; and the median of every answer."""
    found = {}
    for way, of in times.items():
        least = [min(own) for own in of]
        found[way] = {label: percentile(least, share) for label, share in SHARES.items()}
        found[way]["median of all"] = percentile([one for own in of for one in own], 0.5)
    return found


def summarised(
    found: Mapping[str, Mapping[str, float]],
    about: Mapping[str, Mapping[str, Any]],
    options: argparse.Namespace,
) -> str:
    """The record's page."""
    heads = (*SHARES, "median of all")
    rows = [[way, *(f"{of[head]:.2f}" for head in heads)] for way, of in found.items()]
    plait, semble = about["plait"], about["semble"]
    weights = (
        f"{Path(options.peer_model).name} in place of its own weights, which are a download"
        if options.peer_model
        else "its own weights"
    )
    ratio = found["plait, hybrid"]["p50"] / found["semble, without its log"]["p50"]
    return (
        "# A hybrid query beside a peer's\n\n"
        f"CPU milliseconds of a query in process, {LIMIT} results, {options.questions} docstrings "
        f"of csn-python's test split, each question's least of {options.rounds} rounds; asked in "
        "turn in one run over one tree.\n\n"
        f"{table(('', *heads), rows)}\n"
        f"- the tree: {plait['files']:,} files; plait makes {plait['chunks']:,} chunks of it, "
        f"semble {semble['chunks']:,}\n"
        f"- indexing it, vectors included: plait {plait['index_cpu_s']:.1f} CPU-s, "
        f"semble {semble['index_cpu_s']:.1f} CPU-s\n"
        f"- plait's model: {plait['model']}; {SEMBLE} with {weights}\n"
        f"- plait's hybrid p50 is {ratio:.2f} of semble's, the log that semble writes of its own "
        "use left out; plait's answer includes snippets and the reasons of every score\n"
        f"- CodeSearch's authors state {DESIGN_MS} ms for their hybrid query over 13,000 "
        "functions, on a machine of their own: its design is run here by "
        "`benchmarks.codesearch_design`\n"
    )


if __name__ == "__main__":
    main()
