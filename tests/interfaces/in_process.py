"""A command run inside this process: its own streams, folder and environment, and all put back.

What cannot be seen so is tested by a process of its own: signals, pipes that close, terminals,
what starting costs, and the exit code of the real entry point.
"""

from __future__ import annotations

import io
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO

STREAMS = ("stdin", "stdout", "stderr")  # by their numbers


def run(
    main: Callable[[Sequence[str]], int],
    arguments: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
) -> tuple[int, bytes, bytes]:
    """The exit code of a command, and what it and its children wrote."""
    with ExitStack() as around:
        out, err = (around.enter_context(tempfile.TemporaryFile()) for _ in range(2))
        nothing = around.enter_context(Path(os.devnull).open("rb"))
        with at(folder), only(environment), streams(nothing, out, err):
            try:
                code = main(arguments)
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else int(bool(end.code))
        return code, written(out), written(err)


def written(file: BinaryIO) -> bytes:
    """All of a file, from its beginning."""
    file.seek(0)
    return file.read()


@contextmanager
def at(folder: Path) -> Iterator[None]:
    """The working directory for a while."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@contextmanager
def only(environment: Mapping[str, str]) -> Iterator[None]:
    """This environment and nothing of the other, for a while."""
    before = dict(os.environ)
    _replace(environment)
    try:
        yield
    finally:
        _replace(before)


def _replace(environment: Mapping[str, str]) -> None:
    for name in os.environ.keys() - environment.keys():
        del os.environ[name]
    os.environ.update(environment)


@contextmanager
def streams(*files: BinaryIO) -> Iterator[None]:
    """Standard input, output and error for a while, for children and for ``sys`` alike."""
    for name in STREAMS[1:]:
        getattr(sys, name).flush()
    before = {name: getattr(sys, name) for name in STREAMS}
    saved = [os.dup(number) for number in range(3)]
    try:
        for number, file in enumerate(files):
            os.dup2(file.fileno(), number)
        for number, name in enumerate(STREAMS):
            raw = open(number, "wb" if number else "rb", closefd=False)  # noqa: SIM115
            setattr(sys, name, io.TextIOWrapper(raw, "utf-8", write_through=number == 2))
        yield
    finally:
        for number, name in enumerate(STREAMS):
            if getattr(sys, name) is not before[name]:
                getattr(sys, name).close()  # which leaves the descriptor open
            setattr(sys, name, before[name])
            os.dup2(saved[number], number)
            os.close(saved[number])
