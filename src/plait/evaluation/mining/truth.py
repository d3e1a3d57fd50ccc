"""Truth: which files and symbols a change is about, as far as they still stand.

Every line that was taken away is looked up in the version before, every line that was put
there in the version after: the innermost symbol around it was changed. It stands if the
searched revision has a symbol of the same qualified name in the same file. Where that file
has several of the name (overloads, conditional definitions), the one whose signature is
the same counts; if none or more than one has it, they cannot be told apart, and all that
may be meant count: those of that signature, or else every one of the name.

A file stands if one of its changed symbols does, or a line the commit put outside of every
symbol. Where half of the files a commit changed are gone, the rest is not what it was about.

Where the lines above and below a stretch that was taken away lie in one and the same
function of the version after, it was taken from that function, and the version before
need not be parsed.

Blank lines and closing brackets belong to nobody, comments and docstrings are no code, and
a line that only imports speaks for its file, unless a function encloses it. A file with
nothing but imports changed counts only if there is no other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from plait.evaluation.mining.definitions import Defined, Definitions
from plait.evaluation.mining.diffs import FileDiff, Line
from plait.symbols.lines import CLOSING_ONLY

REPEAT = re.compile(r"#\d+$")
HASH = re.compile(rb"\s*#")
SLASHES = re.compile(rb"\s*(?://|/\*|\*(?:\s|/|\*|$))")
DASHES = re.compile(rb"\s*(?:--|\{-)")
MIN_LINE_BYTES = 8  # a shorter line stands somewhere in any file
COMMENTS = {
    **dict.fromkeys(("python", "ruby", "bash", "elixir"), HASH),
    **dict.fromkeys(("lua", "haskell"), DASHES),
    "php": re.compile(rb"\s*(?:#(?!\[)|//|/\*|\*(?:\s|/|\*|$))"),
}


class Changed(NamedTuple):
    """What a commit did to one file."""

    path: str
    symbols: dict[str, set[str]]  # qualified name to the signatures it was met with
    outside: set[bytes]  # lines put there outside of every symbol, stripped
    has_code: bool  # a line of code changed that is no import and stands in no test
    has_imports: bool
    has_comments: bool


class Version(NamedTuple):
    """A file as it is searched."""

    definitions: Definitions
    content: bytes


class Truth(NamedTuple):
    """The right answers of a commit, or why it has none."""

    files: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()  # names of symbols it changed that stand no more
    reason: str = ""


def is_telling(line: Line) -> bool:
    """Whether a line holds more than space and closing brackets."""
    return CLOSING_ONLY.fullmatch(line.text) is None


def needs_before(diff: FileDiff, after: Definitions) -> bool:
    """Whether the version after cannot tell which symbols lines were taken from."""
    owners = after.owners()
    return any(_enclosing(line, owners) is None for line in diff.removed if is_telling(line))


def _enclosing(line: Line, owners: Mapping[int, Defined]) -> Defined | None:
    """The function on both sides of the stretch a line was taken from, its docstring aside."""
    first, last = line.around
    owner = owners.get(first)
    if owner is None or owner is not owners.get(last) or not owner.is_function:
        return None
    return None if first <= owner.doc[1] and owner.doc[0] <= last else owner


def _owned(
    diff: FileDiff, before: Definitions | None, after: Definitions
) -> Iterator[tuple[Line, Defined | None, bool, bool]]:
    """Every telling line with its innermost symbol, whether it only imports, and whether it
    was put there."""
    owners = after.owners()
    earlier = before.owners() if before is not None else {}
    imports = before.imports if before is not None else frozenset()
    for line in filter(is_telling, diff.removed):
        owner = earlier.get(line.row) if before is not None else _enclosing(line, owners)
        is_import = line.row in imports and not (owner and owner.is_function)
        yield line, owner, is_import, False
    for line in filter(is_telling, diff.added):
        owner = owners.get(line.row)
        is_import = line.row in after.imports and not (owner and owner.is_function)
        yield line, owner, is_import, True


def changed(
    path: str, language: str, diff: FileDiff, before: Definitions | None, after: Definitions
) -> Changed:
    """What the lines of a diff belong to; ``before`` is None if it is not needed."""
    comment = COMMENTS.get(language, SLASHES)
    symbols: dict[str, set[str]] = {}
    outside: set[bytes] = set()
    has_code = has_imports = has_comments = False
    for line, owner, is_import, is_added in _owned(diff, before, after):
        if owner is not None and owner.is_test:
            continue
        if comment.match(line.text) or _is_doc(owner, line.row):
            has_comments = True
            continue
        has_imports, has_code = has_imports or is_import, has_code or not is_import
        if owner is not None and not is_import:
            symbols.setdefault(owner.name, set()).add(owner.signature)
        elif is_added:
            outside.add(line.text.strip())
    return Changed(path, symbols, outside, has_code, has_imports, has_comments)


def _is_doc(owner: Defined | None, row: int) -> bool:
    return owner is not None and owner.doc[0] <= row <= owner.doc[1]


def standing(change: Changed, now: Version) -> list[str]:
    """The ids of the changed symbols that stand in the searched version of their file."""
    kept: list[str] = []
    for name, signatures in change.symbols.items():
        named = [symbol for symbol in now.definitions.symbols if symbol.name == name]
        same = [symbol for symbol in named if symbol.signature in signatures]
        kept.extend(f"{change.path}::{symbol.id}" for symbol in (same or named))
    return sorted(kept)


def truth_of(changes: Sequence[Changed], now: Mapping[str, Version], max_symbols: int) -> Truth:
    """The right answers of a commit from what it did to each file that still exists."""
    about = [change for change in changes if change.has_code]
    about = about or [change for change in changes if change.has_imports]
    if not about:
        is_commented = any(change.has_comments for change in changes)
        return Truth(reason="comments only" if is_commented else "whitespace or move only")
    if sum(len(change.symbols) for change in about) > max_symbols:
        return Truth(reason="too many symbols")
    files: list[str] = []
    symbols: list[str] = []
    gone: list[str] = []
    for change in about:
        kept = standing(change, now[change.path])
        present = {symbol.name for symbol in now[change.path].definitions.symbols}
        gone.extend(last_name(name) for name in change.symbols.keys() - present)
        if kept or _stands_outside(change, now[change.path]):
            files.append(change.path)
            symbols.extend(kept)
    if 2 * len(files) <= len(about):
        return Truth(reason="nothing left")
    if len(symbols) > max_symbols:
        return Truth(reason="too many symbols")
    return Truth(
        tuple(sorted(filter(_is_writable, files))),
        tuple(sorted(filter(_is_writable, symbols))),
        tuple(sorted(gone)),
    )


def _stands_outside(change: Changed, now: Version) -> bool:
    if change.symbols:
        return False  # what it was about is gone, whatever it did around it
    lines = {line.strip() for line in now.content.split(b"\n")}
    return any(len(line) >= MIN_LINE_BYTES and line in lines for line in change.outside)


def _is_writable(id_: str) -> bool:
    """Whether an id can stand in a table of tabs and lines."""
    return "\t" not in id_ and len(id_.splitlines()) == 1 and not id_.startswith('"')


def last_name(id_: str) -> str:
    """The name of a symbol without what qualifies or counts it."""
    return REPEAT.sub("", id_.rpartition("::")[2]).rpartition(".")[2]


def stems(files: Iterable[str]) -> list[str]:
    """The names of files without folders and suffixes."""
    return [path.rpartition("/")[2].partition(".")[0] for path in files]
