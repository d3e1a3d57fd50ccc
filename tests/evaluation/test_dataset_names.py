"""A stranger's dataset decides neither where files are written nor which folder is read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plait.errors import EvaluationError
from plait.evaluation.load import load_dataset
from plait.evaluation.loaders.repositories import find_clone
from tests.evaluation.datasets import SHOP, agent, json_lines, judge
from tests.sources.repositories import repository

NO_NAMES = ["/tmp/x/deep", "..", ".", "", "a/../b", "a\x1b[2Jb", "a\nb", "n" * 300, 7, None]
INFO = {"name": "n", "repo": "owner/shop", "tag_commit": "HEAD", "languages": ["python"]}


def dataset(folder: Path, file: str, content: object, qrels: str) -> Path:
    """One question about the shop, with a file that says of which repository."""
    folder.mkdir()
    (folder / file).write_text(json.dumps(content))
    json_lines(folder / "queries.jsonl", [{"_id": "q", "text": "count"}])
    judge(folder / "qrels" / f"{qrels}.tsv", {"q": {"shop/cart.py::Cart.total_price": 1}})
    return folder


def mined(folder: Path, name: object, repository: str) -> Path:
    content = {"name": name, "repository": repository, "revision": "HEAD"}
    return dataset(folder, "mined.json", content, "symbols")


@pytest.mark.parametrize("name", NO_NAMES)
def test_gitloc_gives_plain_names(tmp_path: Path, name: object) -> None:
    repository(tmp_path / "shop", SHOP)
    folder = dataset(tmp_path / "set", "info.json", {**INFO, "name": name}, "test")

    with pytest.raises(EvaluationError, match="a name that is none") as error:
        load_dataset(folder, repos=tmp_path)
    assert "\x1b" not in str(error.value)


@pytest.mark.parametrize("name", ["..", ".", "", "a\x1b[2Jb", "n" * 300])
def test_mined_cases_give_plain_names(tmp_path: Path, name: str) -> None:
    repository(tmp_path / "shop", SHOP)

    with pytest.raises(EvaluationError, match="a name that is none"):
        load_dataset(mined(tmp_path / "set", name, "."), repos=tmp_path)


def test_a_name_with_its_owner_becomes_one_folder(tmp_path: Path) -> None:
    repository(tmp_path / "shop", SHOP)
    loaded = load_dataset(mined(tmp_path / "set", "owner/shop", "."), repos=tmp_path)

    assert [part.store for part in loaded.parts] == ["owner+shop"]


@pytest.mark.parametrize("name", ["../../outside", *NO_NAMES])
def test_agent_annotations_are_opened_by_plain_names(tmp_path: Path, name: object) -> None:
    folder = agent(tmp_path / "agent", tmp_path)
    (tmp_path / "outside.json").write_text("[]")
    repos = json.loads((folder / "repos.json").read_text())
    repos[0]["name"] = name
    (folder / "repos.json").write_text(json.dumps(repos))

    with pytest.raises(EvaluationError, match=r"a name that is none|no list of repositories"):
        load_dataset(folder, repos=tmp_path)


@pytest.mark.parametrize("slug", ["owner/..", "..", "../shop", "owner/a\x1bb", ""])
def test_no_clone_lies_outside_the_folder_of_clones(tmp_path: Path, slug: str) -> None:
    repository(tmp_path, {"a.py": "x = 1\n"})
    repository(tmp_path / "shop", SHOP)
    (tmp_path / "clones").mkdir()

    assert find_clone(tmp_path / "clones", slug) is None


@pytest.mark.parametrize("source", ["..", "owner/a\x1bb"])
def test_instances_name_repositories_plainly(tmp_path: Path, source: str) -> None:
    folder = tmp_path / "bench"
    row = {"id": "i", "query": "price", "source": source, "commit": "HEAD"}
    json_lines(folder / "instances.jsonl", [row])
    judge(folder / "qrels" / "test_files.tsv", {"i": {"shop/cart.py": 1}})

    with pytest.raises(EvaluationError, match="a name that is none"):
        load_dataset(folder, repos=tmp_path)


@pytest.mark.parametrize(
    "change",
    [{"languages": []}, {"languages": "go"}, {"languages": [1]}, {"repo": 1}, {"tag_commit": []}],
)
def test_gitloc_that_says_too_little_is_refused_in_words(
    tmp_path: Path, change: dict[str, object]
) -> None:
    repository(tmp_path / "shop", SHOP)
    folder = dataset(tmp_path / "set", "info.json", INFO | change, "test")

    with pytest.raises(EvaluationError, match=r"info\.json does not say"):
        load_dataset(folder, repos=tmp_path)


@pytest.mark.parametrize("content", ['{"a": 1}', "[1]", '[{"name": "x"}]', "[" * 100_000])
def test_agent_repositories_that_are_no_list_are_refused_in_words(
    tmp_path: Path, content: str
) -> None:
    folder = agent(tmp_path / "agent", tmp_path)
    (folder / "repos.json").write_text(content)

    with pytest.raises(EvaluationError, match=r"repos\.json"):
        load_dataset(folder, repos=tmp_path)


@pytest.mark.parametrize("content", ["[1]", "3", '[{"query": "x"}]'])
def test_agent_annotations_that_are_none_are_refused_in_words(tmp_path: Path, content: str) -> None:
    folder = agent(tmp_path / "agent", tmp_path)
    (folder / "annotations" / "alpha.json").write_text(content)

    with pytest.raises(EvaluationError, match=r"alpha\.json is no list of questions"):
        load_dataset(folder, repos=tmp_path)


def test_a_mined_folder_does_not_choose_which_repository_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim = repository(tmp_path / "private", SHOP)
    (tmp_path / "here" / "below").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    for number, named in enumerate((str(victim), "../private", str(tmp_path), "below", ".")):
        with pytest.raises(EvaluationError, match="lies elsewhere") as error:
            load_dataset(mined(tmp_path / f"set{number}", "shop", named))
        assert "--repos DIR" in error.value.hint


def test_clones_are_looked_for_only_where_the_user_says(tmp_path: Path) -> None:
    victim = repository(tmp_path / "private", SHOP)
    (tmp_path / "clones").mkdir()

    with pytest.raises(EvaluationError, match="no clone of shop in"):
        load_dataset(mined(tmp_path / "set", "shop", str(victim)), repos=tmp_path / "clones")


def test_the_repository_one_stands_in_needs_no_naming(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = repository(tmp_path / "shop", SHOP)
    monkeypatch.chdir(repo / "shop")
    relative = load_dataset(mined(tmp_path / "relative", "shop", "."))
    absolute = load_dataset(mined(tmp_path / "absolute", "shop", str(repo)))

    assert [len(set_.parts) for set_ in (relative, absolute)] == [1, 1]
    assert list(absolute.parts[0].source.listing())
