"""Many repositories into one collection: several at a time, each in a process of its own.

Each repository is one commit, so it is there as a whole or not at all. What goes wrong with
one, even the end of its process, is told and leaves the others alone. Vectors are made here,
for whatever has been committed by then, so that no two processes make the same.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, replace

from plait import children
from plait.errors import PlaitError, SettingError
from plait.symbols.workers import Message, receive, send

MODULE = "plait.interfaces.cli.cluster.processes"
END_S = 60.0  # a process that is told to end takes back what it wrote


@dataclass(frozen=True, slots=True)
class Task:
    """One repository to be indexed."""

    path: str
    store: str
    hidden: bool
    no_ignore: bool
    workers: int  # parse processes
    include_secrets: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a repository: a line to print, or an error."""

    path: str
    line: str = ""
    details: tuple[str, ...] = ()
    error: str = ""
    hint: str = ""


def check_names(paths: Sequence[str]) -> None:
    """Every repository of a collection has a name of its own.

    Raises:
        SettingError: Two of the folders have one name.
    """
    from pathlib import Path

    from plait.sources import root_of

    known: dict[str, str] = {}
    for path in paths:
        try:
            name = root_of(Path(path)).directory.name
        except PlaitError:
            continue  # told when its turn comes
        if name in known:
            raise SettingError(
                f"{known[name]} and {path} would both be called {name!r} in the collection",
                hint="index one of them by itself, with --name",
            )
        known[name] = path


class Processes:
    """Runs tasks, so many at a time."""

    def __init__(self, jobs: int) -> None:
        self._threads = ThreadPoolExecutor(jobs, thread_name_prefix="plait-index")
        self._running: set[subprocess.Popen[bytes]] = set()

    def outcomes(self, tasks: Sequence[Task]) -> Iterator[Outcome]:
        """What became of each task, as soon as it is known.

        Whoever stops listening stops what is going on.
        """
        left: set[Future[Outcome]] = {self._threads.submit(self._run, task) for task in tasks}
        try:
            while left:
                done, left = wait(left, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        finally:
            self._threads.shutdown(wait=False, cancel_futures=True)
            for process in list(self._running):
                _interrupt(process)
            self._threads.shutdown(wait=True)

    def _run(self, task: Task) -> Outcome:
        try:
            process = children.start_plait(MODULE, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except (OSError, PlaitError) as error:
            return Outcome(task.path, error=f"its process could not be started: {error}")
        assert process.stdin is not None
        assert process.stdout is not None
        self._running.add(process)
        try:
            with suppress(OSError), process.stdin:
                send(process.stdin, Message(asdict(task)))
            reply = receive(process.stdout)
        finally:
            process.stdout.close()
            _ended(process)
            self._running.discard(process)
        if reply is None:
            return Outcome(task.path, error=f"its process ended ({process.returncode})")
        return Outcome(**{**reply.value, "details": tuple(reply.value["details"])})


def _ended(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(END_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _interrupt(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        os.kill(process.pid, signal.SIGINT)


def work() -> None:
    """Index one repository: the whole life of a process."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever is printed must not look like the outcome
    try:
        asked = receive(requests)
        if asked is None:
            return
        task = Task(**asked.value)
        send(replies, Message(asdict(_outcome(task))))
    except KeyboardInterrupt:
        return


def _outcome(task: Task) -> Outcome:
    try:
        return _indexed(task)
    except PlaitError as error:
        return Outcome(task.path, error=str(error), hint=error.hint)
    except Exception as error:  # noqa: BLE001 - the last stop: anything else is a bug
        return Outcome(task.path, error=f"plait has a bug: {type(error).__name__}: {error}")


def _indexed(task: Task) -> Outcome:
    from plait.interfaces.cli.indexing.report import details, summary
    from plait.interfaces.cli.opened import open_path

    begin = time.monotonic()
    opened = open_path(
        task.path,
        hidden=task.hidden,
        no_ignore=task.no_ignore,
        include_secrets=task.include_secrets,
        store=task.store,
    )
    index = opened.index.with_settings(replace(opened.index.settings, workers=task.workers))
    with closing(index):
        report = index.refresh()
    line = summary(index, report, time.monotonic() - begin)[0]
    return Outcome(task.path, line, tuple(details(index, report)))


if __name__ == "__main__":
    work()
