"""A census of chunks: what the chunks of packages come to, and some of them drawn to be read.

    python -m benchmarks.chunks.census PACKAGE...

prints it as lines of JSON, of every package if none is named. As a command of its own it can be
run with another checkout on the import path, so that the same counting is done before a change
and after it.
"""

from __future__ import annotations

import json
import random
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.chunks.fragments import found_in
from plait.index.refresh import refresh
from plait.lanes.lexical import Lexical
from plait.sources import DirectorySource
from plait.stores.embedded.store import EmbeddedStore
from plait.symbols.parse import parse
from plait.types import Chunk, Skipped, SourceFile
from tools.corpora import fetch

SEED = 17
DRAWN = 10  # chunks of a package
MAX_FILES = 1_500  # of a package, drawn where it has more
# Of the mixed corpus: two packages of PyPI and four of npm.
MIXED = ("ansible", "transformers", "cesium-engine", "effect", "three", "viem")


def packages() -> list[str]:
    """Folders of the corpora that are counted, beneath the folder of corpora."""
    root = fetch.default_root()
    mixed = [folder for name in MIXED for folder in (root / "mixed").glob(f"{name}-*")]
    found = [*(root / "languages").glob("*/*"), *mixed]
    return sorted(str(folder.relative_to(root)) for folder in found if folder.is_dir())


def files_of(folder: Path) -> Iterator[SourceFile]:
    """The files of a package that would be indexed, or some of very many."""
    source = DirectorySource(folder, name=folder.name)
    paths = sorted(listed.path for listed in source.listing() if not isinstance(listed, Skipped))
    if len(paths) > MAX_FILES:
        paths = sorted(random.Random(SEED).sample(paths, MAX_FILES))
    for path in paths:
        file = source.read(path)
        if isinstance(file, SourceFile):
            yield file


def counted(package: str) -> dict[str, Any]:
    """Chunks, fragments by language and kind, and what was drawn, of one package."""
    chunks: Counter[str] = Counter()
    fragments: Counter[str] = Counter()
    places: dict[str, list[str]] = {}
    drawn: list[dict[str, Any]] = []
    draw = random.Random(f"{SEED} {package}")
    size = files = 0
    cpu_s = 0.0
    for file in files_of(fetch.default_root() / package):
        began = time.process_time()
        found = parse(file).chunks
        cpu_s += time.process_time() - began
        files += 1
        size += sum(chunk.body.end - chunk.body.begin for chunk in found)
        for chunk in found:
            if len(drawn) < DRAWN:
                drawn.append(_told(chunk))
            elif (at := draw.randrange(chunks.total() + 1)) < DRAWN:
                drawn[at] = _told(chunk)
            chunks[file.language] += 1
        for chunk, wrong in found_in(found, file.content.decode()):
            fragments[f"{file.language}: {wrong}"] += 1
            where = f"{file.path}:{chunk.span.first}-{chunk.span.last}"
            places.setdefault(f"{file.language}: {wrong}", []).append(where)
    return {
        "files": files,
        "chunks": chunks,
        "bytes": size,
        "cpu_s": cpu_s,
        "fragments": fragments,
        "places": {kind: some[:3] for kind, some in places.items()},
        "drawn": drawn,
    }


def _told(chunk: Chunk) -> dict[str, Any]:
    name = f"{chunk.kind} {chunk.symbol.qualified_name}" if chunk.symbol else "text"
    place = f"{chunk.path}:{chunk.span.first}-{chunk.span.last}"
    return {"place": place, "is": f"{name}, part {chunk.part}", "text": chunk.text}


def indexed(package: str) -> dict[str, float]:
    """CPU seconds and bytes of an index of one package, by words."""
    began = _cpu_s()
    lexical = Lexical()
    folder = fetch.default_root() / package
    with tempfile.TemporaryDirectory(prefix="plait-chunks-") as scratch:
        store = EmbeddedStore(Path(scratch) / "store", lexical.analysis)
        stamps = Path(scratch) / "stamps.json"
        source = DirectorySource(folder, name=folder.name)
        refresh(source, store, lexical, stamps_path=stamps, workers=1)
        store.close()
        held = sum(file.stat().st_size for file in (Path(scratch) / "store").rglob("*"))
    return {"cpu_s": _cpu_s() - began, "bytes": held}


def _cpu_s() -> float:
    """Of this process and of every worker that has ended."""
    both = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


def main() -> int:
    """Print the census of the packages named; ``--index PACKAGE`` what indexing it costs."""
    if sys.argv[1:2] == ["--index"]:
        print(json.dumps(indexed(sys.argv[2])))
        return 0
    for package in sys.argv[1:] or packages():
        print(json.dumps({"package": package, **counted(package)}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
