"""``plait clusters``: printed, as JSON, and kept from one call to the next."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.interfaces.command import Command
from tests.interfaces.tiny_model import save_model
from tests.sources.repositories import tree

SUBJECTS = {
    "mail": "mail sender recipient subject attachment inbox",
    "tax": "tax rate invoice ledger deduction receipt",
}


def source(subject: str, n: int) -> str:
    words = SUBJECTS[subject].split()
    return f"def {subject}_part{n}(value):\n    return value + {' + '.join(words[n % 3 :])}\n"


@pytest.fixture
def model(plait: Command) -> dict[str, str]:
    """A tree of two subjects, and the settings that name a model for it."""
    files = {f"{s}/part{n}.py": source(s, n) for s in SUBJECTS for n in range(6)}
    tree(plait.folder, {**files, "notes.txt": "About the inbox.\n"})
    folder = save_model(plait.cache.parent / "model", files.values())
    return {"PLAIT_MODEL": str(folder)}


def test_subjects_are_printed_with_their_words_folders_and_symbols(
    plait: Command, model: dict[str, str]
) -> None:
    done = plait("clusters", env=model)
    rows = done.out.splitlines()

    assert done.code == 0
    assert done.err.endswith("2 clusters of 12 chunks\n")
    assert len(rows) == 11
    assert rows[0].endswith("  6 chunks")
    subject = rows[1].split()[0]
    assert rows[1] == f"     {subject} 100%"
    assert set(rows[0].split()[1:-2]) <= {*SUBJECTS[subject].split(), "part"}
    assert rows[2].startswith(f"       {subject}/part")
    assert rows[2].endswith(" function")


def test_json_limit_count_and_prose(plait: Command, model: dict[str, str]) -> None:
    data = plait("clusters", "--json", "--limit", "1", env=model).json
    three = plait("clusters", "--k", "3", "--json", env=model).json
    everything = plait("clusters", "--all", "--json", env=model).json

    assert data["schema"] == "plait.clusters/1"
    assert (data["clusters_found"], len(data["clusters"]), data["chunks"]) == (2, 1, 12)
    assert data["clusters"][0]["folders"][0]["share"] == 1.0
    assert three["clusters_found"] == 3
    assert everything["chunks"] == 13


def test_after_a_change_the_clusters_are_those_of_before(
    plait: Command, model: dict[str, str]
) -> None:
    before = plait("clusters", "--json", env=model).json
    Path(plait.folder, "tax/part5.py").write_text(source("mail", 8), encoding="utf-8")
    after = plait("clusters", "--json", env=model).json

    def words(data: dict[str, Any]) -> dict[int, list[str]]:
        return {one["number"]: one["words"] for one in data["clusters"]}

    assert (before["kept"], after["kept"]) == (False, True)
    assert after["changed"] == pytest.approx(1 / 12)
    assert words(after) == words(before)
    assert sorted(one["size"] for one in after["clusters"]) == [5, 7]
    assert "kept from before (8.3% changed since)" in plait("clusters", env=model).err


def test_a_folder_without_definitions_has_no_clusters(
    plait: Command, model: dict[str, str]
) -> None:
    tree(plait.folder / "prose", {"a.txt": "mail\n"})
    done = plait("clusters", "prose", env=model)

    assert (done.code, done.out) == (1, "")
    assert "--all looks at prose" in done.err
