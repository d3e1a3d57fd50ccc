"""Replays: every token an agent with ripgrep pays is one it was shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.evaluation.economy.replay import HEAD, READS, Trail, naive, ranged, thrifty
from plait.evaluation.economy.right import IsRight
from plait.evaluation.economy.ripgrep import Ripgrep
from plait.evaluation.economy.tokens import count
from plait.types import Span
from tests.sources.repositories import tree

pytestmark = pytest.mark.usefixtures("_ripgrep")

FILES = {
    "pot.py": "def brew_tea(cup):\n    return cup\n",
    "shop.py": "from pot import brew_tea\n\nbrew_tea('cup')\nprint('tea')\n",
    "till.py": "tea = 3\n",
}
POT = "     1\tdef brew_tea(cup):\n     2\t    return cup"
SHOP = "     1\tfrom pot import brew_tea\n     2\t\n     3\tbrew_tea('cup')\n     4\tprint('tea')"


def paid(*texts: str) -> int:
    return sum(map(count, texts))


def at(path: str, line: int = 0) -> IsRight:
    """Right is a file, or a line of it."""
    return lambda shown, lines: shown == path and (not line or lines.first <= line <= lines.last)


def test_ranged_reads_pay_for_each_output_and_stop_at_the_right_file(tmp_path: Path) -> None:
    rg = Ripgrep(tree(tmp_path, FILES))
    counts = paid("brew_tea cup", "brew_tea 3\ncup 3")
    shop = "shop.py:1:from pot import brew_tea\nshop.py:3:brew_tea('cup')"
    look = paid("brew_tea", f"pot.py:1:def brew_tea(cup):\n{shop}")
    both = paid("brew_tea cup", "pot.py\nshop.py")
    first, second = paid("pot.py:1-2", POT), paid("shop.py:1-4", SHOP)

    assert ranged("where is brew_tea used for a cup", rg, at("pot.py")) == Trail(
        counts + look + both + first, True, 1, 4, counts + look
    )
    assert ranged("where is brew_tea used for a cup", rg, at("shop.py")) == Trail(
        counts + look + both + first + second, True, 2, 5, counts + look
    )


def test_what_is_not_found_costs_all_that_was_paid(tmp_path: Path) -> None:
    rg = Ripgrep(tree(tmp_path, FILES))
    missed = ranged("brew_tea cup", rg, at("till.py"))

    assert missed.is_found is False
    assert (missed.reads, missed.sight_tokens) == (2, None)
    assert missed.tokens == ranged("brew_tea cup", rg, at("shop.py")).tokens


def test_where_lines_are_wanted_the_right_file_is_not_enough(tmp_path: Path) -> None:
    rows = ["brew_tea"] + ["x"] * 60 + ["y"]
    rg = Ripgrep(tree(tmp_path, {"pot.py": "\n".join(rows)}))

    assert ranged("brew_tea", rg, at("pot.py", 21)).is_found
    assert not ranged("brew_tea", rg, at("pot.py", 22)).is_found
    assert not thrifty("brew_tea", rg, at("pot.py", 22)).is_found
    assert naive("brew_tea", rg, at("pot.py", 22)).is_found


def test_a_listed_path_shows_no_lines(tmp_path: Path) -> None:
    rg = Ripgrep(tree(tmp_path, FILES))

    for way in (ranged, thrifty, naive):
        trail = way("brew_tea cup", rg, at("pot.py", 2))
        assert trail.is_found
        assert trail.sight_tokens == trail.tokens


def test_three_words_are_tried_before_two_and_nothing_found_is_paid_too(tmp_path: Path) -> None:
    files = {"a.py": "tea\ncup\n", "b.py": "milk\nmilk\nmilk\ntea\ncup\ncup\n"}
    rg = Ripgrep(tree(tmp_path / "all", files))
    apart = Ripgrep(tree(tmp_path / "apart", {**files, "b.py": "milk\nmilk\nmilk\n"}))

    assert ranged("tea cup milk", rg, at("b.py")).calls == 4  # count, look, three, read
    assert ranged("tea cup milk", apart, at("a.py")).calls == 5  # count, look, three, two, read


def test_output_is_cut_and_reads_are_few(tmp_path: Path) -> None:
    files = {f"{number:03}.py": "tea\n" for number in range(HEAD + 10)}
    rg = Ripgrep(tree(tmp_path, files))
    look = [f"{number:03}.py:1:tea" for number in range(HEAD)]
    reads = [f"{number:03}.py:1-1" for number in range(READS)]

    assert ranged("tea", rg, at("gone.py")) == Trail(
        paid("tea", f"tea {HEAD + 10}", "tea", "\n".join(look), *reads)
        + READS * paid("     1\ttea"),
        False,
        READS,
        2 + READS,
        None,
    )
    assert naive("tea", rg, at("gone.py")).reads == READS


def test_a_long_line_is_not_read_whole(tmp_path: Path) -> None:
    rg = Ripgrep(tree(tmp_path, {"min.js": f"tea {'x ' * 50_000}\n"}))

    assert thrifty("tea", rg, at("min.js")).tokens < 1_000
    assert naive("tea", rg, at("min.js")).tokens > 40_000


def test_the_thrifty_script_pays_for_ten_lines_in_place_of_looking(tmp_path: Path) -> None:
    rg = Ripgrep(tree(tmp_path, FILES))
    counts = paid("brew_tea cup", "brew_tea 3\ncup 3")
    listing = paid("brew_tea cup", "2 pot.py:1\n2 shop.py:1")

    assert thrifty("brew_tea cup", rg, at("pot.py")) == Trail(
        counts + listing + paid("pot.py:1-2", POT), True, 1, 3, counts + listing
    )


def test_the_naive_way_reads_whole_files(tmp_path: Path) -> None:
    rg = Ripgrep(tree(tmp_path, FILES))
    listing = paid("brew_tea cup", "pot.py\nshop.py")

    assert naive("brew_tea cup", rg, at("pot.py")) == Trail(
        listing + paid("pot.py", FILES["pot.py"].removesuffix("\n")), True, 1, 2, listing
    )


@pytest.mark.parametrize("question", ["?!", "coffee"])
def test_a_question_nothing_matches_costs_little_and_finds_nothing(
    question: str, tmp_path: Path
) -> None:
    rg = Ripgrep(tree(tmp_path, FILES))

    for way in (ranged, thrifty, naive):
        trail = way(question, rg, lambda path, lines: lines != Span(-1, -1))
        assert (trail.is_found, trail.reads) == (False, 0)
        assert trail.tokens < 10
