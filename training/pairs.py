"""Pairs: from package lists to training pairs, in one command.

    python -m training.pairs --work DIR --data DIR [--languages ...] [--limit-packages N]

fetches the packages, judges licences, extracts, holds out what benchmarks ask for, and
writes ``pairs-*.jsonl.gz``, ``manifest.jsonl`` and ``counts.md`` into the working folder. What a
former run has done is kept; the same packages and data give the same bytes.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from multiprocessing import Process
from pathlib import Path
from typing import NamedTuple

from training.decontaminate import Benchmarks
from training.extract import extract_all
from training.fetch import Archives, Fetched, fetch
from training.kept import is_done
from training.lists import Package, read_lists
from training.names import HeldOut, Matcher
from training.write import write_pairs

SAY_EVERY_S = 60


def chosen(languages: Iterable[str], limit: int, matcher: Matcher) -> list[Package]:
    """The packages of the lists, taken in turn from each so that a stopped run has some of all."""
    listed = [list(each.packages) for each in read_lists(languages)]
    found: dict[Package, None] = {}
    for row in zip_longest(*listed):
        for package in row:
            if package is not None and not matcher.package(package.ecosystem, package.name):
                found[package] = None
    packages = list(found)
    return packages[:limit] if limit else packages


def ready(packages: Iterable[Package], archives: Archives) -> Iterator[Fetched]:
    """The packages that are here."""
    for package in packages:
        fetched = archives.get(package)
        if fetched is not None:
            yield fetched


class Run(NamedTuple):
    """What every process that extracts a share of the packages needs to know."""

    work: Path
    matcher: Matcher
    wanted: frozenset[str]
    until: str  # HH:MM UTC, or nothing

    def extract(self, share: list[Fetched]) -> None:
        """Extract a share of the packages, saying now and then how far it is."""
        said = time.monotonic()
        everything = extract_all(self.work, share, self.matcher, self.wanted)
        for count, _ in enumerate(everything, start=1):
            if time.monotonic() - said > SAY_EVERY_S:
                said = time.monotonic()
                sys.stderr.write(f"{count} of {len(share)} packages of a share extracted\n")
            if self.until and time.strftime("%H:%M", time.gmtime()) >= self.until:
                break


def main() -> None:
    """Make the pairs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--work", type=Path, default=Path("build/training"), help="working folder")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="benchmark data")
    parser.add_argument("--languages", nargs="*", default=[], help="only these; all by default")
    parser.add_argument("--limit-packages", type=int, default=0, help="at most so many")
    parser.add_argument(
        "--workers", type=int, default=1, help="processes that extract, each with a parser"
    )
    parser.add_argument("--offline", action="store_true", help="only what has been fetched")
    parser.add_argument(
        "--until", default="", help="extract no more after HH:MM UTC, and write what is done"
    )
    options = parser.parse_args()
    if not options.data.is_dir():
        parser.error(f"no benchmark data at {options.data}: nothing could be held out by content")
    matcher = HeldOut.read().matcher()
    packages = chosen(options.languages, options.limit_packages, matcher)
    options.work.mkdir(parents=True, exist_ok=True)
    archives = Archives(options.work) if options.offline else fetch(packages, options.work)
    here = list(ready(packages, archives))
    wanted = frozenset(options.languages)
    run = Run(options.work, matcher, wanted, options.until)
    shares = [here[at :: options.workers] for at in range(options.workers)]
    processes = [Process(target=run.extract, args=(share,)) for share in shares]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    done = [each for each in here if is_done(options.work, each, wanted)]
    written = write_pairs(options.work, done, Benchmarks(options.data))
    sys.stdout.write(f"{written} pairs; see {options.work / 'counts.md'}\n")


if __name__ == "__main__":
    main()
