"""Snippets: which lines of a chunk are shown."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from plait.search.snippet import LINES, snippet
from plait.types import Chunk, ChunkId, Excerpt, Span


def chunk(text: str, first: int = 1) -> Chunk:
    last = first + max(text.count("\n") - text.endswith("\n"), 0)
    body = Excerpt(0, len(text.encode()), text)
    return Chunk(ChunkId("repo", "path", 0), "", Span(first, last), body)


def numbered(count: int, **words: int) -> str:
    """Lines ``0`` to ``count - 1``, with each word put on the line it names."""
    rows = [f"{n}" for n in range(count)]
    for word, row in words.items():
        rows[row] += f" {word}"
    return "\n".join(rows) + "\n"


def test_a_short_chunk_is_shown_whole() -> None:
    text, span = snippet(chunk("a\nb\nc\n\n\n", first=7), ("b",))

    assert text == "a\nb\nc"
    assert span == Span(7, 9)


def test_without_a_word_in_it_a_chunk_is_shown_from_its_beginning() -> None:
    text, span = snippet(chunk(numbered(40)), ("absent",))

    assert text.split("\n") == [str(n) for n in range(LINES)]
    assert span == Span(1, LINES)


def test_the_beginning_is_shown_if_it_shows_as_much_as_any_other_place() -> None:
    text, span = snippet(chunk(numbered(40, retry=3), first=100), ("retry",))

    assert span == Span(100, 100 + LINES - 1)
    assert "retry" in text


def test_the_window_with_the_most_different_words_is_shown() -> None:
    words = numbered(60, open=2, retry=30, timeout=33)
    text, span = snippet(chunk(words), ("open", "retry", "timeout"))

    assert "retry" in text
    assert "timeout" in text
    assert span.first <= 31
    assert span.last >= 34


def test_case_does_not_matter() -> None:
    text, _ = snippet(chunk(numbered(40, ReTry=30)), ("retry",))

    assert "ReTry" in text


def test_a_blank_chunk_has_an_empty_snippet() -> None:
    assert snippet(chunk("\n\n\n"), ("a",)) == ("", Span(1, 1))
    assert snippet(chunk(""), ()) == ("", Span(1, 1))


roots = st.lists(st.sampled_from(["a", "b", "cd", "zz", ""]), max_size=4, unique=True)
texts = st.lists(st.sampled_from(["", "a", "b cd", "x", "A b", "\r", "é"]), max_size=60)


@given(texts, roots, st.integers(1, 1000))
def test_a_snippet_is_the_lines_its_span_says(rows: list[str], sought: list[str], at: int) -> None:
    whole = chunk("\n".join(rows), at)
    text, span = snippet(whole, tuple(sought))
    lines = whole.text.rstrip().split("\n")
    shown = lines[span.first - at : span.last - at + 1]

    assert text == "\n".join(shown)
    assert 1 <= len(shown) <= LINES
    assert at <= span.first <= span.last <= max(whole.span.last, at)


@given(texts, roots, st.integers(1, 1000))
def test_no_other_window_shows_more_words(rows: list[str], sought: list[str], at: int) -> None:
    whole = chunk("\n".join(rows), at)
    text, _ = snippet(whole, tuple(sought))
    lines = whole.text.rstrip().lower().split("\n")

    def kinds(window: list[str]) -> int:
        return sum(any(root in line for line in window) for root in sought)

    best = max(kinds(lines[n : n + LINES]) for n in range(len(lines)))
    assert kinds(text.lower().split("\n")) == best


def test_a_line_of_data_is_cut() -> None:
    body = "x" * 10_000
    chunk = Chunk(ChunkId("r", "a.json", 0), "json", Span(1, 1), Excerpt(0, len(body), body))

    text, span = snippet(chunk, ["x"])

    assert len(text) < 600
    assert text.endswith("…")
    assert span == Span(1, 1)
