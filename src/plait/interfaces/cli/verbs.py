"""The verbs as one Typer application."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from plait.interfaces.cli.cluster.store import store_app
from plait.interfaces.cli.evaluation.app import evaluation_app
from plait.interfaces.cli.indexing.clear import clear
from plait.interfaces.cli.indexing.index import index
from plait.interfaces.cli.indexing.status import status
from plait.interfaces.cli.lines.grep import grep
from plait.interfaces.cli.meaning.clusters import clusters
from plait.interfaces.cli.meaning.similar import similar
from plait.interfaces.cli.models.app import model_app
from plait.interfaces.cli.searching.definition import define
from plait.interfaces.cli.searching.explain import explain
from plait.interfaces.cli.searching.search import search
from plait.interfaces.cli.searching.symbols import symbols
from plait.interfaces.cli.tools.completion import completion
from plait.interfaces.cli.tools.doctor import doctor

if TYPE_CHECKING:
    from typer.core import TyperGroup


def _grep(context: typer.Context) -> None:
    """Print every line that matches, with ripgrep's options: plait grep --help."""
    raise typer.Exit(grep(context.args))


def command() -> TyperGroup:
    """Every verb, ready to be given arguments."""
    app = typer.Typer(
        rich_markup_mode=None,  # Rich's help page costs 0.3 s of CPU
        add_completion=False,
        context_settings={"help_option_names": ["--help", "-h"]},
    )
    for name, verb in (
        ("search", search),
        ("grep", _grep),
        ("symbols", symbols),
        ("def", define),
        ("explain", explain),
        ("similar", similar),
        ("clusters", clusters),
        ("index", index),
        ("status", status),
        ("clear", clear),
        ("doctor", doctor),
        ("completion", completion),
    ):
        app.command(name)(verb)
    app.add_typer(evaluation_app(), name="eval")
    app.add_typer(model_app(), name="model")
    app.add_typer(store_app(), name="store")
    made: TyperGroup = typer.main.get_group(app)
    return made
