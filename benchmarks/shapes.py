"""Paths and names as people type them: how often the file that is meant comes first.

    python -m benchmarks.shapes [--most N]

Files of a few packages are asked for by their path, by the end of it, by their name, by name and
line, and, where the name is in kebab-case, by that alone. Each is asked as the shape says (words
decide) and as if it had none (meaning counts as it does for words). ``met`` is the first of these
with the files that a typed path meets put first, among the first hundred.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

import plait
from benchmarks.evaluation_page import table
from plait.answering.index import Index
from plait.ranking.paths import path_met
from plait.search.shape.paths import typed_parts
from plait.settings import Settings
from tools.corpora.fetch import default_root
from tools.record import command_line, write_record

CORPORA = ("javascript", "lua", "go", "rust")
KEBAB = re.compile(r"[a-z]+(?:-[a-z]+)+")
DEEP = 100
WAYS = ("shape", "no shape", "met", "among 100")


def main() -> None:
    """Ask, and write the record."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--most", type=int, default=60, help="files of each corpus")
    options = parser.parse_args()
    rows: list[dict[str, object]] = []
    for corpus in CORPORA:
        with tempfile.TemporaryDirectory() as cache:
            settings = replace(Settings(), cache_dir=cache, mode="hybrid")
            tree = default_root() / "languages" / corpus
            shaped = plait.open(tree, settings)
            shaped.refresh()
            shaped.embed()
            plain = plait.open(tree, replace(settings, lane_dense_decided=settings.lane_dense))
            (repo,) = shaped.snapshot().repos()
            files = sorted(shaped.snapshot().digests(repo))
            chosen = files[:: max(len(files) // options.most, 1)]
            for path in chosen:
                for form, typed in forms(path):
                    meant = meant_by(form, typed, path, files)
                    found = {
                        "shape": found_by(shaped, typed),
                        "no shape": found_by(plain, typed),
                    }
                    rows.append({"form": form, "corpus": corpus, **judged(typed, meant, found)})
    raw = {"rows": rows}
    told = summarised(rows)
    print(told)
    print(write_record("shapes", command_line("benchmarks.shapes"), raw, told, ("plait",)))


def forms(path: str) -> Iterator[tuple[str, str]]:
    """How one would ask for a file."""
    pure = PurePosixPath(path)
    yield "whole path", path
    if len(pure.parts) > 2:
        yield "folder and name", "/".join(pure.parts[-2:])
    if pure.suffix:
        yield "name", pure.name
        yield "name and line", f"{pure.name}:12"
    if KEBAB.fullmatch(pure.stem):
        yield "kebab-case", pure.stem


def meant_by(form: str, typed: str, path: str, files: Sequence[str]) -> frozenset[str]:
    """The files that one may mean, having typed this."""
    if form == "whole path":
        return frozenset({path})
    stems = (one for one in files if PurePosixPath(one).stem == typed)
    return frozenset([*stems, *(one for one in files if path_met(typed_parts(typed), one) == 1)])


def found_by(index: Index, typed: str) -> list[str]:
    """The files that are found, best first."""
    answer = index.search(typed, limit=DEEP, fresh=False)
    return [result.chunk.path for result in answer.results]


def judged(
    typed: str, meant: frozenset[str], found: Mapping[str, Sequence[str]]
) -> dict[str, bool]:
    """Whether a file that is meant came first, by each way."""
    first = {way: bool(files) and files[0] in meant for way, files in found.items()}
    shaped = found["shape"]
    best = sorted(shaped, key=lambda one: -path_met(typed_parts(typed), one))
    return {
        **first,
        "met": bool(best) and best[0] in meant,
        "among 100": not meant.isdisjoint(shaped),
    }


def summarised(rows: Sequence[Mapping[str, object]]) -> str:
    """The share of each form, by each way."""
    shown = []
    for form in dict.fromkeys(str(row["form"]) for row in rows):
        own = [row for row in rows if row["form"] == form]
        shares = (f"{sum(bool(row[way]) for row in own) / len(own):.3f}" for way in WAYS)
        shown.append([form, str(len(own)), *shares])
    return table(["typed", "files", *WAYS], shown)


if __name__ == "__main__":
    main()
