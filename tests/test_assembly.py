"""Assembly: what a path means, where its index is, and what a search through it sees."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plait.answering.index import Index
from plait.assembly import (
    cache_folder,
    lexical_lane,
    open_index,
    open_operations,
    settings_for,
)
from plait.errors import (
    FormatMismatch,
    IndexMissing,
    QueryError,
    SettingError,
    SnapshotLost,
    SourceError,
)
from plait.settings import Settings, load_settings
from plait.sources import root_of
from plait.stores.embedded.lock import writer_lock
from plait.types import Answer, Scope, Snapshot
from tests.cluster import running
from tests.cluster.collection import collection
from tests.sources.repositories import git, repository, tree

FILES = {
    "util.py": "def helper():\n    return 1\n",
    "lib/my_util.py": "def helper():\n    return 2\n",
    "lib/deep/x.py": "def helper():\n    return 3\n",
    "library/y.py": "def helper():\n    return 4\n",
}


@pytest.fixture(autouse=True)
def _nobodys_configuration(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "no-such-configuration"))


@pytest.fixture
def chosen(tmp_path: Path) -> Settings:
    return Settings(cache_dir=str(tmp_path / "cache"), workers=1)


def found(index: Index, text: str = "helper") -> set[str]:
    return {result.chunk.path for result in index.search(text).results}


# ---------------------------------------------------------------- what is seen


def test_the_root_sees_everything(tmp_path: Path, chosen: Settings) -> None:
    root = repository(tmp_path / "tree", FILES)

    assert found(open_index(root, chosen)) == set(FILES)


def test_a_sub_folder_sees_what_is_below_it(tmp_path: Path, chosen: Settings) -> None:
    root = repository(tmp_path / "tree", FILES)
    index = open_index(root / "lib", chosen)

    assert found(index) == {"lib/my_util.py", "lib/deep/x.py"}
    assert index.writer.folder == open_index(root, chosen).writer.folder


def test_a_file_sees_itself(tmp_path: Path, chosen: Settings) -> None:
    root = repository(tmp_path / "tree", FILES)

    assert found(open_index(root / "lib/my_util.py", chosen)) == {"lib/my_util.py"}


def test_a_file_sees_no_other_file_whose_path_contains_its_own(
    tmp_path: Path, chosen: Settings
) -> None:
    root = repository(tmp_path / "tree", FILES)

    assert found(open_index(root / "util.py", chosen)) == {"util.py"}


@pytest.mark.parametrize("path", ["app/[id]", "app/[id]/page.py"])
def test_a_name_with_brackets_is_a_name(path: str, tmp_path: Path, chosen: Settings) -> None:
    files = {"app/[id]/page.py": "def helper(): pass\n", "app/i/page.py": "def helper(): pass\n"}
    root = repository(tmp_path / "tree", files)

    assert found(open_index(root / path, chosen)) == {"app/[id]/page.py"}


def test_a_folder_without_git_is_its_own_root(tmp_path: Path, chosen: Settings) -> None:
    root = tree(tmp_path / "plain", FILES)
    index = open_index(root / "lib", chosen)

    assert found(index) == {"my_util.py", "deep/x.py"}
    assert index.writer.folder != open_index(root, chosen).writer.folder


def test_two_folders_of_one_name_have_two_indexes(tmp_path: Path, chosen: Settings) -> None:
    one = open_index(tree(tmp_path / "a" / "same", {"x.py": "def one(): pass\n"}), chosen)
    two = open_index(tree(tmp_path / "b" / "same", {"y.py": "def two(): pass\n"}), chosen)

    assert one.writer.folder != two.writer.folder
    assert found(one, "one two") == {"x.py"}
    assert found(two, "one two") == {"y.py"}


# ---------------------------------------------------------------- worktrees


def worktrees(tmp_path: Path, name: str) -> tuple[Path, Path]:
    """A repository and a second work tree of it, each with a file of its own."""
    main = repository(tmp_path / "tree", {"shared.py": "def helper(): pass\n"})
    second = tmp_path / "elsewhere" / name
    git(main, "worktree", "add", "-q", str(second), "-b", "other")
    tree(main, {"main.py": "def helper(): pass\n"})
    tree(second, {"second.py": "def helper(): pass\n"})
    return main, second


def test_worktrees_do_not_see_each_other(tmp_path: Path, chosen: Settings) -> None:
    main, second = (open_index(path, chosen) for path in worktrees(tmp_path, "tree"))

    assert main.writer.folder == second.writer.folder
    for _ in range(2):
        assert found(main) == {"shared.py", "main.py"}
        assert found(second) == {"shared.py", "second.py"}
    assert len(main.reader.store.snapshot().repos()) == 2


def test_worktrees_share_a_store_whatever_they_are_called(tmp_path: Path, chosen: Settings) -> None:
    main, second = (open_index(path, chosen) for path in worktrees(tmp_path, "other-name"))

    assert main.writer.folder == second.writer.folder


def test_building_one_worktree_anew_costs_the_other_no_results(
    tmp_path: Path, chosen: Settings
) -> None:
    main, second = (open_index(path, chosen) for path in worktrees(tmp_path, "tree"))
    found(main)
    found(second)
    main.refresh(anew=True)

    assert found(second) == {"shared.py", "second.py"}
    assert found(main) == {"shared.py", "main.py"}


# ---------------------------------------------------------------- searching


def test_a_search_sees_what_was_just_written(tmp_path: Path, chosen: Settings) -> None:
    index = open_index(tree(tmp_path / "tree", FILES), chosen)
    found(index)
    tree(tmp_path / "tree", {"new.py": "def helper(): pass\n"})

    assert "new.py" in found(index)
    tree(tmp_path / "tree", {"newer.py": "def helper(): pass\n"})
    stale = index.search("helper", fresh=False)
    assert "newer.py" not in {result.chunk.path for result in stale.results}


def test_without_an_index_and_without_refreshing_there_is_nothing_to_ask(
    tmp_path: Path, chosen: Settings
) -> None:
    index = open_index(tree(tmp_path / "tree", FILES), chosen)

    with pytest.raises(IndexMissing):
        index.search("helper", fresh=False)


def test_limit_and_per_file_come_from_the_settings_unless_given(tmp_path: Path) -> None:
    two = {"two.py": "def helper(): pass\n\n\ndef helper2(): helper()\n"}
    root = tree(tmp_path / "tree", {**FILES, **two})
    settings = Settings(cache_dir=str(tmp_path / "cache"), limit=2, per_file=0, workers=1)
    index = open_index(root, settings)

    assert len(index.search("helper").results) == 2
    assert len(index.search("helper", limit=10).results) == 6
    assert len(index.search("helper", limit=10, per_file=1).results) == 5
    with pytest.raises(QueryError):
        index.search("helper", limit=-1)


def test_while_another_process_writes_the_generation_before_answers(tmp_path: Path) -> None:
    root = tree(tmp_path / "tree", FILES)
    index = open_index(root, Settings(cache_dir=str(tmp_path / "cache"), workers=1, wait_s=0.1))
    found(index)
    tree(root, {"new.py": "def helper(): pass\n"})
    with writer_lock(index.writer.folder / "lock", 1):
        answer = index.search("helper")

    assert {result.chunk.path for result in answer.results} == set(FILES)
    assert "answered from generation 2" in answer.notes[0]
    assert answer.notes[0].code == "stale"


def test_a_search_whose_snapshot_is_lost_asks_a_new_one(
    tmp_path: Path, chosen: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = open_index(repository(tmp_path / "tree", FILES), chosen)
    asked, ask = [], Index.ask

    def lost_at_first(self: Index, snapshot: Snapshot, text: str, **others: Any) -> Answer:
        asked.append(snapshot)
        if len(asked) == 1:
            raise SnapshotLost("a node went away with it")
        return ask(self, snapshot, text, **others)

    monkeypatch.setattr(Index, "ask", lost_at_first)

    assert found(index) == set(FILES)
    assert len(asked) == 2


def test_no_such_path_is_refused(tmp_path: Path, chosen: Settings) -> None:
    with pytest.raises(SourceError, match="no such file or folder"):
        open_index(tmp_path / "none", chosen)


# ---------------------------------------------------------------- damage and other settings


@pytest.mark.parametrize("damage", ["CURRENT", "manifest", "truncated", "missing"])
def test_a_damaged_index_is_built_anew_and_the_report_says_so(
    damage: str, tmp_path: Path, chosen: Settings
) -> None:
    index = open_index(tree(tmp_path / "tree", FILES), chosen)
    index.refresh()
    store = index.writer.folder
    layer = max((store / "layers").iterdir(), key=lambda path: path.stat().st_size)
    if damage == "CURRENT":
        (store / "CURRENT").write_bytes(b"\xff garbage")
    elif damage == "manifest":
        next((store / "generations").glob("*/manifest.json")).write_bytes(b"{}")
    elif damage == "truncated":
        os.truncate(layer, layer.stat().st_size // 2)
    else:
        layer.unlink()
    report = index.refresh()

    assert report.added == len(FILES)
    assert len(report.notes) == 1
    assert report.notes[0].endswith("the index was rebuilt")
    assert found(index) == set(FILES)
    assert list(index.reader.store.check()) == []


def test_other_weights_build_the_index_anew(tmp_path: Path, chosen: Settings) -> None:
    root = tree(tmp_path / "tree", FILES)
    open_index(root, chosen).refresh()
    other = Settings(cache_dir=chosen.cache_dir, workers=1, weight_name=5)
    report = open_index(root, other).refresh()

    assert report.added == len(FILES)
    assert "the index was built with" in report.notes[0]


def test_a_search_says_that_the_index_was_built_anew(tmp_path: Path, chosen: Settings) -> None:
    index = open_index(tree(tmp_path / "tree", FILES), chosen)
    index.refresh()
    (index.writer.folder / "CURRENT").write_bytes(b"garbage")

    assert "rebuilt" in " ".join(index.search("helper").notes)


def test_every_weight_of_the_settings_reaches_the_lane() -> None:
    names = ("body", "name", "path", "signature", "docstring")
    weights = {f"weight_{name}": n for n, name in enumerate(names, start=3)}
    lane = lexical_lane(Settings(bigrams=True, **weights))  # type: ignore[arg-type]  # all ints

    assert [getattr(lane.weights, name) for name in names] == [3, 4, 5, 6, 7]
    assert lane.bigrams


# ---------------------------------------------------------------- a collection on a cluster

ADDRESS = "opensearch://127.0.0.1:1/team"  # nobody answers there, and nobody is asked yet


def test_how_words_are_made_is_the_collections_and_not_a_projects(tmp_path: Path) -> None:
    own = {".plait.toml": "weight_name = 7\nbigrams = true\nlimit = 3\n"}
    root = root_of(tree(tmp_path / "tree", {**FILES, **own}))
    alone, shared = settings_for(root).settings, settings_for(root, ADDRESS).settings

    assert (alone.weight_name, alone.bigrams, alone.limit) == (7, True, 3)
    assert (shared.weight_name, shared.bigrams, shared.limit) == (2, False, 3)


def test_a_search_of_a_collection_does_not_write_to_it(tmp_path: Path, chosen: Settings) -> None:
    root = tree(tmp_path / "tree", FILES)

    assert open_index(root, chosen).refreshes
    assert not open_index(root, replace(chosen, store=ADDRESS)).refreshes


def test_a_repository_of_a_collection_has_the_same_name_on_every_machine(
    tmp_path: Path, chosen: Settings
) -> None:
    _, second = worktrees(tmp_path, "other-name")
    shared = replace(chosen, store=ADDRESS)

    assert open_index(second, chosen).repo.startswith("other-name@")
    assert open_index(second, shared).repo == "other-name"
    assert open_index(second, shared, name="tree").repo == "tree"


def test_a_path_is_its_repository_of_a_collection_and_no_path_is_all(
    tmp_path: Path, chosen: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = replace(chosen, store=ADDRESS)
    root = tree(tmp_path / "tree", FILES)
    monkeypatch.chdir(root)

    assert open_index(".", shared).scope().repos == frozenset({"tree"})
    assert open_index("", shared).scope() == Scope()
    assert open_index("", chosen).repo == "tree"
    with pytest.raises(SettingError, match="which repository"):
        open_index("", shared).refresh()


def test_two_copies_of_a_tree_remember_their_stamps_apart(tmp_path: Path, chosen: Settings) -> None:
    shared = replace(chosen, store=ADDRESS)
    one, two = (open_index(tree(tmp_path / at / "same", FILES), shared) for at in "ab")
    elsewhere = open_index(tmp_path / "a" / "same", replace(shared, store=f"{ADDRESS}2"))

    assert len({index.writer.stamps_path for index in (one, two, elsewhere)}) == 3
    assert all(index.writer.folder.is_relative_to(chosen.cache_dir) for index in (one, two))


def test_without_a_cluster_there_is_nothing_to_administer(chosen: Settings) -> None:
    with pytest.raises(SettingError, match="none is named"):
        open_operations(chosen)


@pytest.mark.cluster
@pytest.mark.slow
def test_a_collection_made_with_other_words_is_not_built_anew_by_one_repository(
    one_node: running.Running, tmp_path: Path, chosen: Settings
) -> None:
    with collection(one_node) as store:
        hosts = ",".join(f"{host}:{port}" for host, port in store.address.hosts)
        at = f"opensearch://{hosts}/{store.address.collection}"
        first = open_index(tree(tmp_path / "first", FILES), replace(chosen, store=at))
        first.refresh()
        other = replace(chosen, store=at, weight_name=5)
        second = open_index(tree(tmp_path / "second", FILES), other)
        with pytest.raises(FormatMismatch):
            second.refresh()

        assert found(first) == set(FILES)
        first.close()
        second.close()


@pytest.mark.parametrize("named", ["cache", "./cache", "../cache", "a/b"])
@pytest.mark.parametrize("where", ["environment", "file"])
def test_a_cache_folder_that_is_no_full_path_is_refused(
    named: str, where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would be made in the tree that is searched."""
    monkeypatch.chdir(tree(tmp_path / "tree", FILES))
    users = tmp_path / "config.toml"
    if where == "file":
        users.write_text(f'cache_dir = "{named}"\n', encoding="utf-8")
    environment = {"PLAIT_CACHE_DIR": named} if where == "environment" else {}
    settings = load_settings(None, environment, users)

    with pytest.raises(SettingError, match="is not a full path") as caught:
        open_index(".", settings)
    assert "PLAIT_CACHE_DIR=/path/to/cache" in caught.value.hint


def test_a_cache_folder_may_be_named_from_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))

    assert cache_folder(Settings(cache_dir="~/kept")) == tmp_path / "kept"
