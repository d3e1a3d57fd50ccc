"""How well a path that was typed meets the path of a file."""

from __future__ import annotations

import pytest

from plait.ranking import paths
from plait.search.shape.paths import typed_parts

PATH = "src/net/http.py"


def path_met(typed: str, path: str) -> float:
    return paths.path_met(typed_parts(typed), path)


@pytest.mark.parametrize(
    "typed",
    [
        "src/net/http.py",
        "net/http.py",
        "http.py",
        "HTTP.py",
        "http.py:12",
        "net/http.py:12:5",
        "./net/http.py",
        "../net/http.py",
        r"src\net\http.py",
        "/home/me/project/src/net/http.py",
        r"C:\work\src\net\http.py#L3",
        "https://github.com/a/b/blob/main/src/net/http.py#L640",
    ],
)
def test_a_file_is_met_by_the_end_of_its_path_or_of_what_was_typed(typed: str) -> None:
    assert path_met(typed, PATH) == 1


@pytest.mark.parametrize("typed", ["src/net", "net/", "src", "src/net/"])
def test_a_file_below_a_folder_that_was_typed_is_met_half(typed: str) -> None:
    assert path_met(typed, PATH) == 0.5


@pytest.mark.parametrize(
    "typed", ["p.py", "ttp.py", "other/http.py", "http", "http.pyi", "", "et", "net/src"]
)
def test_another_file_is_not_met(typed: str) -> None:
    assert path_met(typed, PATH) == 0
