"""Options that several verbs share, and how their values are read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated

import typer

from plait.errors import SettingError

FORMATS = ("text", "json", "jsonl", "md", "vimgrep", "sarif", "llm")
COLORS = ("auto", "always", "never")


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
Many = list[str] | None
LanguageOption = Annotated[
    Many, typer.Option("--lang", "-t", "--type", metavar="LANG", help="Only this language.")
]
PathLikeOption = Annotated[
    Many, typer.Option("--path", metavar="GLOB", help="Only paths that match or contain this.")
]
GlobOption = Annotated[
    Many, typer.Option("-g", "--glob", metavar="GLOB", help="Only these files; !GLOB: not these.")
]
RepoOption = Annotated[
    Many, typer.Option("--repo", metavar="NAME", help="Only this repository of the index.")
]
KindOption = Annotated[
    Many, typer.Option("--kind", metavar="KIND", help="Only symbols of this kind.")
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
