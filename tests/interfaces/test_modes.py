"""By words, by meaning, by both: what the default does and what each mode says."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.interfaces.command import FILES, Command
from tests.sources.repositories import repository

QUESTION = "pause repeatedly until it works"  # Client.retry has none of these words


@pytest.fixture(scope="module")
def plaited(tmp_path_factory: pytest.TempPathFactory) -> Command:
    """The command as it comes, at the top of an indexed repository; not to be changed."""
    base = tmp_path_factory.mktemp("plaited")
    command = Command(repository(base / "tiny", FILES), base / "cache", "hybrid")
    assert command("index").code == 0
    return command


def test_indexing_makes_vectors_and_says_so(plaited: Command) -> None:
    done = plaited("index")

    assert "vectors of 6 chunks by plait-static" in done.out
    assert "vectors     all chunks, by plait-static" in plaited("status").out
    assert plaited("status", "--json").json["vectors"] == 6


def test_both_lanes_are_asked_by_default_and_every_score_adds_up(plaited: Command) -> None:
    data = plaited("timeout of a connection", "--json").json

    assert data["lanes"] == ["lexical", "dense", "message"]
    for result in data["results"]:
        parts = [part["value"] for part in result["reason"]["parts"]]
        assert result["score"] == pytest.approx(sum(parts), abs=1e-9)
    signals = {part["name"] for part in data["results"][0]["reason"]["parts"]}
    assert {"lexical, three best", "dense, three best"} <= signals


def test_meaning_finds_what_shares_no_word_with_the_question(plaited: Command) -> None:
    assert plaited(QUESTION, "--mode", "lexical").code == 1

    done = plaited(QUESTION, "--json").json

    assert done["results"][0]["symbol"] == "Client.retry"
    assert [note["code"] for note in done["notes"]] == ["silent-lane"]


def test_a_name_finds_the_name(plaited: Command) -> None:
    for mode in ("hybrid", "lexical", "bm25", "auto"):
        data = plaited("timeout_for", "--mode", mode, "--json").json
        assert data["results"][0]["symbol"] == "timeout_for", mode


def test_dense_asks_no_words_and_ranks_chunks_by_cosine_alone(plaited: Command) -> None:
    data = plaited("timeout", "--mode", "dense", "--json").json
    env = {"PLAIT_PER_FILE": "0"}
    chunks = plaited("timeout", "--mode", "dense", "--json", env=env).json

    assert data["lanes"] == ["dense"]
    assert not [part for part in data["results"][0]["reason"]["parts"] if "lex" in part["name"]]
    assert all(-1 <= result["score"] <= 1 for result in chunks["results"])


def test_explain_tells_what_each_lane_gave(plaited: Command) -> None:
    done = plaited("explain", "open a connection", "client.py:10")

    assert done.code == 0
    assert "lexical, best chunk: " in done.out
    assert "dense, three best: " in done.out
    assert "cosine, by plait-static" in done.out


def test_a_filter_holds_for_meaning_too(plaited: Command) -> None:
    data = plaited(f"{QUESTION} lang:go", "--json").json

    assert {result["language"] for result in data["results"]} <= {"go"}


def test_words_answer_while_vectors_are_missing_and_the_answer_says_so(
    plaited: Command, tmp_path: Path
) -> None:
    fresh = replace(plaited, cache=tmp_path / "cache")
    assert fresh("index", env={"PLAIT_MODE": "lexical"}).code == 0

    done = fresh("timeout", "--no-refresh", "--json").json

    assert done["results"][0]["symbol"] == "timeout_for"
    assert any("6 of 6 chunks have no vector yet" in note["words"] for note in done["notes"])


def test_a_changed_file_is_found_by_meaning_at_once(tmp_path: Path) -> None:
    command = Command(repository(tmp_path / "tiny", FILES), tmp_path / "cache", "hybrid")
    assert command("index").code == 0
    (command.folder / "password.py").write_text(
        "def verify(given, kept):\n    return hash_of(given) == kept\n"
    )

    data = command("check the credentials of a user", "--json").json

    assert data["results"][0]["path"] == "password.py"
    assert not any(note["code"] == "vectors-missing" for note in data["notes"])


def test_expansion_is_named_and_can_be_refused(plaited: Command) -> None:
    plain = plaited("idle connections", "--mode", "lexical", "--json").json
    wider = plaited("idle connections", "--mode", "lexical", "--expand", "--json").json

    assert plain["expanded"] == []
    for word in wider["expanded"]:
        less = plaited("idle connections", "--mode", "lexical", "--without", word, "--json").json
        assert word not in less["expanded"]


def in_process(command: Command, program: str) -> None:
    """Run a program where the command runs; it must end well."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=command.folder,
        env=command.environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_a_search_by_words_loads_no_model_and_no_numpy(plaited: Command) -> None:
    in_process(
        plaited,
        "import sys; from plait.interfaces.cli.main import main; "
        "code = main(['timeout', '--mode', 'lexical']); "
        "assert 'numpy' not in sys.modules, 'numpy was imported'; sys.exit(code)",
    )


def test_a_search_opens_its_model_once_though_it_may_write_vectors_too(plaited: Command) -> None:
    in_process(
        plaited,
        "import sys; from plait.models import choose; from plait.interfaces.cli.main import main\n"
        "opened, opens = [], choose.open_model\n"
        "choose.open_model = lambda *a, **k: opened.append(a) or opens(*a, **k)\n"
        "code = main(['timeout'])\n"
        "assert len(opened) == 1, f'opened {len(opened)} times'; sys.exit(code)",
    )
