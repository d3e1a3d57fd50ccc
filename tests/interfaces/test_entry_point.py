"""The real command in a process of its own says what it says inside this one.

Most tests of commands run inside this process (``in_process.py``). These hold it to the truth:
each verb and each exit code, by the real entry point, with the same output to the byte.
"""

from __future__ import annotations

import re
import shlex

import pytest

from tests.interfaces.command import Command

TIMES = re.compile(r"\d+(\.\d+)?(?= ?(s|ms|MB/s|files/s)\b)")

SAME = {
    "--help": 0,
    "--version": 0,
    "search --help": 0,
    "timeout": 0,
    "timeout -n 1 --explain": 0,
    "timeout --json": 0,
    "timeout --format jsonl": 0,
    "timeout --format sarif": 0,
    "timeout --format vimgrep": 0,
    "timeout --format md": 0,
    "timeout --format llm": 0,
    "timeout --color always": 0,
    "quagga": 1,
    "/time.ut/": 0,
    "'kind:method retry'": 0,
    "lang:cobol": 1,
    "timeout --mode magic": 2,
    "timeout nowhere": 2,
    "timeout --limit none": 2,
    "grep timeout": 0,
    "grep -c timeout": 0,
    "grep quagga": 1,
    "grep (": 2,
    "def Client": 0,
    "clusters": 0,
    "symbols client.py": 0,
    "explain timeout server/limits.py:1": 0,
    "similar client.py:9": 0,
    "status": 0,
    "index --dry-run": 0,
    "index --check": 0,
    "index": 0,
    "clear": 2,
    "model list": 0,
    "eval run nowhere": 2,
}


def steady(text: str) -> str:
    """What was written, without how long it took."""
    return TIMES.sub("N", text)


@pytest.mark.parametrize("line", SAME)
def test_a_process_says_what_is_said_inside_this_one(indexed: Command, line: str) -> None:
    alone, inside = indexed.process(*shlex.split(line)), indexed(*shlex.split(line))

    assert (alone.code, steady(alone.out), steady(alone.err)) == (
        inside.code,
        steady(inside.out),
        steady(inside.err),
    )
    assert alone.code == SAME[line]
