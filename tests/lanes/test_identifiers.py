"""Identifiers: the quick way to find them in ASCII finds what the pattern finds."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from plait.words import IDENTIFIER, identifiers

ascii_texts = st.text(st.characters(max_codepoint=127), max_size=80)


@given(ascii_texts | st.text(max_size=80))
@example("a_b\x1cc\x00d\x7fe-9")
@example("naïve_name = größe2")
def test_identifiers_are_what_the_pattern_finds(text: str) -> None:
    assert identifiers(text) == IDENTIFIER.findall(text)
