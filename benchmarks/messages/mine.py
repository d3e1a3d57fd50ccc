"""Mine messages whose line is known: ``python -m benchmarks.messages.mine``.

What raise, throw, panic, log and error calls say is filled with made-up values and dressed as
people paste it. The truth is the line of the literal, and every other line that holds it too. The
same packages and seed give the same cases; they are kept as ``cases.json.gz``: the message, the
package, its version, and lines.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from benchmarks.messages.calls import Saying, sayings
from benchmarks.messages.filling import dressed
from benchmarks.messages.packages import HALVES, Unpacked, packages
from plait.sources.tags import tags_of
from plait.symbols.grammars import grammar
from tools.corpora.catalog import EXTENSIONS

CASES = Path(__file__).with_name("cases.json.gz")
SEED = 17
PER_PACKAGE = {"dev": 40, "test": 42}
PER_FILE = 6  # so that one large file is not most of a package
MAX_BYTES = 500_000
NEAR = 12  # lines over which the literals of one message are spread at most


class Case(NamedTuple):
    """A message, and where it comes from."""

    half: str
    language: str
    package: str
    version: str
    form: str
    text: str
    fixed: tuple[str, ...]  # what the literal says, without its holes
    lines: tuple[tuple[str, int, int], ...]  # path, first and last line, of each that holds it


def main() -> None:
    """Mine all packages and keep the cases."""
    cases = [case for half in HALVES for one in packages(half) for case in mined(one, half)]
    text = json.dumps([case._asdict() for case in cases], indent=0, ensure_ascii=False)
    CASES.write_bytes(gzip.compress(text.encode(), mtime=0))
    for half in HALVES:
        own = [case for case in cases if case.half == half]
        names = {case.package for case in own}
        languages = sorted({case.language for case in own})
        print(f"{half}: {len(own):,} messages of {len(names)} packages in {', '.join(languages)}")


def load_cases(half: str) -> list[Case]:
    """The cases of a half."""
    rows = json.loads(gzip.decompress(CASES.read_bytes()))
    cases = (Case(**{**row, "lines": tuple(map(tuple, row["lines"]))}) for row in rows)
    return [case._replace(fixed=tuple(case.fixed)) for case in cases if case.half == half]


def mined(one: Unpacked, half: str) -> list[Case]:
    """The cases of one package."""
    package = one.package
    files = dict(_files(one.folder))
    rng = random.Random(f"{SEED} {package.name}")
    said = list(_said(one, files))
    rng.shuffle(said)
    cases: list[Case] = []
    seen: set[tuple[str, ...]] = set()
    per_file: dict[str, int] = {}
    for path, saying in said:
        fixed = saying.template.fixed
        if len(cases) == PER_PACKAGE[half]:
            break
        if fixed in seen or per_file.get(path, 0) >= PER_FILE:
            continue
        seen.add(fixed)
        per_file[path] = per_file.get(path, 0) + 1
        text, form = dressed(saying, package.language, rng)
        truth = tuple(sorted({*_holding(saying, files), (path, *saying.template[2:])}))
        row = (half, package.language, package.name, package.version)
        cases.append(Case(*row, form, text, fixed, truth))
    return cases


def _files(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.stat().st_size <= MAX_BYTES:
            yield path.relative_to(folder).as_posix(), path.read_bytes()


def _said(one: Unpacked, files: Mapping[str, bytes]) -> Iterator[tuple[str, Saying]]:
    parser = grammar(one.package.language).parser
    for path, content in files.items():
        if path.endswith(EXTENSIONS[one.package.language]) and not tags_of(path, content):
            for saying in sayings(parser.parse(content).root_node):
                yield path, saying


def _holding(saying: Saying, files: Mapping[str, bytes]) -> Iterator[tuple[str, int, int]]:
    """Every place that holds the same literals, near to each other."""
    raws = [raw.encode() for raw in saying.template.raws if raw.strip()]
    if not raws:
        return
    longest = max(raws, key=len)
    for path, content in files.items():
        if longest not in content:
            continue
        at = content.find(longest)
        while at >= 0:
            line = content.count(b"\n", 0, at) + 1
            begin, end = max(at - 80 * NEAR, 0), at + len(longest) + 80 * NEAR
            if all(raw in content[begin:end] for raw in raws):
                yield path, line, line + longest.count(b"\n")
            at = content.find(longest, at + len(longest))


if __name__ == "__main__":
    main()
