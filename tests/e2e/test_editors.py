"""Editors that call ripgrep call plait instead and see the same places."""

from __future__ import annotations

import base64
import json
import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.interfaces.command import PLAIT, SECONDS, Command

CORPUS = Path(__file__).parents[1] / "fixtures" / "corpus"
ODD = {
    "odd/été.py": "zoë = 'Session'  # ☕ Session, session\n",
    "odd/space in name.md": "A session: 1:2:3\n",
    "odd/tabs.go": "\tsession\tsession\n",
    "odd/last.txt": "no line break after session",
}
PATTERNS = ["session", "def", r"[A-Z]\w+\(", r"^\s*return", "zebra"]
BY_RIPGREP = ("rg", "--no-unicode", "--sort", "path")
BY_PLAIT = (*PLAIT, "grep")

pytestmark = pytest.mark.skipif(shutil.which("rg") is None, reason="there is no ripgrep")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Command:
    """A project that is indexed, and the environment of its editor."""
    base = tmp_path_factory.mktemp("editors")
    shutil.copytree(CORPUS, base / "project")
    for path, text in ODD.items():
        file = base / "project" / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, "utf-8")
    command = Command(base / "project", base / "cache")
    assert command("index").code == 0
    return command


# ---------------------------------------------------------------- Vim's quickfix list

COLLECT = "map(getqflist(), '[bufname(v:val.bufnr), v:val.lnum, v:val.col, v:val.text]')"


def quickfix(project: Command, program: Sequence[str], pattern: str) -> list[tuple[Any, ...]]:
    """The places Vim lists after ``:grep!`` with a program that prints lines for it."""
    out = project.folder.parent / "quickfix.json"
    out.unlink(missing_ok=True)
    commands = [
        f"let &grepprg = {json.dumps(shlex.join([*program, '--vimgrep']))}",
        "set grepformat=%f:%l:%c:%m",
        f"silent grep! {shlex.quote(pattern)}",
        f"call writefile([json_encode({COLLECT})], {json.dumps(str(out))})",
        "qall!",
    ]
    subprocess.run(
        ["vim", "-es", "-N", "-u", "NONE", "-i", "NONE", "-n", *(f"+{one}" for one in commands)],
        cwd=project.folder,
        env=project.environment({"LC_ALL": "C.UTF-8"}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=SECONDS,
        check=False,  # in this mode Vim reports 1 for any message
    )
    return [tuple(place) for place in json.loads(out.read_text("utf-8"))]


@pytest.mark.skipif(shutil.which("vim") is None, reason="there is no Vim")
@pytest.mark.parametrize("pattern", PATTERNS)
def test_vim_lists_the_same_places(project: Command, pattern: str) -> None:
    ours = quickfix(project, BY_PLAIT, pattern)
    theirs = quickfix(project, BY_RIPGREP, pattern)

    assert set(ours) == set(theirs)
    assert len(ours) == len(theirs)
    assert bool(ours) is (pattern != "zebra")


@pytest.mark.skipif(shutil.which("vim") is None, reason="there is no Vim")
def test_vim_lists_the_best_places_first(project: Command) -> None:
    first = quickfix(project, BY_PLAIT, "issue_token")[0]

    assert first[0] == "api/accounts/sessions.py"
    assert first[3].startswith("def issue_token(")


# ---------------------------------------------------------------- an extension that reads --json


class Place(NamedTuple):
    """A match as an editor marks it: characters, not bytes."""

    path: str
    line: int
    begin: int
    end: int
    text: str


def pieces(project: Command, program: Sequence[str]) -> Iterator[bytes]:
    """What a program prints, cut anywhere."""
    with subprocess.Popen(
        program,
        cwd=project.folder,
        env=project.environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        while piece := os.read(process.stdout.fileno(), 777):
            yield piece


def decoded(value: dict[str, str]) -> bytes:
    return value["text"].encode() if "text" in value else base64.b64decode(value["bytes"])


def places(stream: Iterator[bytes]) -> Iterator[Place]:
    """Matches, each as soon as its message is complete."""
    rest = b""
    for piece in stream:
        *whole, rest = (rest + piece).split(b"\n")
        for message in map(json.loads, whole):
            if message["type"] != "match":
                continue
            data = message["data"]
            line = decoded(data["lines"])
            for found in data["submatches"]:
                begin = len(line[: found["start"]].decode())
                text = decoded(found["match"]).decode()
                yield Place(
                    decoded(data["path"]).decode(),
                    data["line_number"],
                    begin,
                    begin + len(text),
                    text,
                )
    assert rest == b""


@pytest.mark.parametrize("pattern", PATTERNS)
def test_an_extension_reads_the_same_matches(project: Command, pattern: str) -> None:
    flags = ["--json", "--hidden", "--no-require-git", "--no-config", "--crlf"]
    rest = ["--ignore-case", "--regexp", pattern, "--", "."]
    ours = list(places(pieces(project, [*BY_PLAIT, *flags, *rest])))
    theirs = list(places(pieces(project, [*BY_RIPGREP, *flags, *rest])))

    assert sorted(ours) == sorted(theirs)
    assert bool(ours) is (pattern != "zebra")
