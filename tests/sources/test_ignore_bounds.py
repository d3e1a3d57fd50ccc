"""An ignore file may be anybody's: it costs little, leads nowhere and waits for nobody."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from plait.sources import rule_file
from plait.sources.globs import expression, options, trimmed
from plait.sources.ignore import MAX_PATTERNS, Rules, parse_rules
from plait.sources.notes import MAX_NOTES
from tests.sources.repositories import paths, source, tree

posix = pytest.mark.skipif(os.name != "posix", reason="makes links and pipes")
PIECES = [b"*", b"**", b"/", b"a", b"b", b".c", b"?", b"[ab]", b"!", b"\\a", b"ab", b"**/", b" "]


def last_by_expression(content: bytes, path: bytes) -> int | None:
    """The last line whose expression matches, each tried by itself."""
    last = None
    for number, raw in enumerate(content.split(b"\n"), 1):
        body = trimmed(raw).removeprefix(b"!")
        if raw.startswith(b"#") or not body.removesuffix(b"/"):
            continue
        regex = expression(body.removesuffix(b"/"), only_folders=body.endswith(b"/"))
        if regex is not None and re2.compile(regex, options()).search(path) is not None:
            last = number
    return last


@pytest.mark.parametrize("few", [0, 100])
@given(
    lines=st.lists(st.lists(st.sampled_from(PIECES), min_size=1, max_size=5), max_size=6),
    names=st.lists(st.sampled_from("a b ab .c a.c b.c c".split()), min_size=1, max_size=4),
    end=st.sampled_from(["", "/"]),
)
def test_looking_up_and_matching_come_to_the_same(
    few: int, lines: list[list[bytes]], names: list[str], end: str
) -> None:
    content = b"\n".join(b"".join(line) for line in lines)
    path = ("/".join(names) + end).encode()
    before, rule_file.FEW = rule_file.FEW, few
    try:
        rules = parse_rules(content, "x")
    finally:
        rule_file.FEW = before
    found = rules.decide(path) if rules else None

    assert (found.line if found else None) == last_by_expression(content, path)


MEGABYTE = {
    "names": b"".join(b"name%06d\n" % n for n in range(90_000)),
    "paths": b"".join(b"/a/b%06d\n" % n for n in range(95_000)),
    "endings": b"".join(b"*.e%06d\n" % n for n in range(95_000)),
    "letters": b"a\n" * 500_000,
    "blanks": b"\n" * 1_000_000,
    "stars": b"".join(b"*a*b*c%05d*\n" % n for n in range(70_000)),
    "folders": b"".join(b"**/s*/**/p*/**/s*/**/f*%dz*\n" % n for n in range(32_000)),
    "classes": b"".join(b"[Nn]ame[a-z]%05d\n" % n for n in range(58_000)),
    "one line": b"*a" * 500_000,
    "one class": b"[" + b"a-z" * 330_000 + b"]",
    "backslashes": b"\\" * 1_000_000,
    "zeros": b"\0" * 1_000_000,
}


@pytest.mark.parametrize("kind", MEGABYTE)
def test_a_megabyte_of_rules_costs_little(kind: str, tmp_path: Path) -> None:
    """48 CPU seconds on every search, once."""
    files = {f"src/p{n % 7}/sub/f{n}.py": "x = 1\n" for n in range(300)}
    root = tree(tmp_path, files)
    (root / ".ignore").write_bytes(MEGABYTE[kind])
    began = time.process_time()
    listed = source(root)

    assert len(paths(listed)) == 300
    assert time.process_time() - began < 3


def test_a_file_that_is_cut_says_from_where_on(tmp_path: Path) -> None:
    root = tree(tmp_path, {"a.py": "x\n", "b.py": "x\n", "c.py": "x\n"})
    names = b"".join(b"n%d\n" % n for n in range(MAX_PATTERNS))
    (root / ".ignore").write_bytes(b"a.py\n" + names + b"b.py\n")
    listed = source(root)

    assert paths(listed) == ["b.py", "c.py"]
    (note,) = listed.notes
    assert note == ".ignore is not applied from line 50,001 on: too many patterns"


def test_a_file_beyond_a_megabyte_is_cut_at_a_line(tmp_path: Path) -> None:
    root = tree(tmp_path, {"a.py": "x\n", "long.py": "x\n", "c.py": "x\n"})
    (root / ".ignore").write_bytes(b"a.py\n" + b"#" * (1 << 20) + b"\nc.py\n")
    listed = source(root)

    assert paths(listed) == ["c.py", "long.py"]
    assert listed.notes == (".ignore is not applied: only its first 1,048,576 bytes are",)


def test_many_files_in_force_may_cost_no_more_than_one(tmp_path: Path) -> None:
    stars = "".join(f"*a*b*{n}*\n" for n in range(900))
    deep = "/".join("abcdefgh")
    files = {f"{deep[: 2 * n + 1]}/.ignore": stars for n in range(8)}
    root = tree(tmp_path, {**files, f"{deep}/x.py": "x\n"})
    listed = source(root)

    assert paths(listed) == [f"{deep}/x.py"]
    assert "too many patterns with stars and brackets" in listed.notes[0]


def test_a_tree_of_ignore_files_gives_a_few_notes(tmp_path: Path) -> None:
    files: dict[str, str] = {f"d{n}/x.py": "x\n" for n in range(50)}
    root = tree(tmp_path, files)
    for n in range(50):
        (root / f"d{n}" / ".ignore").mkdir()
    listed = source(root)

    assert len(paths(listed)) == 50
    assert len(listed.notes) == MAX_NOTES + 1
    assert listed.notes[-1] == "and 42 more of the kind"


@posix
@pytest.mark.parametrize("name", [".gitignore", ".ignore", ".plaitignore"])
def test_a_pipe_for_an_ignore_file_is_not_waited_for(name: str, tmp_path: Path) -> None:
    root = tree(tmp_path, {"a.py": "x\n", "sub/b.py": "x\n"})
    os.mkfifo(root / "sub" / name)
    listed = source(root)

    assert paths(listed) == ["a.py", "sub/b.py"]
    assert listed.notes == (f"sub/{name} is not applied: not a regular file",)


@posix
def test_a_link_for_an_ignore_file_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("*.py\n", encoding="utf-8")
    root = tree(tmp_path / "root", {"a.py": "x\n"})
    (root / ".ignore").symlink_to(tmp_path / "outside")
    listed = source(root)

    assert paths(listed) == ["a.py"]
    assert listed.notes == (".ignore is not applied: links are not followed",)


@posix
@pytest.mark.parametrize("kind", ["pipe", "folder", "huge", "devnull"])
def test_the_users_own_ignore_file_is_not_waited_for_either(kind: str, tmp_path: Path) -> None:
    root = tree(tmp_path / "root", {"a.py": "x\n"})
    file = tmp_path / "ignore"
    if kind == "pipe":
        os.mkfifo(file)
    elif kind == "folder":
        file.mkdir()
    elif kind == "huge":
        with file.open("wb") as out:
            out.truncate(1 << 30)
    else:
        file = Path(os.devnull)
    listed = source(root, global_ignore=file)

    assert paths(listed) == ["a.py"]
    assert [note.partition(" is not applied: ")[0] for note in listed.notes] == (
        [] if kind == "devnull" else [str(file)]
    )


def test_rules_of_many_lines_are_compiled_only_when_asked() -> None:
    content = b"".join(b"*a*b%d*\n" % n for n in range(800))
    began = time.process_time()
    for _ in range(20):
        Rules.start(()).within("", [".ignore"], lambda _: content)

    assert time.process_time() - began < 2
