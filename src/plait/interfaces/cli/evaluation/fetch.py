"""``plait eval fetch``: put a public dataset where a run finds it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plait.errors import EvaluationError, SettingError

if TYPE_CHECKING:
    from plait.evaluation.fetch.clones import Pinned
    from plait.evaluation.fetch.install import Installed
    from plait.evaluation.fetch.manifest import Entry, RemoteFile

ONLINE = frozenset({"", "0", "false", "no"})  # values of PLAIT_OFFLINE that mean no
REDRAW_SECONDS = 0.1


def fetch(
    name: Annotated[
        str, typer.Argument(metavar="[NAME]", help="A dataset; --list shows them.")
    ] = "",
    source: Annotated[
        str, typer.Option("--from", metavar="DIR", help="Copy it from a local folder.")
    ] = "",
    out: Annotated[
        str, typer.Option("--out", metavar="DIR", help="Another folder for datasets.")
    ] = "",
    clones: Annotated[
        str, typer.Option("--clones", metavar="DIR", help="Clone the repositories it is about.")
    ] = "",
    base_url: Annotated[
        str, typer.Option("--base-url", metavar="URL", help="A server to ask in place of GitHub.")
    ] = "",
    listed: Annotated[
        bool, typer.Option("--list", help="Show the datasets, their sizes and licences.")
    ] = False,
) -> None:
    """Put dataset NAME into the datasets folder. What is there and the same is left alone."""
    from plait.evaluation.fetch.places import datasets_folder
    from plait.interfaces.cli.output import emit

    folder = Path(out).expanduser() if out else datasets_folder()
    if listed:
        emit(_listing(folder))
        return
    if not name:
        raise SettingError("no dataset was named", hint="plait eval fetch --list shows them")
    is_offline = os.environ.get("PLAIT_OFFLINE", "").lower() not in ONLINE
    if source:
        from plait.evaluation.fetch.install import install_copy

        installed = install_copy(name, Path(source).expanduser(), folder)
    else:
        installed = _downloaded(name, folder, base_url, is_offline)
    emit(_summary(name, installed))
    if clones:
        _clone(installed, Path(clones).expanduser(), base_url, is_offline)


def _downloaded(name: str, folder: Path, base_url: str, is_offline: bool) -> Installed:
    from plait.evaluation.fetch.install import install_entry

    entry = _known(name)
    line = _Line(entry)
    try:
        return install_entry(
            entry, folder, mirror=base_url, is_offline=is_offline, on_bytes=line.show
        )
    finally:
        line.clear()


def _known(name: str) -> Entry:
    import difflib

    from plait.evaluation.fetch.manifest import load_manifest

    known = load_manifest()
    if name not in known:
        near = difflib.get_close_matches(name, known, 1)
        raise EvaluationError(
            f"there is no dataset {name!r} to download",
            hint=f"did you mean {near[0]}?" if near else f"known names: {', '.join(known)}",
        )
    return known[name]


def _summary(name: str, installed: Installed) -> list[str]:
    from plait.interfaces.cli.output import counted

    questions, documents, judged = installed.contents
    state = "fetched" if installed.is_new else "already there, nothing done"
    held = [counted(questions, "question"), counted(judged, "judgement")]
    if documents:
        held.append(counted(documents, "document"))
    lines = [f"{name}: {state}; {', '.join(held)}", f"in {installed.folder}"]
    return lines + [f"note: {note}" for note in installed.notes]


def _clone(installed: Installed, clones: Path, base_url: str, is_offline: bool) -> None:
    from plait.evaluation.fetch.clones import clone_pinned
    from plait.interfaces.cli.output import counted, emit, say

    if is_offline:
        raise EvaluationError(
            "nothing was cloned: plait is told to stay offline", hint="unset PLAIT_OFFLINE"
        )

    def told(repo: Pinned, problem: str) -> None:
        say(f"{repo.owner}/{repo.name} at {repo.revision[:10]}: {problem or 'cloned'}")

    made, present = clone_pinned(installed.folder, clones, base_url=base_url, on_clone=told)
    emit([f"{counted(made, 'repository')} cloned, {present} already there, in {clones}"])


def _listing(folder: Path) -> Iterator[str]:
    """Every dataset: here or not, how large, what it is, under which licence."""
    from plait.evaluation.fetch.manifest import load_manifest
    from plait.evaluation.fetch.places import fetched_names
    from plait.interfaces.cli.output import sized

    known = load_manifest()
    here = fetched_names(folder)
    width = max(map(len, [*known, *here]))
    for name, entry in known.items():
        size = sized(entry.size_bytes) if entry.files else "--from only"
        state = "here" if name in here else size
        yield f"{name:<{width}}  {state:<11}  {entry.title}"
        yield f"{'':<{width}}  {'':<11}  licence: {entry.licence}"
        if entry.notes:
            yield f"{'':<{width}}  {'':<11}  {entry.notes}"
    for name in here:
        if name not in known:
            yield f"{name:<{width}}  {'here':<11}  a dataset of your own"


class _Line:
    """How far a download has come, on a line that moves; nothing where there is no terminal."""

    def __init__(self, entry: Entry) -> None:
        self._total = entry.size_bytes
        self._have: dict[str, int] = {}
        self._next = 0.0
        self._is_terminal = sys.stderr.isatty()

    def show(self, file: RemoteFile, have: int) -> None:
        from plait.interfaces.cli.output import show_progress, sized

        self._have[file.path] = have
        now = time.monotonic()
        if self._is_terminal and now >= self._next:
            self._next = now + REDRAW_SECONDS
            done = sized(sum(self._have.values()))
            show_progress(f"fetching {done} of {sized(self._total)}")

    def clear(self) -> None:
        """Take the line away."""
        if self._is_terminal and self._have:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
