"""From a folder of wheels to a right answer, with the network cut off.

    python -m tools.install.offline [--django DIR] [--no-record]

Builds the wheel, downloads the locked wheels, makes a fresh environment, and then, inside
``unshare --net``: installs, and asks about Django's source. Measures what the installation
takes on disk and what ``plait --help`` costs. Exit 0 if every check holds, 1 if one does
not, 0 with a sentence where the network cannot be cut off.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from tools.corpora import fetch
from tools.install import steps
from tools.record import command_line, write_record

MOST_DISK_MB = 170
MOST_HELP_CPU_S = 0.3
HELP_RUNS = 9
LARGEST = 12
DEPTH = 10
RECORDED_PACKAGES = ("plait", "tantivy", "tree-sitter")


@dataclass(frozen=True, slots=True)
class Question:
    """A question about Django and the file that answers it.

    All are asked and all ranks are recorded. Only some are a check: those that words alone
    answered when this was written. The others say what an answer by words still misses.
    """

    text: str
    path: str
    is_check: bool = False


QUESTIONS = (
    Question("where is a CSRF token checked", "django/middleware/csrf.py", is_check=True),
    Question("send an email through SMTP", "django/core/mail/backends/smtp.py", is_check=True),
    Question("compress responses with gzip", "django/middleware/gzip.py", is_check=True),
    Question("parse the Accept-Language header", "django/utils/translation/trans_real.py"),
    Question("where are middleware loaded", "django/core/handlers/base.py"),
    Question("how are middleware classes loaded", "django/core/handlers/base.py"),
    Question("how is a password hashed", "django/contrib/auth/hashers.py"),
    Question("which view does a URL path resolve to", "django/urls/resolvers.py"),
    Question("how are database migrations applied in order", "django/db/migrations/executor.py"),
    Question("how are templates compiled", "django/template/base.py"),
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of one question."""

    text: str
    expected: str
    is_check: bool
    first: str
    rank: int  # of the expected file, from 1; 0 if it is not among the first


@dataclass(frozen=True, slots=True)
class Found:
    """All that was measured."""

    wheel_bytes: int
    wheels_bytes: int
    uncompiled: dict[str, int]  # bytes of each package, largest first
    compiled: dict[str, int]
    with_numpy: dict[str, int]  # compiled; empty if numpy could not be had
    help_cpu_s: list[float]
    asked: list[Asked]

    def failures(self) -> list[str]:
        """Every check that does not hold, as a sentence."""
        said = [
            f"{asked.text!r} is answered first by {asked.first}, not by {asked.expected}"
            for asked in self.asked
            if asked.is_check and asked.rank != 1
        ]
        if (size := sum(self.compiled.values())) > MOST_DISK_MB * 1e6:
            said.append(f"{size / 1e6:.1f} MB on disk, more than {MOST_DISK_MB}")
        if (cost := statistics.median(self.help_cpu_s)) > MOST_HELP_CPU_S:
            said.append(f"plait --help costs {cost:.3f} CPU-s, more than {MOST_HELP_CPU_S}")
        return said

    def warnings(self) -> list[str]:
        """What will fail a check once numpy is part of the core."""
        size = sum(self.with_numpy.values())
        if size <= MOST_DISK_MB * 1e6:
            return []
        return [f"with numpy it is {size / 1e6:.1f} MB on disk, more than {MOST_DISK_MB}"]


