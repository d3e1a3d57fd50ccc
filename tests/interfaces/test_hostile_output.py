"""Real commands over a real tree whose names, symbols and code are meant to harm who reads them.

Every file name and the folder's own name, which is the repository's, are made of control,
bidirectional and invisible characters; so is the code. No format lets one of them through, and
no line of output is there that plait did not write.
"""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import pytest

from plait.interfaces.fences import DATA_ONLY
from tests.interfaces.command import Command
from tools.attack import hostile_text as hostile

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="other file systems refuse such names"
)

ROOT = "repo\x1b[31m\u202e\u2066\x9b\n\t<b>`name"
COLORS = re.compile(r"\x1b\[[0-9;]*m")
FORMATS = ("text", "vimgrep", "md", "llm", "json", "jsonl", "sarif")
PLACE = re.compile(r"(?s)^[^\n]*:\d+")


class Hostile(Command):
    """The command beside the hostile folder."""

    def shown(self, *arguments: str) -> tuple[str, str]:
        """What a command writes, to the byte: what is no UTF-8 as single bytes."""
        code, out, err = self.raw(*arguments)
        assert code in (0, 1), err
        return out.decode("utf-8", "surrogateescape"), err.decode("utf-8", "surrogateescape")


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> Hostile:
    base = tmp_path_factory.mktemp("hostile")
    root = base / "here" / ROOT
    root.mkdir(parents=True)
    for number, name in enumerate(hostile.file_names()):
        (root / f"{name}.py").write_text(f"def zebra_{number}(giraffe):\n    return 'zebra'\n")
    (root / "di\nr\u202e").mkdir()
    (root / "di\nr\u202e" / "code.py").write_text(
        hostile.code("giraffe") + "# calm words\n" * 400, newline=""
    )
    (root / "notes.md").write_text("# giraffe \x1b[31m\u202eheading\n\ntext of the giraffe\n")
    (root / os.fsdecode(b"latin\xe9\x9b.py")).write_text("def giraffe_latin():\n    return 1\n")
    made = Hostile(base / "here", base / "cache")
    made.raw("index", ROOT, "-v")
    return made


def harmless(text: str) -> None:
    assert hostile.STEERS.isdisjoint(text), sorted(hostile.STEERS & set(text))
    assert not re.search("[\udc80-\udc9f]", text)
    lines = text.split("\n")
    assert not any(line.startswith(("good.py:1: forged", "src/good.py")) for line in lines)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("query", ["giraffe", "/giraffe/", "/zebra/"])
def test_no_format_lets_a_character_through_that_steers(
    command: Hostile, form: str, query: str
) -> None:
    if form == "sarif" and query != "giraffe":
        return
    out, err = command.shown(query, ROOT, "--format", form, "-n", "100")

    assert out.count("\n") > 10
    harmless(out)
    harmless(err)


@pytest.mark.parametrize(
    "arguments",
    [
        ("giraffe", ROOT, "--explain"),
        ("giraffe", ROOT, "-l"),
        ("giraffe", ROOT, "-c"),
        ("/zebra/", ROOT, "-l"),
        ("/zebra/", ROOT, "--json"),
        ("symbols", "zebra", ROOT),
        ("symbols", "zebra", ROOT, "--json"),
        ("def", "zebra_1", ROOT),
        ("def", "giraffe\x1b[0m", ROOT),
        ("status", ROOT),
        ("status", ROOT, "--json"),
        ("index", ROOT, "-v"),
        ("index", ROOT, "--dry-run"),
        ("index", ROOT, "--check"),
        ("index", ROOT, "--explain-ignore", f"{ROOT}/notes\x1b.md"),
        ("explain", "giraffe", f"{ROOT}/di\nr\u202e/code.py:3", ROOT),
        ("similar", f"{ROOT}/di\nr\u202e/code.py:3", ROOT, "--format", "llm"),
        ("similar", f"{ROOT}/di\nr\u202e/code.py:3", ROOT, "--json"),
        ("similar", "--duplicates", ROOT),
        ("clusters", ROOT, "--all"),
        ("grep", "-l", "zebra", ROOT),
        ("grep", "-c", "zebra", ROOT),
        ("grep", "zebra", ROOT),
        ("grep", "--vimgrep", "zebra", ROOT),
        ("grep", "--heading", "zebra", ROOT),
        ("grep", "--json", "giraffe", ROOT),
    ],
    ids=lambda arguments: (
        " ".join(arguments).replace(ROOT, "ROOT").encode("unicode_escape").decode()
    ),
)
def test_no_verb_lets_one_through(command: Hostile, arguments: tuple[str, ...]) -> None:
    out, err = command.shown(*arguments)

    assert out or err
    harmless(out)
    harmless(err)


