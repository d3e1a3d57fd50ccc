"""Printing an answer in each of the formats."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import isfinite
from typing import TYPE_CHECKING

from plait.interfaces.cli.output import emit, emit_json, emit_styled, emit_text, say
from plait.interfaces.escaping import visible, visible_lines
from plait.interfaces.fences import DATA_ONLY, code_span, fence_of, fenced, plain_name
from plait.search.packing.estimate import estimate

if TYPE_CHECKING:
    from plait.interfaces.cli.searching.page import Page
    from plait.types import Answer, Result

COMPLETE = ("json", "sarif")  # formats that hold the notes themselves


def asides(page: Page) -> None:
    """Notes and hints, on standard error."""
    for absent in page.answer.absent:
        say(f"warning: {absent.sentence}")
    for note in page.answer.notes:
        say(f"note: {note}")
    if not page.answer.results:
        say("no results")
    for hint in page.answer.hints:
        say(f"hint: {hint}")
    if page.explain or page.timings:
        for line in plan_lines(page.answer):
            say(line)
    if page.timings:
        for line in timing_lines(page.answer):
            say(line)


def plan_lines(answer: Answer) -> Iterator[str]:
    """What the question looks like, and how it was put to each lane."""
    kinds = f", about {' and '.join(sorted(answer.about))}" if answer.about else ""
    if answer.shape:
        yield f"plan: the question is read as {answer.shape}{kinds}"
    for lane in answer.plan:
        limit = f", {lane.within_s:g} s" if isfinite(lane.within_s) else ""
        yield f"plan: {lane.name} x {lane.weight:g}, {lane.depth} chunks{limit} ({lane.why})"


def timing_lines(answer: Answer) -> Iterator[str]:
    """How long everything took."""
    for what, some in (("stage", answer.timings.stages), ("lane", answer.timings.lanes)):
        yield from (f"time: {what} {one.name} {one.seconds * 1000:.1f} ms" for one in some)
    yield f"time: search {answer.timings.total * 1000:.1f} ms"


def automatic(page: Page) -> None:
    """Blocks on a terminal, lines in a pipe."""
    (text if sys.stdout.isatty() else lines)(page)


def text(page: Page) -> None:
    """Blocks to read."""
    from plait.interfaces.cli.searching.blocks import blocks

    emit_styled(blocks(page), page.color)


def lines(page: Page) -> None:
    """One line a result: ``path:line: symbol - code``."""
    rows = []
    for result in page.answer.results:
        number, code = first_line(result)
        named = [(result_symbol(result), "bold"), (" - ", "dim")] if result.chunk.symbol else []
        place = [(visible(page.shown(result)), "magenta"), (":", ""), (str(number), "green")]
        rows.append([*place, (": ", ""), *named, (visible(code.strip()), "")])
        if page.explain:
            rows += [[(f"    {line}", "dim")] for line in result.reason.lines()]
    emit_styled(rows, page.color)


def vimgrep(page: Page) -> None:
    """``path:line:column:code``, for an editor's list of places."""
    rows = []
    for result in page.answer.results:
        number, code = first_line(result)
        column = len(code) - len(code.lstrip()) + 1
        rows.append(f"{visible(page.shown(result))}:{number}:{column}:{visible(code)}")
    emit(rows)


def paths(page: Page) -> None:
    """Each file once."""
    emit([visible(page.shown(result)) for result in page.answer.results])


def counts(page: Page) -> None:
    """``path:count`` of the chunks that matched, as far as was looked."""
    results = page.answer.results
    emit([f"{visible(page.shown(r))}:{1 + r.more_in_file}" for r in results])


def json(page: Page) -> None:
    """The whole answer as one object."""
    from plait.interfaces.schemas import answer_out

    out = answer_out(page.answer, page.opened.inner, stale=page.stale, timings=page.timings)
    emit_json(out)


def jsonl(page: Page) -> None:
    """One object a line and result."""
    from plait.interfaces.schemas import result_out

    for result in page.answer.results:
        emit_json(result_out(result, page.opened.inner), is_line=True)


def markdown(page: Page) -> None:
    """Headings and fenced code."""
    blocks = (_markdown_block(page, result) for result in page.answer.results)
    for block in _within_budget(page, blocks):
        emit_text(block)


def llm(page: Page) -> None:
    """Compact blocks for a model: where, what, code. All have one fence, longer than any that
    the code holds, so that nothing in it looks like the end of one."""
    results = page.answer.results
    fence = llm_fence(results)
    if results:
        emit([DATA_ONLY])
    for result in results:
        emit_text(llm_block(page.shown(result), result, fence))


def sarif(page: Page) -> None:
    """SARIF 2.1.0, for code-scanning viewers."""
    from plait.interfaces.cli.searching.sarif import log

    emit_json(log(page.answer, page.opened.inner))


PRINTERS: Mapping[str, Callable[[Page], None]] = {
    "auto": automatic,
    "text": text,
    "json": json,
    "jsonl": jsonl,
    "md": markdown,
    "vimgrep": vimgrep,
    "sarif": sarif,
    "llm": llm,
}


def first_line(result: Result) -> tuple[int, str]:
    """The number and text of the first line of a snippet that says something."""
    for at, line in enumerate(result.snippet.split("\n")):
        if line.strip():
            return result.snippet_span.first + at, line.removesuffix("\r")
    return result.snippet_span.first, ""


def result_symbol(result: Result) -> str:
    """The qualified name of what a result shows; "" if it has none."""
    return visible(result.chunk.symbol.qualified_name) if result.chunk.symbol else ""


def _markdown_block(page: Page, result: Result) -> str:
    span, symbol = result.snippet_span, result.chunk.symbol
    place = code_span(f"{page.shown(result)}:{span.first}-{span.last}")
    about = f"\n{code_span(symbol.qualified_name)} ({result.chunk.kind})\n" if symbol else ""
    parts = [f"## {result.rank}. {place}", about, fenced(result.snippet, result.chunk.language), ""]
    if page.explain:
        parts += [fenced("\n".join(result.reason.lines()), "text"), ""]
    return "\n".join(parts)


def llm_fence(results: Iterable[Result]) -> str:
    """A fence for all results of an answer."""
    return fence_of(visible_lines(result.snippet) for result in results)


def llm_block(path: str, result: Result, fence: str) -> str:
    """One result for a model: where it is, what it is called, and its code in a fence."""
    span, symbol = result.snippet_span, result.chunk.symbol
    head = f"{plain_name(path)}:{span.first}-{span.last}"
    if symbol:
        head += f" {plain_name(symbol.qualified_name)}"
    return f"{head}\n{fenced(result.snippet, result.chunk.language, fence)}"


def _within_budget(page: Page, blocks: Iterator[str]) -> Iterator[str]:
    """Blocks until the tokens are spent; the first is always given."""
    left = page.max_tokens
    for at, block in enumerate(blocks):
        left -= estimate(f"{block}\n")
        if page.max_tokens and left < 0 and at:
            rest = len(page.answer.results) - at
            say(f"note: {rest} more left out to stay within {page.max_tokens} tokens")
            return
        yield block
