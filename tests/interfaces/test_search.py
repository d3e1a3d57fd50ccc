"""``plait search``: what is found, where it is said to be, and how it ends."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.interfaces.command import FILES, Command
from tests.sources.repositories import git, repository, tree


def test_a_bare_query_indexes_on_first_use_and_prints_one_line_a_result(
    plait: Command, tiny: Path
) -> None:
    done = plait("how are timeouts configured", "tiny")

    assert done.code == 0
    assert done.out == (
        "tiny/server/limits.py:1: timeout_for - def timeout_for(route: str) -> float:\n"
        "tiny/client.py:9: Client.connect - "
        "def connect(self, address: str, timeout_s: float = 10.0) -> None:\n"
    )
    assert not (tiny / ".plait").exists()
    assert sorted(path.name for path in tiny.iterdir()) == ["client.py", "notes.md", "server"]


def test_a_verb_is_one_only_if_it_is_exactly_one(indexed: Command) -> None:
    assert indexed("search", "connections").out == indexed("connections").out
    assert indexed("statuses").code == 1
    assert "generation" in indexed("status").out


def test_a_verb_to_come_says_so_and_can_still_be_searched_for(indexed: Command) -> None:
    done = indexed("serve")

    assert done.code == 2
    assert done.err.splitlines() == [
        "error: `plait serve` is not available yet",
        "hint: to search for the word: plait search serve",
    ]


def test_a_mistyped_verb_is_recognised_when_its_path_is_none(indexed: Command) -> None:
    assert "hint: did you mean plait search?" in indexed("serach", "timeout").err


def test_nothing_found_is_status_1_and_said_on_standard_error(indexed: Command) -> None:
    done = indexed("zebra")

    assert (done.code, done.out) == (1, "")
    assert "no results" in done.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["x", "nowhere"], "no such file or folder: nowhere", id="path"),
        pytest.param(["x", "-n", "many"], "'many' is not a valid int", id="number"),
        pytest.param(["x", "-n", "0"], "--limit must be at least 1, got 0", id="limit"),
        pytest.param(["x", "--per-file", "-1"], "--per-file must be at least 0", id="per-file"),
        pytest.param(["x", "--mode", "best"], "--mode must be one of auto, lexical", id="mode"),
        pytest.param(["x", "--format", "xml"], "--format must be one of", id="format"),
        pytest.param(["x", "--color", "red"], "--color must be one of", id="color"),
        pytest.param(["x", "-t", "pythn"], "no language is called 'pythn' here", id="language"),
        pytest.param(["x", "--repo", "other"], "no repository is called 'other'", id="repository"),
        pytest.param(
            ["x", "--max-tokens", "9", "--format", "sarif"],
            "--format with --max-tokens must be one of llm, md, json, jsonl",
            id="tokens",
        ),
        pytest.param(
            ["x", "-l", "--json"], "cannot be combined with --format json", id="list-as-json"
        ),
        pytest.param(["x", "--frobnicate"], "--frobnicate", id="option"),
        pytest.param(["x", "-w"], "-w", id="a flag of ripgrep that cannot be honoured yet"),
        pytest.param(["x", "."] * 2, "unexpected extra argument", id="argument"),
        pytest.param(["search"], "missing argument 'QUERY'", id="no-query"),
        pytest.param(["search", " "], "the query is empty", id="empty-query"),
        pytest.param(["/a(/"], "not a pattern RE2 accepts", id="pattern"),
        pytest.param(["x", "https://example.org/a.git"], "git URLs are not available", id="url"),
    ],
)
def test_misuse_is_status_2_and_one_sentence(
    indexed: Command, arguments: list[str], message: str
) -> None:
    done = indexed(*arguments)

    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: ")
    assert message in done.err.splitlines()[0]
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    ("options", "found"),
    [
        pytest.param(["-t", "py"], ["server/limits.py", "client.py"], id="language"),
        pytest.param(["--lang", "go"], ["server/main.go"], id="another-language"),
        pytest.param(["--kind", "METHOD"], ["client.py"], id="kind"),
        pytest.param(["--path", "SERVER/"], ["server/limits.py", "server/main.go"], id="path"),
        pytest.param(["-g", "*.go"], ["server/main.go"], id="glob-on-names"),
        pytest.param(["-g", "*.{go,md}"], ["notes.md", "server/main.go"], id="braces"),
        pytest.param(["-g", "/*.py"], ["client.py"], id="glob-from-the-top"),
        pytest.param(["-g", "limits.py"], ["server/limits.py"], id="glob-without-wildcard"),
        pytest.param(["-g", "imits.py"], [], id="a-part-of-a-name-is-not-the-name"),
        pytest.param(["-g", "!server"], ["client.py", "notes.md"], id="exclude-a-folder"),
        pytest.param(["-g", "*.py", "-g", "!limits.*"], ["client.py"], id="last-glob-decides"),
        pytest.param(
            ["-g", "!*.py", "-g", "limits.py"], ["server/limits.py"], id="glob-takes-back-in"
        ),
        pytest.param(["-n", "1"], ["server/main.go"], id="limit"),
    ],
)
def test_filters(indexed: Command, options: list[str], found: list[str]) -> None:
    done = indexed("timeout OR connections OR Listen", "-l", *options)

    assert sorted(done.out.splitlines()) == sorted(found)
    assert done.code == (0 if found else 1)


def test_a_fixed_string_minds_case_and_punctuation(indexed: Command) -> None:
    assert indexed("-F", "timeout_s: float", "-l").out == "client.py\n"
    assert indexed("-F", "imeout_s: fl", "-l").out == "client.py\n"
    assert indexed("-F", "Timeout_s: float").code == 1
    assert indexed("-F", "float timeout").code == 1


def test_counts_are_of_matching_chunks(indexed: Command) -> None:
    assert "client.py:3" in indexed("client", "-c").out.splitlines()
    assert indexed("client", "--per-file", "0").out.count("client.py:") == 3


# ---------------------------------------------------------------- paths


def test_a_sub_folder_is_searched_in_the_index_of_its_repository(indexed: Command) -> None:
    done = indexed("timeout", "server")
    data = indexed("timeout", "server", "--json").json

    assert done.out.startswith("server/limits.py:1: ")
    assert "client.py" not in done.out
    assert [result["path"] for result in data["results"]] == ["limits.py"]
    assert len(list(indexed.cache.glob("*/CURRENT"))) == 1


def test_paths_can_be_opened_from_where_the_command_was_run(indexed: Command) -> None:
    inside = indexed.folder / "server"

    assert indexed("timeout", "-l", at=inside).out == "limits.py\n"
    assert indexed("timeout", "..", "-l", at=inside).out == "../server/limits.py\n../client.py\n"


def test_a_file_is_searched_alone_even_if_others_have_its_name_in_theirs(plait: Command) -> None:
    files = {"a.py": "timeout = 1\n", "data.py": "timeout = 2\n", "sub/a.py": "timeout = 3\n"}
    repository(plait.folder / "repo", files)

    assert plait("timeout", "repo/a.py", "-l").out == "repo/a.py\n"
    assert plait("timeout", "repo/a.py", "--json").json["results"][0]["path"] == "a.py"


def test_an_empty_folder_has_no_results(plait: Command) -> None:
    done = plait("anything")

    assert (done.code, done.out) == (1, "")
    assert "no results" in done.err


def test_an_unreadable_file_does_not_stop_the_others(plait: Command, tiny: Path) -> None:
    (tiny / "client.py").chmod(0)
    try:
        (tiny / "client.py").read_bytes()
    except PermissionError:
        pass
    else:
        pytest.skip("this user may read everything")

    assert plait("timeout", "tiny", "-l").out == "tiny/server/limits.py\n"
    assert "unreadable" in plait("index", "tiny").out


def test_control_characters_in_code_do_not_reach_the_terminal(plait: Command) -> None:
    tree(plait.folder, {"evil.py": "timeout = '\x1b[31mred\x07'\n"})

    for form in ("auto", "text", "vimgrep"):
        done = plait("timeout", *([] if form == "auto" else ["--format", form]))
        assert "\x1b" not in done.out
        assert "␛[31mred␇" in done.out


# ---------------------------------------------------------------- freshness


def test_a_search_sees_what_has_just_changed_unless_told_not_to(plait: Command, tiny: Path) -> None:
    assert plait("zebra", "tiny").code == 1

    (tiny / "zoo.py").write_text("def zebra():\n    pass\n")

    assert plait("zebra", "tiny", "--no-refresh").code == 1
    assert plait("zebra", "tiny", env={"PLAIT_REFRESH": "0"}).code == 1
    assert plait("timeout", "tiny", "--no-refresh", "--strict").code == 3
    assert plait("zebra", "tiny", "--strict").out == "tiny/zoo.py:1: zebra - def zebra():\n"
    assert plait("zebra", "tiny", "--no-refresh", "--strict").code == 0


def test_without_refresh_there_must_be_an_index(plait: Command, tiny: Path) -> None:
    done = plait("timeout", "tiny", "--no-refresh")

    assert done.code == 2
    assert re.match(r"error: no index in .*\nhint: plait index", done.err)


def test_hidden_files_are_found_when_asked_for(plait: Command) -> None:
    tree(plait.folder, {".config.py": "zebra = 1\n", "a.py": "lion = 1\n"})

    assert plait("zebra").code == 1
    assert plait("zebra", "--hidden", "-l").out == ".config.py\n"


def test_the_index_stays_out_of_the_tree(plait: Command) -> None:
    root = repository(plait.folder / "repo", FILES)
    plait("timeout", "repo")

    assert sorted(path.name for path in root.iterdir()) == [
        ".git",
        "client.py",
        "notes.md",
        "server",
    ]


def test_a_note_on_a_worktree_that_was_moved_is_shown_once(plait: Command, tmp_path: Path) -> None:
    main = repository(tmp_path / "main", {"a.py": "def precious(): pass\n"})
    git(main, "worktree", "add", "-q", "-b", "linked", str(tmp_path / "linked"))
    moved = (tmp_path / "linked").rename(tmp_path / "moved")
    done = plait("precious", str(moved))

    assert done.code == 0
    assert done.err.count("does not point back (if you moved it: git worktree repair)") == 1
