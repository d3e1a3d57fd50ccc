"""Line scope: which lines of which files a search for lines may see.

Most conditions (language, path, repository, test or not) are about files and are asked of a
file once it is a candidate. Those about chunks (kind, symbol, what is called) are answered by
the word index first, and leave the lines of the chunks that meet them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from plait.expressions import conjuncts, fold
from plait.stores.embedded.layer import Layer
from plait.stores.embedded.paths import PathList
from plait.stores.embedded.scoped import file_test
from plait.stores.resolved import Paths
from plait.types import And, Expression, PathLike, PathPattern, Scope, Tag

EVERYWHERE = Scope()
Seen = Callable[[int, int], Sequence[tuple[int, int]] | None]
FileTest = Callable[[Layer, int], bool]
WHOLE_FILE: Sequence[tuple[int, int]] = ()


def see_all(_at: int, _row: int) -> Sequence[tuple[int, int]]:
    """Every line of every file."""
    return WHOLE_FILE


def seen_lines(
    layers: Sequence[Layer],
    scope: Scope,
    where: Expression,
    paths: PathList,
    chunks: Callable[[Expression], Iterable[tuple[int, int]]],
) -> Seen:
    """Which lines may be seen, by layer and file row: None for none, () for all.

    Args:
        chunks: Layer and row of every chunk in scope that satisfies an expression.
    """
    tests: list[FileTest] = [] if scope == EVERYWHERE else [file_test(scope, paths)]
    about_chunks: list[Expression] = []
    for part in conjuncts(where):
        test = condition(part, paths)
        if test is None:
            about_chunks.append(part)
        else:
            tests.append(test)
    spans: dict[tuple[int, int], list[tuple[int, int]]] | None = None
    if about_chunks or scope.kinds:
        spans = {}
        for at, row in chunks(And(tuple(about_chunks))):
            chunk = layers[at].chunk_row(row)
            span = (chunk.first, chunk.first + chunk.lines - 1)
            spans.setdefault((at, chunk.file), []).append(span)

    if not tests and spans is None and not any(layer.dead for layer in layers):
        return see_all

    def seen(at: int, row: int) -> Sequence[tuple[int, int]] | None:
        layer = layers[at]
        if row in layer.dead or not all(test(layer, row) for test in tests):
            return None
        return WHOLE_FILE if spans is None else spans.get((at, row))

    return seen


def condition(wanted: Expression, paths: PathList) -> FileTest | None:
    """A condition as a test of files; None if it is not about files."""
    return fold(
        wanted,
        lambda leaf: _leaf_condition(leaf, paths),
        all_of=lambda tests: _joined(all, tests),
        any_of=lambda tests: _joined(any, tests),
        excluded=lambda part: _opposite(condition(part, paths)),
    )


def _opposite(test: FileTest | None) -> FileTest | None:
    return None if test is None else lambda layer, row: not test(layer, row)


def _joined(
    join: Callable[[Iterable[bool]], bool], tests: Sequence[FileTest | None]
) -> FileTest | None:
    """Several tests as one; None if one of them is not about files."""
    known = [test for test in tests if test is not None]
    if len(known) < len(tests):
        return None
    return lambda layer, row: join(test(layer, row) for test in known)


def _leaf_condition(wanted: Expression, paths: PathList) -> FileTest | None:
    match wanted:
        case Tag("lang", value):
            return lambda layer, row: layer.strings[layer.file_row(row).language] == value
        case Tag("repo", value):
            return lambda layer, row: layer.file_key(row)[0] == value
        case Tag("is", value) if value != "symbol":
            return lambda layer, row: value in layer.strings[layer.file_row(row).tags].split()
        case PathLike() | PathPattern() | Paths():
            named = frozenset(paths.meant(wanted))
            return lambda layer, row: layer.file_key(row)[1] in named
        case _:
            return None
