"""An index that is damaged, or was made otherwise, says so in words and can be built anew."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from plait.errors import FormatMismatch, IndexCorrupt, QueryError, StoreError
from plait.stores.embedded.manifest import read_current
from plait.stores.embedded.proofs import RECORD
from plait.stores.embedded.store import EmbeddedStore
from plait.types import PathLike, Pattern, Phrase, Scope, Snapshot, Tag, Term
from tests.contract.notation import file, gone, piece
from tests.stores.folder import opened, tags, uniform


@pytest.fixture
def root(place: Path) -> Path:
    """An index of two layers, two segments and a dead file."""
    store = opened(place / "store")
    store.commit([*uniform("first"), file("x.py", piece("common first x\n", "x"))])
    store.commit([file("5.py", "common first\n\n"), gone("x.py")])
    assert [len(record.dead) for record in read_current(store.root).layers] == [1, 0]
    return store.root


def ask_everything(snapshot: Snapshot) -> None:
    """Use every method, so that whatever is damaged is met."""
    for wanted in (Term("common"), Tag("lang", "python"), Pattern("f.rst"), Phrase("common first")):
        ranking = snapshot.match(wanted, Scope(), 10)
        keys = [hit.chunk for hit in ranking.hits]
        snapshot.explain(wanted, keys)
        snapshot.fetch(keys)
    for path in snapshot.digests("r"):
        snapshot.fetch(snapshot.outline("r", path))
    snapshot.spellings("commn", 3)
    snapshot.count([Term("common")])[0]


def rewrite_manifest(root: Path, change: Callable[[dict[str, object]], None]) -> None:
    """Change the manifest and make the pointer agree with it."""
    number = int((root / "CURRENT").read_text("ascii").split()[0])
    path = root / "generations" / f"{number:06d}" / "manifest.json"
    values = json.loads(path.read_bytes())
    change(values)
    raw = json.dumps(values).encode()
    path.write_bytes(raw)
    (root / "CURRENT").write_text(f"{number} {hashlib.sha256(raw).hexdigest()}\n", "ascii")


def assert_mended_by_building_anew(store: EmbeddedStore) -> None:
    store.commit(uniform("anew"), anew=True)

    assert tags(store) == {"anew"}
    assert store.check() == []


def test_another_format_is_refused_in_words(root: Path) -> None:
    rewrite_manifest(root, lambda values: values.update(format=99))
    store = opened(root)

    with pytest.raises(FormatMismatch, match="the index has format 99, this plait reads format"):
        store.snapshot()
    with pytest.raises(FormatMismatch) as caught:
        store.commit(uniform("second"))
    assert "--rebuild" in caught.value.hint
    assert_mended_by_building_anew(store)


def test_another_analysis_is_refused_in_words(root: Path) -> None:
    other = EmbeddedStore(root, "other words")

    with pytest.raises(FormatMismatch, match="built by another version of plait"):
        other.snapshot()
    with pytest.raises(FormatMismatch):
        other.commit(uniform("second"))
    assert tags(opened(root)) == {"first"}
    assert_mended_by_building_anew(other)


def test_an_unknown_field_of_the_manifest_is_refused(root: Path) -> None:
    rewrite_manifest(root, lambda values: values.update(novelty=1))

    with pytest.raises(StoreError):
        opened(root).snapshot()


@pytest.mark.parametrize(
    "change",
    [
        {"generation": [None]},
        {"generation": "1"},
        {"generation": 7},
        {"next_number": -1},
        {"totals": -1},
        {"totals": {"files": "x"}},
        {"totals": {}},
        {"files": {"x" * 5000: [1, "x"]}},
        {"files": {"a\0b": [1, "x"]}},
        {"repos": {"a": None}},
        {"layers": [{"name": 1, "dead": [], "source_bytes": 1, "dead_bytes": 0}]},
        {"layers": [{"name": "a", "dead": ["x"], "source_bytes": 1, "dead_bytes": 0}]},
        {"files": {"a": [1.5, "x"]}},
        {"files": {"/etc/passwd": [1, "x"]}},
        {"files": {"../a": [1, "x"]}},
        {"files": {"layers/../../a": [1, "x"]}},
        {"files": {"": [1, "x"]}},
        {"layers": [{"name": "/etc", "dead": [], "source_bytes": 1, "dead_bytes": 0}]},
        {"files": {"a": [True, "x"]}},
    ],
)
def test_a_manifest_of_other_kinds_of_values_is_told(root: Path, change: dict[str, object]) -> None:
    rewrite_manifest(root, lambda values: values.update(change))

    with pytest.raises(IndexCorrupt):
        opened(root).snapshot()


def test_a_manifest_without_the_layers_of_its_words_is_told(root: Path) -> None:
    rewrite_manifest(root, lambda values: values.update(layers=[]))

    with pytest.raises(StoreError):
        ask_everything(opened(root).snapshot())


def test_a_manifest_that_is_a_link_is_told(root: Path) -> None:
    (path,) = root.glob("generations/*/manifest.json")
    path.rename(root / "elsewhere.json")
    path.symlink_to(root / "elsewhere.json")

    with pytest.raises(IndexCorrupt, match="no plain file"):
        opened(root).snapshot()


def test_a_manifest_nested_without_end_is_told(root: Path) -> None:
    number = int((root / "CURRENT").read_text("ascii").split()[0])
    raw = b"[" * 100_000
    (root / "generations" / f"{number:06d}" / "manifest.json").write_bytes(raw)
    (root / "CURRENT").write_text(f"{number} {hashlib.sha256(raw).hexdigest()}\n", "ascii")

    with pytest.raises(IndexCorrupt):
        opened(root).snapshot()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"7",
        b"x y\n",
        b"9" * 400 + b" " + b"0" * 64,
        b"\xff\xfe\0\0",
        b"1 " + b"0" * 64,
        b"99 " + b"0" * 64,
        b"-1 " + b"0" * 64,
        b"9" * 5000 + b" x",
        b"0 0",
        b"../.. 0",
        b"\0" * 70,
    ],
    ids=lambda content: repr(content[:12]),
)
def test_a_damaged_pointer_is_told(root: Path, content: bytes) -> None:
    (root / "CURRENT").write_bytes(content)
    store = opened(root)

    with pytest.raises(IndexCorrupt):
        store.snapshot()
    with pytest.raises(IndexCorrupt):
        store.commit(uniform("second"))
    assert store.check()
    assert_mended_by_building_anew(store)


def test_a_pointer_to_the_generation_before_is_no_way_back(root: Path) -> None:
    """Its files are gone; it must not be read as if they were not."""
    opened(root).commit(uniform("second"))
    old = (root / "CURRENT").read_bytes()
    opened(root).commit(uniform("third"))
    (root / "CURRENT").write_bytes(old)

    with pytest.raises(IndexCorrupt):
        opened(root).snapshot()
    assert_mended_by_building_anew(opened(root))


def files_of(root: Path) -> list[str]:
    return sorted(
        path.relative_to(root).as_posix()
        for path in root.rglob("*")
        if path.is_file() and "lock" not in path.name and path.name != RECORD
    )


@pytest.mark.parametrize("how", ["removed", "emptied", "halved", "a byte short", "a byte long"])
def test_a_file_that_is_not_as_long_as_it_was_is_told(root: Path, how: str) -> None:
    names = [name for name in files_of(root) if not name.startswith("stamps")]
    assert len(names) > 10
    for name in names:
        path = root / name
        content = path.read_bytes()
        if not content:
            continue
        path.unlink()  # generations share files by hard links
        if how != "removed":
            path.write_bytes(
                {
                    "emptied": b"",
                    "halved": content[: len(content) // 2],
                    "a byte short": content[:-1],
                    "a byte long": content + b"\0",
                }[how]
            )
        store = opened(root)

        if name != "CURRENT" or how in ("emptied", "halved"):
            with pytest.raises(StoreError):
                store.snapshot()
            with pytest.raises(StoreError):
                store.commit(uniform("second"))
        if name != "CURRENT":
            assert store.check(), f"{name} {how}"
        path.write_bytes(content)
    assert opened(root).check() == []


def test_no_byte_of_any_file_can_be_wrong_without_a_word(root: Path) -> None:
    """A search that would answer from it says so, and so does a commit that would build on it."""
    for name in files_of(root):
        path = root / name
        content = path.read_bytes()
        for at in range(0, len(content), 1 + len(content) // 97):
            path.write_bytes(content[:at] + bytes([content[at] ^ 0x55]) + content[at + 1 :])
            store = opened(root)

            with pytest.raises(IndexCorrupt):
                store.snapshot()
            assert store.check(), f"{name} byte {at}"
        with pytest.raises(IndexCorrupt):
            opened(root).commit(uniform("second"))
        path.write_bytes(content)
    ask_everything(opened(root).snapshot())


def test_a_file_with_the_bytes_of_another_is_told(root: Path) -> None:
    """As a copy that mixed up two files of the same length would leave it."""
    for name in "ab":
        opened(root).commit([file(f"{name}.py", f"common {name}\n")])
    by_size: dict[int, list[Path]] = {}
    for name in files_of(root):
        by_size.setdefault((root / name).stat().st_size, []).append(root / name)
    pairs = [(a, b) for a, *rest in by_size.values() for b in rest]
    assert pairs
    for one, other in pairs:
        contents = one.read_bytes(), other.read_bytes()
        if contents[0] == contents[1]:
            continue
        one.write_bytes(contents[1])
        other.write_bytes(contents[0])

        with pytest.raises(IndexCorrupt):
            opened(root).snapshot()
        one.write_bytes(contents[0])
        other.write_bytes(contents[1])


def test_lanes_that_disagree_are_found_by_the_check(root: Path) -> None:
    def forget_a_dead_file(values: dict[str, object]) -> None:
        layers = values["layers"]
        assert isinstance(layers, list)
        (layer,) = [layer for layer in layers if layer["dead"]]
        layer["dead"] = layer["dead"][1:]

    rewrite_manifest(root, forget_a_dead_file)

    assert any("disagree" in fault for fault in opened(root).check())


def test_half_a_character_is_a_fault_of_the_query_not_of_the_index(root: Path) -> None:
    snapshot = opened(root).snapshot()
    for wanted in (PathLike("\ud800*"), Tag("lang", "\ud800"), Term("\ud800")):
        with pytest.raises(QueryError):
            snapshot.match(wanted, Scope(), 10)


class PanicException(BaseException):
    """As the engine raises it when the system has no thread for it."""


def test_an_engine_that_gets_no_thread_is_no_damage(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: str) -> None:
        raise PanicException("Failed to spawn meta file watcher thread: WouldBlock")

    with monkeypatch.context() as patched:
        patched.setattr("tantivy.Index.open", staticmethod(refuse))
        with pytest.raises(StoreError, match="cannot be read now") as caught:
            opened(root).snapshot()
        with pytest.raises(StoreError, match="no thread can be started"):
            opened(root).commit(uniform("second"))

    assert not isinstance(caught.value, IndexCorrupt)
    assert tags(opened(root)) == {"first"}
