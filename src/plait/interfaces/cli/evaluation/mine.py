"""``plait eval mine``: make a dataset from a repository's history, or from its documentation."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plait.interfaces.cli.arguments import parameters as params
from plait.interfaces.cli.output import say, show_progress

if TYPE_CHECKING:
    from pathlib import Path

    from plait.evaluation.mining import Mined, MinedDocs, Progress

QUIET_SECONDS = 0.5  # what takes less is not worth a word
REDRAW_SECONDS = 0.2
LOG_SECONDS = 15.0
HISTORY, DOCS = "history", "docs"


def mine(
    repo: Annotated[
        str,
        typer.Argument(
            metavar="REPO", help="A git repository, bare or not; for documentation, any folder."
        ),
    ] = ".",
    source: Annotated[
        str, typer.Option("--from", metavar="WHAT", help=f"{HISTORY} or {DOCS}.")
    ] = HISTORY,
    out: Annotated[
        str, typer.Option(metavar="FOLDER", help="Where the cases go (default: NAME-mined).")
    ] = "",
    name: Annotated[
        str, typer.Option(metavar="NAME", help="What the repository is called, as in owner/name.")
    ] = "",
    rev: Annotated[
        str, typer.Option(metavar="REV", help="What will be searched: only what stands there.")
    ] = "HEAD",
    limit: Annotated[
        int | None,
        typer.Option(
            "-n", "--limit", metavar="N", help="Commits looked at; of documentation, cases kept."
        ),
    ] = None,
    max_files: Annotated[
        int, typer.Option(metavar="N", help="Files a commit may touch in all.")
    ] = 20,
    max_source_files: Annotated[
        int, typer.Option(metavar="N", help="Files of code it may touch, tests not counted.")
    ] = 5,
    max_symbols: Annotated[
        int | None, typer.Option(metavar="N", help="Symbols it may change, or a section name.")
    ] = None,
    body: Annotated[
        bool, typer.Option("--body", help="Ask with the body of the message too.")
    ] = False,
    form: params.PlainFormatOption = "text",
) -> None:
    """Make queries of commit subjects whose answers are the code the commits changed.

    With --from docs, make them of the sections of the documentation whose answers are the
    definitions they name. Nothing is checked out. Exit 0 if there are cases, 1 if there are none.
    """
    from dataclasses import replace
    from pathlib import Path

    from plait.evaluation.mining import DocOptions, Options, mine_docs, write_mined
    from plait.evaluation.mining import mine as dig

    params.chosen("--format", form, ("text", "json"))
    params.chosen("--from", source, (HISTORY, DOCS))
    given = {"limit": limit, "max_symbols": max_symbols}
    changes: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    line = _Line("sections" if source == DOCS else "commits")
    mined: Mined | MinedDocs
    try:
        if source == DOCS:
            chosen = replace(DocOptions(), **changes)
            mined = mine_docs(Path(repo), revision=rev, name=name, options=chosen, watch=line)
        else:
            options = replace(
                Options(max_files=max_files, max_source_files=max_source_files, body=body),
                **changes,
            )
            mined = dig(Path(repo), revision=rev, name=name, options=options, watch=line)
    finally:
        line.clear()
    folder = Path(out or f"{mined.name.replace('/', '+')}-mined")
    write_mined(folder, mined)
    _show(mined, folder, form)
    if not mined.cases:
        raise typer.Exit(1)


def _show(mined: Mined | MinedDocs, folder: Path, form: str) -> None:
    from plait.evaluation.mining import MinedDocs
    from plait.interfaces.cli.output import counted, emit, emit_json

    if isinstance(mined, MinedDocs):
        what, looked_at = "section", mined.sections
    else:
        what, looked_at = "commit", mined.commits

    with_symbols = sum(bool(case.symbols) for case in mined.cases)
    naming = sum(case.mentions_target for case in mined.cases)
    if form == "json":
        printed: dict[str, Any] = {
            "name": mined.name,
            "revision": mined.revision,
            "folder": str(folder),
            f"{what}s": looked_at,
            "cases": len(mined.cases),
            "with_symbols": with_symbols,
            "mention_target": naming,
            "languages": mined.languages,
            "left_out": dict(mined.left_out),
        }
        emit_json(printed)
        return
    languages = ", ".join(f"{count:,} {language}" for language, count in mined.languages.items())
    at = f" at {mined.revision[:12]}" if mined.revision else ""
    lines = [
        f"{mined.name}{at}: {counted(len(mined.cases), 'case')} "
        f"of {counted(looked_at, what)}" + (f" ({languages})" if languages else ""),
        f"{with_symbols:,} with symbols, {naming:,} name their target",
        "left out",
    ]
    lines += [f"  {count:>6,}  {reason}" for reason, count in mined.left_out.items()]
    emit([*lines, f"written to {folder}"])


class _Line:
    """Shows on standard error how far mining has come."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._is_terminal = sys.stderr.isatty()
        first = QUIET_SECONDS if self._is_terminal else LOG_SECONDS
        self._next = time.monotonic() + first
        self._was_shown = False

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + (REDRAW_SECONDS if self._is_terminal else LOG_SECONDS)
        self._was_shown = True
        text = f"mining {progress.commits:,}/{progress.of_commits:,} {self._what}"
        text += f", {progress.cases:,} cases"
        (show_progress if self._is_terminal else say)(text)

    def clear(self) -> None:
        if self._was_shown and self._is_terminal:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
