"""Resolve: which definition does a name in prose mean?

A name is a path: its tail is what a definition is called, what stands before it are modules or
packages, and those must be on the way to the file or name the package itself. The longest tail
that some definition is called counts; a lone name may be that of a member. If definitions of more
than one file are left the name is ambiguous, and means nothing; a declaration beside what it
declares is no second meaning.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from plait.evaluation.mining.definitions import Defined

ARGUMENTS = re.compile(r"\(.*$|<.*$|\[.*$|!$")
BEFORE = re.compile(r"^[~!.&*\s@]+|^(?:new|async|await|func|def|class|type)\s+|^\w+@")
SEPARATOR = re.compile(r"::|[.#/]|->|~")
IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*")
HERE = frozenset({"crate", "self", "super", "this", "Self", "prototype", "module"})
DECLARATIONS = (".d.ts", ".d.mts", ".d.cts", ".pyi")
NOT_MEANT = frozenset({"module", "test"})  # kinds
ENTRY_STEMS = frozenset({"__init__", "mod", "lib", "index"})  # these are their folder
MIN_NAME = 2  # characters

Called = defaultdict[str, defaultdict[str, list[str]]]  # name to path to symbols


class Meant(NamedTuple):
    """What a name means."""

    name: str  # the last part
    symbols: tuple[str, ...]  # path::qualified.name; several are overloads or declarations

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(symbol.partition("::")[0] for symbol in self.symbols))


class Resolver:
    """Names to definitions of one package.

    Args:
        definitions: Path to what the file defines, tests left out.
        package: What the package is called.
    """

    def __init__(self, definitions: Mapping[str, Iterable[Defined]], package: str) -> None:
        self._own = set(_words(package))
        self._called: Called = defaultdict(lambda: defaultdict(list))
        self._members: Called = defaultdict(lambda: defaultdict(list))
        for path, defined in definitions.items():
            for symbol in defined:
                if symbol.kind not in NOT_MEANT and not symbol.is_test:
                    called, id_ = symbol.name, f"{path}::{symbol.id}"
                    self._called[called][path].append(id_)
                    if "." in called:
                        self._members[called.rpartition(".")[2]][path].append(id_)

    def meant(self, written: str) -> Meant | None:
        """What a name means; None if that is nothing here, or not one thing."""
        parts = parts_of(written)
        for begin in range(len(parts)):
            before, tail = parts[:begin], parts[begin:]
            by_path: Mapping[str, list[str]] = self._called.get(".".join(tail), {})
            fitting = {
                path: symbols for path, symbols in by_path.items() if self._leads(before, path)
            }
            if fitting:
                one = _one_of(fitting, before)
                return Meant(tail[-1], tuple(one)) if one else None
        return self._member(parts)

    def _member(self, parts: Sequence[str]) -> Meant | None:
        """What a lone name means that nothing is called, but one member of one type."""
        if len(parts) != 1 or parts[0] not in self._members:
            return None
        one = _one_of(self._members[parts[0]], ())
        owners = {symbol.rpartition("::")[2].rpartition(".")[0] for symbol in one}
        return Meant(parts[0], tuple(one)) if len(owners) == 1 else None

    def _leads(self, before: Sequence[str], path: str) -> bool:
        on_the_way = self._own | set(_words(path))
        return all(set(_words(part)) <= on_the_way for part in before)


def parts_of(written: str) -> list[str]:
    """The identifiers of a name, outermost first; none if it is no name."""
    name = ARGUMENTS.sub("", BEFORE.sub("", written.strip())).strip(".:#/")
    parts = [part for part in SEPARATOR.split(name) if part and part not in HERE]
    is_name = all(IDENTIFIER.fullmatch(part) for part in parts)
    return parts if is_name and parts and len(parts[-1]) >= MIN_NAME else []


def _one_of(by_path: Mapping[str, list[str]], before: Sequence[str]) -> list[str]:
    """The symbols of the one file that is meant, with its declarations; none if it is not one."""
    plain = [path for path in by_path if not path.endswith(DECLARATIONS)]
    if len(plain) > 1 and before:
        wanted = [word for part in before for word in _words(part)]
        nearest = [path for path in plain if _module(path)[-len(wanted) :] == wanted]
        plain = nearest or plain
    if len(plain) > 1 or (not plain and len(by_path) > 1):
        return []
    declared = [path for path in by_path if path.endswith(DECLARATIONS)]
    return [symbol for path in (*plain, *declared) for symbol in by_path[path]]


def _module(path: str) -> list[str]:
    """What a file is imported as."""
    words = _words(path.rpartition(".")[0])
    return words[:-1] if words and words[-1] in ENTRY_STEMS else words


def _words(path: str) -> list[str]:
    """Folders and stem of a path, as modules are called."""
    folders = re.split(r"[/.:]", path.lower().replace("-", "_"))
    return [folder for folder in folders if folder]
