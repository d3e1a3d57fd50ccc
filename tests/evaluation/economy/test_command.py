"""``plait eval economy``, as the command is called."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from plait.assembly import open_index
from plait.errors import SettingError
from plait.evaluation.economy.ripgrep import version
from plait.interfaces.cli.evaluation.economy import (
    SHOWN_LOSSES,
    as_markdown,
    as_text,
    economy,
    packed,
    rendered,
)
from plait.search.packing.pack import pool
from plait.settings import Settings
from tests.evaluation.datasets import agent
from tests.interfaces.command import FILES, Command
from tests.sources.repositories import tree

pytestmark = pytest.mark.usefixtures("_ripgrep")


@pytest.fixture(autouse=True)
def _own_places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PLAIT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PLAIT_WORKERS", "1")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "no-such-configuration"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)


def called(*arguments: str | Path) -> Result:
    app = typer.Typer()
    app.command()(economy)
    return CliRunner().invoke(app, [str(each) for each in arguments])


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Command:
    """The command in a folder that is indexed."""
    base = tmp_path_factory.mktemp("tiny")
    files = {**FILES, "fence.md": "# Timeout\n\n```sh\ntimeout 3\n```\n"}
    command = Command(tree(base / "tiny", files), base / "cache")
    assert command("index").code == 0
    return command


@pytest.mark.parametrize("query", ["retry with backoff", "timeout", "Listen", "zzzz"])
def test_what_is_counted_is_what_the_command_prints(query: str, tiny: Command) -> None:
    printed = tiny("search", query, "--format", "llm")
    settings = Settings(cache_dir=str(tiny.cache), refresh=False, mode="lexical")
    answer = open_index(tiny.folder, settings).search(query)

    assert "".join(f"{block}\n" for block in rendered(answer)) == printed.out + printed.err


@pytest.mark.slow
def test_a_dataset_of_clones_is_asked_both_ways(tmp_path: Path) -> None:
    folder = agent(tmp_path / "set", tmp_path / "clones")
    plait = Command(tmp_path, tmp_path / "cache")
    clones = str(tmp_path / "clones")
    done = plait("eval", "economy", str(folder), "--repos", clones, "--format", "json")
    made = done.json

    assert done.code == 0
    assert (made["questions"], made["found"], made["baseline_found"]) == (4, 1.0, 1.0)
    assert (made["dataset"], made["ripgrep"]) == ("set", version())
    assert [row["question"] for row in made["rows"]] == [
        "alpha-000",
        "alpha-001",
        "beta-000",
        "beta-001",
    ]
    assert set(made["by_category"]) == {"semantic", "symbol"}
    assert {"median_tokens", "baseline_median_tokens", "naive_median_tokens", "losses"} <= set(made)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "head"), [("text", "tokens of "), ("md", "| tokens of | found | median |")]
)
def test_a_table_is_printed(form: str, head: str, tmp_path: Path) -> None:
    folder = agent(tmp_path / "set", tmp_path / "clones")
    result = called(folder, "--repos", tmp_path / "clones", "--format", form, "-n", "2")

    assert result.exit_code == 0
    assert result.stdout.startswith(head)
    assert "2 questions of set, counted in o200k_base" in result.stdout


@pytest.mark.parametrize("arguments", [("--format", "csv"), ("-n", "-1")])
def test_what_cannot_be_is_refused(arguments: tuple[str, str], tmp_path: Path) -> None:
    assert isinstance(called(tmp_path, *arguments).exception, SettingError)


def figures(losses: int) -> dict[str, object]:
    """An invented summary with so many losses."""
    ways = {
        f"{way}_{what}": value
        for way in ("baseline", "thrifty", "naive")
        for what, value in {
            "found": 0.5,
            "median_tokens": 2_000,
            "mean_tokens": 2_500.4,
            "median_sight_tokens": 700,
            "mean_calls": 5.25,
        }.items()
    }
    loss = {
        "question": "q1",
        "text": f"a\n{'long ' * 30}",
        "tokens": 1_200,
        "baseline_tokens": 800,
        "reason": "why",
    }
    return {
        "dataset": "own",
        "encoding": "o200k_base",
        "questions": 100,
        "found": 0.975,
        "median_tokens": 1_136.5,
        "mean_tokens": 1_102.0,
        "median_first_hit_tokens": 148,
        "cheaper_and_found": 0.675,
        "lost": losses,
        "lost_to_thrifty": 7,
        "both_found": {
            "questions": 0,
            "median_tokens": None,
            "baseline_median_tokens": None,
        },
        "losses": [loss] * losses,
        "budgets": [300, 4_000],
        "at_budgets": {
            "packed": {"recall": [0.75, 1.0], "mean_tokens": [250.4, 2_100.0]},
            "page": {"recall": [0.5, 0.875]},
            "baseline": {"recall": [0.25, 0.5]},
            "thrifty": {"recall": [0.25, 0.625], "named": [0.75, 0.75]},
        },
        **ways,
    }


def test_a_table_lines_up_and_long_questions_are_cut() -> None:
    lines = as_text(figures(1))

    assert lines[0] == "tokens of                found  median   mean  at best"
    assert lines[1] == "plait, the whole page    97.5%   1,136  1,102      148"
    assert lines[2] == "ripgrep, ranged reads    50.0%   2,000  2,500      700"
    assert lines[-1].startswith("  q1: a long long ")
    assert lines[-1].endswith("… (1,200 tokens, ripgrep 800: why)")


def test_recall_at_budgets_has_a_row_for_each_way() -> None:
    lines = as_text(figures(0))
    at = lines.index("recall at tokens                   300  4,000")

    assert lines[at + 1 : at + 7] == [
        "plait, packed                    0.750  1.000",
        "plait, page of ten               0.500  0.875",
        "ripgrep, ranged reads            0.250  0.500",
        "ripgrep, thrifty script          0.250  0.625",
        "the same, had names been enough  0.750  0.750",
        "tokens of a pack, mean             250  2,100",
    ]


@pytest.mark.parametrize("tokens", [60, 300, 2_000])
def test_the_pack_that_is_counted_is_what_the_command_prints(tokens: int, tiny: Command) -> None:
    printed = tiny("search", "timeout", "--max-tokens", str(tokens))
    settings = Settings(cache_dir=str(tiny.cache), refresh=False, mode="lexical")
    answer = open_index(tiny.folder, settings).search("timeout", limit=pool(tokens))

    assert "".join(f"{line.text}\n" for line in packed(answer, tokens)) == printed.out


def test_losses_that_are_not_shown_are_counted() -> None:
    lines = as_markdown(figures(SHOWN_LOSSES + 2))

    assert sum(line.startswith("- `q1`: ") for line in lines) == SHOWN_LOSSES
    assert lines[-1] == "2 more losses are in --format json"
