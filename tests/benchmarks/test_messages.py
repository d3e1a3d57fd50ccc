"""Messages are mined from what code says, and filled with what it does not."""

from __future__ import annotations

import random

import pytest

from benchmarks.messages.calls import sayings
from benchmarks.messages.filling import filled
from benchmarks.messages.mine import load_cases
from benchmarks.messages.packages import HALVES
from benchmarks.messages.templates import Hole
from plait.symbols.grammars import grammar

CODE = {
    "python": 'raise ValueError(f"no such thing {x} at all" " of %d" % n)\n',
    "javascript": "throw new Error(`no such thing ${x} at all of ` + n);\n",
    "go": 'package a\nfunc f() { panic(fmt.Sprint("no such thing at all")) }\n',
    "rust": 'fn f() { panic!("no such thing {} at all of {}", x, n); }\n',
    "java": 'class A { void f() { throw new E("no such thing " + x + " at all of " + n); } }\n',
    "c": 'void f() { log_error("no such thing %s at all of %d", x, n); }\n',
    "ruby": 'raise E, "no such thing #{x} at all of #{n}"\n',
}


@pytest.mark.parametrize("language", sorted(set(CODE) - {"go"}))
def test_what_code_says_is_text_and_holes(language: str) -> None:
    (said,) = sayings(grammar(language).parser.parse(CODE[language].encode()).root_node)
    assert said.template.fixed == ("no such thing ", " at all of ")
    assert [isinstance(piece, Hole) for piece in said.template.pieces] == [False, True] * 2
    assert filled(said, random.Random(1)).startswith("no such thing ")


def test_the_sets_have_as_many_cases_as_were_asked_for() -> None:
    halves = {half: load_cases(half) for half in HALVES}
    assert len(halves["test"]) >= 600
    assert len({case.language for case in halves["test"]}) >= 6
    packages = [{case.package for case in cases} for cases in halves.values()]
    assert packages[0].isdisjoint(packages[1])
