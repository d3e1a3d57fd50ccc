"""The estimate of tokens, by example, by law and beside a tokeniser."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.search.packing.estimate import estimate

SOURCES = Path(__file__).parents[3] / "src" / "plait" / "search"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("def brew(leaves):\n", 6),  # def brew ( leaves ): line break
        ("parseHTTPHeader", 4),  # parse HTT PH(P) eader: three capitals at most
        ("a_1", 3),
        ("12345", 2),
        ("\n\n    x", 2),
        ("語語語", 2),
    ],
)
def test_pieces_are_counted(text: str, tokens: int) -> None:
    assert estimate(text) == tokens


@given(st.lists(st.text(alphabet="abA1_( é\t", max_size=20)))
def test_lines_never_add_up_to_less_than_the_text(lines: list[str]) -> None:
    ended = [f"{line}\n" for line in lines]

    assert estimate("".join(ended)) <= sum(map(estimate, ended))


def test_it_is_no_less_than_a_tokeniser_counts_and_not_much_more() -> None:
    pytest.importorskip("rs_bpe")
    from plait.evaluation.economy.tokens import count

    code = "".join(path.read_text("utf-8") for path in sorted(SOURCES.glob("*.py")))

    assert 1.0 <= estimate(code) / count(code) <= 1.3
