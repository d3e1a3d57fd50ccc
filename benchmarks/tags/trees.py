"""Trees: the files of packages and clones, each as (tree, path, content).

A tree is a folder, or a git directory without a work tree, whose newest commit is read.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from plait.beneath import Refused
from plait.sources.classify import MINIFIABLE, as_utf8, is_minified
from plait.sources.languages import language_of
from plait.sources.names import refused_name
from plait.sources.selection import MAX_BYTES, Selection

TAKEN = Selection()
LINK = b"120000"


class Found(NamedTuple):
    """A file that would be indexed."""

    tree: str
    path: str
    language: str
    content: bytes


def files(folders: Sequence[Path]) -> Iterator[Found]:
    """The files of all trees in these folders; a tree that is there twice is read once."""
    seen = set()
    for folder in folders:
        for tree, root in _trees(folder):
            if tree not in seen:
                seen.add(tree)
                read = _of_git(root) if _is_git(root) else _of_folder(root)
                yield from (found for path, raw in read for found in _taken(tree, path, raw))


def _trees(folder: Path) -> Iterator[tuple[str, Path]]:
    for root in sorted(folder.iterdir()):
        if not root.is_dir():
            continue
        git = root / "repo"
        if _is_git(git) or (git / ".git").is_dir():
            yield root.name.replace("+", "/"), git if _is_git(git) else git / ".git"
        else:
            yield root.name, root


def _is_git(root: Path) -> bool:
    return (root / "HEAD").is_file() and (root / "objects").is_dir()


def _of_folder(root: Path) -> Iterator[tuple[str, bytes]]:
    for file in sorted(root.rglob("*")):
        if file.is_file() and not file.is_symlink() and file.stat().st_size <= MAX_BYTES:
            yield file.relative_to(root).as_posix(), file.read_bytes()


def _of_git(root: Path) -> Iterator[tuple[str, bytes]]:
    git = ("git", "--git-dir", str(root))
    listed = subprocess.run(
        (*git, "ls-tree", "-r", "-l", "-z", "HEAD"), capture_output=True, check=True
    )
    blobs = []
    for line in listed.stdout.split(b"\0")[:-1]:
        facts, name = line.split(b"\t", 1)
        mode, kind, blob, length = facts.split()
        is_here = length.isdigit() and int(length) <= MAX_BYTES
        if kind == b"blob" and mode != LINK and is_here:
            blobs.append((name.decode(errors="replace"), blob))
    wanted = b"\n".join(blob for _, blob in blobs) + b"\n"
    read = subprocess.run(
        (*git, "cat-file", "--batch"), input=wanted, capture_output=True, check=True
    )
    at = 0
    for path, _ in blobs:
        end = read.stdout.index(b"\n", at)
        size = int(read.stdout[at:end].split()[2])
        yield path, read.stdout[end + 1 : end + 1 + size]
        at = end + size + 2


def _taken(tree: str, path: str, raw: bytes) -> Iterator[Found]:
    if refused_name(path, TAKEN) is not None:
        return
    try:
        content = as_utf8(raw)
    except Refused:
        return
    language = language_of(path, content)
    if content.strip() and not (language in MINIFIABLE and is_minified(content)):
        yield Found(tree, path, language, content)
