"""Counting tokens: what is published, what is lossless, and what happens without the package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.evaluation.economy.tokens import count

CORPUS = Path(__file__).parents[2] / "fixtures" / "corpus"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        pytest.param("antidisestablishmentarianism", 6, id="a-long-word"),
        pytest.param("2 + 2 = 4", 7, id="numbers"),
        pytest.param("お誕生日おめでとう", 8, id="another-script"),
        pytest.param("", 0, id="nothing"),
        pytest.param("<|endoftext|>", 7, id="no-mark-is-special"),
    ],
)
def test_counts_are_those_published_for_the_encoding(text: str, tokens: int) -> None:
    assert count(text) == tokens


def test_half_a_character_is_counted_too() -> None:
    assert count("caf\udce9") == count("caf?")


@given(st.text())
def test_the_tokeniser_loses_nothing(text: str) -> None:
    from rs_bpe.bpe import openai

    tokens = openai.o200k_base().encode(text)

    assert openai.o200k_base().decode(tokens) == text
    assert count(text) == len(tokens)


@pytest.mark.parametrize("text", ["x" * 100_000, " " * 100_000, "🫖" * 10_000, "\n" * 100_000])
def test_a_long_line_is_counted_in_no_time(text: str) -> None:
    assert 0 < count(text) < len(text) * 4


def test_code_of_many_languages_comes_back_whole() -> None:
    from rs_bpe.bpe import openai

    tokeniser = openai.o200k_base()
    texts = [file.read_text("utf-8") for file in sorted(CORPUS.rglob("*")) if file.is_file()]

    assert len(texts) > 20
    assert [t for t in texts if tokeniser.decode(tokeniser.encode(t)) != t] == []


def test_without_the_package_the_error_says_how_to_get_it() -> None:
    script = (
        "import sys; sys.modules['rs_bpe'] = None\n"
        "from plait.errors import EvaluationError\n"
        "from plait.evaluation.economy.tokens import count\n"
        "try: count('x')\n"
        "except EvaluationError as error: print(error, '|', error.hint)"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )

    assert run.stdout == 'the tokeniser rs-bpe is not installed | pip install "plait[eval]"\n'
