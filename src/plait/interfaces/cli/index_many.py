"""Many repositories into one collection: several at a time, each in a process of its own.

Each repository is one commit, so it is there as a whole or not at all. What goes wrong with
one, even the end of its process, is told and leaves the others alone. Vectors are made here,
for whatever has been committed by then, so that no two processes make the same.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from plait.errors import PlaitError, SettingError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

END_S = 60.0  # a process that is told to end takes back what it wrote


@dataclass(frozen=True, slots=True)
class Task:
    """One repository to be indexed."""

    path: str
    store: str
    hidden: bool
    no_ignore: bool
    workers: int  # parse processes


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
        self._running: set[SpawnProcess] = set()

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
        context = multiprocessing.get_context("spawn")
        receiving, sending = context.Pipe(duplex=False)
        process = context.Process(target=_work, args=(task, sending))
        process.start()
        self._running.add(process)
        sending.close()
        try:
            outcome: Outcome = receiving.recv()
        except EOFError:
            process.join(END_S)
            outcome = Outcome(task.path, error=f"its process ended ({process.exitcode})")
        finally:
            receiving.close()
            process.join(END_S)
            if process.is_alive():
                process.kill()
                process.join()
            self._running.discard(process)
        return outcome


def _interrupt(process: SpawnProcess) -> None:
    if process.pid is not None and process.is_alive():
        os.kill(process.pid, signal.SIGINT)


def _work(task: Task, sending: Connection) -> None:
    """Index one repository: the whole life of a process."""
    try:
        outcome = _indexed(task)
    except KeyboardInterrupt:
        return
    except PlaitError as error:
        outcome = Outcome(task.path, error=str(error), hint=error.hint)
    except Exception as error:  # noqa: BLE001 - the last stop: anything else is a bug
        outcome = Outcome(task.path, error=f"plait has a bug: {type(error).__name__}: {error}")
    sending.send(outcome)
    sending.close()


def _indexed(task: Task) -> Outcome:
    from plait.interfaces.cli.index_report import details, summary
    from plait.interfaces.cli.opened import open_path

    begin = time.monotonic()
    opened = open_path(task.path, hidden=task.hidden, no_ignore=task.no_ignore, store=task.store)
    index = replace(opened.index, settings=replace(opened.index.settings, workers=task.workers))
    with closing(index):
        report = index.refresh()
    line = summary(index, report, time.monotonic() - begin)[0]
    return Outcome(task.path, line, tuple(details(index, report)))
