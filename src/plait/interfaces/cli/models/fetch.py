"""``plait model fetch``: have a model of the Hugging Face hub here."""

from __future__ import annotations

import os
import sys
import time
from typing import Annotated

import typer

REDRAW_SECONDS = 0.1


def fetch(
    name: Annotated[
        str, typer.Argument(metavar="ID[@REVISION]", help="A model of the hub, such as org/name.")
    ],
    weights: Annotated[
        str, typer.Option("--weights", metavar="FILE", help="Which weights, if it has several.")
    ] = "",
    accept: Annotated[
        bool, typer.Option("--accept", help="Take what the hub has now, even if it has changed.")
    ] = False,
) -> None:
    """Fetch a model from the hub, every file proved. What is here and right stays."""
    from plait.assembly import user_settings_file
    from plait.interfaces.cli.output import counted, emit, sized
    from plait.models.hub import HubId, hub_address, hub_folder, is_offline
    from plait.models.hub_fetch import fetch_model
    from plait.models.lock import NAME

    line = _Line()
    try:
        fetched = fetch_model(
            HubId.parse(name),
            hub=hub_folder(os.environ),
            address=hub_address(os.environ),
            lock=user_settings_file().parent / NAME,
            weights=weights,
            accept=accept,
            is_offline=is_offline(os.environ),
            on_bytes=line.show,
        )
    finally:
        line.clear()
    state = "fetched" if fetched.is_new else "already here, nothing done"
    size = sum((fetched.folder / file.path).stat().st_size for file in fetched.files)
    held = f"; {counted(len(fetched.files), 'file')}, {sized(size)}" if size else ""
    emit(
        [
            f"{fetched.wanted.id} at {fetched.revision[:12]}: {state}{held}",
            f"in {fetched.folder}",
            f"to search with it: plait model set {name}",
        ]
    )


class _Line:
    """How far a download has come, on a line that moves; nothing where there is no terminal."""

    def __init__(self) -> None:
        self._is_terminal = sys.stderr.isatty()
        self._next = 0.0
        self._was_shown = False

    def show(self, path: str, have: int, total: int | None) -> None:
        from plait.interfaces.cli.output import show_progress, sized

        now = time.monotonic()
        if self._is_terminal and now >= self._next:
            self._next = now + REDRAW_SECONDS
            self._was_shown = True
            of = f" of {sized(total)}" if total else ""
            show_progress(f"fetching {path}: {sized(have)}{of}")

    def clear(self) -> None:
        """Take the line away."""
        if self._was_shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
