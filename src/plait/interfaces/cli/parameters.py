"""Options that several verbs share, and how their values are read.

Typer converts values through pydantic, whose import costs 0.3 s of CPU in every command.
All of ours are text, whole numbers and flags, so ``PlainCommand`` converts them itself. If
a later Typer has no such seam, its own conversion takes over and only the time is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, get_origin

import typer
from typer.core import TyperCommand, TyperGroup

from plait.errors import SettingError

if TYPE_CHECKING:
    from typer._click import Context, Parameter

FORMATS = ("text", "json", "jsonl", "md", "vimgrep", "sarif", "llm")
COLORS = ("auto", "always", "never")


class _Plain:
    """The conversion of one parameter."""

    def __init__(self, annotation: object) -> None:
        self._annotation = annotation

    def coerce(self, value: object, param: object, ctx: object) -> object:  # noqa: ARG002 - Typer's
        """The value as the verb's annotation wants it."""
        if get_origin(self._annotation) is list:
            return [*value] if isinstance(value, list | tuple) else []
        if self._annotation is not int or value is None or isinstance(value, int):
            return value
        try:
            return int(str(value))
        except ValueError:
            raise typer.BadParameter(f"{value!r} is not a whole number", param=param) from None  # type: ignore[arg-type]  # Typer's own


def _made_plain(param: object) -> None:
    annotation = getattr(getattr(param, "type_descriptor", None), "annotation", None)
    if annotation in (str, int, bool) or get_origin(annotation) is list:
        param._runtime_param = _Plain(annotation)  # type: ignore[attr-defined]  # noqa: SLF001 - see above


class PlainCommand(TyperCommand):
    """A command that converts its values without pydantic."""

    def get_params(self, ctx: Context) -> list[Parameter]:
        params: list[Parameter] = super().get_params(ctx)
        for param in params:
            _made_plain(param)
        return params


class PlainGroup(TyperGroup):
    """A group of such commands."""

    def get_params(self, ctx: Context) -> list[Parameter]:
        params: list[Parameter] = super().get_params(ctx)
        for param in params:
            _made_plain(param)
        return params


def chosen(name: str, value: str, accepted: Sequence[str]) -> str:
    """A value that must be one of a few.

    Raises:
        SettingError: It is none of them.
    """
    if value not in accepted:
        raise SettingError(f"{name} must be one of {', '.join(accepted)}, got {value!r}")
    return value


def at_least(name: str, value: int | None, least: int) -> int | None:
    """A number that must not be too small.

    Raises:
        SettingError: It is.
    """
    if value is not None and value < least:
        raise SettingError(f"{name} must be at least {least}, got {value}")
    return value


def _completing(values: Sequence[str]) -> Callable[[str], list[str]]:
    def complete(incomplete: str) -> list[str]:
        return [value for value in values if value.startswith(incomplete)]

    return complete


PathArgument = Annotated[
    str, typer.Argument(metavar="PATH", help="A folder or a file.", show_default=False)
]
LimitOption = Annotated[
    int | None,
    typer.Option("-n", "--limit", metavar="N", help="How many results (default: 10)."),
]
FormatOption = Annotated[
    str,
    typer.Option(
        "--format",
        metavar="FORMAT",
        help=f"One of {', '.join(FORMATS)}.",
        autocompletion=_completing(FORMATS),
        show_default=False,
    ),
]
PlainFormatOption = Annotated[
    str,
    typer.Option(
        "--format",
        metavar="FORMAT",
        help="text or json.",
        autocompletion=_completing(("text", "json")),
        show_default=False,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="The same as --format json.")]
ColorOption = Annotated[
    str,
    typer.Option(
        "--color",
        metavar="WHEN",
        help="auto, always or never.",
        autocompletion=_completing(COLORS),
        show_default=False,
    ),
]
HiddenOption = Annotated[
    bool, typer.Option("--hidden", help="Also files whose names begin with a dot.")
]
NoIgnoreOption = Annotated[bool, typer.Option("--no-ignore", help="Ask no ignore file.")]
NoRefreshOption = Annotated[
    bool, typer.Option("--no-refresh", help="Answer from the index as it is.")
]
