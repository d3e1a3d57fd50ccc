"""``plait search``: the code that best answers a query, or the lines that match one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from plait.errors import SettingError
from plait.interfaces.cli.arguments import parameters as params

if TYPE_CHECKING:
    from plait.interfaces.cli.opened import Opened

LEXICAL, DENSE, HYBRID = "lexical", "dense", "hybrid"
PACKED_LINES = ("llm", "md")
PACKED = ("llm", "md", "json", "jsonl")  # formats in which tokens can be counted
MODES = {"auto": "", "lexical": LEXICAL, "bm25": LEXICAL, "dense": DENSE, "hybrid": HYBRID}


def search(
    query: Annotated[
        str, typer.Argument(metavar="QUERY", help="Words, a name, a question, or /a pattern/.")
    ],
    path: params.ScopeArgument = "",
    limit: params.LimitOption = None,
    per_file: Annotated[
        int | None,
        typer.Option(
            "--per-file", metavar="N", help="Results per file; 0 for no limit (default: 1)."
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
    literal: params.LiteralOption = False,
    ignore_case: params.IgnoreCaseOption = False,
    mind_case: params.MindCaseOption = False,
    smart_case: params.SmartCaseOption = False,
    word: params.WordOption = False,
    invert: params.InvertOption = False,
    multiline: params.MultilineOption = False,
    only_matching: params.OnlyMatchingOption = False,
    count_matches: params.CountMatchesOption = False,
    max_count: params.MaxCountOption = None,
    after: params.AfterOption = None,
    before: params.BeforeOption = None,
    context: params.ContextOption = None,
    sort: params.SortOption = "",
    expand: Annotated[
        bool | None,
        typer.Option(
            "--expand/--no-expand", help="Also look for words that the first results share."
        ),
    ] = None,
    without: Annotated[
        params.Many,
        typer.Option("--without", metavar="WORD", help="Do not add this word when expanding."),
    ] = None,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain", help="Tell the plan, and the rank of each result down to the term."
        ),
    ] = False,
    timings: Annotated[
        bool,
        typer.Option("--timings", help="Tell the plan, and how long each stage and lane took."),
    ] = False,
    paths_only: Annotated[
        bool, typer.Option("-l", "--files-with-matches", help="Print paths only.")
    ] = False,
    count: Annotated[
        bool,
        typer.Option("-c", "--count", help="Print how many chunks or lines of each file match."),
    ] = False,
    form: params.FormatOption = "",
    as_json: params.SearchJsonOption = False,
    max_tokens: Annotated[
        int | None,
        typer.Option(
            "--max-tokens", metavar="N", help="Fill at most N tokens with the most telling lines."
        ),
    ] = None,
    color: params.ColorOption = "auto",
    hidden: params.HiddenOption = False,
    include_secrets: params.SecretsOption = False,
    no_ignore: params.NoIgnoreOption = False,
    refresh: params.RefreshOption = None,
    strict: params.StrictOption = False,
    store: params.StoreOption = "",
) -> None:
    """Print the code that best answers QUERY below PATH. Exit 0 if any, 1 if none, 2 on error.

    A QUERY that is a /pattern/ or code in quotation marks is answered with every line that
    matches, as -F is; options that begin with "Lines" are about these.
    """
    from plait.answering.filters import Filters, restricted
    from plait.answering.freshness import left_out
    from plait.answering.questions import question
    from plait.interfaces.cli.lines import search as search_lines
    from plait.interfaces.cli.lines.options import LineOptions
    from plait.interfaces.cli.opened import open_path
    from plait.interfaces.cli.refreshing import current
    from plait.interfaces.cli.searching import packing, printing
    from plait.interfaces.cli.searching.page import Page
    from plait.search.lines import line_query, may_be_words
    from plait.search.packing.pack import pool

    form = params.chosen(
        "--format", "json" if as_json else form or "auto", ("auto", *params.FORMATS)
    )
    params.chosen("--color", color, params.COLORS)
    params.at_least("--limit", limit, 1)
    params.at_least("--per-file", per_file, 0)
    params.at_least("--max-tokens", max_tokens, 1)
    form = _packable(form) if max_tokens else form
    if (paths_only or count or count_matches) and form not in ("auto", "text"):
        raise SettingError(f"-l and -c cannot be combined with --format {form}")
    mode = MODES[params.chosen("--mode", mode or "auto", tuple(MODES))]
    around = search_lines.context(before, after, context)
    options = LineOptions(
        is_word=word,
        is_inverted=invert,
        is_multiline=multiline,
        before=around[0],
        after=around[1],
        per_file=params.at_least("--max-count", max_count, 1) or 0,
        limit=limit or 0,
        order=search_lines.order(sort),
        only=only_matching,
        count_matches=count_matches,
    )
    case = search_lines.case(ignore=ignore_case, mind=mind_case, smart=smart_case)
    filters = Filters(
        tuple(language or ()),
        tuple(path_like or ()),
        tuple(glob or ()),
        tuple(repo or ()),
        tuple(kind or ()),
    )

    opened = open_path(
        path,
        hidden=hidden,
        no_ignore=no_ignore,
        include_secrets=include_secrets,
        mode=mode,
        store=store,
    )
    index = opened.index
    typed, hints = question(query, index.scope(), case, is_literal=literal)
    is_for_lines = line_query(typed) is not None
    if not is_for_lines:
        search_lines.refuse(options, case)
    elif explain:
        raise SettingError("--explain is about scores, and lines have no score")
    vectors = not is_for_lines or may_be_words(typed)
    now = current(index, fresh=refresh, look=strict, vectors=vectors)
    now = replace(now, notes=(*now.notes, *left_out(index, now.snapshot)))
    typed = restricted(typed, filters, now.snapshot.repos(), opened.under)

    if is_for_lines:
        if max_tokens:
            params.chosen("--format of lines with --max-tokens", form, PACKED_LINES)
        output = search_lines.LineOutput(
            form="stream" if as_json else form,
            paths_only=paths_only,
            count=count,
            color=color,
            max_tokens=max_tokens or 0,
            is_strict=strict,
        )
        code = search_lines.answer(opened, now, typed, hints, options, output)
        if code is not None:
            raise typer.Exit(code)
    is_packed = bool(max_tokens) and form in packing.FORMS
    wanted = replace(
        typed,
        limit=limit or (pool(max_tokens or 0) if is_packed else opened.index.settings.limit),
        per_file=_per_file(opened, 1 if paths_only or count else per_file),
        expand=True if without and expand is None else expand,
        without=frozenset(without or ()),
    )
    answer = opened.index.reader.searcher(now.snapshot).search(wanted, hints)
    answer = replace(answer, notes=(*now.notes, *answer.notes))

    page = Page(opened, answer, now.stale, color, explain, max_tokens or 0, timings)
    if paths_only:
        printing.paths(page)
    elif count:
        printing.counts(page)
    elif is_packed and answer.results:
        packing.print_packed(page, form)
    else:
        printing.PRINTERS[form](page)
    if form not in printing.COMPLETE:
        printing.asides(page)
    if strict and (answer.absent or answer.is_partial or now.stale):
        raise typer.Exit(3)
    raise typer.Exit(0 if answer.results else 1)


def _packable(form: str) -> str:
    """The format of a pack; the one for a model unless another was named."""
    form = "llm" if form in ("auto", "text") else form
    return params.chosen("--format with --max-tokens", form, PACKED)


def _per_file(opened: Opened, given: int | None) -> int:
    return opened.index.settings.per_file if given is None else given
