"""The index of a stranger's repository costs what it may, and no more."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from plait.sources.staged import INDEX_BYTES
from tests.sources.repositories import paths, repository, source

MOST_MB = 500
PEAK = """
import sys
from pathlib import Path
from plait.sources.place import WorkTree
from plait.sources.staged import Unreadable, staged_below
own = Path(sys.argv[1])
try:
    count = len(staged_below(WorkTree(own.parent, own, own)).paths)
except Unreadable as refusal:
    count = refusal
status = Path("/proc/self/status").read_text()
print(int(status.split("VmHWM:")[1].split()[0]) // 1024, count)
"""


def write_index(path: Path, name_of: Callable[[int], str], size: int) -> int:
    """Write an index of version 4 of at most a size; the number of its names, all of one length.

    Each name repeats what it shares with the last, so that long names cost the file little.
    """
    entries: list[bytes] = []
    left, last, length = size - 32, b"", len(name_of(0).encode())
    while True:
        name = name_of(len(entries)).encode()
        pairs = enumerate(zip(last, name, strict=False))
        shared = next((at for at, (one, other) in pairs if one != other), len(last))
        dropped = len(last) - shared
        assert dropped < 0x80
        assert len(name) == length
        entry = b"\0" * 62 + bytes([dropped]) + name[shared:] + b"\0"
        left -= len(entry)
        if left < 0:
            break
        entries.append(entry)
        last = name
    head = b"DIRC\0\0\0\4" + len(entries).to_bytes(4)
    path.write_bytes(head + b"".join(entries) + b"\0" * 20)
    return len(entries)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").is_file(), reason="Linux tells the peak")
@pytest.mark.parametrize(
    "name_of",
    [
        pytest.param(lambda n: f"{n:07x}", id="many"),
        pytest.param(lambda n: f"{n:07x}/f", id="folders"),
        pytest.param(lambda n: f"{'x' * 70}{n:07x}", id="long"),
        pytest.param(lambda n: f"\U0001f600{'x' * 100}{n:07x}", id="wide"),
    ],
)
def test_the_largest_index_needs_half_a_gigabyte_at_most(
    tmp_path: Path, name_of: Callable[[int], str]
) -> None:
    own = tmp_path / ".git"
    own.mkdir()
    count = write_index(own / "index", name_of, INDEX_BYTES)
    line = [sys.executable, "-c", PEAK, str(own)]
    said = subprocess.run(line, capture_output=True, text=True, check=True).stdout
    peak, told = said.split(maxsplit=1)

    assert told.strip() == str(count) or "bytes of memory" in told
    assert int(peak) < MOST_MB


def test_an_index_that_is_too_large_is_told_and_the_tree_is_walked(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"a.py": "x"})
    with (root / ".git" / "index").open("r+b") as index:
        index.truncate(INDEX_BYTES + 1)
    found = source(root)

    assert paths(found) == ["a.py"]
    assert f"more than {INDEX_BYTES}" in found.notes[0]
    assert "plait's own ignore rules apply" in found.notes[0]
