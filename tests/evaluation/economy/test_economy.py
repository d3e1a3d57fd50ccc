"""Both ways of finding, over the same files: who pays what, who wins where, and always alike."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import pytest

from plait.errors import EvaluationError
from plait.evaluation.dataset import Dataset, Level
from plait.evaluation.economy.economy import spread
from plait.evaluation.economy.summary import DEARER, summary
from plait.evaluation.economy.tokens import count
from plait.evaluation.load import load_dataset
from plait.interfaces.cli.evaluation.economy import rendered
from plait.interfaces.fences import DATA_ONLY
from plait.types import Absent, Answer, Query, Text
from plait.types.notes import Note
from tests.evaluation.datasets import beir
from tests.evaluation.economy.asking import asked, compare
from tests.sources.repositories import tree

TESTS = Path(__file__).parents[2]

pytestmark = pytest.mark.usefixtures("_ripgrep")


# ---------------------------------------------------------------- planted cases


def names_alike() -> dict[str, str]:
    """Twelve functions whose names share all words but one: plait's page is full of them."""
    numbers = "one two three four five six seven eight nine ten eleven twelve".split()
    body = "    attempts = settings.retry\n    wait(attempts)\n    policy.apply(attempts)\n"
    return {f"{name}.py": f"def retry_policy_{name}(policy):\n{body * 4}" for name in numbers}


def other_forms() -> dict[str, str]:
    """A question's words in the form it says them, over and over, but not where it points."""
    files = {
        f"notes_{number}.py": f"{'# caching is a topic' * 3}\n" * 60 + f"total = {number}\n"
        for number in range(4)
    }
    return {**files, "zz.py": "def cache_session(session):\n    return cache.put(session)\n"}


def test_ripgrep_wins_where_the_exact_name_is_known(tmp_path: Path) -> None:
    dataset = asked(tree(tmp_path / "t", names_alike()), {"retry_policy_seven": ["seven.py"]})
    (row,) = compare(dataset, tmp_path / "indexes")
    made = summary([row])

    assert row.is_found
    assert (row.baseline.is_found, row.baseline.reads) == (True, 1)
    assert row.baseline.tokens < row.page_tokens
    assert made["losses"] == [
        {
            "question": "q1",
            "text": "retry_policy_seven",
            "tokens": row.page_tokens,
            "baseline_tokens": row.baseline.tokens,
            "reason": DEARER,
        }
    ]
    assert (made["lost"], made["cheaper_and_found"]) == (1, 0.0)


def test_plait_wins_where_the_code_says_it_in_other_forms(tmp_path: Path) -> None:
    dataset = asked(tree(tmp_path / "t", other_forms()), {"caching of sessions": ["zz.py"]})
    (row,) = compare(dataset, tmp_path / "indexes")
    made = summary([row])

    assert row.rank == 1
    assert (row.baseline.is_found, row.baseline.reads) == (False, 4)
    assert row.page_tokens < row.naive.tokens < row.baseline.tokens
    assert (made["lost"], made["losses"], made["cheaper_and_found"]) == (0, [], 1.0)


# ---------------------------------------------------------------- what a page costs


def test_a_page_costs_its_question_and_every_block(tmp_path: Path) -> None:
    root = tree(tmp_path / "t", {"a.py": "def pour_tea(): pass\n", "b.py": "# tea\ncup = 1\n"})
    (row,) = compare(asked(root, {"pour tea": ["b.py"]}), tmp_path / "indexes")
    first = count(f"{DATA_ONLY}\na.py:1-1 pour_tea\n```python\ndef pour_tea(): pass\n```\n")
    second = count("b.py:1-2\n```python\n# tea\ncup = 1\n```\n")

    assert row.rank == 2
    assert row.tokens == row.page_tokens == count("pour tea") + first + second


def test_up_to_the_first_hit_is_less_than_the_page(tmp_path: Path) -> None:
    root = tree(tmp_path / "t", {"a.py": "def pour_tea(): pass\n", "b.py": "# tea\ncup = 1\n"})
    (row,) = compare(asked(root, {"pour tea": ["a.py"]}), tmp_path / "indexes")

    assert row.rank == 1
    assert row.page_tokens - row.tokens == count("b.py:1-2\n```python\n# tea\ncup = 1\n```\n")


def test_what_plait_does_not_find_costs_the_page(tmp_path: Path) -> None:
    root = tree(tmp_path / "t", {"a.py": "tea = 1\n", "b.py": "cup = 1\n"})
    (row,) = compare(asked(root, {"tea": ["b.py"]}), tmp_path / "indexes")

    assert row.rank is None
    assert (
        row.tokens
        == row.page_tokens
        == count("tea") + count(f"{DATA_ONLY}\na.py:1-1\n```python\ntea = 1\n```\n")
    )


