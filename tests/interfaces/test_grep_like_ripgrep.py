"""``plait grep`` prints what ``rg`` prints, byte for byte, and ends as it ends."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plait.interfaces.cli.main import main

pytestmark = pytest.mark.skipif(shutil.which("rg") is None, reason="there is no ripgrep")

CORPUS = Path(__file__).parents[1] / "fixtures" / "corpus"
RIPGREP = ("rg", "--no-unicode", "--sort", "path")
EDGES = {
    "edges/a/z.py": b"foo in a folder\r\nbar\r\n",
    "edges/a.py": b"foo bar foo\n\tbaz Foo\nx = foo(bar)\nnone\nnone2\nnone3\nnone4\nlast foo\n",
    "edges/b.py": b"foo no newline at end\n\xc3\xa9t\xc3\xa9 foo\nend foo",
    "edges/long.py": b"foo = '" + b"0123456789" * 12 + b" foo'\nbar = 'short'\n",
    "edges/blank.md": b"\n\nfoo\n\n",
    "edges/-dash.txt": b"--flag foo\n",
    "edges/with space.txt": b"foo: 1\n",
}

CONSULT = (
    "--null --line-buffered --color=never --max-columns=1000 --path-separator / --smart-case "
    "--no-heading --with-filename --line-number -e foo"
)
TEXT = [
    # which lines
    "foo",
    "-n foo",
    "-n -i FOO",
    "-n -s Foo",
    "-n -S foo",
    "-n -S Foo",
    "-n -i -s FOO",
    "-n -F foo(bar)",
    "-n -F -i FOO(",
    "-n -w foo",
    "-n -w no.e",
    "-n -x none.?",
    "-n -x -F none",
    "-n -e foo -e none",
    "-n -e -flag",
    "-n -- --flag",
    "-n -v foo edges",
    "-v -c e",
    "-n ^$",
    "-n ^\\s*def\\s+\\w+",
    "-n (?i)session|token",
    "-n [[:upper:]]{4,}",
    "-n \\bdef\\b.*->",
    "-n zebra",
    "-n -m 1 def",
    "-n -m 2 -v def",
    "-m 0 foo",
    # which files
    "-n foo edges",
    "-n foo edges/",
    "-n foo .",
    "-n foo ./edges",
    "foo edges/a.py",
    "-n foo edges/a.py",
    "-H foo edges/a.py",
    "-n foo edges/b.py edges/a.py",
    "-n foo edges/b.py edges/a",
    "-I foo",
    "-l foo -g *.py",
    "-l foo -g !a.py",
    "-l foo -g !a",
    "-l foo -g edges/*.py",
    "-l foo -g /edges/a/*.py",
    "-l foo edges -g edges/a/*",
    "-l foo -g *.{py,md} -g !b.py",
    "-l def -t py",
    "-l e -T py -T md",
    "-l token -t md -t go",
    "-l def -t go -g /api/**",
    "-l def -t go -g !/api/**",
    "-n foo edges/a.py -t md -g !a.py",
    "-n foo edges/a.py docs -t go",
    # what is printed
    "-n -A 1 none",
    "-n -B 2 last",
    "-n -C 1 baz|last",
    "-C 2 foo edges",
    "-n -C 30 foo edges",
    "-n -m 1 -A 2 none4 edges",
    "-n -A 1 -v foo edges",
    "-c foo",
    "-c foo edges/a.py",
    "--count-matches foo",
    "-c -o foo",
    "-c -v foo",
    "-c -m 1 foo",
    "-c --count-matches foo",
    "--count-matches -c foo",
    "-l foo",
    "-l foo edges/a.py",
    "-l -v foo",
    "-q foo",
    "-q zebra",
    "-o foo",
    "-n -o [a-z]+_[a-z]+",
    "-n -o --column foo",
    "-n -o -C 1 baz",
    "-o -v -n foo edges",
    "--column foo",
    "-N --column foo",
    "--vimgrep foo",
    "--vimgrep -i FOO|bar",
    "--vimgrep -v foo edges",
    "--vimgrep -A 1 baz",
    "--vimgrep x* edges/a.py",
    "-n -o x* edges/a.py",
    "-0 -n foo",
    "-0 -l foo",
    "-0 -c foo",
    "--heading -n foo",
    "--heading -n -C 1 foo",
    "--no-heading -n foo",
    "--trim -n baz",
    "--trim --vimgrep baz",
    "--trim -n -o \\s*baz",
    "-n -M 20 foo",
    "-M 20 --vimgrep foo",
    "-M 20 -C 1 bar edges/long.py",
    "-M 20 --max-columns-preview -n foo",
    "-M 8 -n -o foo",
    "-M 2 -n -o foo",
    "--color always foo",
    "--color always -n --column foo",
    "--color always --heading -n -C 1 foo",
    "--color always --vimgrep foo",
    "--color always -l foo",
    "--color always -c foo",
    "--color always -0 -n foo",
    "--color always -n -o foo",
    "--color always none|\\d",
    "-p foo",
    # over lines
    "-n -U baz.Foo\\nx",
    "-n -U -o baz.Foo\\nx",
    "-U -c none\\n",
    "-U --count-matches none\\d?\\nnone",
    "-U --vimgrep baz.Foo\\nx",
    "-n -U --multiline-dotall baz.*none3",
    "-n -U foo edges",
    "-U -c e edges",
    # as editors call it
    "--color=never --no-heading --with-filename --line-number --column --smart-case -- foo",
    CONSULT,
    "--column --line-number --no-heading --color=always --smart-case -- Foo",
    "-nH --no-heading -e foo",
    # what is no error
    "-n --line-buffered --no-messages --no-config -j 2 --mmap --crlf zebra",
    "-n --color never --no-ignore-parent --no-require-git --follow foo",
]

JSON = [
    "--json foo edges",
    "--json -A 1 -B 1 baz edges",
    "--json -v foo edges",
    "--json -i FOO edges/b.py",
    "--json -m 1 foo edges",
    "--json zebra",
    "--json -U baz.Foo\\nx edges",
    "--json -U none\\d?\\nnone edges",
    "--json -U e edges",
    "--json x* edges/a.py",
    "--json -w def",
    "--json -N foo edges/a.py",
]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corpus, and some files that are odd."""
    base = tmp_path_factory.mktemp("like-ripgrep")
    shutil.copytree(CORPUS, base / "tree")
    for path, content in EDGES.items():
        file = base / "tree" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return base / "tree"


