"""Nothing plait reads can run code by being loaded: no module of it can load such a thing.

Unpickling runs what it reads. Whatever comes from a file, the network or a worker is JSON, raw
bytes, safetensors, or an array that must not hold objects.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "plait"
RUNS_WHAT_IT_READS = frozenset(
    "pickle _pickle cPickle cloudpickle dill joblib marshal shelve torch jsonpickle"
    " yaml code codeop imp".split()
)
CALLS = frozenset({"eval", "exec", "compile", "__import__"})


def risks(text: str) -> Iterator[str]:
    """Every way in a module to run what it reads, with its line."""
    for node in ast.walk(ast.parse(text)):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        else:
            names = []
        yield from (
            f"{line}: import {name}"
            for name in names
            if name.partition(".")[0] in RUNS_WHAT_IT_READS
        )
        if isinstance(node, ast.Call):
            yield from (f"{line}: {risk}" for risk in _of_call(node))


def _of_call(call: ast.Call) -> Iterator[str]:
    if isinstance(call.func, ast.Name) and call.func.id in CALLS:
        yield call.func.id
    given = {word.arg: word.value for word in call.keywords}
    allowed = given.get("allow_pickle")
    if allowed is not None and not (isinstance(allowed, ast.Constant) and allowed.value is False):
        yield "allow_pickle"
    is_numpy = isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) in (
        *("np", "numpy"),
    )
    if is_numpy and call.func.attr == "load" and allowed is None:  # type: ignore[attr-defined]
        yield "numpy.load that does not say allow_pickle=False"
    if "trust_remote_code" in given:
        yield "trust_remote_code"


@pytest.mark.parametrize(
    ("text", "risk"),
    [
        ("import pickle", "1: import pickle"),
        ("from torch.serialization import load", "1: import torch.serialization"),
        ("\nx = np.load(p, allow_pickle=True)", "2: allow_pickle"),
        ("np.load(p)", "1: numpy.load that does not say allow_pickle=False"),
        ("np.load(p, allow_pickle=flag)", "1: allow_pickle"),
        ("eval(text)", "1: eval"),
        ("f(trust_remote_code=True)", "1: trust_remote_code"),
    ],
)
def test_a_way_to_run_what_is_read_is_seen(text: str, risk: str) -> None:
    assert list(risks(text)) == [risk]


def test_no_module_of_plait_can_run_what_it_reads() -> None:
    modules = sorted(SOURCE.rglob("*.py"))

    found = [f"{path.relative_to(SOURCE)}:{risk}" for path in modules
             for risk in risks(path.read_text(encoding="utf-8"))]  # fmt: skip

    assert len(modules) > 100
    assert found == []