def test_lines_of_a_chunk_that_are_not_shown_are_not_found(tmp_path: Path) -> None:
    body = "".join(f"    step({number})\n" for number in range(30))
    root = tree(tmp_path / "t", {"a.py": f"def pour_tea():\n{body}"})
    questions = {"pour tea": ["a.py:1-2"], "pour the tea": ["a.py:29-30"]}
    shown, hidden = compare(asked(root, questions, Level.TARGET), tmp_path / "indexes")

    assert (shown.is_found, hidden.is_found) == (True, False)


def test_a_page_shows_as_many_results_of_a_file_as_the_user_would_see(tmp_path: Path) -> None:
    root = tree(tmp_path / "t", {"a.py": "def tea(): pass\n\n\ndef pour_tea(): pass\n"})
    (row,) = compare(asked(root, {"tea": ["a.py"]}), tmp_path / "indexes")

    assert row.page_tokens == count("tea") + count(
        f"{DATA_ONLY}\na.py:1-1 tea\n```python\ndef tea(): pass\n```\n"
    )


def test_notes_and_hints_are_part_of_the_page() -> None:
    query = Query("tea", Text("tea"))
    absent = (Absent("dense", "late", "no answer within 1 s"),)
    answer = Answer(
        query,
        1,
        (),
        absent=absent,
        notes=(Note("relaxed", "looser"),),
        hints=(Note("restriction", "try cup"),),
    )

    assert rendered(answer) == [
        "warning: the dense lane gave no answer: no answer within 1 s",
        "note: looser",
        "no results",
        "hint: try cup",
    ]


def test_the_same_files_cost_the_same_again(tmp_path: Path) -> None:
    dataset = asked(tree(tmp_path / "t", names_alike()), {"retry policy": ["ten.py"]})

    assert compare(dataset, tmp_path / "one") == compare(dataset, tmp_path / "two")


def test_both_ways_are_held_to_the_lines_of_a_symbol(tmp_path: Path) -> None:
    filler = "".join(f"def other_{number}():\n    pass\n\n\n" for number in range(30))
    root = tree(tmp_path / "t", {"a.py": f"def pour_tea():\n    pass\n\n\n{filler}"})
    right = asked(root, {"pour_tea": ["a.py::pour_tea"]}, Level.SYMBOL)
    wrong = asked(root, {"pour_tea": ["a.py::other_29"]}, Level.SYMBOL)
    (hit,) = compare(right, tmp_path / "indexes")
    (miss,) = compare(wrong, tmp_path / "indexes")

    assert (hit.is_found, hit.baseline.is_found, hit.naive.is_found) == (True, True, True)
    assert (miss.is_found, miss.baseline.is_found, miss.naive.is_found) == (False, False, True)


# ---------------------------------------------------------------- a corpus of our own


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """The tea shop and the questions about it."""
    root = tmp_path_factory.mktemp("shop") / "teahouse"
    shutil.copytree(TESTS / "fixtures" / "corpus", root)
    listed = tomllib.loads((TESTS / "goldens" / "teahouse.toml").read_text("utf-8"))["question"]
    questions = {
        case["text"]: [answer.partition("#")[0] for answer in case["answers"]] for case in listed
    }
    return asked(root, questions)


@pytest.mark.slow
def test_questions_are_asked_in_order_and_cost_the_same_again(
    shop: Dataset, tmp_path: Path
) -> None:
    rows = compare(shop, tmp_path / "first", limit=6)
    again = compare(shop, tmp_path / "second", limit=6)

    assert [row.question for row in rows] == [asked.id for asked in spread(shop, 6)[0].questions]
    assert again == rows


@pytest.mark.slow
def test_most_answers_in_the_shop_are_found_both_ways(shop: Dataset, tmp_path: Path) -> None:
    made = summary(compare(shop, tmp_path / "indexes"))

    assert made["found"] > 0.9
    assert made["baseline_found"] > 0.7
    assert 0 < made["median_first_hit_tokens"] < made["median_tokens"]
    assert made["thrifty_median_tokens"] < made["baseline_median_tokens"]


def test_a_limit_asks_questions_from_all_over(shop: Dataset) -> None:
    everything = [question.id for _, question in shop.questions()]
    (part,) = spread(shop, 4)
    chosen = [everything.index(question.id) for question in part.questions]

    assert chosen == [at * len(everything) // 4 for at in range(4)]
    assert [len(spread(shop, limit)[0].questions) for limit in (0, 1, 10_000)] == [
        len(everything),
        1,
        len(everything),
    ]


def test_documents_have_no_tree_to_search(tmp_path: Path) -> None:
    dataset = load_dataset(beir(tmp_path / "tiny"))

    with pytest.raises(EvaluationError, match="no tree for ripgrep"):
        compare(dataset, tmp_path / "indexes")
