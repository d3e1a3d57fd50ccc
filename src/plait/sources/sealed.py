"""Sealed: a git directory of plait's own, through which git reads a stranger's objects.

A repository's configuration can have git run programs, open files and fetch what is missing,
by some two hundred keys, and each version of git knows new ones. So git never sees it. It is
given a directory that plait has written: a configuration of three lines, the repository's HEAD
and refs as plait has read them, and the folder of its objects, which is all that git opens of
the repository. What the configuration may decide is what is copied: the format of the objects.

The objects are taken as they lie: no link, pipe or borrowed object store (``alternates``) is
followed, and an object that is missing stays missing.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from plait.errors import SourceError
from plait.sources.git_config import config_value, text_beneath
from plait.sources.place import CONFIG_BYTES, WorkTree, place_of
from plait.sources.refs import ID, read_head, read_refs

SHALLOW_BYTES = 1 << 26
SHA1 = "[core]\nrepositoryformatversion = 0\nbare = true\n"
SHA256 = f"{SHA1.replace('0', '1')}[extensions]\nobjectFormat = sha256\n"
CONFIGS = {"": SHA1, "sha1": SHA1, "sha256": SHA256}  # by the format of the objects
DEPTH = 4  # folders in a store of objects: info/commit-graphs is the deepest


class Sealed(NamedTuple):
    """Where git finds what it may read."""

    folder: Path  # plait's own
    objects: Path
    tree: WorkTree | None  # whose files git may compare with its index, if it is to


@contextmanager
def sealed(repo: Path) -> Iterator[Sealed]:
    """Make a git directory for reading a repository, bare or not; it goes with the block.

    Raises:
        SourceError: There is no repository, or not one that can be read in safety.
    """
    place = place_of(Path(os.path.realpath(repo)))
    tree = place.tree
    if tree is not None:
        own, common = tree.own, tree.common
    elif place.bare is not None:
        own = common = place.bare
    else:
        raise SourceError(
            place.note or f"{repo} is not a git repository", hint="name a repository's folder"
        )
    files = _files(own, common)
    expect_plain(common / "objects")
    made = _written(files)
    try:
        yield Sealed(made, common / "objects", tree)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _written(files: Mapping[str, str]) -> Path:
    try:
        folder = Path(tempfile.mkdtemp(prefix="plait-git-"))  # which nobody else can enter
        (folder / "refs").mkdir()
        for name, content in files.items():
            (folder / name).write_bytes(os.fsencode(content))
    except OSError as error:
        raise SourceError(f"git cannot be given a folder of its own: {error}") from error
    return folder


def _files(own: Path, common: Path) -> dict[str, str]:
    """The files of the directory, each with its text."""
    config = text_beneath(common, "config", CONFIG_BYTES)
    kind = config_value(config, "extensions", "objectformat").lower()
    refs_in = config_value(config, "extensions", "refstorage").lower()
    if kind not in CONFIGS or refs_in not in ("", "files"):
        raise SourceError(f"{common} has a format that plait does not know: {kind} {refs_in}")
    refs = read_refs(common)
    shallow = text_beneath(common, "shallow", SHALLOW_BYTES).split()
    files = {
        "config": CONFIGS[kind],
        "HEAD": (read_head(own) or "ref: refs/heads/none") + "\n",
        "packed-refs": "".join(f"{id_} {name}\n" for name, id_ in sorted(refs.items())),
    }
    if shallow and all(map(ID.fullmatch, shallow)):
        files["shallow"] = "".join(f"{id_}\n" for id_ in shallow)
    return files


def expect_plain(objects: Path) -> None:
    """Refuse a store of objects that would lead git elsewhere, or make it wait.

    Raises:
        SourceError: Something in it is neither a folder nor a file, or it borrows from another.
    """
    pending = [(objects, 0)]
    if objects.is_symlink() or not objects.is_dir():
        raise SourceError(f"{objects} is not a folder")
    while pending:
        folder, depth = pending.pop()
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False) and depth < DEPTH:
                    pending.append((folder / entry.name, depth + 1))
                elif not entry.is_file(follow_symlinks=False):
                    raise SourceError(f"{entry.path} is not a regular file; it is not read")
    if (objects / "info" / "alternates").exists():
        raise SourceError(
            f"{objects.parent} borrows objects from another repository; they are not read",
            hint="copy them first: git repack -a -d, then remove objects/info/alternates",
        )
