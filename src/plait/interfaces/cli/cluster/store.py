"""``plait store``: copy a collection on a cluster away, and bring it back."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from plait.interfaces.cli.arguments import parameters as params

if TYPE_CHECKING:
    from plait.stores.cluster.operations.operations import Operations

RepositoryArgument = Annotated[
    str, typer.Argument(metavar="REPOSITORY", help="Where snapshots are, as the cluster calls it.")
]
NameArgument = Annotated[
    str, typer.Argument(metavar="NAME", help="Of the snapshot: lower-case letters, digits, -.")
]


def store_app() -> typer.Typer:
    """Every verb of ``plait store``."""
    app = typer.Typer(
        rich_markup_mode=None,
        help="Copy a collection on a cluster away, and bring it back.",
    )
    for name, verb in (
        ("repository", repository),
        ("snapshot", snapshot),
        ("snapshots", snapshots),
        ("restore", restore),
    ):
        app.command(name)(verb)
    return app


def repository(
    name: Annotated[str, typer.Argument(metavar="REPOSITORY", help="What to call it.")],
    location: Annotated[
        str,
        typer.Option(
            "--location",
            metavar="PATH",
            help="A folder that every node can write to and lists in path.repo.",
        ),
    ],
    store: params.StoreOption = "",
) -> None:
    """Let the cluster keep snapshots in a folder. Other kinds, such as S3, an administrator
    makes; any that the cluster knows will do."""
    from plait.interfaces.cli.output import emit

    with closing(_opened(store)) as operations:
        operations.register(name, location)
    emit([f"snapshots can be put in {name} ({location})"])


def snapshot(
    repository: RepositoryArgument,
    name: NameArgument,
    store: params.StoreOption = "",
) -> None:
    """Copy the collection as it is now. Searches go on; commits wait until copying has begun."""
    from plait.interfaces.cli.output import counted, emit

    with closing(_opened(store)) as operations:
        made = operations.snapshot(repository, name)
    shards = counted(made.shards, "shard")
    what = f"generation {made.generation} of {made.index} is in {repository}/{name}"
    took = f"{shards} in {made.seconds:.1f} s; commits waited for {made.held_s:.1f} s"
    emit([f"{what}: {took}"])


def snapshots(
    repository: RepositoryArgument,
    store: params.StoreOption = "",
) -> None:
    """List the snapshots of collections. Exit 1 if there are none."""
    from plait.interfaces.cli.output import emit, say

    with closing(_opened(store)) as operations:
        found = operations.snapshots(repository)
    emit(
        f"{one.name}  {one.when}  generation {one.generation} of {one.collection}  {one.state}"
        for one in found
    )
    if not found:
        say(f"{repository} has no snapshot of a collection")
        raise typer.Exit(1)


def restore(
    repository: RepositoryArgument,
    name: NameArgument,
    replace: Annotated[
        bool,
        typer.Option(
            "--replace", help="Put it in the place of the collection there is, all at once."
        ),
    ] = False,
    store: params.StoreOption = "",
) -> None:
    """Bring a collection back, under the name in the address, and read all of it once.

    Exit 2 if something is wrong with what came back.
    """
    from plait.interfaces.cli.output import emit, say

    with closing(_opened(store)) as operations:
        made = operations.restore(repository, name, is_replacing=replace)
        place = str(operations.address)
    emit([f"generation {made.generation} of {place} is back in {made.seconds:.1f} s"])
    for fault in made.faults:
        say(f"error: {fault}")
    if made.faults:
        raise typer.Exit(2)


def _opened(store: str) -> Operations:
    import os
    from dataclasses import replace

    from plait.assembly import open_operations, user_settings_file
    from plait.settings import load_settings

    settings = load_settings(None, os.environ, user_settings_file())
    return open_operations(replace(settings, store=store or settings.store))
