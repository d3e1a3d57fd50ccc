"""Reading commits, the files they touched and the lines they changed, from real repositories."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from plait.errors import SourceError
from plait.evaluation.mining.diffs import FileDiff, Line, read_diffs
from plait.evaluation.mining.history import read_commits, read_touched
from plait.sources.blobs import Blobs
from plait.sources.git import Bounds, run_git
from tests.evaluation.mining.histories import History


def last_diffs(history: History) -> list[FileDiff]:
    """The diffs of the newest commit."""
    repo = history.write()
    [(_, diffs)] = read_diffs(repo, [history.id_of()])
    assert diffs is not None
    return diffs


def lines(kept: list[Line]) -> list[tuple[int, str]]:
    return [(line.row, line.text.decode()) for line in kept]


def test_commits_come_newest_first_with_all_they_say(tmp_path: Path) -> None:
    history = History(tmp_path / "r")
    history.commit("first", {"a.py": "1\n"})
    history.commit("second thing", {"a.py": "2\n"}, body="Line one.\n\nLine two.")
    repo = history.write()
    second, first = read_commits(repo, "main", 10)

    assert (second.subject, second.body) == ("second thing", "Line one.\n\nLine two.")
    assert (second.author, second.email) == ("Ada Lovelace", "ada@example.org")
    assert second.date == "2023-11-16T22:13:20+00:00"
    assert second.parents == (first.id,)
    assert first.parents == ()
    assert [commit.subject for commit in read_commits(repo, "main", 1)] == ["second thing"]


def test_a_long_message_is_cut_and_no_secret_in_two(tmp_path: Path) -> None:
    key = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    history = History(tmp_path / "r")
    subject = "s" * 980 + f" {key} " + "s" * 50_000
    history.commit(subject, {"a.py": "1\n"}, body="é " * 9_000 + key)
    [commit] = read_commits(history.write(), "main", 10)

    assert (len(commit.subject), len(commit.body)) == (1_000, 9_999)
    assert key[:6] not in commit.subject + commit.body


def test_a_mask_that_ends_within_a_character_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = History(tmp_path / "r")
    history.commit("Größe", {"a.py": "1\n"})
    cut = SimpleNamespace(text="Größe".encode()[:3] + b"*")
    monkeypatch.setattr("plait.evaluation.mining.history.masked", lambda _: cut)

    assert read_commits(history.write(), "main", 10)[0].subject == "Gr\ufffd*"


def test_a_history_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot read the history"):
        read_commits(tmp_path, "main", 10)


def test_any_path_is_read_as_it_is(tmp_path: Path) -> None:
    odd = ["tab\there.py", 'quote".py', "line\nbreak.py", os.fsdecode(b"latin-\xe9.py"), "ü.py"]
    history = History(tmp_path / "r")
    history.commit("first", {path: f"{path!r}\n" for path in odd})
    touched = read_touched(history.write(), [history.id_of()])

    assert sorted(file.path for file in touched[history.id_of()]) == sorted(odd)


def test_links_and_modes_are_no_content(tmp_path: Path) -> None:
    history = History(tmp_path / "r")
    history.commit("first", {"a.py": "1\n"})
    history.commit("second", {"link.py": "a.py"}, mode="120000")
    history.commit("third", {"a.py": "1\n"}, mode="100755")
    repo = history.write()
    touched = read_touched(repo, [history.id_of("main~1"), history.id_of()])

    assert list(touched.values()) == [[], []]


def test_a_merge_touches_nothing_and_the_first_commit_everything(tmp_path: Path) -> None:
    history = History(tmp_path / "r")
    history.commit("first", {"a.py": "1\n"})
    history.commit("side", {"b.py": "1\n"})
    history.commit("other", {"c.py": "1\n"}, parents=[1])
    history.commit("merge", {"b.py": "1\n"}, parents=[3, 2])
    repo = history.write()
    ids = {commit.subject: commit.id for commit in read_commits(repo, "main", 10)}
    touched = read_touched(repo, list(ids.values()))

    assert ids["merge"] not in touched
    assert [file.path for file in touched[ids["first"]]] == ["a.py"]
    assert touched[ids["first"]][0].before == ""


def test_lines_are_told_apart_by_side_with_their_rows(tmp_path: Path) -> None:
    history = History(tmp_path / "r")
    history.commit("first", {"a.py": "one\ntwo\nthree\nfour\n"})
    history.commit("second", {"a.py": "one\nTWO\nthree\nfour\nfive"})
    [diff] = last_diffs(history)

    assert lines(diff.removed) == [(1, "two")]
    assert lines(diff.added) == [(1, "TWO"), (4, "five")]


def test_a_file_may_end_without_a_newline(tmp_path: Path) -> None:
    history = History(tmp_path / "r")
    history.commit("first", {"a.py": "one\ntwo"})
    history.commit("second", {"a.py": "one\nTWO"})
    [diff] = last_diffs(history)

    assert (lines(diff.removed), lines(diff.added)) == ([(1, "two")], [(1, "TWO")])


def test_lines_that_were_only_broken_anew_are_no_change(tmp_path: Path) -> None:
    history = History(tmp_path / "r")
    history.commit("first", {"a.py": "f(a, b)\nkeep\ng(a, b)\n"})
    history.commit("second", {"a.py": "f(\n  a,\n  b)\nkeep\ng(\n  a,\n  c)\n"})
    [diff] = last_diffs(history)

    assert lines(diff.removed) == [(2, "g(a, b)")]
    assert lines(diff.added) == [(4, "g("), (5, "  a,"), (6, "  c)")]


def test_a_line_knows_the_rows_around_it_on_the_other_side(tmp_path: Path) -> None:
    history = History(tmp_path / "r")
    history.commit("first", {"a.py": "one\ntwo\nthree\nfour\nfive\n"})
    history.commit("second", {"a.py": "one\nfour\nFIVE\nsix\n"})
    [diff] = last_diffs(history)

    assert [(line.row, line.around) for line in diff.removed] == [
        (1, (0, 1)),
        (2, (0, 1)),
        (4, (1, 4)),
    ]
    assert [(line.row, line.around) for line in diff.added] == [(2, (3, 5)), (3, (3, 5))]


def test_lines_that_look_like_headers_are_lines(tmp_path: Path) -> None:
    tricky = "@@ -1 +1 @@\nindex 0123456789012345678901234567890123456789..0\ndiff --git a b\n"
    history = History(tmp_path / "r")
    history.commit("first", {"a.py": "x\n"})
    history.commit("second", {"a.py": f"x\n{tricky}{'a' * 40}\n-- y\n", "b.py": "z\n"})
    diffs = last_diffs(history)

    assert len(diffs) == 2
    assert lines(diffs[0].added) == list(enumerate([*tricky.splitlines(), "a" * 40, "-- y"], 1))
    assert lines(diffs[1].added) == [(0, "z")]


def test_white_space_and_blank_lines_are_no_change(tmp_path: Path) -> None:
    history = History(tmp_path / "r")
    history.commit("first", {"a.py": "if x:\n  y()\nz()\n", "b.py": "a\nb\n"})
    history.commit("second", {"a.py": "if x:\n\n    y( )\nZ()\n", "b.py": "a\n\n\n\tb\n"})
    [diff] = last_diffs(history)

    assert lines(diff.removed) == [(2, "z()")]
    assert lines(diff.added) == [(3, "Z()")]


def test_a_file_that_moved_is_compared_with_what_it_was(tmp_path: Path) -> None:
    text = "".join(f"line {number}\n" for number in range(30))
    history = History(tmp_path / "r")
    history.commit("first", {"a.py": text, "same.py": "s\n" * 30})
    history.commit(
        "second",
        {
            "a.py": None,
            "b/a.py": text.replace("line 7\n", "seven\n"),
            "same.py": None,
            "b/same.py": "s\n" * 30,
        },
    )
    [diff] = last_diffs(history)

    assert lines(diff.removed) == [(7, "line 7")]
    assert lines(diff.added) == [(7, "seven")]


def test_a_commit_whose_blob_is_missing_does_not_take_the_others_with_it(tmp_path: Path) -> None:
    history = History(tmp_path / "r")
    for number in range(5):
        history.commit(f"commit {number}", {"a.py": f"{number}\n", f"{number}.py": "x\n"})
    repo = history.write()
    commits = [commit.id for commit in read_commits(repo, "main", 10)]
    lost = history.id_of("main~2:a.py")
    _unpack(repo)
    (repo / ".git" / "objects" / lost[:2] / lost[2:]).unlink()

    assert [diffs is None for _, diffs in read_diffs(repo, commits)] == [
        *(False, True, True, False, False)
    ]


def test_a_file_too_large_to_be_indexed_has_no_patch(tmp_path: Path) -> None:
    history = History(tmp_path / "r")
    history.commit("first", {"a.py": "x\n", "b.py": "x\n"})
    history.commit("second", {"a.py": "x\n" * (1 << 20), "b.py": "y\n"})

    assert [lines(diff.added) for diff in last_diffs(history)] == [[], [(0, "y")]]


@pytest.mark.parametrize("limit", ["ALL_SECONDS", "BATCH_SECONDS", "BATCH_BYTES"])
def test_commits_that_take_too_much_have_no_diffs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    history = History(tmp_path / "r")
    for number in range(3):
        history.commit(f"commit {number}", {"a.py": f"{number}\n"})
    repo = history.write()
    commits = [commit.id for commit in read_commits(repo, "main", 10)]
    monkeypatch.setattr(f"plait.evaluation.mining.diffs.{limit}", 0)

    assert list(read_diffs(repo, commits)) == [(commit, None) for commit in commits]


@pytest.mark.skipif(sys.platform != "linux", reason="the memory of another process is limited")
def test_git_takes_no_more_memory_than_it_may(tmp_path: Path) -> None:
    history = History(tmp_path / "r")
    history.commit("first", {"a.py": "x\n"}, body="b" * (32 << 20))
    repo = history.write()
    wanted = history.id_of().encode()
    usual, little = (
        run_git(repo, "cat-file", "--batch", stdin=wanted, bounds=bounds)
        for bounds in (None, Bounds(memory_bytes=24 << 20))
    )

    assert usual.code == 0
    assert little.code != 0
    assert "memory" in little.complaint


def test_no_blob_larger_than_asked_for_is_read(tmp_path: Path) -> None:
    history = History(tmp_path / "r")
    history.commit("first", {"a.py": "x" * 100, "b.py": "y"})
    with Blobs(history.write()) as blobs:
        assert blobs.read("main:a.py", 99) is None
        assert blobs.read("main:b.py", 99) == b"y"
        assert blobs.read("main:a.py", 100) == b"x" * 100


def _unpack(repo: Path) -> None:
    """Have every object lie in a file of its own."""
    import subprocess

    for pack in (repo / ".git" / "objects" / "pack").glob("*.pack"):
        moved = repo / pack.name
        pack.rename(moved)
        pack.with_suffix(".idx").unlink()
        with moved.open("rb") as stream:
            subprocess.run(
                ["git", "-C", str(repo), "unpack-objects", "-q"], stdin=stream, check=True
            )
