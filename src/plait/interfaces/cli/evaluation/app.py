"""``plait eval``: the verbs of evaluation as one Typer application."""

from __future__ import annotations

import typer

from plait.interfaces.cli.evaluation.compare import compare
from plait.interfaces.cli.evaluation.economy import economy
from plait.interfaces.cli.evaluation.fetch import fetch
from plait.interfaces.cli.evaluation.gate import gate
from plait.interfaces.cli.evaluation.mine import mine
from plait.interfaces.cli.evaluation.report import report
from plait.interfaces.cli.evaluation.run import run


def evaluation_app() -> typer.Typer:
    """Every verb of ``plait eval``."""
    app = typer.Typer(
        rich_markup_mode=None,
        help="Measure how well plait ranks, on public datasets and on your own code.",
    )
    for name, verb in (
        ("run", run),
        ("mine", mine),
        ("compare", compare),
        ("gate", gate),
        ("report", report),
        ("fetch", fetch),
        ("economy", economy),
    ):
        app.command(name)(verb)
    return app
