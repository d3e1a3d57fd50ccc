"""Which commits are no cases by what they say."""

from __future__ import annotations

import pytest

from plait.evaluation.mining.filters import Messages
from plait.evaluation.mining.history import Commit

TELLING = "Keep the session cookie while streaming"


def said(
    subject: str,
    *,
    body: str = "",
    author: str = "Ada Lovelace",
    email: str = "ada@example.org",
    id_: str = "a" * 40,
    parents: int = 1,
) -> Commit:
    above = tuple("b" * 40 for _ in range(parents))
    return Commit(id_, above, author, email, "2024-01-01T00:00:00+00:00", subject, body)


def reason(commit: Commit, *others: Commit) -> str:
    return Messages([commit, *others]).reason(commit)


@pytest.mark.parametrize(
    "subject",
    [
        TELLING,
        "Release the connection of a cancelled request",
        "Merge query parameters with defaults",
        "Format dates in the user's time zone",
        "Retry a failed test.scoped fixture twice",
        "Update the cookie's domain when its path moves",
        "Handle whitespace between list items",
        "Remove the retry limit of uploads",
        "Escape quotes in man page titles",
    ],
)
def test_a_telling_subject_is_fit(subject: str) -> None:
    assert reason(said(subject)) == ""


@pytest.mark.parametrize(
    ("subject", "why"),
    [
        ("Merge branch 'main' into retry-sockets", "merge"),
        ("Merge pull request #9 from ada/retry-sockets", "merge"),
        ('Revert "Keep the session cookie"', "revert"),
        ('Reapply "Keep the session cookie"', "revert"),
        ("revert: keep the session cookie", "revert"),
        ("v1.2.3", "release"),
        ("Release 2.0 of the session store", "release"),
        ("Bump version number of session cookie", "release"),
        ("[maven-release-plugin] prepare for next development iteration", "release"),
        ("Update changelog for session cookie", "release"),
        ("Bump requests from 2.30.0 to 2.31.0", "dependency update"),
        ("chore(deps): newer session cookie library", "dependency update"),
        ("Update dependencies of the session store", "dependency update"),
        ("Use latest djot library everywhere now", "dependency update"),
        ("Fix typo in session cookie streaming", "formatting"),
        ("Run prettier over session cookie code", "formatting"),
        ("style: session cookie streaming layout", "formatting"),
        ("Remove unused imports of session store", "formatting"),
        ("fixup! Keep the session cookie", "fixup"),
        ("Address review comments on session cookie", "fixup"),
        ("Fix build on session store platforms", "fixup"),
        ("docs: explain the session cookie", "tests or docs"),
        ("Add regression test for session cookie", "tests or docs"),
        ("Improve session cookie documentation", "tests or docs"),
        ("ci: cache session cookie images", "build files"),
        ("Drop support for Python 3.8 everywhere", "housekeeping"),
        ("Add type hints to the session store", "housekeeping"),
        ("Fix the crash", "short subject"),
        ("Update some files", "short subject"),
    ],
)
def test_a_subject_gives_itself_away(subject: str, why: str) -> None:
    assert reason(said(subject)) == why


def test_a_commit_of_two_parents_is_a_merge_whatever_it_says() -> None:
    assert reason(said(TELLING, parents=2)) == "merge"


@pytest.mark.parametrize(
    ("author", "email"),
    [
        ("dependabot[bot]", "49699333+dependabot[bot]@users.noreply.github.com"),
        ("Renovate Bot", "bot@renovateapp.com"),
        ("GitHub Actions", "actions@github.com"),
        ("pre-commit-ci", "noreply@example.org"),
        ("release-bot", "noreply@example.org"),
    ],
)
def test_what_a_bot_wrote_is_left_out(author: str, email: str) -> None:
    assert reason(said(TELLING, author=author, email=email)) == "bot"


def test_a_person_is_no_bot_for_the_letters_in_a_name() -> None:
    assert reason(said(TELLING, author="Lesnykh Talbot", email="t@nightlynexus.example")) == ""


def test_a_subject_said_twice_is_left_out_both_times() -> None:
    again = said(f"fix: {TELLING.lower()} (#4)", id_="c" * 40)

    assert reason(said(TELLING), again) == "duplicate subject"
    assert reason(again, said(TELLING)) == "duplicate subject"
    assert reason(said(TELLING), said(TELLING, parents=2)) == ""


def test_what_was_reverted_later_is_left_out() -> None:
    by_id = said("Back to square one", body=f"This reverts commit {'a' * 12}.", id_="c" * 40)
    by_subject = said(f'Revert "{TELLING}"', id_="c" * 40)
    partly = said("Half of it", body=f"Partially reverts commit {'a' * 12}.", id_="c" * 40)

    assert reason(said(TELLING), by_id) == "reverted later"
    assert reason(by_id, said(TELLING)) == "revert"
    assert reason(said(TELLING), by_subject) == "reverted later"
    assert reason(said(TELLING), partly) == ""
