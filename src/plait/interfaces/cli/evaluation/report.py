"""``plait eval report``: what runs came to, as a page to open or a table for another program."""

from __future__ import annotations

from typing import Annotated

import typer

from plait.errors import SettingError
from plait.interfaces.cli.arguments import parameters as params

FORMATS = ("html", "md", "json", "csv")


def report(
    runs: Annotated[
        list[str], typer.Argument(metavar="RUN...", help="Folders that plait eval run wrote.")
    ],
    output: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help=f"One of {', '.join(FORMATS)}.")
    ] = "html",
    out: Annotated[
        str, typer.Option(metavar="FILE", help="The page to write; html needs it.")
    ] = "",
) -> None:
    """Report RUNs side by side: a page that needs no network, or md, json, csv to print."""
    from pathlib import Path

    from plait.evaluation.report import as_csv, as_json, markdown, write_report
    from plait.evaluation.runs import load_run
    from plait.interfaces.cli.output import emit_text, say

    params.chosen("--format", output, FORMATS)
    if (output == "html") != bool(out):
        reason = "html is written to a file" if output == "html" else f"{output} is printed"
        raise SettingError(
            f"{reason}; --out {'names it' if output == 'html' else 'is for html'}",
            hint="plait eval report RUN --out report.html",
        )
    loaded = [load_run(Path(folder)) for folder in runs]
    if output == "html":
        write_report(loaded, Path(out))
        say(f"the report is in {out}")
        return
    made = {"md": markdown, "json": as_json, "csv": as_csv}[output](loaded)
    emit_text(made.rstrip("\n"))
