"""What a commit message asks for once numbers, prefixes and emoji are cut."""

from __future__ import annotations

import time

import pytest

from plait.evaluation.mining.query import (
    body_of,
    kind_of,
    mentions,
    query_of,
    removes_what_is_gone,
    telling_words,
)


@pytest.mark.parametrize(
    ("subject", "query"),
    [
        ("Keep the session open while streaming (#1234)", "Keep the session open while streaming"),
        ("Close idle sockets, fixes #12.", "Close idle sockets"),
        ("Close idle sockets (fixes #12, closes owner/repo#13)", "Close idle sockets"),
        ("Fixed #34567 -- Crash in the admin's date filter", "Crash in the admin's date filter"),
        ("Refs #1, #2 -- Crash in date filter.", "Crash in date filter"),
        ("[#77] Guard against empty ranges", "Guard against empty ranges"),
        ("GH-42: Guard against empty ranges", "Guard against empty ranges"),
        ("KEY-123 Guard against empty ranges", "Guard against empty ranges"),
        ("UTF-8 names in archives", "UTF-8 names in archives"),
        ("feat(parser)!: accept trailing commas", "accept trailing commas"),
        ("fix: docs: accept trailing commas", "accept trailing commas"),
        ("[Fix] accept trailing commas", "accept trailing commas"),
        ("feat: ABC-9 accept trailing commas", "accept trailing commas"),
        ("parser: accept trailing commas", "parser: accept trailing commas"),
        ("✨ accept trailing commas 🎉!", "accept trailing commas"),
        (":bug: accept trailing commas :tada:", "accept trailing commas"),
        ("[3.2.x] accept trailing commas", "accept trailing commas"),
        ("accept trailing commas [skip ci]", "accept trailing commas"),
        ("accept commas, see https://example.org/t/9", "accept commas"),
        ("Take `Color#red` apart", "Take `Color#red` apart"),
        ("  two   spaces\tand tabs  ", "two spaces and tabs"),
        ("#12", ""),
    ],
)
def test_only_the_words_are_left(subject: str, query: str) -> None:
    assert query_of(subject) == query


@pytest.mark.parametrize(
    "piece", ["A", "_", "--", "  ", "for ", "fix: ", "and ", " ,", "#1,", "\U0001f600"]
)
@pytest.mark.parametrize("first", ["", "#1 ", "(#1"])
def test_no_message_takes_long(first: str, piece: str) -> None:
    began = time.process_time()
    query_of(first + piece * (1_000 // len(piece)) + "!")
    body_of(first + piece * (10_000 // len(piece)) + "!")

    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    ("subject", "kind"),
    [
        ("Fix(x): a", "fix"),
        ("feat!: a", "feat"),
        ("[Docs] a", "docs"),
        ("parser: a", ""),
        ("fix a", ""),
    ],
)
def test_a_conventional_commit_names_its_kind(subject: str, kind: str) -> None:
    assert kind_of(subject) == kind


def test_trailers_and_issue_numbers_are_no_part_of_the_body() -> None:
    body = "Sockets stayed open (#3).\n\nCloses #4\nCo-authored-by: A <a@example.org>\nThe end"

    assert body_of(body) == "Sockets stayed open.\nThe end"


def test_words_that_only_say_what_was_done_tell_nothing() -> None:
    assert telling_words("Fix the tests and update some files of 2024") == set()
    assert telling_words("Fix retries of the mail queue") == {"retries", "mail", "queue"}


def test_a_joined_name_counts_by_its_parts() -> None:
    assert telling_words("Fix handleClientError") == {"handle", "client", "error"}


def test_a_name_is_mentioned_as_a_whole_word_in_any_case() -> None:
    assert mentions("Close the Socket early", ["socket"])
    assert not mentions("Close the sockets early", ["socket"])
    assert not mentions("Close the sub_socket early", ["socket"])
    assert mentions("Let a==b hold for operator== too", ["operator=="])
    assert not mentions("anything", [])


@pytest.mark.parametrize(
    ("query", "is_gone"),
    [
        ("Remove `old_name` from the parser", True),
        ("Removed Parser.oldName()", True),
        ("Drop oldName and also kept_name", False),
        ("Remove the fallback of the parser", False),
        ("Rename old_name", False),
    ],
)
def test_a_removal_of_a_name_that_is_nowhere_left(query: str, is_gone: bool) -> None:
    assert removes_what_is_gone(query, [b"def kept_name(): ..."]) is is_gone
