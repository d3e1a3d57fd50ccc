"""Tokens: how identifiers, text and questions become terms, by example and by law."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.lanes.tokens import PARTS, analyse, analyser, pairs, question_terms
from plait.words import MAX_TERM, QUESTION_WORDS, STOP_WORDS, split


@pytest.mark.parametrize(
    ("identifier", "parts"),
    [
        ("findUserByEmail", "find user by email"),
        ("FindUserByEmail", "find user by email"),
        ("find_user_by_email", "find user by email"),
        ("FIND_USER_BY_EMAIL", "find user by email"),
        ("HTTPServer2", "http server 2"),
        ("parseHTML5Doc", "parse html 5 doc"),
        ("getX", "get x"),
        ("XMLHttpRequest", "xml http request"),
        ("utf8", "utf 8"),
        ("__init__", "init"),
        ("_", ""),
        ("größeÄndern", "größe ändern"),
        ("ÜBER_GRÖSSE", "über grösse"),
        ("имяФайла", "имя файла"),
        ("日本語", "日本語"),
        ("naïve2Go", "naïve 2 go"),
        ("ÄHTTPServer", "ähttp server"),
    ],
)
def test_split(identifier: str, parts: str) -> None:
    assert split(identifier) == parts.split()


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("", ""),
        ("... -> !", ""),
        ("running", "run"),
        ("findUsers", "find user findusers"),
        ("FIND_USERS", "find user findusers"),
        ("users users", "user user"),
        ("user_users", "user userusers"),
        ("a.bC", "a b c bc"),
        ("x" * (MAX_TERM + 1), ""),
        (f"tail_{'x' * MAX_TERM}", f"tail {'x' * MAX_TERM}"),
    ],
)
def test_analyse(text: str, terms: str) -> None:
    assert analyse(text) == terms


words = st.from_regex(r"[a-z]{2,8}", fullmatch=True)
names = st.lists(words, min_size=1, max_size=5, unique=True)


@given(names)
def test_every_spelling_of_a_name_has_the_same_terms(parts: list[str]) -> None:
    snake = analyse("_".join(parts))

    assert analyse("_".join(parts).upper()) == snake
    assert analyse(parts[0] + "".join(part.title() for part in parts[1:])) == snake
    assert analyse("".join(part.title() for part in parts)) == snake


@given(names)
def test_a_name_gives_each_part_once_and_itself(parts: list[str]) -> None:
    terms = analyse("_".join([*parts, *parts])).split()

    assert len(terms) == len(set(terms))
    if 2 * len("".join(parts)) <= MAX_TERM and len(parts) > 1:
        assert "".join([*parts, *parts]) in terms
    assert {term for part in parts for term in analyse(part).split()} <= set(terms)


@pytest.mark.parametrize("name", ["logLog", "foo_foo", "TestTest"])
def test_a_name_that_repeats_itself_is_kept_whole_too(name: str) -> None:
    assert name.replace("_", "").lower() in analyse(name).split()


@given(words)
def test_case_does_not_matter(word: str) -> None:
    assert analyse(word) == analyse(word.upper()) == analyse(word.title())


@given(st.text())
def test_any_text_can_be_analysed_and_always_the_same_way(text: str) -> None:
    terms = analyse(text)

    assert terms == analyse(text)
    assert terms == " ".join(terms.split())
    assert all(len(term) <= 2 * MAX_TERM for term in terms.split())


@given(st.text(), st.text())
def test_lines_are_analysed_one_by_one(one: str, other: str) -> None:
    apart = [analyse(one), analyse(other)]

    assert analyse(f"{one}\n{other}") == " ".join(filter(None, apart))


@pytest.mark.parametrize(
    ("terms", "expected"),
    [("", ""), ("a", ""), ("a b", "a_b"), ("a b c", "a_b b_c"), ("a a", "a_a")],
)
def test_pairs(terms: str, expected: str) -> None:
    assert pairs(terms) == expected


@given(st.lists(words, max_size=8))
def test_pairs_are_one_fewer_than_terms(row: list[str]) -> None:
    assert len(pairs(" ".join(row)).split()) == max(0, len(row) - 1)


# ---------------------------------------------------------------- questions


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("", []),
        ("how are users deleted", [("user", "users"), ("delet", "deleted")]),
        ("where is the code that handles retries", [("retri", "retries")]),
        ("how does it work", [("work", "work")]),
        ("to be or not to be", [(word, word) for word in ("to", "be", "or", "not")]),
        ("Users users USERS", [("user", "Users")]),
        (
            "userName name",
            [("user", "userName"), ("name", "userName"), ("username", "userName")],
        ),
    ],
)
def test_terms_of_a_question(question: str, expected: list[tuple[str, str]]) -> None:
    assert question_terms(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("", []),
        ("queue", []),
        ("convert int to string", ["convertint", "inttostring"]),
        ("the HTTP status_code", ["httpstatuscode"]),
        (f"a{'x' * 40} b{'y' * 40}", []),
    ],
)
def test_words_of_a_question_as_one_identifier(question: str, expected: list[str]) -> None:
    assert [term for term, _ in analyser().joined_terms(question)] == expected


def test_no_words_are_joined_where_no_identifier_is_kept_whole() -> None:
    assert analyser(identifiers=PARTS).joined_terms("priority queue") == []


@given(st.lists(words, min_size=2, max_size=3))
def test_joined_words_are_the_term_that_their_identifier_is_indexed_by(typed: list[str]) -> None:
    joined = dict(analyser().joined_terms(" ".join(typed)))

    for term, run in joined.items():
        written = "_".join(run.split())
        assert term in analyse(written).split()


@given(st.lists(st.one_of(words, st.sampled_from(sorted(STOP_WORDS | QUESTION_WORDS)))))
def test_a_question_with_a_word_has_a_term_and_stop_words_go_only_if_others_stay(
    typed: list[str],
) -> None:
    found = question_terms(" ".join(typed))
    terms = [term for term, _ in found]

    assert bool(found) == bool(typed)
    assert len(terms) == len(set(terms))
    if set(typed) - STOP_WORDS:
        assert not {word for _, word in found} & STOP_WORDS
    if set(typed) - STOP_WORDS - QUESTION_WORDS:
        assert not {word for _, word in found} & QUESTION_WORDS


@given(st.text())
def test_every_term_of_a_question_is_one_the_text_is_indexed_by(text: str) -> None:
    assert {term for term, _ in question_terms(text)} <= set(analyse(text).split())


@pytest.mark.parametrize("question", ["how _", f"the {'x' * 65}"])
def test_a_word_without_terms_does_not_silence_the_others(question: str) -> None:
    assert question_terms(question)


def test_words_without_a_letter_are_joined_to_nothing() -> None:
    assert analyser().joined_terms("_ __ _") == []
