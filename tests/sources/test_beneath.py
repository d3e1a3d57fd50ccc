"""No path, however made, has anything outside the root opened."""

from __future__ import annotations

import errno
import os
import random
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from plait.beneath import refusal_of
from plait.sources import DirectorySource
from plait.sources.secrets import contents, masking
from plait.types import Listed, Skipped, SourceFile
from tests.sources.repositories import source, tree

pytestmark = pytest.mark.skipif(os.name != "posix", reason="opens relative to a folder")

LOADED_EARLY = (contents, masking)  # or the first file that is read opens their bytecode
CANARY = "the canary lives outside"
NAMES = [
    *"a A inner INNER loop up out chain1 abs dots proc fifo ok.py OK.PY canary.py".split(),
    *".. . ... ~ - * %2e%2e CON a:b / // etc passwd self root .git .gitignore {outside}".split(),
    *("", "..\\", "C:\\x", "\n", "\r", "\x1b[2J", "\x7f", "\0", "a\0b", "\udcff"),
    *("\u2025", "\uff0e\uff0e", "é", "e\u0301", "\u202e", "n" * 255, "n" * 300),
]


class Opened:
    """What this thread opened or scanned while it was being watched."""

    def __init__(self) -> None:
        self.is_watching = False
        self.thread = 0
        self.events: list[tuple[str, object, int]] = []

    def __call__(self, event: str, args: tuple[object, ...]) -> None:
        if not self.is_watching or threading.get_ident() != self.thread:
            return
        if event == "open":
            flags = args[2]
            assert isinstance(flags, int)
            self.events.append((event, args[0], flags))
        elif event in ("os.listdir", "os.scandir"):
            self.events.append((event, args[0], 0))

    @contextmanager
    def watching(self) -> Iterator[list[tuple[str, object, int]]]:
        self.events = []
        self.thread = threading.get_ident()
        self.is_watching = True
        try:
            yield self.events
        finally:
            self.is_watching = False


OPENED = Opened()
sys.addaudithook(OPENED)


def strays(events: list[tuple[str, object, int]], root: Path) -> list[tuple[str, object, int]]:
    """Events that could have left the root.

    The root itself may be opened by its name; everything else only as a single component,
    without following links, relative to a descriptor got the same way. A descriptor that is
    scanned, or wrapped in a file, was opened before.
    """
    return [
        (event, what, flags)
        for event, what, flags in events
        if not (
            (event == "open" and str(what) in (str(root), os.devnull))
            or (
                event == "open"
                and isinstance(what, str)
                and "/" not in what
                and what not in ("", ".", "..")
                and flags & os.O_NOFOLLOW
            )
            or isinstance(what, int)
        )
    ]


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    outside = tree(tmp_path / "outside", {"canary.py": CANARY, "a/ok.py": CANARY})
    root = tree(tmp_path / "root", {"ok.py": "x", "a/ok.py": "x", "a/inner/ok.py": "x", "é": "x"})
    (root / "up").symlink_to("..")
    (root / "out").symlink_to(outside)
    (root / "a" / "out").symlink_to(outside)
    (root / "abs").symlink_to("/")
    (root / "proc").symlink_to("/proc/self/root")
    (root / "loop").symlink_to("loop")
    (root / "a" / "loop").symlink_to("../a")
    (root / "canary.py").symlink_to(outside / "canary.py")
    (root / "chain1").symlink_to("chain2")
    (root / "chain2").symlink_to("a/out/canary.py")
    (root / "dots").symlink_to("a/../../outside")
    (root / ".gitignore").symlink_to(outside / "canary.py")
    os.mkfifo(root / "fifo")
    return root


def hostile_paths(root: Path, count: int) -> list[str]:
    chosen = random.Random(7)
    names = [name.replace("{outside}", str(root.parent / "outside")) for name in NAMES]
    made = [
        "/".join(chosen.choices(names[: 15 if n % 2 else None], k=chosen.randint(1, 6)))
        for n in range(count)
    ]
    certain = ["up/outside/canary.py", "out/canary.py", "chain1", "dots/canary.py", "a/out/a/ok.py"]
    return [*certain, "a/../../outside/canary.py", "/etc/passwd", "n/" * 5000 + "x", *made]


def test_ten_thousand_hostile_paths_open_nothing_outside(hostile: Path) -> None:
    found = source(hostile)
    asked = hostile_paths(hostile, 12_000)
    with OPENED.watching() as events:
        answers = [found.read(path) for path in asked]

    assert strays(events, hostile) == []
    read = {answer.path for answer in answers if isinstance(answer, SourceFile)}
    assert read <= {"ok.py", "a/ok.py", "a/inner/ok.py", "é"}
    assert read
    assert len(events) > 10_000


def test_a_hostile_tree_is_listed_without_leaving_it(hostile: Path) -> None:
    found = source(hostile, hidden=True)
    with OPENED.watching() as events:
        listed = list(found.listing())

    assert strays(events, hostile) == []
    assert [item.path for item in listed if isinstance(item, Listed)] == [
        "a/inner/ok.py",
        "a/ok.py",
        "ok.py",
        "é",
    ]


def test_a_folder_swapped_for_a_link_while_being_read_leads_nowhere(tmp_path: Path) -> None:
    outside = tree(tmp_path / "outside", {"f.py": CANARY})
    root = tree(tmp_path / "root", {"d/f.py": "harmless"})
    found = DirectorySource(root)
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            (root / "d").rename(root / "kept")
            (root / "d").symlink_to(outside)
            (root / "d").unlink()
            (root / "kept").rename(root / "d")

    worker = threading.Thread(target=swap)
    worker.start()
    try:
        answers = [found.read("d/f.py") for _ in range(5000)]
    finally:
        stop.set()
        worker.join()

    contents = {answer.content for answer in answers if isinstance(answer, SourceFile)}
    assert contents <= {b"harmless"}


def test_a_disk_that_fails_is_not_a_file_that_may_not_be_read() -> None:
    assert refusal_of(OSError(errno.EIO, "Input/output error")).reason == "read error"
    assert refusal_of(PermissionError(errno.EACCES, "Permission denied")).reason == "unreadable"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("", "path"),
        ("..", "path"),
        ("/etc/passwd", "path"),
        ("a/../ok.py", "path"),
        ("a//ok.py", "path"),
        ("nul\0.py", "path"),
        ("out/canary.py", "symlink"),
        ("canary.py", "symlink"),
        ("loop", "symlink"),
        ("fifo", "special"),
        ("a", "folder"),
        ("none.py", "missing"),
        ("n" * 300, "unreadable"),
    ],
)
def test_every_refusal_has_its_word(hostile: Path, path: str, reason: str) -> None:
    answer = source(hostile).read(path)

    assert isinstance(answer, Skipped)
    assert answer.reason == reason
