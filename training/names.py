"""Names: is this package, under whatever name a registry gives it, one of a benchmark?

The same code is called ``commons-lang`` in its repository, ``libcommons-lang3-java`` in one
registry and ``org.apache.commons:commons-lang3`` in another. So both names are cut into
words, what a registry or a language adds at the ends is taken off, trailing digits go, and a
package is held out if its words *begin* with those of a benchmark's repository. That takes
too much (``click-plugins`` falls with ``click``) rather than too little.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, Self

HELD_OUT = Path(__file__).with_name("held_out.toml")

WORD = re.compile(r"[a-z]+|[0-9]+")
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
# What a registry or an author adds to say which language the thing is for.
ADDED = frozenset(
    """python py js node nodejs ruby rb php java jvm go golang rust rs lib dev cil swift kotlin cpp
    csharp net dotnet scala""".split()
)
# Repositories so called are held out together with their owner's name only.
GENERIC = frozenset(
    """api apis app apps base blog build chart client clients cli cms cms com common commons core
    data demo docs driver engine examples experiments form framework fs helpers http image io json
    kit library libs main math menu misc models module modules paths perf platform plugin plugins
    project rows sample scripts sdk server service site slack snippets source stats storage stream
    string support template test tests text tool toolbox toolkit tools types ui util utilities
    utility utils web website wrapper""".split()
)
# ``commonslang`` is ``commons-lang``; with fewer letters such a beginning is an accident.
MIN_RUN_LETTERS = 8
MIN_PREFIX_LETTERS = 4  # below, only the whole name counts: ``pg`` is not ``pg-promise``
MIN_LETTERS = 2  # ``x12`` without its digits says nothing
MIN_INNER_LETTERS = 5  # of a name found behind an owner's name
HOSTS = frozenset("github gitlab bitbucket gopkg golang google salsa code".split())


def words(name: str) -> tuple[str, ...]:
    """A name in lower-case words, digits dropped, what languages and registries add taken off."""
    spread = CAMEL.sub("-", name).lower()
    found = [word for word in WORD.findall(spread) if not word.isdigit()]
    kept = list(found)
    while len(kept) > 1 and kept[0] in ADDED:
        kept.pop(0)
    while len(kept) > 1 and kept[-1] in ADDED:
        kept.pop()
    return tuple(kept)


def _run(parts: Iterable[str]) -> str:
    return "".join(parts)


def aliases(ecosystem: str, name: str) -> list[tuple[str, ...]]:
    """The ways in which a package's name may be read."""
    if ecosystem.startswith("debian"):
        stem = re.sub(
            r"^(?:lib(?=[a-z0-9.+-]*-(?:java|dev|cil|perl)\b)|python3-|ruby-|php-|node-)", "", name
        )
        stem = re.sub(r"^(?:librust|golang|haskell|lua|elixir|erlang)-", "", stem)
        stem = re.sub(r"-(?:dev|java|cil|doc|source|src)$", "", stem)
        stem = stem.removeprefix("rust-")
        found = [words(stem)]
        if name.startswith("golang-"):
            inner = [word for word in words(stem) if word not in HOSTS] or list(words(stem))
            found += [tuple(inner[at:]) for at in range(len(inner))]
        elif stem.startswith("lib"):
            found.append(words(stem.removeprefix("lib")))
        return found
    if ecosystem == "maven":
        group, _, artifact = name.partition(":")
        artifact = re.sub(r"_[23](?:\.\d+)?$", "", artifact)
        return [words(artifact), words(f"{group.rpartition('.')[2]}-{artifact}")]
    if name.startswith("@"):
        scope, _, rest = name[1:].partition("/")
        return [words(rest), words(f"{scope}-{rest}")]
    return [words(name)]


class HeldOut(NamedTuple):
    """What must not be trained on, by name."""

    repositories: tuple[str, ...]  # owner/name
    names: tuple[str, ...]  # packages that a benchmark pins

    @classmethod
    def read(cls, file: Path = HELD_OUT) -> Self:
        """Read a list made by ``training.held_out``."""
        listed = tomllib.loads(file.read_text("utf-8"))
        return cls(tuple(listed["repositories"]), tuple(listed["names"]))

    def matcher(self) -> Matcher:
        """These names, ready to be compared with many others."""
        return Matcher(self)


class Matcher:
    """Compares package names and paths with what is held out."""

    def __init__(self, held: HeldOut) -> None:
        self._held = held
        self._by_first: defaultdict[str, list[tuple[tuple[str, ...], str]]] = defaultdict(list)
        self._runs: dict[str, str] = {}
        for name in held.names:
            self._add(words(name), name)
        for repository in held.repositories:
            owner, _, name = repository.partition("/")
            self._add(words(name), repository)
            self._add((*words(owner), *words(name)), repository)
            self._add(words(f"{owner}-{name}"), repository)

    def _add(self, parts: tuple[str, ...], origin: str) -> None:
        if len(_run(parts)) < MIN_LETTERS or (len(parts) == 1 and parts[0] in GENERIC):
            return
        self._by_first[parts[0]].append((parts, origin))
        self._runs.setdefault(_run(parts), origin)

    @cached_property
    def _paths(self) -> frozenset[str]:
        return frozenset(repository.lower() for repository in self._held.repositories)

    def package(self, ecosystem: str, name: str) -> str:
        """The benchmark's repository or pin that a package is named like; "" if none."""
        whole, *inner = aliases(ecosystem, name)
        for parts in (whole, *inner):
            origin = self._named(parts, is_inner=parts != whole and ecosystem.startswith("debian"))
            if origin:
                return origin
        return ""

    def _named(self, parts: tuple[str, ...], *, is_inner: bool) -> str:
        if not parts:
            return ""
        run = _run(parts)
        if not is_inner and run in self._runs:
            return self._runs[run]
        for wanted, origin in self._by_first[parts[0]]:
            letters = len(_run(wanted))
            least = MIN_INNER_LETTERS if is_inner else MIN_PREFIX_LETTERS
            if parts[: len(wanted)] == wanted and (letters >= least or parts == wanted):
                return origin
        if not is_inner:
            for length in range(MIN_RUN_LETTERS, len(run)):
                if run[:length] in self._runs:
                    return self._runs[run[:length]]
        return ""

    def path(self, path: str) -> str:
        """The repository whose ``owner/name`` is part of a path; "" if none."""
        parts = path.lower().split("/")
        for owner, name in pairwise(parts):
            if f"{owner}/{name}" in self._paths:
                return f"{owner}/{name}"
        return ""
