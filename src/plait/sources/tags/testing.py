"""Testing: which files are tests, and which are about testing?

A library for those who write tests (``django/test/client.py``, ``flask/testing.py``) is a
product, and so is all of a test tool but its own tests. Where the habits of a language leave it
open, the file's first bytes are asked.
"""

from __future__ import annotations

import re

from plait.sources.tags.habits import EVERYWHERE, HABITS, OTHER, TEST_PROJECT, Habit
from plait.sources.tags.place import Place

HEAD_BYTES = 4096
DOC_FOLDERS = frozenset({"doc", "docs"})  # what is told there of tests and fixtures is no test
FIXTURE_FOLDERS = frozenset(
    "__fixtures__ testdata test-data test_data testfixtures test-fixtures test_fixtures "
    "test-resources test_resources testresources __snapshots__".split()
)
# Among tests these hold fixtures, and tests of fixtures; elsewhere what a product is about.
FIXTURES_OF_TESTS = frozenset(
    "fixture fixtures snapshots snapshot golden goldens cassettes expected resources".split()
)
# Beside code, these are parts of its name.
DATA_OF_TESTS = FIXTURES_OF_TESTS | frozenset(
    "data _data sample_data assets certs certificates keys screenshots mocks".split()
)
FIXTURE_NAME = re.compile(r"(?i)\.(?:golden|approved|ambr|expected)(?:\.\w+)?$|\.(?:crt|cer|csr)$")
# What only a test says: it imports a framework for tests, or marks its functions as tests.
SAYS_TEST = re.compile(
    rb"(?m)\bunittest\b|\bpytest\b|\bTestCase\b|#\[(?:\w+::)?test\b|#\[cfg\(test|#!\[cfg\(test"
    rb"|^[ \t]*Feature:|\b(?:describe|it|test)\(\s*(?:'|\"|`)|\b(?:tape|node:test|assert)['\"]"
)


def is_test(place: Place, content: bytes) -> bool:
    """Whether a file is a test, a benchmark, or there for them alone."""
    habit = HABITS.get(place.suffix, OTHER)
    folders = place.folders if habit.is_cased else place.lowered
    outer = _outside(place.lowered, habit)
    return (
        not EVERYWHERE.isdisjoint(place.lowered)
        or not habit.outside.isdisjoint(folders[:outer])
        or (bool(folders) and folders[0] in habit.top)
        or any(map(TEST_PROJECT.search, place.folders[:outer]))
        or habit.name.search(place.name) is not None
        or habit.path.search(place.path) is not None
        or (outer == len(folders) and habit.outer_name.search(place.name) is not None)
        or (_leaves_open(place, habit, outer) and _says_test(content))
    )


def is_fixture(place: Place, content: bytes) -> bool:
    """Whether tests read a file, or compare what they got with it."""
    if not FIXTURE_FOLDERS.isdisjoint(place.lowered) or FIXTURE_NAME.search(place.name):
        return is_test(place, content)
    habit = HABITS.get(place.suffix, OTHER)
    folders = DATA_OF_TESTS if habit is OTHER else FIXTURES_OF_TESTS
    if folders.isdisjoint(place.lowered):
        return False
    names = (habit.name, habit.outer_name, habit.asked)
    return not any(name.search(place.name) for name in names) and is_test(place, content)


def _outside(lowered: tuple[str, ...], habit: Habit) -> int:
    """How many of the folders lie outside the product."""
    for number, folder in enumerate(lowered):
        if folder in habit.product or folder in DOC_FOLDERS:
            return number
    return len(lowered)


def _leaves_open(place: Place, habit: Habit, outer: int) -> bool:
    """Whether a file may be a test, by its name or by a folder within the product."""
    if habit.asked.search(place.name):
        return True
    return not habit.asked_folders.isdisjoint(place.lowered[outer:])


def _says_test(content: bytes) -> bool:
    return SAYS_TEST.search(content, 0, HEAD_BYTES) is not None
