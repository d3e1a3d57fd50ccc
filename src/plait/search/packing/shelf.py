"""A shelf: the lines taken so far, file by file, and what they cost as they will be printed.

A file of which one line is taken is a row of a list at the end: ``path:line: text``. A file of
which more are taken has a block for each run of lines: ``path:first-last``, then the lines
between fences. What is counted is exactly that, line by line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from plait.search.packing.estimate import estimate
from plait.types import Span
from plait.types.code import FileKey


def path_alone(repo: str, path: str) -> str:
    """A file by its path; right where there is one repository."""
    del repo
    return path


@dataclass(frozen=True, slots=True)
class Form:
    """How lines are printed, as far as it costs tokens."""

    count: Callable[[str], int] = estimate  # the tokens of a text
    shown: Callable[[str, str], str] = path_alone  # how a repository's path is shown
    fence: str = "```"

    def row(self, name: str, number: int, text: str) -> str:
        """A file of which one line is shown."""
        return f"{name}:{number}: {text.strip()}"

    def heading(self, name: str, span: Span, *, is_first: bool) -> str:
        """What stands above a run of lines: the path only above the first of a file."""
        return f"{name if is_first else ''}:{span.first}-{span.last}"


class Shelf:
    """Takes lines as long as there is room.

    Args:
        form: How they will be printed.
        tokens: How much room there is.
    """

    def __init__(self, form: Form, tokens: int) -> None:
        self._form = form
        self._taken: dict[FileKey, dict[int, str]] = {}
        self._costs: dict[FileKey, int] = {}
        self._prices: dict[str, int] = {}
        self._first_in: dict[str, FileKey] = {}  # of a line's text
        self._fences = 2 * form.count(f"{form.fence}\n")
        self._tokens = tokens
        self.left = tokens - self._fences  # those of the list

    @property
    def spent(self) -> int:
        """What has been taken costs, fences included."""
        return self._tokens - self.left if self._taken else 0

    @property
    def taken(self) -> Mapping[FileKey, Mapping[int, str]]:
        """The lines of each file, in the order in which files were begun."""
        return self._taken

    def take(self, key: FileKey, lines: Mapping[int, str], allowance: int) -> bool:
        """Take lines if they cost no more than is allowed and left; whether they were taken."""
        more = self.costs(key, lines)
        if more > min(allowance, self.left):
            return False
        self._taken[key] = {**self._taken.get(key, {}), **lines}
        self._costs[key] = self._costs.get(key, 0) + more
        self.left -= more
        for text in lines.values():
            self._first_in.setdefault(text.strip(), key)
        return True

    def has_elsewhere(self, key: FileKey, text: str) -> bool:
        """Whether a line's text has been taken before, of another file."""
        return self._first_in.get(text.strip(), key) != key

    def needed(self, key: FileKey, lines: Mapping[int, str]) -> int:
        """How much room these lines alone would need."""
        return self._fences + self._cost(key, lines)

    def costs(self, key: FileKey, lines: Mapping[int, str]) -> int:
        """What it would cost to take these lines of a file, too."""
        return self._cost(key, {**self._taken.get(key, {}), **lines}) - self._costs.get(key, 0)

    def _cost(self, key: FileKey, lines: Mapping[int, str]) -> int:
        form, name = self._form, self._form.shown(*key)
        if len(lines) == 1:
            [(number, text)] = lines.items()
            return self._price(form.row(name, number, text))
        headings = (
            self._price(form.heading(name, span, is_first=at == 0)) + self._fences
            for at, span in enumerate(runs(lines))
        )
        return sum(headings) + sum(map(self._price, lines.values()))

    def _price(self, line: str) -> int:
        if line not in self._prices:
            self._prices[line] = self._form.count(f"{line}\n")
        return self._prices[line]


def runs(numbers: Iterable[int]) -> Iterator[Span]:
    """Lines as spans without gaps, in order."""
    first = last = 0
    for number in sorted(numbers):
        if first and number > last + 1:
            yield Span(first, last)
            first = 0
        first = first or number
        last = number
    if first:
        yield Span(first, last)
