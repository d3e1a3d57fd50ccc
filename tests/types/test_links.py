"""Links: what a chunk says about other code, as one short text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.types import Binding, Import, Links, Reference, Relation, Role, SymbolId

CALLS, USES = Relation.CALLS, Relation.USES


def test_the_text_is_short() -> None:
    links = Links.of(
        [
            Reference(CALLS, "send", "self.client", 12),
            Reference(USES, "Item", "", 13),
            Reference(CALLS, "send", "", 15),
        ],
        [Import("net/http", "", "web", 12)],
        [Binding(Role.PARAMETER, "timeout", "float | None", 12)],
        first=12,
    )

    assert links.text == (
        "12\t0send 0:self.client 3\t3Item 1\ti0 net/http  web\tp0 timeout float | None"
    )


def test_references_to_one_target_come_together_and_all_are_kept() -> None:
    first, other, again = (
        Reference(CALLS, "send", "a.b()", 7),
        Reference(CALLS, "go", "", 7),
        Reference(CALLS, "send", "a:b", 7),
    )
    links = Links.of([first, other, again, again], first=5)

    assert links.references == (first, again, again, other)
    assert links.targets() == [(CALLS, "send"), (CALLS, "go")]


def test_nothing_said_is_no_text() -> None:
    links = Links.of(first=40)

    assert links == Links("")
    assert (links.references, links.imports, links.bindings, links.targets()) == ((), (), (), [])


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "1\t",
        "1\t9send 0",
        "1\t0send",
        "1\t0send x",
        "1\t0 0",
        "1\ti0 a b",
        "1\tp0 a",
        "1\tq0 a b",
        "1\tp0 a b\t0send 0",
        "1\t0send 0\n",
        "1\t0send 0:",
        "1\t0send 1234567890",
    ],
)
def test_a_text_of_another_shape_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not the links of a chunk"):
        Links(text)


@pytest.mark.parametrize(
    "reference",
    [
        Reference(CALLS, "a b", "", 1),
        Reference(CALLS, "a", "b\tc", 1),
        Reference(CALLS, "", "", 1),
        Reference(CALLS, "before", "", 0),
    ],
    ids=str,
)
def test_what_cannot_be_written_is_refused(reference: Reference) -> None:
    with pytest.raises(ValueError, match="not the links of a chunk"):
        Links.of([reference], first=1)


names = st.text(st.characters(exclude_characters=" \t\n", exclude_categories=["Cs"]), max_size=8)
targets = names.filter(bool)
types = st.text(st.characters(exclude_characters="\t\n", exclude_categories=["Cs"]), max_size=8)
lines = st.integers(3, 99)
relations, roles = st.sampled_from(Relation), st.sampled_from(Role)


@given(
    st.lists(st.builds(Reference, relations, targets, names, lines)),
    st.lists(st.builds(Import, names, names, names, lines)),
    st.lists(st.builds(Binding, roles, names, types, lines)),
)
def test_what_is_written_is_read_back(
    references: list[Reference], imports: list[Import], bindings: list[Binding]
) -> None:
    links = Links.of(references, imports, bindings, first=3)

    assert sorted(links.references) == sorted(references)
    assert links.imports == tuple(imports)
    assert links.bindings == tuple(bindings)
    assert links.targets() == list(dict.fromkeys((one.relation, one.target) for one in references))
    assert Links.of(links.references, links.imports, links.bindings, first=3) == links


def test_the_id_of_a_symbol_tells_the_first_of_its_name_from_the_second() -> None:
    assert str(SymbolId("r", "a.py", "A.f")) == "r:a.py::A.f"
    assert str(SymbolId("r", "a.py", "A.f", 2)) == "r:a.py::A.f#2"
