"""Training: gradients by hand, questions from comments, and a small model made twice."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("scipy", reason="training needs scipy")

from scipy.sparse import csr_matrix

from plait.errors import ModelError
from plait.models.static import LEAD_PIECES, StaticModel
from plait.models.wordpiece import load_word_pieces
from plait.types import Passage, Vectors
from training.batches import Pool
from training.loop import average, trained
from training.model import Fields, Matrix, Model, Weights, unit
from training.objective import Adam, step
from training.phrasing import as_question, bare
from training.quantise import turned, write_model
from training.recipe import Recipe
from training.rows import Ragged, beginnings, chained, packed, weighed
from training.texts import read_texts
from training.vocabulary import chosen, in_pieces, package_counts, write_tokenizer

RANDOM = np.random.default_rng(3)


def rows(count: int, width: int) -> csr_matrix:
    dense = RANDOM.random((count, width)) * (RANDOM.random((count, width)) < 0.5)
    dense[:, 0] += 0.1  # no row is empty
    return csr_matrix(dense.astype(np.float32))


def test_gradients_are_those_of_the_loss() -> None:
    table = RANDOM.standard_normal((7, 4)).astype(np.float32)
    asking = (0.5 + RANDOM.random((7, 1))).astype(np.float32)
    asked, fields = rows(5, 7), [rows(5, 7), rows(5, 7)]
    fields[1] = csr_matrix(fields[1].multiply(np.array([[1], [0], [1], [1], [0]])))  # some empty
    made = step(table, asking, asked, fields, weights=(1.0, 0.5), scale=5.0)

    def loss() -> float:
        q = unit(asked @ (table * asking)).astype(np.float64)
        d = unit(unit(fields[0] @ table) + 0.5 * unit(fields[1] @ table)).astype(np.float64)
        scores = 5.0 * q @ d.T
        by_row = scores - np.log(np.exp(scores).sum(1, keepdims=True))
        by_column = scores - np.log(np.exp(scores).sum(0, keepdims=True))
        return -float(np.trace(by_row) + np.trace(by_column)) / 10

    for weights, gradient in ((table, made.table), (asking, made.asking)):
        for place in np.ndindex(weights.shape):
            before = weights[place]
            weights[place] = before + 1e-2
            above = loss()
            weights[place] = before - 1e-2
            below = loss()
            weights[place] = before
            assert gradient[place] == pytest.approx((above - below) / 2e-2, abs=3e-3)


def test_a_step_moves_only_the_rows_a_batch_used() -> None:
    weights = np.ones((3, 2), dtype=np.float32)

    Adam(weights).apply(np.array([1]), np.array([[4.0, -0.5]], dtype=np.float32), 0.1)

    assert weights == pytest.approx(np.array([[1, 1], [0.9, 1.1], [1, 1]]), abs=1e-5)


def test_rows_weigh_tokens_by_the_root_of_their_count() -> None:
    lists = packed([[2, 2, 2, 2, 0], [], [1]], most=9)

    assert weighed(lists, 3).toarray().tolist() == [[1, 0, 2], [0, 0, 0], [0, 1, 0]]
    assert weighed(lists, 3, root=False).toarray()[0].tolist() == [1, 0, 4]


def test_lists_are_cut_chained_and_put_in_pieces() -> None:
    both = chained([packed([[0, 1, 2]], most=2), packed([[2], []])])
    of_words = packed([[7], [8, 9], []])

    assert both.ids.tolist() == [0, 1, 2]
    assert both.ends.tolist() == [0, 2, 3, 3]
    made: Ragged = in_pieces(both, of_words)
    assert made.ids.tolist() == [7, 8, 9]
    assert made.ends.tolist() == [0, 3, 3, 3]


@pytest.mark.parametrize(
    ("said", "name", "asked"),
    [
        ("Returns True if the path is absolute.", "isabs", "check if the path is absolute"),
        ("Creates a new session for the user.", "create", "create a new session for the user"),
        ("setInputVals sets the input values", "setInputVals", "set the input values"),
        ("Retrieves all rows of a table", "rows", "get all rows of a table"),
        ("Determine whether or not a key is known", "known", "check if a key is known"),
        ("This is the class that parses", "parse", "this is the class that parses"),
    ],
)
def test_a_comment_becomes_a_question(said: str, name: str, asked: str) -> None:
    assert as_question(said, name) == asked


def test_only_the_first_sentence_is_asked() -> None:
    assert as_question("Sort a list. It is fast.", "ordered", 12) == "sort a list"


@pytest.mark.parametrize(
    ("verb", "plain"),
    [("copies", "copy"), ("matches", "match"), ("sets", "set"), ("process", "process")],
)
def test_verbs_lose_their_ending(verb: str, plain: str) -> None:
    assert bare(verb) == plain


def test_the_vocabulary_has_pieces_and_words_of_several_packages() -> None:
    used = {"sort": 3, "list": 2, "frobnicate": 1, "baron": 1, "x" * 41: 5}

    entries = chosen(used, ["##ing", "a", "baron", "[MASK]", "café"], 6)

    assert entries == ["[UNK]", "##ing", "a", "sort", "list", "baron"]


WORDS = "sort list parse date open file read line send mail draw chart lock door".split()


def pairs(folder: Path) -> None:
    lines = []
    for number in range(240):
        verb, noun = WORDS[number % 7 * 2], WORDS[number % 7 * 2 + 1]
        row = {
            "kind": "name" if number % 5 == 0 else "doc",
            "language": "python" if number % 3 else "go",
            "package": f"pypi:p{number // 60}",
            "name": f"{verb}_{noun}",
            "container": "",
            "query": f"{verb.title()}s the {noun} number{chr(97 + number % 26)} now",
            "code": f"def {verb}_{noun}(self): return {noun}.run{chr(97 + number % 26)}()",
        }
        lines.append(json.dumps(row))
    text = "\n".join(lines) + "\n"
    (folder / "pairs-00000.jsonl.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


RECIPE = Recipe(batch=32, steps=40, warm_up=5, rate=0.02, enough=50)


def small(folder: Path) -> tuple[Pool, Model]:
    pairs(folder)
    texts = read_texts(folder, folder.glob("pairs-*.jsonl.gz"))
    counts = dict(zip(texts.words, package_counts(texts).tolist(), strict=True))
    letters = [chr(97 + at) for at in range(26)]
    entries = chosen(counts, [*letters, *(f"##{letter}" for letter in letters)], 200)
    write_tokenizer(folder / "tokenizer.json", entries)
    pool = Pool(texts, load_word_pieces(folder / "tokenizer.json"), RECIPE)
    random = np.random.default_rng(1)
    table = random.standard_normal((len(entries), 64)).astype(np.float32)
    asking = np.ones((len(entries), 1), dtype=np.float32)
    return pool, Model(table, asking, Weights(0.65, 0.3, 0.4))


def accuracy(pool: Pool, model: Model) -> float:
    batch = pool.draw(np.random.default_rng(9))
    found = model.questions(batch.questions) @ model.functions(batch.functions).T
    return float((found.argmax(1) == np.arange(len(found))).mean())


@pytest.mark.slow
def test_training_learns_and_the_same_seed_gives_the_same_model(tmp_path: Path) -> None:
    pool, start = small(tmp_path)

    first, again = trained(pool, start, RECIPE, 1), trained(pool, start, RECIPE, 1)

    assert np.array_equal(first.table, again.table)
    assert np.array_equal(first.asking, again.asking)
    assert accuracy(pool, first) > accuracy(pool, start) + 0.1
    other = trained(pool, start, RECIPE, 2)
    assert not np.array_equal(first.table, other.table)
    assert average([first, other]).table == pytest.approx((first.table + other.table) / 2)


def test_a_function_that_is_asked_for_by_its_name_does_not_show_it(tmp_path: Path) -> None:
    pool, _ = small(tmp_path)
    pieces = load_word_pieces(tmp_path / "tokenizer.json")
    (sort,) = pieces.ids("sort")

    shown = pool.functions(np.array([0, 7]), np.zeros(2, dtype=bool))

    for field in shown[:3]:  # the first pair is of the kind `name`, the second is not
        assert field[:, [sort]].toarray().ravel().tolist() == [0, 1]


def vectors_of(made: Vectors) -> Matrix:
    return np.frombuffer(made.data, dtype="<f4").reshape(-1, made.dimension)


@pytest.mark.slow
def test_plait_runs_a_written_model_as_training_does(tmp_path: Path) -> None:
    pool, start = small(tmp_path)
    model = trained(pool, start, RECIPE, 1)
    texts = [
        "sort the list",
        "how to open file in python",
        "send mail mail mail mail and then lock the door of the file and read a line",
    ]
    pieces = load_word_pieces(tmp_path / "tokenizer.json")
    asked = weighed(packed(map(pieces.ids, texts)), pieces.size)
    names = ["sortList", "", "Door.lock"]
    fields = Fields(
        asked,
        weighed(packed(map(pieces.ids, ["sortList", "", "lock"])), pieces.size),
        weighed(beginnings(packed(map(pieces.ids, texts)), LEAD_PIECES), pieces.size),
        weighed(packed(map(pieces.ids, ["", "", "Door"])), pieces.size),
    )
    sample = model.functions(pool.functions(np.arange(200), np.zeros(200, dtype=bool)))

    write_model(tmp_path, turned(model, sample, seed=0))
    run = StaticModel(tmp_path)

    questions = vectors_of(run.questions(texts))
    functions = vectors_of(run.passages(list(map(Passage, names, texts))))
    # Turned, cosines are what they were; rounding moves them by less than a hundredth.
    expected = model.questions(asked) @ model.functions(fields).T
    assert questions @ functions.T == pytest.approx(expected, abs=1e-2)


def test_weights_of_questions_that_are_missing_or_too_few_are_refused(tmp_path: Path) -> None:
    _, start = small(tmp_path)
    write_model(tmp_path, start)
    StaticModel(tmp_path)
    few = replace(start, asking=start.asking[:-1])
    write_model(tmp_path, few)

    with pytest.raises(ModelError, match="does not weigh every piece"):
        StaticModel(tmp_path)


def test_the_digest_tells_formulas_apart(tmp_path: Path) -> None:
    _, start = small(tmp_path)
    digests = set()
    for weights in (Weights(0.5, 0.3, 0.4), Weights(0.5, 0.2, 0.4), Weights(0.5, 0.3, 0.1)):
        write_model(tmp_path, replace(start, weights=weights))
        digests.add(StaticModel(tmp_path).digest)

    assert len(digests) == 3
