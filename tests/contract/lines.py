"""Lines, slow and obvious: every line of every file read by Python's own expressions."""

from __future__ import annotations

import re
from collections.abc import Iterable

from plait.types import FileLines, LineQuery, Snapshot, Tally
from tests.contract.reference import Model


def grepped(snapshot: Snapshot, asked: LineQuery) -> tuple[list[FileLines], Tally]:
    """What a search for lines gives, the tally apart."""
    *files, tally = snapshot.grep(asked)
    assert isinstance(tally, Tally)
    assert all(isinstance(one, FileLines) for one in files)
    return [one for one in files if isinstance(one, FileLines)], tally


def places(files: Iterable[FileLines]) -> list[str]:
    """``path:line`` of every line that matches, in order."""
    return [f"{one.path}:{line.number}" for one in files for line in one.lines if line.is_match]


def expected(model: Model, regex: str, flags: int = 0) -> set[str]:
    """The lines of a model in which a pattern (read the same by Python) matches."""
    pattern = re.compile(regex.encode(), flags)
    found = set()
    for (_, path), change in model.files.items():
        assert change.file is not None
        lines = change.file.content.split(b"\n")
        if lines[-1] == b"":
            lines.pop()
        found |= {f"{path}:{n}" for n, line in enumerate(lines, 1) if pattern.search(line)}
    return found
