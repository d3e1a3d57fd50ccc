"""What benchmarks ask for is kept out, by each of the four rules."""

from __future__ import annotations

import gzip
import json
import random
from itertools import islice
from pathlib import Path

import pytest

from training.decontaminate import Benchmarks, MinHash, jaccard, tokens
from training.held_out import lines

CODE = """def read_rows(path, limit):
    rows = []
    with open(path, encoding="utf-8") as stream:
        for number, line in enumerate(stream):
            if number >= limit:
                break
            rows.append(line.rstrip().split(","))
    return rows
"""
OTHER = """def total(values):
    result = 0
    for value in values:
        if value is not None and value > 0:
            result += value * 2
    return result
"""


@pytest.fixture(name="benchmarks")
def fixture_benchmarks(tmp_path: Path) -> Benchmarks:
    """One function and one query of one benchmark."""
    folder = tmp_path / "csn-x"
    folder.mkdir()
    row = {"title": "Reader.read_rows", "text": CODE, "metadata": {"language": "python"}}
    with gzip.open(folder / "corpus.jsonl.gz", "wt") as stream:
        stream.write(json.dumps(row) + "\n")
    (folder / "queries.jsonl").write_text('{"text": "Reads some rows of a table."}\n', "utf-8")
    return Benchmarks(tmp_path)


def test_white_space_and_comments_make_no_other_code(benchmarks: Benchmarks) -> None:
    spread = CODE.replace("    ", "\t").replace("rows = []", "rows = []  # none yet")

    assert benchmarks.rule("python", "anything", spread) == "same code"


def test_the_same_name_with_half_the_tokens_is_the_same_function(benchmarks: Benchmarks) -> None:
    edited = CODE.replace("rows", "found").replace("enumerate(stream)", "zip(count(), stream)")

    assert benchmarks.rule("python", "Table.read_rows", edited) == "same name"


def test_an_edited_copy_under_another_name_is_a_near_duplicate(benchmarks: Benchmarks) -> None:
    copied = CODE.replace("read_rows", "load").replace('","', '";"')

    assert benchmarks.rule("python", "load", copied) == "near duplicate"


def test_other_code_and_other_languages_pass(benchmarks: Benchmarks) -> None:
    assert benchmarks.rule("python", "total", OTHER) == ""
    assert benchmarks.rule("python", "read_rows", OTHER) == ""
    assert benchmarks.rule("ruby", "read_rows", CODE) == ""


def test_a_query_is_known_whatever_its_marks_and_case(benchmarks: Benchmarks) -> None:
    assert benchmarks.asks("reads some ROWS of a table")
    assert not benchmarks.asks("reads all rows of a table")


def test_signatures_agree_as_often_as_sets_do() -> None:
    draw = random.Random(3)
    hasher = MinHash(permutations=1024)
    for share in (0.2, 0.5, 0.8):
        words = [f"w{draw.random()}" for _ in range(400)]
        one, other = hasher.grams(words), hasher.grams(words[: int(400 * share)])
        agreed = (hasher.signature(one) == hasher.signature(other)).mean()

        assert agreed == pytest.approx(jaccard(one, other), abs=0.06)


def test_what_looks_like_a_comment_inside_a_string_is_code() -> None:
    assert "name" in tokens('x = "#{name} at http://host"  # gone')
    assert "host" in tokens('x = "#{name} at http://host"  # gone')
    assert "gone" not in tokens('x = "#{name} at http://host"  # gone')


def test_short_code_has_one_gram() -> None:
    assert len(MinHash().grams(tokens("x = 1"))) == 1


@pytest.mark.slow
@pytest.mark.nightly
def test_planted_functions_of_every_benchmark_are_caught(shared: Path) -> None:
    benchmarks = Benchmarks(shared / "data")
    corpora = sorted((shared / "data").glob("cs*/corpus.jsonl.gz"))
    corpora += sorted((shared / "data").glob("cosqa/corpus_nodoc.jsonl.gz"))

    assert corpora
    for corpus in corpora:
        for line in islice(lines(corpus), 0, 200, 10):
            row = json.loads(line)
            language = row["metadata"]["language"]
            moved = "\n".join("  " + text for text in row["text"].splitlines())
            assert benchmarks.rule(language, "renamed", moved) == "same code"
            if row["text"].count("\n") > 4:  # in less, one more call is half of the tokens
                assert benchmarks.rule(language, row["title"], row["text"] + "\nfoo();") != ""
    for queries in (shared / "data").glob("*/queries.jsonl.gz"):
        for line in islice(lines(queries), 20):
            assert benchmarks.asks(json.loads(line)["text"])
