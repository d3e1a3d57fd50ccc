"""``plait model``: the verbs of models as one Typer application."""

from __future__ import annotations

import typer

from plait.interfaces.cli.models.bench import bench
from plait.interfaces.cli.models.choose import choose
from plait.interfaces.cli.models.fetch import fetch
from plait.interfaces.cli.models.listing import listing


def model_app() -> typer.Typer:
    """Every verb of ``plait model``."""
    app = typer.Typer(
        rich_markup_mode=None,
        help="Choose, fetch and measure the model that searches by meaning.",
    )
    for name, verb in (("list", listing), ("fetch", fetch), ("set", choose), ("bench", bench)):
        app.command(name)(verb)
    return app
