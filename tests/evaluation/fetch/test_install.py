"""Installing: a dataset is in its place whole, or not at all, and says where it came from."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

from plait.downloads.download import Patience
from plait.errors import DownloadError, EvaluationError
from plait.evaluation.fetch.install import (
    STAMP,
    WORK,
    digest_of,
    install_copy,
    install_entry,
    read_stamp,
)
from plait.evaluation.fetch.manifest import Entry, load_manifest
from plait.evaluation.fetch.places import datasets_folder, fetched_names, find_dataset
from tests.downloads.server import Page, Server
from tests.evaluation.fetch.test_layout import BEIR
from tests.sources.repositories import tree

ONCE = Patience(attempts=1, pause_s=0.01, timeout_s=5.0)
COMMIT = "c" * 40


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "datasets"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A local folder in the layout, with a file that is none of it."""
    return tree(tmp_path / "local", BEIR | {"README.md": "# Tiny\n", ".hidden": "x"})


def planted(server: Server, folder: Path, files: dict[str, str]) -> Entry:
    """A manifest of one dataset whose raw files the server has."""
    lines = []
    for path, text in files.items():
        server.put(f"/o/n/{COMMIT}/{path}", text.encode())
        sha256 = hashlib.sha256(text.encode()).hexdigest()
        url = f"https://raw.githubusercontent.com/o/n/{COMMIT}/{path}"
        lines.append(
            f"{{ url = '{url}', sha256 = '{sha256}', bytes = {len(text)}, path = '{path}' }},"
        )
    manifest = folder.parent / "manifest.toml"
    manifest.write_text(
        "[tiny]\ntitle='tiny'\nlicence='MIT'\ncitation='nobody'\nconverter='copy'\n"
        f"home='https://github.com/o/n'\nnotes='two queries'\nfiles=[{''.join(lines)}]\n"
    )
    return load_manifest(manifest)["tiny"]


# ---------------------------------------------------------------- from a local copy


def test_a_local_copy_is_installed_with_its_origin(copy: Path, folder: Path) -> None:
    done = install_copy("tiny", copy, folder)
    stamp = json.loads((folder / "tiny" / STAMP).read_text())

    assert done.is_new
    assert done.contents == (2, 2, 2)
    assert (folder / "tiny" / "queries.jsonl").read_text() == BEIR["queries.jsonl"]
    assert (folder / "tiny" / "README.md").is_file()
    assert not (folder / "tiny" / ".hidden").exists()
    assert (stamp["name"], stamp["digest"]) == ("tiny", digest_of(folder / "tiny"))
    assert stamp["source"] == f"a copy of {copy.resolve()}"
    assert len(stamp["fetched"]) == len("2026-01-20")
    assert not list((folder / WORK).iterdir())


def test_the_same_copy_again_does_nothing(copy: Path, folder: Path) -> None:
    install_copy("tiny", copy, folder)
    before = (folder / "tiny" / STAMP).stat().st_mtime_ns
    again = install_copy("tiny", copy, folder)

    assert not again.is_new
    assert (folder / "tiny" / STAMP).stat().st_mtime_ns == before


def test_another_copy_takes_the_place_of_the_first(copy: Path, folder: Path) -> None:
    first = install_copy("tiny", copy, folder)
    (copy / "README.md").unlink()
    second = install_copy("tiny", copy, folder)

    assert second.is_new
    assert second.digest != first.digest
    assert not (folder / "tiny" / "README.md").exists()
    assert fetched_names(folder) == ["tiny"]


