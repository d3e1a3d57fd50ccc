"""A command inside this process gets its own world, and leaves nothing of it behind."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.interfaces import in_process

ENVIRONMENT = {"PATH": os.environ["PATH"], "COLOUR": "green"}


def told(arguments: Sequence[str]) -> int:
    """Says where it is, to whoever listens, and has a child say something too."""
    print(Path.cwd().name, os.environ.get("COLOUR"), "HOME" in os.environ, *arguments)  # noqa: T201
    sys.stdout.flush()
    subprocess.run([sys.executable, "-c", "print('child')"], check=True)
    sys.stderr.write(f"{sys.stdin.read()!r} {sys.stdout.isatty()}\n")
    os.chdir("/")
    os.environ["COLOUR"] = "red"
    return 3


def test_it_has_its_own_folder_environment_and_streams_and_so_have_its_children(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "here"
    folder.mkdir()

    assert in_process.run(told, ["a", "b"], folder, ENVIRONMENT) == (
        3,
        b"here green False a b\nchild\n",
        b"'' False\n",
    )


def test_what_was_before_is_there_again_whatever_happened(tmp_path: Path) -> None:
    def world() -> tuple[object, ...]:
        return Path.cwd(), dict(os.environ), sys.stdin, sys.stdout, sys.stderr, os.fstat(1).st_ino

    def broken(arguments: Sequence[str]) -> int:
        told(arguments)
        raise LookupError

    before = world()
    with pytest.raises(LookupError):
        in_process.run(broken, [], tmp_path, ENVIRONMENT)

    assert world() == before


@pytest.mark.parametrize(("said", "code"), [(None, 0), (4, 4), ("words", 1)])
def test_an_exit_is_a_code(tmp_path: Path, said: object, code: int) -> None:
    def leaves(_: Sequence[str]) -> int:
        raise SystemExit(said)

    assert in_process.run(leaves, [], tmp_path, ENVIRONMENT)[0] == code
