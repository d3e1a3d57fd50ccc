"""Options that several verbs share, and how their values are read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated

import typer
from typer.models import OptionInfo

from plait.interfaces.cli.arguments.values import COLORS, FORMATS, at_least, chosen

__all__ = ["COLORS", "FORMATS", "at_least", "chosen"]


def _completing(values: Sequence[str]) -> Callable[[str], list[str]]:
    def complete(incomplete: str) -> list[str]:
        return [value for value in values if value.startswith(incomplete)]

    return complete


PathArgument = Annotated[
    str, typer.Argument(metavar="PATH", help="A folder or a file.", show_default=False)
]
ScopeArgument = Annotated[
    str,
    typer.Argument(
        metavar="[PATH]",
        help="A folder or a file (default: here; with --store every repository).",
        show_default=False,
    ),
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
JsonOption = Annotated[bool, typer.Option("--json", help="Same as --format json.")]
SearchJsonOption = Annotated[
    bool, typer.Option("--json", help="Same as --format json; for lines, ripgrep's messages.")
]
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
    bool, typer.Option("--hidden", help="Include files whose names begin with a dot.")
]
NoIgnoreOption = Annotated[bool, typer.Option("--no-ignore", help="Do not respect ignore files.")]
SecretsOption = Annotated[
    bool, typer.Option("--include-secrets", help="Include secret files, and do not mask secrets.")
]
RefreshOption = Annotated[
    bool | None,
    typer.Option(
        "--refresh/--no-refresh",
        help="Bring the index up to date first, or not (default: yes; with --store no).",
        show_default=False,
    ),
]
StoreOption = Annotated[
    str,
    typer.Option(
        "--store",
        metavar="ADDRESS",
        help="A collection on a cluster: opensearch://host:9200/collection.",
        show_default=False,
    ),
]
StrictOption = Annotated[
    bool, typer.Option("--strict", help="Exit 3 if the answer is partial or stale.")
]

# ---------------------------------------------------------------- searches for lines


def _for_lines(*names: str, text: str, metavar: str | None = None) -> OptionInfo:
    found: OptionInfo = typer.Option(*names, help=f"Lines: {text}", metavar=metavar)
    return found


LiteralOption = Annotated[
    bool, typer.Option("-F", "--fixed-strings", help="Print lines that contain QUERY literally.")
]
IgnoreCaseOption = Annotated[bool, _for_lines("-i", "--ignore-case", text="ignore case.")]
MindCaseOption = Annotated[
    bool, _for_lines("-s", "--case-sensitive", text="match case-sensitively.")
]
SmartCaseOption = Annotated[
    bool, _for_lines("-S", "--smart-case", text="ignore case unless there is a capital.")
]
WordOption = Annotated[bool, _for_lines("-w", "--word-regexp", text="only whole words.")]
InvertOption = Annotated[
    bool, _for_lines("-v", "--invert-match", text="print those that do not match.")
]
MultilineOption = Annotated[bool, _for_lines("-U", "--multiline", text="a match may span several.")]
OnlyMatchingOption = Annotated[
    bool, _for_lines("-o", "--only-matching", text="print only what matches.")
]
CountMatchesOption = Annotated[
    bool, _for_lines("--count-matches", text="print the number of matches in each file.")
]
MaxCountOption = Annotated[
    int | None, _for_lines("-m", "--max-count", text="at most N per file.", metavar="N")
]
AfterOption = Annotated[
    int | None, _for_lines("-A", "--after-context", text="also N after each.", metavar="N")
]
BeforeOption = Annotated[
    int | None, _for_lines("-B", "--before-context", text="also N before each.", metavar="N")
]
ContextOption = Annotated[
    int | None, _for_lines("-C", "--context", text="also N on both sides.", metavar="N")
]
SortOption = Annotated[
    str,
    typer.Option(
        "--sort",
        metavar="ORDER",
        help="Lines: path; none or rank for the best first (default).",
        autocompletion=_completing(("path", "rank", "none")),
        show_default=False,
    ),
]
