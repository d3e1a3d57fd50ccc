"""Replays: what an agent with ripgrep would pay to find the answer, by fixed policies.

A call costs what is put in (the words, or the path and lines to read) and what comes out;
the wrapping of calls, of which ripgrep needs several and plait one, is left out. Each
policy stops at the first right file it reads, or at the first right lines where symbols are
wanted. Right or not, it has paid for all it was shown.

``ranged`` is the baseline, what a competent agent does by habit:

1.  count the lines that hold each telling word of the question (a number each);
2.  look at the most telling word: ``rg -n -i -F WORD | head -50``;
3.  list the files that hold the three most telling words, or else the two: ``rg -l``;
4.  read 20 lines on either side of the densest match, file by file, at most ten. The order
    is better than it could know from what it was shown: see ``candidates.py``.

``thrifty`` is the cheapest we could think of: a script in place of 2 and 3 that ranks the
files by how many of the words they hold and prints ten lines. It is a small search engine
of its own, and few agents write one; whoever claims to save tokens should know what it costs.

``naive`` is what others compare with: ripgrep's list of files, and then whole files.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from plait.evaluation.economy.candidates import (
    Candidate,
    by_rarity,
    candidates,
    holding_all,
    printed,
    telling_words,
)
from plait.evaluation.economy.right import NO_LINES, IsRight
from plait.evaluation.economy.ripgrep import MAX_COLUMNS, Ripgrep
from plait.evaluation.economy.tokens import count
from plait.types import Span

HEAD = 50  # lines of output looked at
READS = 10
TOGETHER = (3, 2)  # words a file must hold, tried in turn


class Trail(NamedTuple):
    """What a policy paid and whether that found anything."""

    tokens: int
    is_found: bool
    reads: int
    calls: int
    sight_tokens: int | None  # paid when something right first stood in any output


class Call(NamedTuple):
    """One call: what was put in, what came out, and what that shows of which files."""

    given: str
    output: str
    shown: tuple[tuple[str, Span], ...]  # of each line of the output, or of all of it


class _Purse:
    """Adds up what is paid."""

    def __init__(self, is_right: IsRight) -> None:
        self._is_right = is_right
        self._tokens = self._reads = 0
        self.calls: list[Call] = []
        self._sight: int | None = None

    def pay(self, given: str, output: str, shown: Iterable[tuple[str, Span]] = ()) -> bool:
        """Pay for one call; whether it showed anything right."""
        self.calls.append(Call(given, output, tuple(shown)))
        self._tokens += count(given) + count(output)
        is_right = any(self._is_right(path, lines) for path, lines in self.calls[-1].shown)
        if is_right and self._sight is None:
            self._sight = self._tokens
        return is_right

    def read(self, given: str, output: str, path: str, lines: Span) -> bool:
        """Pay for reading a file."""
        self._reads += 1
        return self.pay(given, output, [(path, lines)])

    def trail(self, *, is_found: bool) -> Trail:
        return Trail(self._tokens, is_found, self._reads, len(self.calls), self._sight)


def ranged(text: str, rg: Ripgrep, is_right: IsRight) -> Trail:
    """Replay ripgrep and ranged reads."""
    return _ranged(text, rg, _Purse(is_right))


def ranged_calls(text: str, rg: Ripgrep) -> list[Call]:
    """The calls of ripgrep and ranged reads, had nothing that was shown been right."""
    purse = _Purse(_never)
    _ranged(text, rg, purse)
    return purse.calls


def _ranged(text: str, rg: Ripgrep, purse: _Purse) -> Trail:
    words = _counted(text, rg, purse)
    if words:
        matches = rg.matches(words[0])[:HEAD]
        shown = ((match.path, Span(match.line, match.line)) for match in matches)
        purse.pay(words[0], printed(matches), shown)
    for number in TOGETHER:
        if len(words) < number:
            continue
        files = holding_all(words[:number], rg)[:HEAD]
        purse.pay(" ".join(words[:number]), "\n".join(files), ((p, NO_LINES) for p in files))
        if files:
            break
    return _read(candidates(words, rg)[:READS], rg, purse)


def thrifty(text: str, rg: Ripgrep, is_right: IsRight) -> Trail:
    """Replay a script that ranks files by the words they hold, and ranged reads."""
    return _thrifty(text, rg, _Purse(is_right))


def thrifty_calls(text: str, rg: Ripgrep) -> list[Call]:
    """The calls of the script and ranged reads, had nothing that was shown been right."""
    purse = _Purse(_never)
    _thrifty(text, rg, purse)
    return purse.calls


def _thrifty(text: str, rg: Ripgrep, purse: _Purse) -> Trail:
    words = _counted(text, rg, purse)
    files = candidates(words, rg)[:READS]
    rows = "\n".join(f"{file.words} {file.path}:{file.densest}" for file in files)
    purse.pay(" ".join(words), rows, ((file.path, NO_LINES) for file in files))
    return _read(files, rg, purse)


def naive(text: str, rg: Ripgrep, is_right: IsRight) -> Trail:
    """Replay ripgrep and whole files."""
    purse = _Purse(is_right)
    words = telling_words(text)
    listed = sorted({match.path for word in words for match in rg.matches(word)})[:HEAD]
    purse.pay(" ".join(words), "\n".join(listed), ((path, NO_LINES) for path in listed))
    for file in candidates(by_rarity(words, rg), rg)[:READS]:
        lines = rg.lines(file.path)
        if purse.read(file.path, "\n".join(lines), file.path, Span(1, len(lines))):
            return purse.trail(is_found=True)
    return purse.trail(is_found=False)


def _never(path: str, lines: Span) -> bool:
    del path, lines
    return False


def _counted(text: str, rg: Ripgrep, purse: _Purse) -> list[str]:
    """The telling words, counted and paid for, the most telling first."""
    words = telling_words(text)
    numbers = "\n".join(f"{word} {len(rg.matches(word))}" for word in words)
    purse.pay(" ".join(words), numbers)
    return by_rarity(words, rg)


def _read(files: Sequence[Candidate], rg: Ripgrep, purse: _Purse) -> Trail:
    for file in files:
        lines = rg.lines(file.path)
        span = file.lines(len(lines))
        given = f"{file.path}:{span.first}-{span.last}"
        if purse.read(given, _numbered(lines, span), file.path, span):
            return purse.trail(is_found=True)
    return purse.trail(is_found=False)


def _numbered(lines: Sequence[str], span: Span) -> str:
    """Lines of a file as an agent's reading tool prints them."""
    return "\n".join(
        f"{number:>6}\t{lines[number - 1][:MAX_COLUMNS]}"
        for number in range(span.first, span.last + 1)
    )
