"""What counts as a fragment: by lines, without a grammar."""

from __future__ import annotations

from textwrap import dedent

import pytest

from benchmarks.chunks.fragments import Fragment, found_in
from benchmarks.chunks.summary import summary
from plait.types import NOTHING, Chunk, ChunkId, Excerpt, Span, Symbol

CODE = dedent(
    """\
    import a
    import b
    import c

    # Says what f is for.
    @decorated
    def f():
        x = 1
        return x

    class A:
        def m(self):
            pass
    ####
    """
)
F = ("function", 7, 9)
A = ("class", 11, 13)


def chunk(
    first: int, last: int, symbol: tuple[str, int, int] | None = None, part: int = 0
) -> Chunk:
    lines = CODE.splitlines(keepends=True)
    begin = len("".join(lines[: first - 1]))
    text = "".join(lines[first - 1 : last])
    of = None
    if symbol is not None:
        kind, top, bottom = symbol
        at = len("".join(lines[: top - 1]))
        of = Symbol(
            "s", kind, Span(top, bottom), "", Excerpt(at, at + 3, CODE[at : at + 3]), NOTHING
        )
    body = Excerpt(begin, begin + len(text), text)
    return Chunk(ChunkId("r", "p", first), "python", Span(first, last), body, of, part)


@pytest.mark.parametrize(
    ("suspect", "wrong"),
    [
        pytest.param(chunk(14, 14), Fragment.RULE, id="a line of hashes"),
        pytest.param(chunk(9, 9, F, 1), Fragment.RETURN, id="a lone return"),
        pytest.param(chunk(1, 2), Fragment.SMALL, id="two lines"),
        pytest.param(chunk(1, 3), None, id="three lines"),
        pytest.param(chunk(7, 9, F), Fragment.SEVERED, id="without its decorator"),
        pytest.param(chunk(6, 9, F), Fragment.SEVERED, id="without its comment"),
        pytest.param(chunk(5, 9, F), None, id="with both"),
        pytest.param(chunk(11, 11, A), Fragment.HEADER, id="a header alone"),
        pytest.param(chunk(11, 13, A), None, id="a header with a member"),
        pytest.param(chunk(12, 13, ("method", 12, 13)), None, id="a small definition"),
    ],
)
def test_a_chunk_is_judged_by_its_lines(suspect: Chunk, wrong: Fragment | None) -> None:
    method = chunk(12, 13, ("method", 12, 13))
    found = dict(found_in([suspect, method], CODE))

    assert found.get(suspect) is wrong


def test_a_whole_file_is_no_fragment() -> None:
    assert list(found_in([chunk(1, 1)], "import a\n")) == []


def test_the_summary_counts_by_kind_and_by_language() -> None:
    one = {
        "chunks": {"python": 200},
        "bytes": 1,
        "cpu_s": 1.0,
        "fragments": {f"python: {Fragment.SMALL}": 20, f"python: {Fragment.RULE}": 2},
    }
    none = {**one, "fragments": {}}
    costs = {"p": {"before": {"cpu_s": 2.0, "bytes": 100}, "after": {"cpu_s": 1.0, "bytes": 110}}}
    page = summary([one], [none], costs, "None.")

    assert "| fragments, all kinds | 22 (11.00 %) | 0 (0.00 %) |" in page
    assert "| python | 200 | 22 (11.00 %) | 0 (0.00 %) |" in page
    assert "| p | 2.0 | 1.0 (-50.0 %) | 100 | 110 (+10.0 %) |" in page
