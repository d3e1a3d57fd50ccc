"""Listing a plain directory: which files, in which order, by whose rule."""

from __future__ import annotations

import os
import random
import shutil
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from plait.sources import DirectorySource
from plait.sources.stamps import stamp_of
from plait.types import Listed
from tests.sources.repositories import git, paths, skipped, source, tree


def test_listing_is_in_plain_string_order(tmp_path: Path) -> None:
    tree(tmp_path, dict.fromkeys(["a/b.py", "a.py", "a-b/c.py", "a0.py", "B.py", "é.py"], "x"))

    assert paths(source(tmp_path)) == ["B.py", "a-b/c.py", "a.py", "a/b.py", "a0.py", "é.py"]


def test_deeper_gitignore_wins_over_the_one_above(tmp_path: Path) -> None:
    tree(
        tmp_path,
        {
            ".gitignore": "*.log\nbuild/\n",
            "a.log": "x",
            "sub/.gitignore": "!keep.log\n",
            "sub/keep.log": "x",
            "sub/other.log": "x",
            "build/out.py": "x",
            "sub/build/out.py": "x",
        },
    )

    assert paths(source(tmp_path)) == ["sub/keep.log"]


def test_a_folder_taken_back_in_does_not_take_back_its_files(tmp_path: Path) -> None:
    tree(
        tmp_path,
        {".gitignore": "*.log\n", "s/.gitignore": "!foo/\n", "s/foo/x.log": "x", "s/foo/y": "x"},
    )

    assert paths(source(tmp_path)) == ["s/foo/y"]


@pytest.mark.parametrize("name", [".ignore", ".plaitignore"])
def test_own_ignore_file_overrules_gitignore(tmp_path: Path, name: str) -> None:
    tree(tmp_path, {".gitignore": "*.py\n", name: "!a.py\nc.txt\n"})
    tree(tmp_path, {"a.py": "x", "b.py": "x", "c.txt": "x", "d.txt": "x"})

    assert paths(source(tmp_path)) == ["a.py", "d.txt"]
    assert paths(source(tmp_path, no_ignore=True)) == ["a.py", "b.py", "c.txt", "d.txt"]


def test_exclude_option_overrules_every_file(tmp_path: Path) -> None:
    tree(tmp_path, {".plaitignore": "!a.py\n", "a.py": "x", "b.py": "x"})

    assert paths(source(tmp_path, exclude=("a.*",))) == ["b.py"]


def test_the_users_own_ignore_file_applies(tmp_path: Path) -> None:
    root = tree(tmp_path / "root", {"a.tmp": "x", "b.py": "x"})
    tree(tmp_path, {"mine": "*.tmp\n"})

    assert paths(source(root, global_ignore=tmp_path / "mine")) == ["b.py"]


def test_hidden_names_need_asking_and_caches_never_appear(tmp_path: Path) -> None:
    tree(tmp_path, {".github/w.yml": "x", ".a": "x", "node_modules/m.js": "x", ".venv/p.py": "x"})

    assert paths(source(tmp_path)) == []
    assert paths(source(tmp_path, hidden=True)) == [".a", ".github/w.yml"]


def test_links_and_pipes_are_skipped_and_never_entered(tmp_path: Path) -> None:
    outside = tree(tmp_path / "outside", {"secret.py": "x"})
    root = tree(tmp_path / "root", {"a.py": "x"})
    (root / "file.py").symlink_to(outside / "secret.py")
    (root / "folder").symlink_to(outside)
    (root / "near.py").symlink_to("a.py")
    os.mkfifo(root / "pipe.py")

    assert paths(source(root)) == ["a.py"]
    assert skipped(source(root)) == {
        "file.py": "symlink",
        "folder": "symlink",
        "near.py": "symlink",
        "pipe.py": "special",
    }


