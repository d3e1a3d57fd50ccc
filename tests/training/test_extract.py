"""A planted package becomes pairs, by real workers, and the same bytes each time."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plait.symbols.workers import WorkerPool
from training.archives import members
from training.decontaminate import Benchmarks
from training.extract import extract, extract_all
from training.fetch import Archives, Fetched
from training.files import role_of
from training.functions import MODULE
from training.kept import Extracted, is_done
from training.lists import Package
from training.names import HeldOut
from training.write import write_pairs

SOURCE = b"""/**
 * Parses a date from the given text.
 * @param {string} text what to read
 * @returns {Date} the date that the text names
 */
export function parseDate(text) {
  if (!text) {
    throw new Error("the text of a date must not be empty");
  }
  return new Date(text);
}

export function formatDate(day) {
  const year = day.getFullYear();
  return year + "";
}
"""
FILES = {
    "package/package.json": b'{"name": "planted", "license": "MIT"}',
    "package/lib/dates.js": SOURCE,
    "package/lib/copyleft.js": b"/* GNU General Public License */\n" + SOURCE,
    "package/lib/gin-gonic/gin/dates.js": SOURCE,
    "package/dist/dates.js": SOURCE,
    "package/lib/dates.min.js": SOURCE,
    "package/README.md": b"# x\n\nTo read a day from user input:\n\n```js\nparseDate(x)\n```\n",
}
HELD = HeldOut(("gin-gonic/gin",), ())
PACKAGE = Package("npm", "planted", "1.0.0")


def packed(files: dict[str, bytes]) -> bytes:
    """A tarball as npm makes them."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for path, content in files.items():
            info = tarfile.TarInfo(path)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


@pytest.fixture(name="work")
def fixture_work(tmp_path: Path) -> Path:
    folder = tmp_path / "archives" / "npm"
    folder.mkdir(parents=True)
    (folder / "planted.tgz").write_bytes(packed(FILES))
    Archives(tmp_path).add(PACKAGE, ["planted.tgz"])
    return tmp_path


@pytest.fixture(name="pool", scope="module")
def fixture_pool() -> Iterator[WorkerPool]:
    with WorkerPool(MODULE, 1, max_seconds=120) as pool:
        yield pool


def here(work: Path) -> Fetched:
    fetched = Archives(work).get(PACKAGE)
    assert fetched is not None
    return fetched


def done(work: Path, pool: WorkerPool) -> Extracted:
    fetched = here(work)
    paths = Archives(work).paths(fetched)
    return extract(pool, fetched, paths, HELD.matcher(), frozenset())


def by_kind(extracted: Extracted) -> dict[str, dict[str, Any]]:
    return {pair["kind"]: pair for pair in extracted.pairs}


def test_each_kind_of_pair_comes_from_its_place(work: Path, pool: WorkerPool) -> None:
    extracted = done(work, pool)
    pairs = by_kind(extracted)

    assert Counter(pair["path"] for pair in extracted.pairs).keys() == {"package/lib/dates.js"}
    assert {kind: (pair["name"], pair["query"]) for kind, pair in pairs.items()} == {
        "doc": ("parseDate", "Parses a date from the given text."),
        "returns": ("parseDate", "the date that the text names"),
        "error": ("parseDate", "the text of a date must not be empty"),
        "readme": ("parseDate", "To read a day from user input"),
        "name": ("formatDate", "format date"),
    }


def test_the_doc_is_not_in_the_code_nor_the_message_where_it_is_the_query(
    work: Path, pool: WorkerPool
) -> None:
    pairs = by_kind(done(work, pool))

    assert pairs["doc"]["code"].startswith("function parseDate(text) {")
    assert "Parses a date" not in pairs["doc"]["code"]
    assert "must not be empty" in pairs["doc"]["code"]
    assert "must not be empty" not in pairs["error"]["code"]


def test_everything_left_out_is_counted_by_its_reason(work: Path, pool: WorkerPool) -> None:
    left_out = done(work, pool).left_out

    assert left_out["file: head: copyleft licence"] == 1
    assert left_out["file: held out by its path"] == 1
    assert left_out["function: no doc"] == 1


def test_a_package_under_another_licence_gives_nothing(work: Path, pool: WorkerPool) -> None:
    files = {**FILES, "package/package.json": b'{"license": "GPL-3.0"}'}
    (work / "archives" / "npm" / "planted.tgz").write_bytes(packed(files))

    extracted = done(work, pool)

    assert extracted.pairs == []
    assert extracted.left_out["package: copyleft licence"] > 0


@pytest.mark.slow
def test_a_second_run_does_nothing_again_and_writes_the_same_bytes(
    work: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    fetched = here(work)
    benchmarks = Benchmarks(tmp_path_factory.mktemp("no-benchmarks"))

    def run() -> dict[str, bytes]:
        everything = extract_all(work, [fetched], HELD.matcher(), frozenset())
        assert write_pairs(work, list(everything), benchmarks) == 5
        names = ("pairs-00000.jsonl.gz", "manifest.jsonl", "counts.md")
        return {name: (work / name).read_bytes() for name in names}

    first = run()
    (work / "archives" / "npm" / "planted.tgz").write_bytes(b"never read again")

    assert is_done(work, fetched, frozenset())
    assert not is_done(work, fetched, frozenset({"go"}))
    assert run() == first


@pytest.mark.slow
def test_the_manifest_names_licence_and_digest_and_what_was_used(
    work: Path, tmp_path: Path
) -> None:
    fetched = here(work)
    everything = extract_all(work, [fetched], HELD.matcher(), frozenset())
    write_pairs(work, list(everything), Benchmarks(tmp_path / "none"))

    (entry,) = map(json.loads, (work / "manifest.jsonl").read_text("utf-8").splitlines())
    with gzip.open(work / "pairs-00000.jsonl.gz", "rt", encoding="utf-8") as stream:
        pairs = [json.loads(line) for line in stream]

    assert entry["licences"] == {"MIT": 1}
    assert entry["archives"] == [{"file": "planted.tgz", "sha256": fetched.archives[0][1]}]
    assert (entry["files"], sum(entry["pairs"].values())) == (1, len(pairs))
    assert len({pair["id"] for pair in pairs}) == len(pairs)


def test_a_broken_archive_ends_early(tmp_path: Path) -> None:
    file = tmp_path / "x.tgz"
    file.write_bytes(packed(FILES)[:300])

    assert list(members(file, lambda _: True)) in ([], [next(iter(FILES.items()))])


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("usr/share/gocode/src/github.com/a/b/x.go", "code"),
        ("usr/share/gocode/src/github.com/a/b/x_test.go", "test"),
        ("usr/lib/ruby/vendor_ruby/x.rb", "code"),
        ("package/README.md", "prose"),
        ("x-1.0.dist-info/METADATA", "prose"),
        ("package/dist/x.js", ""),
        ("package/src/x.d.ts", ""),
        ("src/third_party/x.c", ""),
        ("x/y_pb2.py", ""),
        ("package/logo.png", ""),
    ],
)
def test_a_path_says_what_a_file_is_looked_at_for(path: str, role: str) -> None:
    assert role_of(path) == role