def test_a_wrong_copy_leaves_everything_as_it_was(copy: Path, folder: Path) -> None:
    first = install_copy("tiny", copy, folder)
    (copy / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq9\td1\t1\n")
    with pytest.raises(EvaluationError, match=r"test\.tsv, line 2"):
        install_copy("tiny", copy, folder)

    assert digest_of(folder / "tiny") == first.digest


def test_a_folder_that_is_not_ours_is_not_replaced(copy: Path, folder: Path) -> None:
    tree(folder / "tiny", {"mine.txt": "precious"})
    with pytest.raises(EvaluationError, match="was not fetched by plait"):
        install_copy("tiny", copy, folder)

    assert (folder / "tiny" / "mine.txt").read_text() == "precious"


@pytest.mark.parametrize("name", ["", "..", "../x", "a/b", ".fetching"])
def test_a_name_stays_in_the_folder(copy: Path, folder: Path, name: str) -> None:
    with pytest.raises(EvaluationError, match="cannot be the name of a dataset"):
        install_copy(name, copy, folder)


def test_a_copy_that_is_not_there(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(EvaluationError, match="there is no folder"):
        install_copy("tiny", tmp_path / "nowhere", folder)


def test_a_datasets_folder_that_cannot_be_made(copy: Path, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(EvaluationError, match="cannot copy"):
        install_copy("tiny", copy, tmp_path / "taken")


# ---------------------------------------------------------------- from the web


def test_a_known_dataset_is_downloaded_checked_and_converted(server: Server, folder: Path) -> None:
    entry = planted(server, folder, BEIR)
    seen: dict[str, int] = {}
    done = install_entry(
        entry,
        folder,
        mirror=server.address,
        patience=ONCE,
        on_bytes=lambda file, have: seen.update({file.path: have}),
    )
    stamp = read_stamp(done.folder)

    assert done.is_new
    assert done.contents == (2, 2, 2)
    assert seen == {path: len(text) for path, text in BEIR.items()}
    assert (stamp["source"], stamp["licence"]) == ("https://github.com/o/n", "MIT")
    assert stamp["notes"] == ["two queries"]
    assert stamp["addresses"][0].startswith("https://raw.githubusercontent.com/o/n/ccc")
    assert not list((folder / WORK).iterdir())


def test_the_same_dataset_again_asks_nobody(server: Server, folder: Path) -> None:
    entry = planted(server, folder, BEIR)
    install_entry(entry, folder, mirror=server.address, patience=ONCE)
    asked = len(server.asked)
    again = install_entry(entry, folder, mirror=server.address, is_offline=True)

    assert not again.is_new
    assert len(server.asked) == asked == 3


def test_a_dataset_that_was_damaged_is_fetched_anew(server: Server, folder: Path) -> None:
    entry = planted(server, folder, BEIR)
    done = install_entry(entry, folder, mirror=server.address, patience=ONCE)
    (done.folder / "queries.jsonl").write_text("")
    again = install_entry(entry, folder, mirror=server.address, patience=ONCE)

    assert again.is_new
    assert again.digest == done.digest


def test_a_stopped_fetch_goes_on_with_what_it_has(server: Server, folder: Path) -> None:
    entry = planted(server, folder, BEIR)
    late = f"/o/n/{COMMIT}/corpus.jsonl"
    page = server.pages.pop(late)
    with pytest.raises(DownloadError, match="no such file"):
        install_entry(entry, folder, mirror=server.address, patience=ONCE)
    assert fetched_names(folder) == []
    server.pages[late] = Page(page.body)
    install_entry(entry, folder, mirror=server.address, patience=ONCE)

    paths = [asked.path.rpartition("/")[2] for asked in server.asked]
    assert paths.count("queries.jsonl") == 1
    assert fetched_names(folder) == ["tiny"]


def test_files_the_converter_cannot_read_are_not_installed(server: Server, folder: Path) -> None:
    entry = planted(server, folder, {"instances.jsonl": '{"instance_id": "x"}\n'})
    with pytest.raises(EvaluationError, match="not what converter 'swebench' expects: KeyError"):
        install_entry(
            replace(entry, converter="swebench"), folder, mirror=server.address, patience=ONCE
        )

    assert fetched_names(folder) == []


def test_what_has_no_public_home_says_so(folder: Path) -> None:
    with pytest.raises(EvaluationError, match="cannot be downloaded") as caught:
        install_entry(load_manifest()["csn99-python"], folder)

    assert "--from FOLDER" in caught.value.hint


# ---------------------------------------------------------------- finding them again


def test_a_dataset_is_found_by_name_or_path(
    copy: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_copy("tiny", copy, folder)
    monkeypatch.chdir(copy.parent)

    assert find_dataset("tiny", folder) == folder / "tiny"
    assert find_dataset("local", folder) == Path("local")
    assert find_dataset("./local", folder) == Path("local")
    assert find_dataset(str(copy), folder) == copy
    with pytest.raises(EvaluationError):
        find_dataset("./tiny", folder)


def test_a_dataset_that_is_not_here_is_told_how_to_get(folder: Path) -> None:
    hints = {}
    for name in ("cosqa", "csn-go", "zebra", ""):
        with pytest.raises(EvaluationError) as caught:
            find_dataset(name, folder)
        hints[name] = caught.value.hint

    assert hints["cosqa"] == "plait eval fetch cosqa"
    assert hints["csn-go"] == "plait eval fetch csn-go --from FOLDER"
    assert "agent63" in hints["zebra"]
    assert hints[""] == hints["zebra"]


def test_the_datasets_folder_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    assert datasets_folder().parts[-2:] == ("plait", "datasets")
