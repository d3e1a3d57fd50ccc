"""``plait search``: the code that best answers a query."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from plait.errors import SettingError
from plait.interfaces.cli import parameters as params

if TYPE_CHECKING:
    from plait.interfaces.cli.filters import Filters
    from plait.interfaces.cli.opened import Current, Opened
    from plait.types import Answer

LEXICAL, DENSE, HYBRID = "lexical", "dense", "hybrid"
MODES = {"auto": "", "lexical": LEXICAL, "bm25": LEXICAL, "dense": DENSE, "hybrid": HYBRID}


def search(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="Words, a name, or a question.")],
    path: params.PathArgument = ".",
    limit: params.LimitOption = None,
    per_file: Annotated[
        int | None,
        typer.Option(
            "--per-file", metavar="N", help="Results of one file; 0 for all (default: 1)."
        ),
    ] = None,
    mode: Annotated[
        str,
        typer.Option(
            "--mode",
            metavar="MODE",
            help="lexical, dense (by meaning), hybrid or auto.",
        ),
    ] = "",
    language: params.LanguageOption = None,
    path_like: params.PathLikeOption = None,
    glob: params.GlobOption = None,
    repo: params.RepoOption = None,
    kind: params.KindOption = None,
    literal: Annotated[
        bool,
        typer.Option("-F", "--fixed-strings", help="Only chunks that hold QUERY as it is typed."),
    ] = False,
    expand: Annotated[
        bool | None,
        typer.Option(
            "--expand/--no-expand", help="Also look for words that the first results share."
        ),
    ] = None,
    without: Annotated[
        params.Many, typer.Option("--without", metavar="WORD", help="Do not expand by this word.")
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say why each result ranks so, down to the term.")
    ] = False,
    paths_only: Annotated[
        bool, typer.Option("-l", "--files-with-matches", help="Print paths only.")
    ] = False,
    count: Annotated[
        bool,
        typer.Option("-c", "--count", help="Print matching chunks per file, as far as looked."),
    ] = False,
    form: params.FormatOption = "",
    as_json: params.JsonOption = False,
    max_tokens: Annotated[
        int | None,
        typer.Option("--max-tokens", metavar="N", help="With llm or md: stop at about N tokens."),
    ] = None,
    color: params.ColorOption = "auto",
    hidden: params.HiddenOption = False,
    no_ignore: params.NoIgnoreOption = False,
    no_refresh: params.NoRefreshOption = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit 3 if the answer is partial or stale.")
    ] = False,
) -> None:
    """Print the code that best answers QUERY below PATH. Exit 0 if any, 1 if none, 2 on error."""
    from plait.interfaces.cli import printing
    from plait.interfaces.cli.filters import Filters
    from plait.interfaces.cli.opened import current, open_path
    from plait.interfaces.cli.page import Page

    form = params.chosen(
        "--format", "json" if as_json else form or "auto", ("auto", *params.FORMATS)
    )
    params.chosen("--color", color, params.COLORS)
    params.at_least("--limit", limit, 1)
    params.at_least("--per-file", per_file, 0)
    params.at_least("--max-tokens", max_tokens, 1)
    if max_tokens and form not in ("llm", "md"):
        raise SettingError("--max-tokens needs --format llm or --format md")
    if (paths_only or count) and form not in ("auto", "text"):
        raise SettingError(f"-l and -c print lines of their own and cannot go with --format {form}")
    mode = MODES[params.chosen("--mode", mode or "auto", tuple(MODES))]
    filters = Filters(
        tuple(language or ()),
        tuple(path_like or ()),
        tuple(glob or ()),
        tuple(repo or ()),
        tuple(kind or ()),
        is_literal=literal,
    )

    opened = open_path(path, hidden=hidden, no_ignore=no_ignore, mode=mode)
    now = current(opened, fresh=False if no_refresh else None, look=strict, vectors=True)
    wanted = _Wanted(
        limit or opened.index.settings.limit,
        1 if paths_only or count else per_file,
        True if without and expand is None else expand,
        frozenset(without or ()),
    )
    answer = _ask(opened, now, query, filters, wanted)
    answer = replace(answer, notes=(*now.notes, *answer.notes))

    page = Page(opened, answer, now.stale, color, explain, max_tokens or 0)
    if paths_only:
        printing.paths(page)
    elif count:
        printing.counts(page)
    else:
        printing.PRINTERS[form](page)
    if form not in printing.COMPLETE:
        printing.asides(page)
    if strict and (answer.absent or answer.is_partial or now.stale):
        raise typer.Exit(3)
    raise typer.Exit(0 if answer.results else 1)


class _Wanted(NamedTuple):
    """How much of an answer, and whether the question may be widened."""

    limit: int
    per_file: int | None
    expand: bool | None
    without: frozenset[str]


def _ask(opened: Opened, now: Current, text: str, filters: Filters, wanted: _Wanted) -> Answer:
    from plait.interfaces.cli.filters import literal, restricted
    from plait.search.parse import parse
    from plait.sources import canonical
    from plait.types import Query

    index = opened.index
    parsed = parse("" if filters.is_literal else text, canonical)
    if not text.strip():
        raise SettingError("the query is empty", hint='name what to look for: plait "QUERY"')
    query = Query(
        text=text,
        wanted=literal(text) if filters.is_literal else parsed.wanted,
        scope=index.scope(),
        limit=wanted.limit,
        per_file=index.settings.per_file if wanted.per_file is None else wanted.per_file,
        expand=wanted.expand,
        without=wanted.without,
    )
    query = restricted(query, index.root, filters, now.snapshot.repos())
    return index.searcher(now.snapshot).search(query, parsed.hints)
