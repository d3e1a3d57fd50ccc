"""Refreshing an index: real folders, real workers, the real store."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from plait.index import losses
from plait.index.diff import compare
from plait.index.prepare import TOO_DEEP
from plait.index.reasons import load_reasons
from plait.index.refresh import Progress, Report, refresh
from plait.index.stamps import load_stamps, save_stamps
from plait.lanes.lexical import Lexical
from plait.sources import DirectorySource, Selection
from plait.stores.embedded.store import EmbeddedStore
from plait.types import ChunkId, Listed, Query, Skipped, SourceFile, Text
from tests.sources.repositories import tree

LONG_AGO = 1_000_000_000
FAKE_GRAMMAR = "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n"
FILES = {
    "a.py": "def alpha():\n    return beta()\n",
    "b.go": "package b\n\nfunc Beta() {}\n",
    "docs/c.md": "# Gamma\n\ntext\n",
    "d.txt": "delta\n",
}


class Counting:
    """A source that counts what is read of another and lets every file be as old as it likes."""

    def __init__(self, root: Path, **chosen: object) -> None:
        selection = Selection(global_ignore=Path(os.devnull), **chosen)  # type: ignore[arg-type]  # short
        self._inner = DirectorySource(root, name="repo", selection=selection)
        self.reads: list[str] = []
        self.racy = False

    @property
    def name(self) -> str:
        return "repo"

    def listing(self) -> Iterator[Listed | Skipped]:
        """Stamps by size and time of writing; the change time of a test's files is now."""
        for item in self._inner.listing():
            if isinstance(item, Skipped):
                yield item
                continue
            status = (self._inner.root / item.path).stat()
            stamp = "" if self.racy else f"{status.st_size}.{status.st_mtime_ns}.{status.st_ino}"
            yield Listed(item.path, stamp)

    def read(self, path: str) -> SourceFile | Skipped:
        self.reads.append(path)
        return self._inner.read(path)


