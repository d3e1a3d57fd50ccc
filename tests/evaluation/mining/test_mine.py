"""Mining real repositories, from a commit's words to the symbols that still stand."""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from plait.errors import SettingError, SourceError
from plait.evaluation.mining import Case, Mined, Options, Progress, mine
from tests.evaluation.mining.histories import History, git

STORE = '''\
import os


class Store:
    """Keeps sessions."""

    def load(self, key):
        return self.rows[key]

    def save(self, key, row):
        self.rows[key] = row
        self.flush()

    def flush(self):
        os.sync()
'''
BOT = "renovate[bot] <renovate@example.org>"


def mined(repo: Path, **chosen: int | bool) -> Mined:
    return mine(repo, name="r", workers=1, options=Options(**chosen))  # type: ignore[arg-type]  # short


def by_subject(found: Mined) -> dict[str, Case]:
    return {case.subject: case for case in found.cases}


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One commit for each reason to leave one out, and a few that are cases."""
    history = History(tmp_path_factory.mktemp("mined") / "store")
    add = history.commit
    add("Initial commit", {"store.py": STORE, "cli.py": "def main():\n    return 1\n"})
    add(
        "Guard session rows by a lock",
        {"store.py": STORE.replace("self.rows[key]\n", "self.rows.get(key)\n")},
    )
    add("Merge branch 'x' into main", {"cli.py": "def main():\n    return 2\n"}, parents=[2, 1])
    add('Revert "Open the flood gates"', {"cli.py": "def main():\n    return 3\n"})
    add("Release 1.0", {"cli.py": "def main():\n    return 4\n"})
    add("Serialize rows lazily on demand", {"cli.py": "def main():\n    return 5\n"}, author=BOT)
    add("Bump deps", {"cli.py": "def main():\n    return 6\n"})
    add("Fix typo in session flushing", {"cli.py": "def main():\n    return 7\n"})
    add("fixup! Guard session rows", {"cli.py": "def main():\n    return 8\n"})
    add("Indent session flushing by four", {"cli.py": "def main():\n        return 8\n"})
    add("Explain session flushing to newcomers", {"cli.py": "# Why.\ndef main():\n    return 8\n"})
    add("Poke", {"cli.py": "# Why.\ndef main():\n    return 9\n"})
    add("Widen the session key space", {"cli.py": "def main():\n    return 10\n"})
    add("Widen the session key space", {"cli.py": "def main():\n    return 11\n"})
    add("Cover session flushing from outside", {"tests/test_store.py": "def test():\n    pass\n"})
    add("Probe session flushing in concert", {"a/int_test/x.py": "def test():\n    pass\n"})
    add("Explain session flushing in prose", {"README.md": "Sessions.\n"})
    add("Describe wheel contents for packagers", {"setup.py": "setup()\n"})
    add("Colour the session page green", {"page.css": "a {}\n"})
    add("Sweep session rows everywhere", {f"n{n}.txt": "x" for n in range(21)})
    add("Spread session rows over modules", {f"m{n}.py": f"ROWS_{n} = 1\n" for n in range(6)})
    many = "".join(f"def f{n}():\n    return {n}\n\n\n" for n in range(11))
    add("Split session rows into functions", {"many.py": many})
    add("Archive stale session rows nightly", {"gone.py": "def archive():\n    return 1\n"})
    add(
        "Thaw archived session rows on demand",
        {"gone.py": "def archive():\n    return 2\n", "cli.py": "def main():\n    return 13\n"},
    )
    add("Tidy away", {"gone.py": None})
    add("Flush session rows through a queue", {"store.py": STORE.replace("os.sync()", "queue()")})
    add("Undo it", {"store.py": STORE}, body="This reverts commit 0000000.")
    add(
        "Teach cli about `old_name`",
        {"cli.py": "def old_name():\n    pass\n\n\ndef main():\n    return old_name()\n"},
    )
    add("Poke again", {"cli.py": "def main():\n    return 12\n"})
    return history.write()


@pytest.fixture(scope="module")
def found(repo: Path) -> Mined:
    return mined(repo)


def test_every_commit_is_a_case_or_counted_by_its_reason(found: Mined) -> None:
    assert dict(found.left_out) == {
        "bot": 1,
        "build files": 1,
        "comments only": 1,
        "dependency update": 1,
        "duplicate subject": 2,
        "fixup": 2,
        "formatting": 1,
        "merge": 1,
        "names what is gone": 1,
        "no source file": 1,
        "nothing left": 2,
        "release": 1,
        "revert": 2,
        "short subject": 3,
        "tests or docs": 3,
        "too many files": 1,
        "too many source files": 1,
        "too many symbols": 1,
        "whitespace or move only": 1,
    }
    assert found.commits == len(found.cases) + sum(found.left_out.values())


def test_reasons_come_most_frequent_first(found: Mined) -> None:
    counts = list(found.left_out.values())

    assert counts == sorted(counts, reverse=True)


def test_a_case_has_the_symbol_that_still_stands(found: Mined, repo: Path) -> None:
    cases = by_subject(found)

    assert set(cases) == {"Guard session rows by a lock", "Flush session rows through a queue"}
    case = cases["Guard session rows by a lock"]
    assert case.commit == git(repo, "log", "--format=%H", "--grep=Guard session rows by").strip()
    assert case == Case(
        id=f"r-{case.commit[:12]}",
        text="Guard session rows by a lock",
        commit=case.commit,
        date="2023-11-16T22:13:20+00:00",
        subject="Guard session rows by a lock",
        language="python",
        files=("store.py",),
        symbols=("store.py::Store.load",),
        mentions_target=False,
    )


def test_a_bare_clone_gives_the_same_and_nothing_is_checked_out(
    found: Mined, repo: Path, tmp_path: Path
) -> None:
    bare = tmp_path / "bare.git"
    subprocess.run(["git", "clone", "-q", "--bare", str(repo), str(bare)], check=True)
    again = mined(bare)

    assert replace(again, repository="") == replace(found, repository="")
    assert [item.name for item in repo.iterdir()] == [".git"]


def test_the_limits_are_those_asked_for(repo: Path) -> None:
    few = mined(repo, max_files=30, max_source_files=6, max_symbols=11, limit=10)

    assert few.commits == 10
    assert "too many files" not in few.left_out
    assert "Split session rows into functions" in by_subject(few)
    assert by_subject(few)["Spread session rows over modules"].files == tuple(
        f"m{n}.py" for n in range(6)
    )


def test_another_revision_has_other_answers(repo: Path) -> None:
    older = mine(repo, revision="main~4", name="r", workers=1)

    assert "Archive stale session rows nightly" not in by_subject(older)
    assert "Flush session rows through a queue" not in by_subject(older)
    oldest = mine(repo, revision="main~5", name="r", workers=1)
    assert by_subject(oldest)["Archive stale session rows nightly"].symbols == ("gone.py::archive",)


def test_progress_ends_with_every_commit_and_case(repo: Path, found: Mined) -> None:
    seen: list[tuple[int, int, int]] = []

    def watch(progress: Progress) -> None:
        seen.append((progress.commits, progress.of_commits, progress.cases))

    mine(repo, workers=1, watch=watch)

    assert seen == sorted(seen)
    assert seen[-1] == (found.commits, found.commits, len(found.cases))


def test_the_body_is_asked_only_on_demand(tmp_path: Path) -> None:
    history = History(tmp_path / "r")
    history.commit("First", {"a.py": "def load():\n    return 1\n"})
    history.commit(
        "Guard session rows by locks",
        {"a.py": "def load():\n    return 2\n"},
        body="Two threads raced in load.\n\nCloses #4",
    )
    repo = history.write()
    [plain], [full] = mined(repo).cases, mined(repo, body=True).cases

    assert plain.text == "Guard session rows by locks"
    assert not plain.mentions_target
    assert full.text == "Guard session rows by locks\nTwo threads raced in load."
    assert full.mentions_target


def test_lines_taken_away_point_at_where_they_stood(tmp_path: Path) -> None:
    history = History(tmp_path / "r")
    history.commit("First", {"store.py": STORE})
    history.commit(
        "Never sync session rows on saving",
        {"store.py": STORE.replace("        self.flush()\n", "")},
    )
    [case] = mined(history.write()).cases

    assert case.symbols == ("store.py::Store.save",)


def test_a_renamed_function_counts_by_its_new_name(tmp_path: Path) -> None:
    history = History(tmp_path / "r")
    history.commit("First", {"store.py": STORE})
    renamed = STORE.replace("def flush", "def write_out").replace("self.flush", "self.write_out")
    history.commit("Call session flushing by its right name", {"store.py": renamed})
    [case] = mined(history.write()).cases

    assert case.symbols == ("store.py::Store.save", "store.py::Store.write_out")


def test_a_moved_file_counts_only_by_the_lines_that_changed(tmp_path: Path) -> None:
    history = History(tmp_path / "r")
    history.commit("First", {"store.py": STORE, "same.py": STORE.replace("Store", "Other")})
    history.commit(
        "Place session modules under one roof",
        {
            "store.py": None,
            "same.py": None,
            "sessions/store.py": STORE.replace("os.sync()", "os.fsync(0)"),
            "sessions/same.py": STORE.replace("Store", "Other"),
        },
    )
    [case] = mined(history.write()).cases

    assert case.files == ("sessions/store.py",)
    assert case.symbols == ("sessions/store.py::Store.flush",)


def test_a_path_that_is_no_text_is_never_an_answer(tmp_path: Path) -> None:
    odd = os.fsdecode(b"caf\xe9.py")
    paths = (odd, "b.py", "c.py")
    history = History(tmp_path / "r")
    history.commit("First", dict.fromkeys(paths, "def f():\n    return 1\n"))
    history.commit(
        "Answer coffee orders in sequence", dict.fromkeys(paths, "def f():\n    return 2\n")
    )
    history.commit("Brew coffee orders in parallel", {odd: "def f():\n    return 3\n"})
    found = mined(history.write())

    assert [case.files for case in found.cases] == [("b.py", "c.py")]
    assert found.left_out["nothing left"] == 1


LANGUAGES = {
    "a.py": ("class Store:\n    def load(self):\n        return 1\n", "Store.load"),
    "a.go": (
        "package a\n\ntype Store struct{}\n\nfunc (s *Store) Load() int {\n\treturn 1\n}\n",
        "Store.Load",
    ),
    "a.rs": (
        "struct Store;\n\nimpl Store {\n    fn load(&self) -> u8 {\n        return 1;\n    }\n}\n",
        "Store.load",
    ),
    "a.js": ("class Store {\n  load() {\n    return 1;\n  }\n}\n", "Store.load"),
    "a.ts": ("class Store {\n  load(): number {\n    return 1;\n  }\n}\n", "Store.load"),
    "Store.java": ("class Store {\n  int load() {\n    return 1;\n  }\n}\n", "Store.load"),
    "a.rb": ("class Store\n  def load\n    return 1\n  end\nend\n", "Store.load"),
    "a.c": ("int load(void)\n{\n    return 1;\n}\n", "load"),
    "a.php": ("<?php\nclass Store {\n  function load() {\n    return 1;\n  }\n}\n", "Store.load"),
}


@pytest.mark.slow  # loads nine grammars
def test_symbols_are_found_in_every_language(tmp_path: Path) -> None:
    history = History(tmp_path / "r")
    for path, (text, _) in LANGUAGES.items():
        history.commit("First", {path: text})
        telling = f"Answer differently in {path.replace('.', ' ')} dialect"
        history.commit(telling, {path: text.replace("return 1", "return 2")})
    found = {case.files[0]: case.symbols for case in mined(history.write()).cases}

    assert found == {path: (f"{path}::{name}",) for path, (_, name) in LANGUAGES.items()}


def test_overloads_are_told_apart_by_their_signatures(tmp_path: Path) -> None:
    overloads = "  int load() {\n    return 0;\n  }\n  int load(int x) {\n    return 1;\n  }\n"
    text = f"class Store {{\n{overloads}}}\n"
    history = History(tmp_path / "r")
    history.commit("First", {"Store.java": text})
    history.commit(
        "Answer loads by row number", {"Store.java": text.replace("return 1", "return x")}
    )
    [case] = mined(history.write()).cases

    assert case.symbols == ("Store.java::Store.load#2",)


def test_the_name_of_a_repository_is_its_folders(tmp_path: Path) -> None:
    history = History(tmp_path / "things.git", bare=True)
    history.commit("First", {"a.py": "x = 1\n"})

    assert mine(history.write(), workers=1).name == "things"


def test_what_cannot_be_mined_is_said(tmp_path: Path) -> None:
    history = History(tmp_path / "r")
    history.commit("First", {"a.py": "x = 1\n"})
    repo = history.write()

    with pytest.raises(SourceError, match="no commit 'nowhere'"):
        mine(repo, revision="nowhere")
    with pytest.raises(SourceError, match="no commit 'HEAD'"):
        mine(tmp_path / "missing")
    with pytest.raises(SettingError, match="max_files must be at least 1, got 0"):
        Options(max_files=0)