def main() -> int:
    """Run every step in a temporary folder and write the record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--django", type=Path, help="its source (default: the fetched corpus)")
    parser.add_argument("--no-record", action="store_true", help="only print")
    options = parser.parse_args()
    cut_off = steps.cutting_off()
    if not cut_off:
        say("skipped: the network cannot be cut off here (unshare is missing or not permitted)")
        return 0
    django: Path | None = options.django or fetched_django()
    if django is None:
        say("error: no Django: python tools/corpora/fetch.py languages, or --django DIR")
        return 1
    with tempfile.TemporaryDirectory(prefix="plait-install-") as scratch:
        found = measure(Path(scratch), cut_off, django)
    text = summary(found)
    say(text)
    if not options.no_record:
        command = command_line("tools.install.offline")
        folder = write_record("install", command, asdict(found), text, RECORDED_PACKAGES)
        say(f"wrote {folder.relative_to(steps.ROOT)}")
    return 1 if found.failures() else 0


def fetched_django() -> Path | None:
    """Django as the corpora hold it."""
    root = fetch.default_root() / "languages"
    entry = fetch.read_fetched(root).get("pypi django")
    return root / entry["folder"] if entry and (root / entry["folder"]).is_dir() else None


def measure(work: Path, cut_off: tuple[str, ...], django: Path) -> Found:
    """Every step in turn."""
    wheels = work / "wheels"
    wheel = steps.build_wheel(wheels)
    python = steps.make_environment(work / "environment")
    say("downloading the locked wheels ...")
    steps.download_locked(python, wheels)
    wheels_bytes = sum(path.stat().st_size for path in wheels.iterdir())
    if steps.has_network(cut_off, python):
        raise steps.StepFailed("the network is not cut off")

    say("installing without network ...")
    steps.install_offline(cut_off, python, wheels, "plait")
    uncompiled = steps.disk_bytes(python)
    steps.compile_all(python)
    compiled = steps.disk_bytes(python)

    say("asking without network ...")
    plait = python.with_name("plait")
    env = steps.plain_environment(PLAIT_CACHE_DIR=str(work / "cache"), HOME=str(work))
    help_cpu_s = [steps.cpu_s([plait, "--help"], env) for _ in range(HELP_RUNS)]
    asked = [ask(question, cut_off, plait, django, env) for question in QUESTIONS]
    with_numpy = sizes_with_numpy(work, cut_off, python)
    return Found(
        wheel_bytes=wheel.stat().st_size,
        wheels_bytes=wheels_bytes,
        uncompiled=uncompiled,
        compiled=compiled,
        with_numpy=with_numpy,
        help_cpu_s=help_cpu_s,
        asked=asked,
    )


def ask(
    question: Question, cut_off: tuple[str, ...], plait: Path, django: Path, env: dict[str, str]
) -> Asked:
    """Put one question to the installed command; the first builds the index."""
    command: steps.Command = [*cut_off, plait, question.text, django, "--json", "-n", str(DEPTH)]
    results = json.loads(steps.run(command, env))["results"]
    paths = [result["path"] for result in results]
    rank = paths.index(question.path) + 1 if question.path in paths else 0
    first = paths[0] if paths else "nothing"
    return Asked(question.text, question.path, question.is_check, first, rank)


def sizes_with_numpy(work: Path, cut_off: tuple[str, ...], python: Path) -> dict[str, int]:
    """What each takes once numpy is there too; empty if numpy cannot be downloaded."""
    wheels = work / "numpy"
    try:
        steps.download(python, wheels, "numpy")
    except steps.StepFailed as failed:
        say(f"note: the size with numpy is not known: {failed}")
        return {}
    steps.install_offline(cut_off, python, wheels, "numpy")
    steps.compile_all(python)
    return steps.disk_bytes(python)


def summary(found: Found) -> str:
    """The figures as a page."""
    cost = sorted(found.help_cpu_s)
    sizes = [
        ("the wheel of plait", found.wheel_bytes),
        ("all wheels", found.wheels_bytes),
        ("installed, uncompiled", sum(found.uncompiled.values())),
        ("installed, compiled", sum(found.compiled.values())),
        ("the same with numpy", sum(found.with_numpy.values())),
    ]
    largest = list((found.with_numpy or found.compiled).items())[:LARGEST]
    spread = f"({cost[0]:.3f} to {cost[-1]:.3f}); limit {MOST_HELP_CPU_S}"
    lines = [
        "# Installation without network",
        "",
        f"Limit: {MOST_DISK_MB} MB on disk (10^6 bytes, whole blocks, without pip and setuptools).",
        "",
        "| What | MB |",
        "|---|--:|",
        *(f"| {name} | {size / 1e6:.1f} |" if size else f"| {name} | - |" for name, size in sizes),
        "",
        "Largest: " + ", ".join(f"{name} {size / 1e6:.1f}" for name, size in largest) + ".",
        "",
        f"`plait --help`, compiled: median {statistics.median(cost):.3f} CPU-s {spread}.",
        "",
        "| Question | Expected | Check | Rank |",
        "|---|---|---|--:|",
        *(
            f"| {asked.text} | {asked.expected} | {'yes' if asked.is_check else 'no'}"
            f" | {asked.rank or f'not in {DEPTH}'} |"
            for asked in found.asked
        ),
        "",
        *(f"Warning: {warning}." for warning in found.warnings()),
        *([f"FAILED: {failure}." for failure in found.failures()] or ["Every check holds."]),
    ]
    return "\n".join(lines) + "\n"


def say(line: str) -> None:
    """Tell how far the run is."""
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