class Bench:
    """A folder, its index, and what every refresh of it read."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "tree"
        self.root.mkdir()
        self.store = EmbeddedStore(folder / "store", Lexical().analysis)
        self.stamps = folder / "stamps.json"
        self.source = Counting(self.root)

    def write(self, files: dict[str, str]) -> None:
        tree(self.root, files)

    def refresh(
        self,
        *,
        workers: int = 1,
        anew: bool = False,
        watch: Callable[[Progress], None] = lambda _: None,
    ) -> Report:
        self.source.reads.clear()
        return refresh(
            self.source,
            self.store,
            Lexical(),
            stamps_path=self.stamps,
            workers=workers,
            anew=anew,
            watch=watch,
        )

    def paths(self) -> set[str]:
        return set(self.store.snapshot().digests("repo"))

    def find(self, text: str) -> list[str]:
        asked = Lexical().ask(Query(text, Text(text)), self.store.snapshot())
        return [hit.chunk.path for hit in asked.ranking(10).hits]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    made = Bench(tmp_path)
    made.write(FILES)
    return made


def counts(report: Report) -> tuple[int, int, int, int]:
    """Added, changed, removed, unchanged."""
    return report.added, report.changed, report.removed, report.unchanged


# ---------------------------------------------------------------- what changed


def test_the_first_refresh_takes_everything_in(bench: Bench) -> None:
    report = bench.refresh()

    assert counts(report) == (4, 0, 0, 0)
    assert report.generation == 1
    assert bench.source.reads == sorted(FILES)
    assert bench.paths() == set(FILES)
    assert bench.find("alpha") == ["a.py"]


def test_the_second_refresh_reads_nothing(bench: Bench) -> None:
    bench.refresh()
    report = bench.refresh()

    assert bench.source.reads == []
    assert counts(report) == (0, 0, 0, 4)
    assert report.did_nothing
    assert report.generation == 1


def test_only_what_changed_is_read_and_replaced(bench: Bench) -> None:
    bench.refresh()
    bench.write({"a.py": "def omega():\n    return 1\n", "e.py": "def epsilon(): pass\n"})
    (bench.root / "d.txt").unlink()
    report = bench.refresh()

    assert bench.source.reads == ["a.py", "e.py"]
    assert counts(report) == (1, 1, 1, 2)
    assert report.generation == 2
    assert bench.find("alpha") == []
    assert bench.find("omega") == ["a.py"]
    assert bench.find("delta") == []


def test_a_renamed_file_is_found_under_its_new_name_only(bench: Bench) -> None:
    bench.refresh()
    (bench.root / "a.py").rename(bench.root / "z.py")
    report = bench.refresh()

    assert counts(report) == (1, 0, 1, 3)
    assert bench.find("alpha") == ["z.py"]


def test_a_touched_file_is_read_and_found_the_same(bench: Bench) -> None:
    bench.refresh()
    os.utime(bench.root / "a.py", (LONG_AGO, LONG_AGO))
    report = bench.refresh()

    assert bench.source.reads == ["a.py"]
    assert counts(report) == (0, 0, 0, 4)
    assert report.generation == 1
    bench.refresh()
    assert bench.source.reads == []


def test_a_file_too_young_for_a_stamp_is_read_again(bench: Bench) -> None:
    bench.source.racy = True
    bench.refresh()
    report = bench.refresh()

    assert bench.source.reads == sorted(FILES)
    assert counts(report) == (0, 0, 0, 4)
    assert report.generation == 1


def test_a_change_the_stamp_does_not_show_is_missed_only_while_the_stamp_is_trusted(
    bench: Bench,
) -> None:
    os.utime(bench.root / "d.txt", (LONG_AGO, LONG_AGO))
    bench.refresh()
    with (bench.root / "d.txt").open("r+", encoding="utf-8") as file:
        file.write("gamma")  # as long as before
    os.utime(bench.root / "d.txt", (LONG_AGO, LONG_AGO))
    assert bench.refresh().did_nothing
    bench.stamps.unlink()

    assert counts(bench.refresh()) == (0, 1, 0, 3)


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"\x00\x01\x02", "binary"), (b"", "empty"), (b"x" * 2_000_000, "oversized")],
)
def test_a_file_no_longer_worth_indexing_leaves_the_index(
    bench: Bench, content: bytes, reason: str
) -> None:
    bench.refresh()
    (bench.root / "d.txt").write_bytes(content)
    report = bench.refresh()

    assert counts(report) == (0, 0, 1, 3)
    assert report.skipped == {reason: 1}
    assert bench.paths() == set(FILES) - {"d.txt"}
    again = bench.refresh()
    assert bench.source.reads == []
    assert again.skipped == {reason: 1}
    bench.write({"d.txt": "delta again\n"})
    assert counts(bench.refresh()) == (1, 0, 0, 3)


def test_a_file_that_could_not_be_read_once_is_read_again(bench: Bench) -> None:
    """A disk that fails for a moment changes nothing about the file, its stamp least of all."""
    bench.refresh()
    bench.write({"docs/c.md": "# Gamma\n\nother text\n"})
    docs = bench.root / "docs"
    listed = list(bench.source.listing())
    docs.rename(bench.root / "elsewhere")
    docs.symlink_to(bench.root / "elsewhere")
    bench.source.listing = lambda: iter(listed)  # type: ignore[method-assign]  # as it was before
    report = bench.refresh()

    assert report.skipped == {"symlink": 1}
    assert "docs/c.md" not in bench.paths()

    docs.unlink()
    (bench.root / "elsewhere").rename(docs)
    bench.refresh()

    assert bench.source.reads == ["docs/c.md"]
    assert bench.find("gamma") == ["docs/c.md"]


def test_an_empty_folder_is_an_index_with_nothing_in_it(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    report = bench.refresh()

    assert counts(report) == (0, 0, 0, 0)
    assert bench.paths() == set()
    assert bench.refresh().generation == report.generation


def test_everything_may_go(bench: Bench) -> None:
    bench.refresh()
    for path in FILES:
        (bench.root / path).unlink()

    assert counts(bench.refresh()) == (0, 0, 4, 0)
    assert bench.paths() == set()


def test_anew_forgets_and_reads_everything(bench: Bench) -> None:
    bench.refresh()
    (bench.root / "d.txt").unlink()
    report = bench.refresh(anew=True)

    assert bench.source.reads == sorted(set(FILES) - {"d.txt"})
    assert counts(report) == (3, 0, 0, 0)
    assert bench.paths() == set(FILES) - {"d.txt"}


# ---------------------------------------------------------------- stamps


@pytest.mark.parametrize(
    "record",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"version": 0, "files": {}}',
        b'{"version": 1}',
        b'{"version": 1, "files": {"a.py": "x"}}',
        b'{"version": 1, "files": {"a.py": ["s", "-binary"], "d.txt": ["", ""]}}',
    ],
)
def test_a_lost_or_damaged_record_of_stamps_costs_a_reading_only(
    bench: Bench, record: bytes
) -> None:
    bench.refresh()
    bench.stamps.write_bytes(record)
    report = bench.refresh()

    assert bench.source.reads == sorted(FILES)
    assert counts(report) == (0, 0, 0, 4)
    assert bench.refresh().did_nothing
    assert bench.source.reads == []


def test_stamps_of_another_index_make_nothing_up(bench: Bench) -> None:
    bench.refresh()
    bench.store.clear()

    assert counts(bench.refresh()) == (4, 0, 0, 0)
    assert bench.paths() == set(FILES)


def test_stamps_are_read_back_as_saved(tmp_path: Path) -> None:
    stamps = {"a": ("1.2", "digest"), "é/b": ("", "-binary")}
    save_stamps(tmp_path / "new" / "stamps.json", stamps)

    assert load_stamps(tmp_path / "new" / "stamps.json") == stamps
    assert load_stamps(tmp_path / "none.json") == {}
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["stamps.json"]


def test_a_record_with_a_wrong_type_inside_is_no_record(tmp_path: Path) -> None:
    (tmp_path / "s").write_text(json.dumps({"version": 1, "files": {"a": 3}}), encoding="utf-8")

    assert load_stamps(tmp_path / "s") == {}


# ---------------------------------------------------------------- comparing


class Listing:
    """A source by what it lists; nothing of it can be read."""

    name = "repo"

    def __init__(self, *items: Listed | Skipped) -> None:
        self._items = items

    def listing(self) -> Iterator[Listed | Skipped]:
        return iter(self._items)

    def read(self, path: str) -> SourceFile | Skipped:
        raise AssertionError(f"{path} was read")


@pytest.mark.parametrize(
    ("item", "known", "stamp", "expected"),
    [
        pytest.param(Listed("a", "s"), {"a": "d"}, ("s", "d"), "unchanged", id="seen"),
        pytest.param(Listed("a", "s"), {}, ("s", "d"), "unread", id="not-in-the-index"),
        pytest.param(Listed("a", "s"), {"a": "d"}, ("t", "d"), "unread", id="other-stamp"),
        pytest.param(Listed("a", ""), {"a": "d"}, ("", "d"), "unread", id="no-stamp"),
        pytest.param(Listed("a", "s"), {"a": "e"}, ("s", "d"), "unread", id="other-digest"),
        pytest.param(Listed("a", "s"), {}, ("s", "-binary"), "skipped", id="skipped-before"),
        pytest.param(Listed("a", "s"), {"a": "d"}, ("s", "-big"), "unread", id="skipped-yet-known"),
        pytest.param(Skipped("a", "link"), {"a": "d"}, ("s", "d"), "gone", id="skipped-now"),
    ],
)
def test_compare(
    item: Listed | Skipped, known: dict[str, str], stamp: tuple[str, str], expected: str
) -> None:
    diff = compare(Listing(item), known, {"a": stamp})
    found = {
        "unchanged": diff.unchanged,
        "unread": len(diff.unread),
        "skipped": diff.skipped.total() if not diff.gone else 0,
        "gone": len(diff.gone),
    }

    assert found == {"unchanged": 0, "unread": 0, "skipped": 0, "gone": 0} | {expected: 1}


# ---------------------------------------------------------------- workers and interruptions


def test_the_index_is_the_same_however_many_workers_there_are(tmp_path: Path) -> None:
    contents = []
    for workers in (1, 2, 4):
        folder = tmp_path / str(workers)
        folder.mkdir()
        bench = Bench(folder)
        bench.write({f"f{n:02d}.py": f"def f{n}():\n    g{n % 7}()\n" * 5 for n in range(40)})
        bench.refresh(workers=workers)
        snapshot = bench.store.snapshot()
        ids = [i for path in sorted(bench.paths()) for i in snapshot.outline("repo", path)]
        chunks = snapshot.fetch(ids)
        contents.append((ids, [chunks[key] for key in ids], bench.find("g3 f5")))

    assert contents[0] == contents[1] == contents[2]


def test_progress_rises_to_the_total(bench: Bench) -> None:
    seen: list[tuple[int, int]] = []
    bench.refresh(watch=lambda progress: seen.append((progress.files, progress.of_files)))

    assert seen == [(n, 4) for n in (1, 2, 3, 4)]


def test_progress_counts_what_was_read_in_vain(bench: Bench) -> None:
    bench.refresh()
    bench.write({"a.py": "def other(): pass\n", "b.go": "\0binary"})
    os.utime(bench.root / "d.txt", (LONG_AGO, LONG_AGO))
    seen: list[tuple[int, int]] = []
    bench.refresh(watch=lambda progress: seen.append((progress.files, progress.of_files)))

    assert seen[-1] == (3, 3)


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_an_interrupted_refresh_leaves_the_old_generation(
    bench: Bench, error: type[BaseException]
) -> None:
    bench.refresh()
    bench.write({"a.py": "def omega(): pass\n", "e.py": "def epsilon(): pass\n"})

    def stop(progress: Progress) -> None:
        if progress.files == 2:
            raise error

    with pytest.raises(error):
        bench.refresh(watch=stop)

    assert bench.store.snapshot().generation == 1
    assert bench.find("alpha") == ["a.py"]
    assert bench.find("epsilon") == []
    assert list(bench.store.check()) == []
    assert counts(bench.refresh()) == (1, 1, 0, 3)


def test_a_file_whose_parser_is_lost_is_found_by_its_words(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tree_sitter_bash.py").write_text(FAKE_GRAMMAR, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    bench.write({"bad.sh": "echo findme\n", "odd.py": "def (((\n"})
    report = bench.refresh()

    assert report.as_text == {"bad.sh": "its parser crashed (SIGSEGV)"}
    assert report.notes == ()
    assert report.with_errors == ["odd.py"]
    assert bench.find("findme") == ["bad.sh"]
    assert report.added == 6


# ---------------------------------------------------------------- what would take too long


def test_twenty_files_of_a_million_brackets_cost_seconds_and_are_text(bench: Bench) -> None:
    bench.write({f"{n:02}.py": "(" * ((1 << 20) - 8) + "\nfindme\n" for n in range(20)})
    began = sum(os.times()[:4])
    report = bench.refresh()

    assert report.as_text == {f"{n:02}.py": TOO_DEEP for n in range(20)}
    assert report.added == 24
    assert len(bench.find("findme")) == 10
    assert bench.find("alpha") == ["a.py"]
    assert sum(os.times()[:4]) - began < 20  # of processor time; one parse alone takes 10


@pytest.fixture
def lossy(bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """Three scripts whose parser crashes, in a run that puts up with one loss."""
    (tmp_path / "tree_sitter_bash.py").write_text(FAKE_GRAMMAR, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(losses, "MAX_LOST_SECONDS", 0.001)
    bench.write({f"bad{n}.sh": f"echo find{n}\n" for n in range(3)} | {"e.py": "def eps(): 0\n"})
    return bench


CRASHED = "its parser crashed (SIGSEGV)"
UNTRIED = "too much time was lost to other files of bash"


def test_when_a_language_has_lost_too_much_its_other_files_are_text_and_the_run_says_so(
    lossy: Bench,
) -> None:
    report = lossy.refresh()

    assert report.as_text == {"bad0.sh": CRASHED, "bad1.sh": UNTRIED, "bad2.sh": UNTRIED}
    (note,) = report.notes
    assert note.startswith("parsers of bash failed for 0.001 s in all: the other files of it (2)")
    assert [lossy.find(f"find{n}")[0] for n in range(3)] == ["bad0.sh", "bad1.sh", "bad2.sh"]
    kinds = {path: symbol_kinds(lossy, path) for path in ("a.py", "e.py", "bad2.sh")}
    assert kinds == {"a.py": ["function"], "e.py": ["function"], "bad2.sh": [""]}


def test_why_files_are_text_is_remembered_until_they_change_or_go(lossy: Bench) -> None:
    lossy.refresh()
    kept = {"bad0.sh": CRASHED, "bad1.sh": UNTRIED, "bad2.sh": UNTRIED}

    again = lossy.refresh()
    assert (again.as_text, again.notes) == (kept, ())
    assert load_reasons(lossy.stamps) == kept

    (lossy.root / "bad0.sh").unlink()
    lossy.write({"bad1.sh": "echo changed\n"})
    assert lossy.refresh().as_text == {"bad1.sh": CRASHED, "bad2.sh": UNTRIED}
    for n in (1, 2):
        (lossy.root / f"bad{n}.sh").unlink()
    assert lossy.refresh().as_text == {}
    assert load_reasons(lossy.stamps) == {}
    assert [at.name for at in lossy.stamps.parent.glob("*-text.json")] == []


def symbol_kinds(bench: Bench, path: str) -> list[str]:
    snapshot = bench.store.snapshot()
    chunks = snapshot.fetch([ChunkId("repo", path, 0)]).values()
    return [chunk.symbol.kind if chunk.symbol else "" for chunk in chunks]
