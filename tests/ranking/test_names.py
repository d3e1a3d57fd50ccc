"""Names: words of a question meet those of file names that say the same otherwise."""

from __future__ import annotations

import pytest

from plait.ranking.names import Meeting, path_names, project_roots, root_of, roots_of


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("parser", "parsing"),
        ("cfg", "configuration"),
        ("ctx", "context"),
        ("detector", "detected"),
        ("utils", "utility"),
        ("HttpClient", "http"),
        ("serializers", "serialize"),
        ("auth", "authentication"),
    ],
)
def test_a_name_meets_the_word_that_says_the_same(name: str, word: str) -> None:
    meeting = Meeting({root_of(word): word}, ())

    assert word in [meeting.word(root) for root in roots_of(name)]


@pytest.mark.parametrize(
    ("name", "word"), [("io", "iota"), ("by", "bytes"), ("parser", "pool"), ("a", "abc")]
)
def test_a_name_does_not_meet_another_word(name: str, word: str) -> None:
    meeting = Meeting({root_of(word): word}, ())

    assert not any(meeting.word(root) for root in roots_of(name))


def test_words_of_the_projects_own_name_say_nothing_unless_alone() -> None:
    words = {"flask": "flask", "session": "session"}
    project = project_roots("pallets/flask", "src/flask")

    assert Meeting(words, project).word("flask") == ""
    assert Meeting(words, project).word("session") == "session"
    assert Meeting({"flask": "flask"}, project).word("flask") == "flask"


@pytest.mark.parametrize(
    ("path", "root", "stem", "folders", "depth"),
    [
        ("src/plait/search/plan.py", "src/plait", "plan", ("search",), 1),
        ("src/plait/search/__init__.py", "src/plait", "search", (), 1),
        ("lib/index.js", "lib", "index", (), 0),
        ("a/b/mod.rs", "", "b", ("a",), 2),
        ("a/types.test.ts", "", "types", ("a",), 1),
        (".bashrc", "", "bashrc", (), 0),
    ],
)
def test_a_path_gives_the_name_that_speaks_for_the_file(
    path: str, root: str, stem: str, folders: tuple[str, ...], depth: int
) -> None:
    names = path_names(path, root)

    assert (names.stem, names.folders, names.depth) == (stem, folders, depth)