@pytest.mark.skipif(os.name != "posix", reason="names are bytes only on POSIX")
def test_a_name_that_is_not_utf8_is_skipped_in_printable_form(tmp_path: Path) -> None:
    try:
        (Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.py"))).write_text("x")
    except OSError:
        pytest.skip("this file system takes only UTF-8")
    tree(tmp_path, {"zoo.py": "x"})

    assert skipped(source(tmp_path)) == {"bad\\xff.py": "name"}
    assert paths(source(tmp_path)) == ["zoo.py"]


def test_reasons_that_need_no_reading_are_given_by_the_listing(tmp_path: Path) -> None:
    tree(tmp_path, {"big.py": "x" * 11, "none.py": "", "a.png": "x", "key.pem": "x", "b.py": "x"})

    assert skipped(source(tmp_path, max_bytes=10)) == {
        "a.png": "binary",
        "big.py": "oversized",
        "key.pem": "secret",
        "none.py": "empty",
    }


def test_a_file_at_rest_has_a_stamp_that_names_its_state(tmp_path: Path) -> None:
    tree(tmp_path, {"old.py": "x"})
    time.sleep(0.06)

    status = (tmp_path / "old.py").lstat()
    stamp = f"1.{status.st_mtime_ns}.{status.st_ctime_ns}.{status.st_ino}"
    assert list(source(tmp_path).listing()) == [Listed("old.py", stamp)]


def test_a_file_dated_in_the_future_has_no_stamp(tmp_path: Path) -> None:
    tree(tmp_path, {"young.py": "x"})
    later = time.time() + 3600
    os.utime(tmp_path / "young.py", (later, later))

    assert list(source(tmp_path).listing()) == [Listed("young.py", "")]


def test_an_old_modification_time_does_not_hide_a_young_change(tmp_path: Path) -> None:
    tree(tmp_path, {"old.py": "x"})
    os.utime(tmp_path / "old.py", (1_600_000_000, 1_600_000_000))
    status = (tmp_path / "old.py").lstat()

    assert stamp_of(status, since=status.st_ctime_ns + 1)
    assert stamp_of(status, since=status.st_ctime_ns) == ""


PATTERN_PIECES = [
    *"a b foo * ** *** a* **a ? [ab] [!a] [^a] [a-c] [z-a] [+-9] []a] [!]a] [a".split(),
    *"[a\\] \\* \\ \\# é ?? x.log *.log .* [[:] [[:alpha]".split(),
    *"[[:alpha:]] [[:punct:]] [![:alnum:]] [[:nope:]]".split(),
]
ENTRIES = [
    *"a b c * - ] [ é foo/a foo/b/a a.d/foo x.log d/x.log d/e/x.log b.d/b.d/b foo.d/b.d/a".split(),
]


def test_one_thousand_patterns_match_what_git_says_they_match(tmp_path: Path) -> None:
    chosen = random.Random(3)
    for n in range(1000):
        parts = chosen.choices(PATTERN_PIECES, k=chosen.randint(1, 3))
        line = chosen.choice(["", "/"]) + "/".join(parts) + chosen.choice(["", "/", "  ", "\r"])
        folder = tree(tmp_path / str(n), {".gitignore": f"{line}\n"})
        tree(folder, dict.fromkeys(chosen.sample(ENTRIES, 6), "x"))

    walked = paths(source(tmp_path, hidden=True))
    git(tmp_path, "init", "-q")
    listed = git(tmp_path, "ls-files", "-z", "-co", "--exclude-standard").split("\0")

    assert walked == sorted(filter(None, listed))
    assert 2000 < len(walked) < 6900


NAMES = ["a", "b", "ab", "foo", "x.log", "[a]", "é"]
PIECES = ["a", "b", "foo", "*", "**", "*.log", "x?log", "[ab]", "[!a]", "\\[a]", "[[:alpha:]]", "?"]
entries = st.lists(st.sampled_from(NAMES), min_size=1, max_size=3).map("/".join)
lines = st.builds(
    lambda negated, rooted, parts, folder: (
        f"{'!' * negated}{'/' * rooted}{'/'.join(parts)}{'/' * folder}"
    ),
    st.booleans(),
    st.booleans(),
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=3),
    st.booleans(),
)
ignores = st.lists(lines, min_size=1, max_size=4).map("\n".join)


@example(["a/b", "a/foo/x.log"], {"": "*.log", "a": "!foo/"})
@example(["a/x.log"], {"": "[+-9x]*\n![z-a]\n[[:nope:]]\n["})
@given(
    st.lists(entries, min_size=1, max_size=8),
    st.dictionaries(st.sampled_from(["", "a", "foo", "a/b"]), ignores, max_size=3),
)
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_a_walk_agrees_with_git_on_any_ignore_files(
    tmp_path: Path, wanted: list[str], rules: dict[str, str]
) -> None:
    root = Path(tempfile.mkdtemp(dir=tmp_path))
    for path in wanted:
        file = root / path
        if not any(at.is_file() for at in (file, *file.parents)) and not file.is_dir():
            tree(root, {path: "x"})
    for folder, text in rules.items():
        if (root / folder).is_dir():
            tree(root, {f"{folder}/.gitignore".lstrip("/"): text})

    walked = [path for path in paths(source(root)) if not path.endswith(".gitignore")]
    git(root, "init", "-q")
    listed = git(root, "ls-files", "-z", "-co", "--exclude-standard").split("\0")
    shutil.rmtree(root)

    assert walked == sorted(p for p in listed if p and not p.endswith(".gitignore"))


def test_a_pattern_made_to_explode_costs_nothing(tmp_path: Path) -> None:
    tree(tmp_path, {".gitignore": "*a" * 40 + "b\n", "a" * 120: "x"})

    assert paths(DirectorySource(tmp_path)) == ["a" * 120]