@pytest.mark.parametrize(
    "arguments",
    [
        ("giraffe", ROOT, "--format", "text", "--color", "always"),
        ("giraffe", ROOT, "--color", "always"),
        ("/giraffe/", ROOT, "--color", "always"),
        ("symbols", "zebra", ROOT, "--color", "always"),
        ("grep", "giraffe", ROOT, "--color", "always"),
    ],
    ids=["text", "lines", "pattern", "symbols", "grep"],
)
def test_colors_are_the_only_escapes(command: Hostile, arguments: tuple[str, ...]) -> None:
    out, _ = command.shown(*arguments)

    assert "\x1b[" in out
    harmless(COLORS.sub("", out))


def test_each_line_is_a_result(command: Hostile) -> None:
    """A line break in a name begins no line, whichever character breaks it."""
    for arguments in (("giraffe", ROOT, "-n", "9"), ("grep", "zebra", ROOT)):
        out, _ = command.shown(*arguments)

        assert all(line.startswith("repo␛[31m") for line in out.splitlines())
    found = command.shown("zebra", ROOT, "--format", "jsonl", "-n", "100")[0].splitlines()
    lines = command.shown("zebra", ROOT, "-n", "100")[0].splitlines()
    assert len(found) == len(lines) > 20


def test_json_has_the_names_as_they_are(command: Hostile) -> None:
    """What is escaped to be looked at is not lost: a program gets the name itself."""
    out, _ = command.shown("zebra", ROOT, "--format", "json", "-n", "100")
    found = json.loads(out)["results"]

    assert {one["path"] for one in found} == {f"{name}.py" for name in hostile.file_names()}
    assert {one["repo"] for one in found} == {ROOT}


def test_names_that_end_in_a_zero_byte_are_the_names(command: Hostile) -> None:
    out, _ = command.shown("grep", "-l0", "zebra", ROOT)

    assert {Path(name).name for name in out.split("\0") if name} == {
        f"{name}.py" for name in hostile.file_names()
    }


def fences_of(text: str) -> list[str]:
    """The lines outside fences, as CommonMark reads a page."""
    outside, fence = [], ""
    for line in text.split("\n"):
        ticks = re.match(" {0,3}(`{3,})([^`]*)$", line)
        tildes = re.match(" {0,3}~{3,}", line)
        if fence:
            if ticks and len(ticks[1]) >= len(fence) and not ticks[2].strip():
                fence = ""
        elif ticks:
            fence = ticks[1]
        else:
            assert not tildes, line
            outside.append(line)
    assert not fence
    return outside


@pytest.mark.parametrize("query", ["giraffe", "/giraffe/"])
def test_code_cannot_leave_its_fence(command: Hostile, query: str) -> None:
    markdown, _ = command.shown(query, ROOT, "--format", "md", "-n", "100")
    for line in fences_of(markdown):
        assert re.fullmatch(r"|## (\d+\. )?`.*`|`+.*`+ \(\w+\)", line), line

    llm, _ = command.shown(query, ROOT, "--format", "llm", "-n", "100")
    first, *heads = (line for line in fences_of(llm) if line)
    assert first == DATA_ONLY
    assert all("repo" in head and "forged.py:1-2 forged" not in head for head in heads)
    assert not {"`", "<"} & set("".join(heads))


def test_what_a_doctor_finds_is_harmless(command: Hostile) -> None:
    done = command("doctor", ROOT)  # whether all is well is another question
    assert "repo" in done.out
    harmless(done.out)


def test_progress_and_errors_are_harmless(command: Hostile) -> None:
    done = command("giraffe", "no\x1b[31m\u202e\nsuch")
    assert done.code == 2
    harmless(done.err)
    (command.folder / ROOT / ".plait.toml").write_text('"bad\\u001b[31m\\u202e\\nkey" = 1\n')
    done = command("giraffe", ROOT)
    (command.folder / ROOT / ".plait.toml").unlink()
    assert done.code == 0
    assert "note: ignored: unknown setting 'bad" in done.err
    harmless(done.err)
