"""Printing an answer within a number of tokens: packed lines in place of whole results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plait.errors import SettingError
from plait.interfaces.cli.output import emit, emit_json, say
from plait.interfaces.packed import RESERVED, form_of, pack_out, packed_file_out, packed_lines

if TYPE_CHECKING:
    from plait.interfaces.cli.searching.page import Page

FORMS = ("llm", "json", "jsonl")  # what a pack can be printed as


def print_packed(page: Page, form: str) -> None:
    """Print a pack of a page's answer.

    Raises:
        SettingError: Not even one line fits.
    """
    from plait.search.packing.pack import pack

    answer, tokens = page.answer, page.max_tokens
    shown = page.opened.shown if form == "llm" else page.opened.inner
    printed = form_of(answer, shown)
    packed = pack(answer, max(tokens - RESERVED, 1), printed)
    if packed.least:
        raise SettingError(
            f"{tokens} tokens are too few to show anything",
            hint=f"a line of the first result needs --max-tokens {RESERVED + packed.least}",
        )
    if form == "json":
        emit_json(pack_out(packed, answer, shown, max_tokens=tokens, stale=page.stale))
    elif form == "jsonl":
        for file in packed.files:
            emit_json(packed_file_out(file, shown), is_line=True)
    else:
        emit(line.text for line in packed_lines(packed, printed))
    if packed.left_out and form != "json":
        say(f"note: {packed.left_out} more left out to stay within {tokens} tokens")
