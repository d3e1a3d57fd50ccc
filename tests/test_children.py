"""Children: where programs are found, and where code may be imported from."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import plait
from plait import children
from plait.import_path import trusted

HOME = str(Path(plait.__file__).resolve().parent.parent)


def test_what_depends_on_the_current_folder_is_not_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, elsewhere = tmp_path / "here", tmp_path / "elsewhere"
    (here / "src").mkdir(parents=True)
    elsewhere.mkdir()
    (tmp_path / "link").symlink_to(here)
    monkeypatch.chdir(here)
    entries = ["", ".", "src", str(here), str(here / "src"), str(tmp_path / "link"), str(elsewhere)]
    monkeypatch.setattr(sys, "path", [*entries, HOME])

    assert trusted() == [str(elsewhere), HOME]
    assert trusted(str(here / "src")) == [str(here / "src"), str(elsewhere), HOME]
    assert trusted("") == [str(elsewhere), HOME]


@pytest.mark.parametrize("folder", [HOME, sys.prefix, sys.base_prefix, os.sep])
def test_plait_and_the_library_are_trusted_wherever_one_stands(
    monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    installed = [entry for entry in sys.path if "site-packages" in entry]
    monkeypatch.chdir(folder)

    kept = trusted()

    assert {HOME, str(Path(os.__file__).parent), *installed} <= {*kept}


def test_a_child_imports_what_its_parent_can(tmp_path: Path) -> None:
    done = children.run_code(
        "import plait.index.prepare, sys; print(sys.flags.isolated)", timeout_s=60
    )

    assert (done.stdout, done.stderr) == (b"1\n", b"")


def test_a_program_is_never_taken_from_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        folder.mkdir()
        (folder / "tool").write_text("#!/bin/sh\n", encoding="utf-8")
        (folder / "tool").chmod(0o755)
    monkeypatch.chdir(here)

    for path in ("", ".", os.pathsep, f".{os.pathsep}", str(here), "../here"):
        monkeypatch.setenv("PATH", path)
        assert children.program("tool") is None
        monkeypatch.setenv("PATH", f"{path}{os.pathsep}{there}")
        assert children.program("tool") == str(there / "tool")


def test_a_program_without_its_whole_path_is_not_run() -> None:
    with pytest.raises(FileNotFoundError):
        children.run(["git", "--version"], timeout_s=5)


def test_the_empty_folder_goes_with_the_process_and_comes_back_if_somebody_removes_it() -> None:
    script = (
        "from plait import children; import os; a = children.empty_folder(); os.rmdir(a);"
        "b = children.empty_folder(); assert b == children.empty_folder(); print(b)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )

    assert not Path(done.stdout.strip()).exists()
