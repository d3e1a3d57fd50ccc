"""``plait similar``: neighbours, copies, groups of copies, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.interfaces.command import FILES, Command, Done
from tests.interfaces.tiny_model import save_model
from tests.sources.repositories import repository

SEND = """\
def send(request, timeout):
    connection = pool.acquire(request.host, timeout)
    try:
        connection.write(request.head + request.body)
        return connection.read(limit=request.limit)
    finally:
        pool.release(connection)
"""
IMPORTS = "import os\nimport pool\nimport sys\n\n\n"
TREE = {
    **FILES,
    "net/send.py": SEND,
    "net/copy.py": IMPORTS + SEND.replace("request.limit", "request.most"),
    "net/renamed.py": SEND.replace("pool", "sessions").replace("timeout", "patience"),
}

Ask = Callable[..., Done]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Command:
    base = tmp_path_factory.mktemp("similar")
    save_model(base / "model", [*TREE, *TREE.values()])
    return Command(repository(base / "tiny", TREE), base / "cache")


@pytest.fixture
def ask(tree: Command) -> Ask:
    """The command with a model."""
    model = {"PLAIT_MODEL": str(tree.cache.parent / "model")}

    def asked(*arguments: str, at: Path | None = None) -> Done:
        return tree(*arguments, at=at, env=model)

    return asked


def test_the_code_most_like_a_line_comes_first_and_copies_are_named(ask: Ask) -> None:
    done = ask("similar", "net/send.py:3", "-n", "3")

    assert done.code == 0
    assert done.err.endswith("similar to net/send.py:1-7  send function\n")
    first, second, third = done.out.splitlines()
    assert first.startswith("net/copy.py:6: 0.9")
    assert first.endswith("[near-duplicate] send - def send(request, timeout):")
    assert second.startswith("net/renamed.py:1: 0.")
    assert "[renamed copy] send - " in second
    assert "[" not in third


def test_json_says_cosine_and_kind_of_copy(ask: Ask) -> None:
    data = ask("similar", "net/send.py:3", "--json", "-n", "9").json

    assert data["schema"] == "plait.similar/1"
    assert data["place"] == "net/send.py:3"
    assert (data["chunk"]["symbol"], data["chunk"]["start_line"]) == ("send", 1)
    kinds = {one["path"]: one["copy"] for one in data["results"][:2]}
    assert kinds == {"net/copy.py": "near-duplicate", "net/renamed.py": "renamed copy"}
    assert all(0 < one["cosine"] == one["score"] <= 1 for one in data["results"])
    assert data["results"][0]["in_common"] > 0.8
    assert data["results"][-1]["copy"] is None


def test_filters_and_formats_are_those_of_a_search(ask: Ask) -> None:
    go = ask("similar", "client.py:10", "--lang", "go", "--format", "text", "--color", "never")
    none = ask("similar", "client.py:15", "--path", "zebra")

    assert go.out.startswith("  1. server/main.go:")
    assert "cosine, by model" in go.out
    assert (none.code, none.out) == (1, "")
    assert "no results" in none.err


def test_copies_alone_of_one_place_or_of_all(ask: Ask) -> None:
    of_one = ask("similar", "net/copy.py:7", "--duplicates")
    of_all = ask("similar", "--duplicates", "--json").json
    below = ask("similar", "--duplicates", "server")

    assert [line.partition(":")[0] for line in of_one.out.splitlines()] == [
        "net/send.py",
        "net/renamed.py",
    ]
    (group,) = of_all["groups"]
    assert [chunk["path"] for chunk in group["chunks"]] == [
        "net/copy.py",
        "net/renamed.py",
        "net/send.py",
    ]
    assert (group["copy"], group["repeated_lines"]) == ("renamed copy", 14)
    assert (below.code, below.out) == (1, "")
    assert below.err.startswith("0 groups of copies among ")


def test_a_group_is_printed_to_be_read(ask: Ask) -> None:
    done = ask("similar", "--duplicates", "net")
    head, *places = done.out.splitlines()

    assert head.startswith("  1. 3 renamed copies, ")
    assert head.endswith(" 14 repeated lines")
    assert places[1] == "     net/renamed.py:1-7  send function"
    assert done.err.startswith("1 group of copies among ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["similar"], "name the code to compare with", id="no-place"),
        pytest.param(["similar", "client.py"], "not a place in a file: 'client.py'", id="no-line"),
        pytest.param(["similar", "zebra.py:3"], "no such file below", id="no-file"),
        pytest.param(["similar", "client.py:999"], "no chunk at line 999", id="beyond"),
        pytest.param(["similar", "--duplicates", "x", "net"], "not a place", id="two-paths"),
        pytest.param(["similar", "--duplicates", "--format", "md"], "--format must", id="format"),
        pytest.param(["clusters", "--k", "0"], "--k must be at least 1", id="k"),
        pytest.param(["clusters", "--k", "999"], "1 to 200 clusters", id="too-many"),
    ],
)
def test_misuse_is_status_2_and_one_sentence(ask: Ask, arguments: list[str], message: str) -> None:
    done = ask(*arguments)

    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: ")
    assert message in done.err
