"""What is typed beside and in a query, as values every interface hands on."""

from __future__ import annotations

import pytest

from plait.answering.filters import Filters, restricted
from plait.answering.questions import question
from plait.errors import QueryError, SettingError
from plait.search.lines import Case
from plait.search.parse import render
from plait.types import Pattern, Query, Scope, Text

REPOS = ("plait", "other")
ASKED = Query("retry", Text("retry"))


def test_a_text_is_a_query_with_its_hints() -> None:
    asked = question("lan:go retry", Scope(under="src"))

    assert asked.query.scope == Scope(under="src")
    assert any("lang" in hint for hint in asked.hints)


def test_a_literal_is_code_whatever_it_looks_like() -> None:
    asked = question("lang:go (x)", Scope(), is_literal=True)

    assert asked.query.wanted == Pattern(r"lang:go\ \(x\)")
    assert asked.hints == ()


def test_case_is_about_patterns() -> None:
    assert question("/a/", Scope(), Case.INSENSITIVE).query.wanted == Pattern("a", True)


def test_nothing_is_no_question() -> None:
    with pytest.raises(QueryError, match="the query is empty"):
        question(" ", Scope())


def test_filters_become_a_scope_and_conditions() -> None:
    filters = Filters(
        languages=("py",),
        paths=("src/*.{c,h}",),
        repos=("other",),
        kinds=("Class",),
        without_languages=("golang",),
    )
    query = restricted(ASKED, filters, REPOS)

    assert query.scope.languages == {"python"}
    assert query.scope.repos == frozenset({"other"})
    assert query.scope.kinds == {"class"}
    assert render(query.wanted) == "retry path:src/*.c,src/*.h -lang:go"


def test_a_glob_with_a_slash_begins_at_the_folder_that_is_searched() -> None:
    found = [
        render(restricted(ASKED, Filters(globs=(glob,)), REPOS, under).wanted)
        for glob, under in [("*.py", "src"), ("a/*.py", "src"), ("a/*.py", "")]
    ]

    assert found == ["retry path:**/*.py", "retry path:src/a/*.py", "retry path:a/*.py"]


def test_no_filters_leave_a_query_as_it_was() -> None:
    assert restricted(ASKED, Filters(), REPOS) == ASKED


@pytest.mark.parametrize(
    ("filters", "message", "hint"),
    [
        (Filters(languages=("pyton",)), "no language is called 'pyton'", "did you mean python"),
        (Filters(repos=("plat",)), "no repository is called 'plat'", "did you mean plait?"),
        (Filters(repos=("zzz",)), "no repository is called 'zzz'", ""),
    ],
)
def test_an_unknown_name_is_refused_with_what_may_have_been_meant(
    filters: Filters, message: str, hint: str
) -> None:
    with pytest.raises(SettingError, match=message) as raised:
        restricted(ASKED, filters, REPOS)

    assert raised.value.hint.startswith(hint)
