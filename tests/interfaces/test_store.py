"""The command line over a collection on a real node."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from plait.stores.cluster.address import Address
from plait.stores.cluster.connection import Connection
from plait.stores.cluster.store import ClusterStore
from tests.cluster import running
from tests.interfaces.command import FILES, Command, Done
from tests.sources.repositories import repository, tree

pytestmark = [pytest.mark.slow, pytest.mark.cluster]
OTHER = {"retry.py": "def retry_later(): pass\n", "sub/deep.py": "def timeout_deep(): pass\n"}


@dataclass(frozen=True)
class Shared:
    """The command with a collection of its own, and three folders to index."""

    plait: Command
    address: str

    def __call__(self, *arguments: str) -> Done:
        return self.plait(*arguments, "--store", self.address)

    def opened(self) -> Connection:
        return Connection(Address.parse(self.address, {}))


def made(one_node: running.Running, base: Path) -> Iterator[Shared]:
    part = urlsplit(one_node.addresses[0])
    address = f"opensearch://{part.hostname}:{part.port}/cli-{uuid.uuid4().hex}"
    here = base / "here"
    repository(here / "tiny", FILES)
    tree(here / "other", OTHER)
    tree(here / "third", {"a.txt": "nothing but words about a timeout\n"})
    yield Shared(Command(here, base / "cache"), address)
    with closing(ClusterStore(Address.parse(address, {}), "")) as store:
        store.clear()


@pytest.fixture
def shared_store(one_node: running.Running, tmp_path: Path) -> Iterator[Shared]:
    """A collection in which nothing is indexed."""
    yield from made(one_node, tmp_path)


@pytest.fixture(scope="module")
def indexed_store(
    one_node: running.Running, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Shared]:
    """A collection of two repositories; not to be changed."""
    for shared in made(one_node, tmp_path_factory.mktemp("store")):
        assert shared("index", "tiny", "other").code == 0
        yield shared


def paths(done: Done) -> set[str]:
    return {line.split(":", 2)[1] for line in done.out.splitlines() if line.count(":") > 1}


# ---------------------------------------------------------------- indexing


def test_several_repositories_are_indexed_and_what_fails_does_not_stop_the_others(
    shared_store: Shared,
) -> None:
    done = shared_store("index", "tiny", "nowhere", "other", "--jobs", "2")

    assert done.code == 2
    assert {line.split(":")[0] for line in done.out.splitlines()[:2]} == {"tiny", "other"}
    assert "4 added" in done.out
    assert "2 repositories of 3 indexed in" in done.out
    assert "error: nowhere: no such file or folder" in done.err

    again = shared_store("index", "tiny", "other")
    assert again.code == 0
    assert "0 added, 0 changed, 0 removed, 4 unchanged" in again.out


def test_a_build_anew_holds_what_was_given_and_nothing_else(shared_store: Shared) -> None:
    assert shared_store("index", "tiny", "other").code == 0
    done = shared_store("index", "--rebuild", "other", "third")

    assert done.code == 0
    assert "now contains only these" in done.out
    assert shared_store("status", "--json").json["contents"]["repos"] == ["other", "third"]
    assert "0 added, 0 changed, 0 removed, 1 unchanged" in shared_store("index", "third").out


def test_a_repository_can_be_called_otherwise_and_taken_out_again(shared_store: Shared) -> None:
    assert shared_store("index", "tiny", "--name", "renamed").code == 0
    assert shared_store("index", "other").code == 0
    assert shared_store("status", "--json").json["contents"]["repos"] == ["other", "renamed"]

    assert shared_store("clear", "tiny", "-y").code == 1
    assert "removed other from" in shared_store("clear", "other", "-y").out
    assert shared_store("status", "--json").json["contents"]["repos"] == ["renamed"]
    assert "removed the whole collection" in shared_store("clear", "-y").out
    assert shared_store("status").code == 1


def test_two_folders_of_one_name_are_refused(shared_store: Shared) -> None:
    tree(shared_store.plait.folder / "deeper" / "other", OTHER)
    done = shared_store("index", "other", "deeper/other")

    assert done.code == 2
    assert "would both be called 'other'" in done.err
    assert shared_store("index", "tiny", "other", "--name", "one").code == 2


# ---------------------------------------------------------------- searching


def test_without_a_path_every_repository_is_searched(indexed_store: Shared) -> None:
    done = indexed_store("timeout", "--format", "vimgrep")
    found = {line.split(":", 2)[0] + ":" + line.split(":", 2)[1] for line in done.out.splitlines()}

    assert done.code == 0
    assert found == {"tiny:client.py", "tiny:server/limits.py", "other:sub/deep.py"}


def test_with_a_path_its_repository_is_searched_and_paths_can_be_opened(
    indexed_store: Shared,
) -> None:
    done = indexed_store("timeout", "tiny", "-l")
    below = indexed_store("timeout", "tiny/server", "-l")

    assert set(done.out.split()) == {"tiny/client.py", "tiny/server/limits.py"}
    assert below.out.split() == ["tiny/server/limits.py"]


def test_repositories_can_be_named(indexed_store: Shared) -> None:
    done = indexed_store("timeout", "--repo", "other", "-l")

    assert done.out.split() == ["other:sub/deep.py"]
    assert indexed_store("timeout", "--repo", "nobodys").code == 2


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param(("def", "timeout_for"), "tiny:server/limits.py:1", id="def"),
        pytest.param(("symbols", "retry"), "other:retry.py:1", id="symbols"),
        pytest.param(("symbols", "client.py", "tiny"), "tiny/client.py:6", id="outline"),
        pytest.param(("grep", "-n", "def timeout"), "tiny:server/limits.py:1", id="grep"),
        pytest.param(("grep", "-n", "def timeout", "other"), "other/sub/deep.py:1", id="grep-here"),
        pytest.param(("grep", "-l", "-g", "/sub/*", "def"), "other:sub/deep.py", id="grep-glob"),
        pytest.param(("search", "/exponential.*off/"), "tiny:client.py", id="pattern"),
        pytest.param(("explain", "timeout", "tiny/client.py:9", "tiny"), "rank", id="explain"),
    ],
)
def test_every_verb_answers_from_the_collection(
    words: tuple[str, ...], expected: str, indexed_store: Shared
) -> None:
    done = indexed_store(*words)

    assert done.code == 0, done.err
    assert expected in done.out


def test_a_search_takes_up_what_was_written_only_if_told_to(shared_store: Shared) -> None:
    assert shared_store("index", "other").code == 0
    tree(shared_store.plait.folder / "other", {"new.py": "def brand_new(): pass\n"})

    assert shared_store("brand_new", "other", "-l").out == ""
    assert shared_store("brand_new", "other", "-l", "--refresh").out == "other/new.py\n"
    refused = shared_store("brand_new", "--refresh")
    assert refused.code == 2
    assert "which repository" in refused.err


def test_the_environment_names_the_collection_too(indexed_store: Shared) -> None:
    done = indexed_store.plait("timeout", "-l", env={"PLAIT_STORE": indexed_store.address})

    assert "other:sub/deep.py" in done.out.split()


def test_a_search_leaves_no_point_in_time_behind(indexed_store: Shared) -> None:
    """A cluster allows a few hundred of them."""

    def open_points() -> int:
        with closing(indexed_store.opened()) as connection:
            index = f"plait-{connection.address.collection}"
            told = connection.ask("GET", f"/{index}/_stats/search")
        return int(told["_all"]["primaries"]["search"]["point_in_time_current"])

    before = open_points()
    assert indexed_store("timeout").code == 0

    assert open_points() == before


# ---------------------------------------------------------------- looking after it


def test_status_says_how_the_cluster_and_the_collection_are(indexed_store: Shared) -> None:
    done, out = indexed_store("status"), indexed_store("status", "--json").json

    assert done.code == 0
    for line in ("repositories 2: other, tiny", "files        6", "advice       1 shard"):
        assert line in done.out
    assert out["schema"] == "plait.collection/1"
    assert out["contents"]["files"] == 6
    assert out["contents"]["bytes_per_chunk"] > 0
    assert out["advice"]["shards"] == 1
    assert out["nodes"][0]["heap_max_bytes"] > 0


def test_status_of_a_tree_counts_what_has_changed_in_it(indexed_store: Shared) -> None:
    assert "0 files of tiny may have changed" in indexed_store("status", "tiny").out


def test_a_full_disk_fails_in_words(shared_store: Shared) -> None:
    assert shared_store("index", "other").code == 0
    with closing(shared_store.opened()) as connection:
        index = f"plait-{connection.address.collection}"
        body = {"index.blocks.read_only_allow_delete": True}
        connection.ask("PUT", f"/{index}/_settings", body)
    done, wrote = shared_store("status"), shared_store("index", "tiny")

    assert done.code == 2
    assert "error: a disk is full" in done.err
    assert "other" in done.out
    assert wrote.code == 2
    assert "is full" in wrote.err


def test_nobody_at_the_address_is_said(plait: Command) -> None:
    done = plait("status", "--store", "opensearch://127.0.0.1:1/x")

    assert done.code == 2
    assert "no node of opensearch://127.0.0.1:1/x answers" in done.err
    assert plait("timeout", "--store", "http://127.0.0.1:1/x").code == 2


def test_doctor_looks_at_the_server(indexed_store: Shared) -> None:
    done = indexed_store("doctor")

    assert done.code == 0, done.out
    assert "store: OpenSearch " in done.out
    assert "ms there and back" in done.out
    assert "is sound" in done.out


def test_a_collection_is_copied_away_and_brought_back(shared_store: Shared) -> None:
    assert shared_store("index", "tiny").code == 0
    before = shared_store("timeout", "--json").json["results"]
    with closing(shared_store.opened()) as connection:
        nodes = connection.ask("GET", "/_nodes/settings")["nodes"].values()
        (place,) = next(iter(nodes))["settings"]["path"]["repo"]
        name = connection.address.collection
        try:
            location = f"{place}/{name}"
            assert shared_store("store", "repository", name, "--location", location).code == 0
            copied = shared_store("store", "snapshot", name, "first")
            assert "is in" in copied.out, copied.err
            assert "first" in shared_store("store", "snapshots", name).out
            assert shared_store("store", "restore", name, "first").code == 2
            assert shared_store("clear", "-y").code == 0
            assert "is back in" in shared_store("store", "restore", name, "first").out
        finally:
            connection.ask("DELETE", f"/_snapshot/{name}/first", allowed={404})
            connection.ask("DELETE", f"/_snapshot/{name}", allowed={404})
            shutil.rmtree(Path(place) / name, ignore_errors=True)

    assert shared_store("timeout", "--json").json["results"] == before


def test_meaning_is_searched_on_a_collection_too(shared_store: Shared) -> None:
    plait = replace(shared_store.plait, mode="hybrid")
    shared = replace(shared_store, plait=plait)
    assert shared("index", "tiny", "other").code == 0

    assert shared("status", "--json").json["contents"]["vectors_missing"] == 0
    assert "lexical" in shared("give up after a while", "--json").json["lanes"]
    assert "dense" in shared("give up after a while", "--json").json["lanes"]
