"""Walking and rewriting expressions, by example and by law."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from plait.expressions import (
    all_leaves,
    alternatives,
    clauses,
    conjunction,
    conjuncts,
    disjunction,
    fold,
    mapped,
    normal,
    wanted_leaves,
)
from plait.types import And, Expression, Not, Or, Tag, Term, Text

A, B, C = Term("a"), Term("b"), Term("c")
NAMES = "abcd"

leaves = st.sampled_from([Term(name) for name in NAMES])


def _above(parts: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    several = st.lists(parts, max_size=3).map(tuple)
    return st.one_of(st.builds(And, several), st.builds(Or, several), st.builds(Not, parts))


expressions: st.SearchStrategy[Expression] = st.recursive(leaves, _above, max_leaves=12)
worlds = st.fixed_dictionaries({name: st.booleans() for name in NAMES})


def holds(wanted: Expression, world: Mapping[str, bool]) -> bool:
    """Whether an expression is true where some terms are."""

    def is_there(leaf: Expression) -> bool:
        assert isinstance(leaf, Term)
        return world[leaf.text]

    return fold(
        wanted, is_there, all_of=all, any_of=any, excluded=lambda part: not holds(part, world)
    )


# ---------------------------------------------------------------- by example


def test_leaves_come_in_order_and_those_below_a_not_are_excluded() -> None:
    wanted = And((A, Or((B, Not(And((C, Not(A))))))))

    assert list(wanted_leaves(wanted)) == [A, B]
    assert list(all_leaves(wanted)) == [A, B, C, A]
    assert list(clauses(wanted)) == [A, B, Not(And((C, Not(A))))]


def test_excluded_leaves_may_be_replaced_otherwise() -> None:
    wanted = Or((A, Not(And((A, Not(B))))))
    changed = mapped(wanted, lambda _: C, excluded=lambda leaf: Tag("is", str(leaf == A)))

    assert changed == Or((C, Not(And((Tag("is", "True"), Not(Tag("is", "False")))))))


def test_only_an_and_has_several_conjuncts_and_only_an_or_several_alternatives() -> None:
    assert tuple(conjuncts(And((A, B)))) == tuple(alternatives(Or((A, B)))) == (A, B)
    assert tuple(conjuncts(Or((A, B)))) == (Or((A, B)),)
    assert tuple(alternatives(Not(A))) == (Not(A),)


def test_words_of_a_conjunction_are_one_text_where_the_first_stood() -> None:
    assert conjunction([A, Text("x"), And((B, Text("y")))]) == And((A, Text("x y"), B))
    assert disjunction([Text("x"), Text("y"), Text("x")]) == Or((Text("x"), Text("y")))
    assert conjunction([]) == And(())
    assert disjunction([]) == Or(())


# ---------------------------------------------------------------- by law


@given(expressions)
def test_replacing_each_leaf_by_itself_changes_nothing(wanted: Expression) -> None:
    assert mapped(wanted, lambda leaf: leaf) == wanted


@given(expressions)
def test_the_leaves_of_what_was_replaced_are_the_replaced_leaves(wanted: Expression) -> None:
    def change(leaf: Expression) -> Expression:
        assert isinstance(leaf, Term)
        return Term(leaf.text * 2)

    assert list(all_leaves(mapped(wanted, change))) == list(map(change, all_leaves(wanted)))


@given(expressions)
def test_a_wanted_leaf_is_one_that_a_replacement_of_the_excluded_leaves_alone(
    wanted: Expression,
) -> None:
    marked = mapped(wanted, lambda leaf: leaf, excluded=lambda _: Tag("is", "excluded"))
    kept = [leaf for leaf in all_leaves(marked) if isinstance(leaf, Term)]

    assert kept == list(wanted_leaves(wanted))


@given(expressions, worlds)
def test_normal_form_is_true_of_the_same_worlds(wanted: Expression, world: dict[str, bool]) -> None:
    assert holds(normal(wanted), world) == holds(wanted, world)


@given(expressions)
def test_normal_form_is_flat_and_its_own_normal_form(wanted: Expression) -> None:
    def check(part: Expression) -> None:
        if isinstance(part, Not):
            check(part.part)
        if isinstance(part, And | Or):
            assert len(part.parts) != 1
            assert len(set(part.parts)) == len(part.parts)
            assert not any(type(inner) is type(part) for inner in part.parts)
            for inner in part.parts:
                check(inner)

    once = normal(wanted)
    check(once)
    assert normal(once) == once


@given(expressions, worlds)
def test_conjuncts_all_hold_and_of_alternatives_one_where_the_whole_does(
    wanted: Expression, world: dict[str, bool]
) -> None:
    whole = holds(wanted, world)

    assert all(holds(part, world) for part in conjuncts(wanted)) == whole
    assert any(holds(part, world) for part in alternatives(wanted)) == whole
