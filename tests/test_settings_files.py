"""A settings file of a stranger is read within bounds, or not at all and that is said."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from plait.beneath import Refused
from plait.errors import SettingError
from plait.settings import Settings, load_settings, read_settings
from plait.settings_files import MAX_BYTES, expect_simple, parsed

FILES = ("pyproject.toml", ".plait.toml")
LIMIT_7 = {"pyproject.toml": "[tool.plait]\nlimit = 7\n", ".plait.toml": "limit = 7\n"}

posix = pytest.mark.skipif(os.name != "posix", reason="makes links and pipes")


def link_out(file: Path) -> None:
    outside = file.parent.parent / "outside.toml"
    outside.write_text(LIMIT_7[file.name], encoding="utf-8")
    file.symlink_to(outside)


def sparse(file: Path) -> None:
    with file.open("wb") as out:
        out.write(b"# plait\n")
        out.truncate(300 << 20)


def written(text: str) -> Callable[[Path], None]:
    def write(file: Path) -> None:
        file.write_text("plait = 1\n" + text, encoding="utf-8")

    return write


UNREADABLE = [
    pytest.param(link_out, "links are not followed", id="a link out of the root"),
    pytest.param(lambda f: f.symlink_to("/dev/zero"), "links are", id="a link to a device"),
    pytest.param(lambda f: f.symlink_to(f.name), "links are", id="a link to itself"),
    pytest.param(os.mkfifo, "not a regular file", id="a pipe"),
    pytest.param(Path.mkdir, "this is a folder", id="a folder"),
    pytest.param(sparse, "314572800 bytes, more than 262144", id="300 MB"),
    pytest.param(written("a = " + "[" * 100_000), "nested more than 32 deep", id="brackets"),
    pytest.param(written("a = " + "{b=" * 5_000), "nested more than 32 deep", id="braces"),
    pytest.param(written("a." * 100_000 + "b = 1"), "more than 32 parts", id="a dotted key"),
    pytest.param(written('"".' * 50_000), "more than 32 parts", id="a key of empty parts"),
]


@posix
@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(("make", "reason"), UNREADABLE)
def test_what_cannot_be_trusted_is_not_read_and_the_rest_still_counts(
    make: Callable[[Path], None], reason: str, name: str, tmp_path: Path
) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (other,) = set(FILES) - {name}
    (root / other).write_text(LIMIT_7[other], encoding="utf-8")
    make(root / name)
    began = time.process_time()

    settings, notes = read_settings(root, {})

    assert settings == Settings(limit=7)
    (note,) = notes
    assert note.startswith(f"{name} is not read: ")
    assert reason in note
    assert time.process_time() - began < 2


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(
    ("raw", "reason"), [(b"plait \xff", "'utf-8' codec"), (b"plait = ", "Invalid value")]
)
def test_a_projects_file_that_is_not_toml_is_not_read(
    raw: bytes, reason: str, name: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(raw)
    settings, (note,) = read_settings(tmp_path, {})

    assert settings == Settings()
    assert note.startswith(f"{name} is not read: {reason}")


@posix
def test_the_users_own_file_may_be_a_link_but_not_a_pipe(tmp_path: Path) -> None:
    (tmp_path / "real.toml").write_text("limit = 3\n", encoding="utf-8")
    (tmp_path / "link.toml").symlink_to("real.toml")
    os.mkfifo(tmp_path / "pipe.toml")

    assert load_settings(None, {}, tmp_path / "link.toml").limit == 3
    with pytest.raises(SettingError, match=r"cannot read .*pipe\.toml: not a regular file"):
        load_settings(None, {}, tmp_path / "pipe.toml")


@pytest.mark.parametrize(
    "text",
    [
        f'a = "{"[" * 99}"',
        f"a = '{'.' * 99}'",
        f"# {'[' * 99}\n",
        f'a = """\n{"{ [ " * 99}\\"""{"." * 99}"""\n',
        f"a = '''{'[' * 99}'''",
        "a = [" + "[1.5], " * 99 + "]",
        "".join(f"[tool.t{n}]\nversion.of.it = 1\n" for n in range(99)),
        "a = " + "[" * 32 + "]" * 32,
        ".".join("abcdefgh") + " = 1",
    ],
)
def test_brackets_and_dots_in_strings_and_comments_are_no_nesting(text: str) -> None:
    expect_simple(text)
    parsed(text.encode())


@pytest.mark.parametrize("text", ['"' * MAX_BYTES, '"""\\' + '\\"' * 100_000, "'" * MAX_BYTES])
def test_looking_text_over_takes_linear_time(text: str) -> None:
    began = time.process_time()
    expect_simple(text)

    assert time.process_time() - began < 2


def test_more_than_the_limit_is_not_parsed() -> None:
    with pytest.raises(Refused, match="more than 262144"):
        parsed(b"#" * (MAX_BYTES + 1))