Run = Callable[[str], tuple[int, bytes]]


@pytest.fixture
def plait(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> Run:
    """``plait grep`` in the tree, by path: its status and what it printed."""
    monkeypatch.chdir(tree)
    monkeypatch.setenv("PLAIT_CACHE_DIR", str(tree.parent / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tree.parent / "cache"))
    monkeypatch.setenv("PLAIT_MODE", "lexical")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)

    def run(line: str) -> tuple[int, bytes]:
        code = main(["grep", "--sort", "path", *line.split(" ")])
        captured = capfdbinary.readouterr()
        assert b"error" not in captured.err, captured.err
        return code, captured.out

    return run


def ripgrep(tree: Path, line: str) -> tuple[int, bytes]:
    env = {name: value for name, value in os.environ.items() if name != "RIPGREP_CONFIG_PATH"}
    done = subprocess.run(
        [*RIPGREP, *line.split(" ")],
        cwd=tree,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert done.returncode < 2, done.stderr
    return done.returncode, done.stdout


@pytest.mark.parametrize("line", TEXT)
def test_text_is_the_same_byte_for_byte(tree: Path, plait: Run, line: str) -> None:
    assert plait(line) == ripgrep(tree, line)


def comparable(out: bytes) -> list[dict[str, Any]]:
    """Messages without what differs from run to run."""
    messages = [json.loads(line) for line in out.splitlines()]
    for message in messages:
        message["data"].pop("elapsed_total", None)
        stats = message["data"].get("stats", {})
        for name in ("elapsed", "bytes_searched", "searches"):
            stats.pop(name, None)
    return messages


@pytest.mark.parametrize("line", JSON)
def test_messages_are_the_same(tree: Path, plait: Run, line: str) -> None:
    code, out = plait(line)
    expected_code, expected = ripgrep(tree, line)

    assert comparable(out) == comparable(expected)
    assert code == expected_code


def test_keys_come_in_the_same_order(tree: Path, plait: Run) -> None:
    def keys(out: bytes) -> list[list[str]]:
        return [
            [*message, *message["data"], *message["data"].get("stats", {})]
            for message in map(json.loads, out.splitlines())
        ]

    line = "--json -C 1 baz edges"
    assert keys(plait(line)[1]) == keys(ripgrep(tree, line)[1])
