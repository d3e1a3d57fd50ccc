"""``plait model set``: the model that searches by meaning, from now on."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

DEFAULT = "default"


def choose(
    spec: Annotated[
        str,
        typer.Argument(
            metavar="SPEC", help="A folder, org/name of the hub, https://host/v1#name, or default."
        ),
    ],
) -> None:
    """Search with the model SPEC from now on. It is opened first; `default` goes back."""
    from plait.assembly import user_settings_file
    from plait.interfaces.cli.models.user_file import write_setting
    from plait.interfaces.cli.output import emit, say
    from plait.models.bundle import has_bundled
    from plait.models.choose import open_model
    from plait.models.hub import hub_folder

    chosen = "" if spec == DEFAULT else _absolute(spec)
    said = "model: none, this plait brings none"
    if chosen or has_bundled():
        model = open_model(chosen, hub_folder(os.environ), os.environ)
        model.questions(["where is the timeout set"])
        said = f"model: {model.name}, {model.dimension} dimensions"
    path = user_settings_file()
    write_setting(path, "model", chosen)
    emit([said, f"noted in {path}"])
    if os.environ.get("PLAIT_MODEL", chosen) != chosen:
        say("note: PLAIT_MODEL is set and wins over the file")


def _absolute(spec: str) -> str:
    """A folder by its whole path, since settings hold wherever plait is run."""
    from plait.models.choose import is_hub_name

    if "://" in spec or is_hub_name(spec):
        return spec
    return str(Path(spec).expanduser().absolute())
