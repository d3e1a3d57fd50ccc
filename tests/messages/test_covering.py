"""How much of a message a line says, and what is looked up to find it."""

from __future__ import annotations

from plait.messages.covering import Wanted
from plait.messages.literals import words_of
from plait.messages.looking import lookups
from plait.messages.pasted import Message

WANTED = Wanted(Message("user bob not found in group 'admins' after 3 tries", "KeyError"))
EXACT = 'raise KeyError(f"user {name} not found in group {group!r} after {n} tries")'


def test_a_line_with_the_whole_literal_beats_every_line_with_a_part_of_it() -> None:
    others = (
        'raise KeyError("user not found")',
        "# not found in group after tries",
        'log.error("user %s not found in %s", a, b)',
        'raise KeyError(f"user {name} not found in group {g} after {n} tries or {m} days")',
        'raise ValueError(f"user {name} not found in group {g} after {n} tries")',
    )
    best = WANTED.cover(EXACT).score
    assert all(WANTED.cover(line).score < best for line in others)


def test_a_line_says_all_but_the_values() -> None:
    cover = WANTED.cover(EXACT)
    assert cover.is_whole
    assert cover.covered == 29 / 32  # all letters but those of "bob"


def test_words_in_another_order_are_not_all_met() -> None:
    assert WANTED.cover('"tries after group in found not user"').covered < 0.5


def test_a_value_that_the_literal_has_is_met() -> None:
    wanted = Wanted(Message("expected 'int' but got 5"))
    assert wanted.cover("\"expected 'int' but got %d\"").is_whole


def test_a_line_without_a_word_of_the_message_says_nothing() -> None:
    assert WANTED.cover('"something else"').score == 0


def test_placeholders_are_no_words() -> None:
    line = 'f("a %s b {name} c ${x.y} d #{z} e %(n)d g\\n", h)'
    assert [word for word, literal in words_of(line) if literal] == ["a", "b", "c", "d", "e", "g"]


def test_all_fixed_parts_are_looked_up_first_then_runs_then_words() -> None:
    found = list(lookups("no route from 'a' to host beta"))
    assert found[0] == ("no route from.*to host beta",)
    assert found[1] == ("no route from", "to host beta")
    assert found[-1] == ("route", "from", "host", "beta")


def test_a_message_of_values_alone_is_not_looked_up() -> None:
    assert list(lookups("'a' 5 /tmp/x")) == []


def test_an_apostrophe_may_be_escaped_in_code() -> None:
    assert next(lookups("it can't be")) == (r"it can\\?'t be",)
