"""What an index was built with, in plain words, and only what differs."""

from __future__ import annotations

import pytest

from plait.stores.made import made_otherwise

NOW = "words-2 body=1 name=2 stemming=1 identifiers=both comments=1 tags=2 secrets=masked-2"


@pytest.mark.parametrize(
    ("before", "told"),
    [
        (("masked-2", "shown"), "with secrets shown, and is now asked for with secrets masked"),
        (
            ("masked-2", "masked-1"),
            (
                "with an older way of finding secrets, and is now asked for with the one of this "
                "version"
            ),
        ),
        (
            ("tags=2", "tags=1"),
            "with other rules for tags, and is now asked for with those of this version",
        ),
        (("comments=1", "comments=0"), "without comments, and is now asked for with comments"),
        (("name=2", "name=5"), "with weight_name = 5, and is now asked for with weight_name = 2"),
        (
            ("both comments=1", "parts comments=0"),
            (
                "with identifiers = parts and without comments, and is now asked for with "
                "identifiers = both and with comments"
            ),
        ),
    ],
)
def test_only_what_differs_is_told(before: tuple[str, str], told: str) -> None:
    assert made_otherwise(NOW.replace(*before), NOW) == f"built {told}"


def test_words_of_another_version_are_told_as_such() -> None:
    told = made_otherwise(NOW.replace("words-2", "words-1"), NOW)

    assert told == "built by another version of plait, and is now asked for by this one"
