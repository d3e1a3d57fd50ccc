"""Printing similar code and groups of copies."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from plait.interfaces.cli.output import (
    Line,
    Piece,
    counted,
    emit_json,
    emit_styled,
    say,
)
from plait.interfaces.escaping import visible

if TYPE_CHECKING:
    from plait.interfaces.cli.meaning.vectors import Compared
    from plait.interfaces.cli.opened import Opened
    from plait.interfaces.cli.searching.page import Page
    from plait.search.duplicates import Groups
    from plait.search.similar import Neighbourhood, Similar
    from plait.types import Chunk, Query

MEMBERS = 8  # copies of a group that are listed; JSON has them all


def near(
    compared: Compared, query: Query, chunk: Chunk, found: Neighbourhood, form: str, color: str
) -> None:
    """The neighbours of a chunk in a format of search results."""
    from plait.interfaces.cli.searching import printing
    from plait.interfaces.cli.searching.page import Page
    from plait.interfaces.similar_schemas import SIMILAR_SCHEMA, place_out, similar_results_out
    from plait.search.similar import as_answer

    opened, meaning = compared
    generation = meaning.snapshot.generation
    answer = as_answer(found, query, generation, meaning.encoder.name)
    answer = replace(answer, notes=meaning.notes or answer.notes)
    if form in ("json", "jsonl"):
        results = similar_results_out(answer, found.near, opened.inner)
        if form == "jsonl":
            for result in results:
                emit_json(result, is_line=True)
            return
        emit_json(
            {
                "schema": SIMILAR_SCHEMA,
                "place": query.text,
                "model": meaning.encoder.name,
                "generation": generation,
                "stale": meaning.stale,
                "chunk": place_out(chunk, opened.inner),
                "notes": list(answer.notes),
                "results": results,
            }
        )
        return
    say(f"similar to {''.join(text for text, _ in place(opened, chunk))}")
    page = Page(opened, answer, meaning.stale, color, explain=True, max_tokens=0)
    if form == "auto" and not sys.stdout.isatty():
        emit_styled(_lines(page, found.near), color)
    else:
        printing.PRINTERS[form](page)
    printing.asides(page)


def _lines(page: Page, near: tuple[Similar, ...]) -> Iterator[Line]:
    """One line a neighbour: ``path:line: cosine symbol - code``, and what kind of copy."""
    from plait.interfaces.cli.searching.printing import first_line, result_symbol

    for result, one in zip(page.answer.results, near, strict=True):
        number, code = first_line(result)
        named: list[Piece] = []
        if result.chunk.symbol:
            named = [(result_symbol(result), "bold"), (" - ", "dim")]
        yield [
            (visible(page.shown(result)), "magenta"),
            (":", ""),
            (str(number), "green"),
            (f": {one.cosine:.2f} ", "dim"),
            (f"[{one.likeness.copy}] " if one.likeness.copy else "", "yellow"),
            *named,
            (visible(code.strip()), ""),
        ]


def place(opened: Opened, chunk: Chunk) -> list[Piece]:
    """Where a chunk is and what it is called."""
    pieces: list[Piece] = [
        (visible(opened.shown(chunk.repo, chunk.path)), "magenta"),
        (":", "dim"),
        (f"{chunk.span.first}-{chunk.span.last}", "green"),
    ]
    if chunk.symbol:
        pieces.append((f"  {visible(chunk.symbol.qualified_name)}", "bold cyan"))
        pieces.append((f" {chunk.kind}", "dim"))
    return pieces


def groups(compared: Compared, found: Groups, limit: int, form: str, color: str) -> None:
    """Groups of copies, those that could save the most lines first."""
    from plait.interfaces.similar_schemas import duplicates_out

    opened, meaning = compared
    if form == "json":
        out = duplicates_out(
            found,
            limit,
            opened.inner,
            model=meaning.encoder.name,
            generation=meaning.snapshot.generation,
        )
        emit_json({**out, "notes": [*meaning.notes, *found.notes]})
        return
    emit_styled(_group_lines(opened, found, limit), color)
    for note in (*meaning.notes, *found.notes):
        say(f"note: {note}")
    told = f"{counted(len(found.groups), 'group')} of copies among {found.compared:,} chunks"
    rest = len(found.groups) - limit
    say(f"{told}; {rest} more with --limit {len(found.groups)}" if rest > 0 else told)


def _group_lines(opened: Opened, found: Groups, limit: int) -> Iterator[Line]:
    for number, group in enumerate(found.groups[:limit], start=1):
        if number > 1:
            yield []
        is_renamed = group.copy == "renamed copy"
        kind = "renamed copies" if is_renamed else "near-duplicates"
        share = f"{group.share:.0%} in common or more"
        if group.share == 1:
            share = "the same but for names" if is_renamed else "the same but for white space"
        yield [
            (f"{number:>3}. ", "dim"),
            (f"{len(group.chunks)} {kind}", "bold"),
            (f", {share}, {counted(group.lines, 'repeated line')}", ""),
        ]
        for chunk in group.chunks[:MEMBERS]:
            yield [("     ", ""), *place(opened, chunk)]
        if len(group.chunks) > MEMBERS:
            yield [(f"     and {len(group.chunks) - MEMBERS:,} more", "dim")]
