"""The hub: where the Hugging Face hub is, and where what came from it lies.

The folder is laid out as ``huggingface_hub`` does it, so that either finds what the other
fetched:

    models--org--name/blobs/CHECKSUM              the files, by what they are
    models--org--name/refs/main                   which commit a name stood for
    models--org--name/snapshots/COMMIT/PATH       links to the files of a commit
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, Self

from plait.errors import ModelError

HOME = "https://huggingface.co"
MAIN = "main"
ID = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*", re.ASCII)
REVISION = re.compile(r"[A-Za-z0-9][\w.-]*(?:/[A-Za-z0-9][\w.-]*)*", re.ASCII)
COMMIT = re.compile(r"[0-9a-f]{40}")
SHA256 = re.compile(r"[0-9a-f]{64}")
NO = frozenset({"", "0", "false", "no", "off"})  # values of a switch that mean no
PICKLES = frozenset({".bin", ".pt", ".pth", ".pkl", ".pickle", ".ckpt", ".joblib"})


class HubId(NamedTuple):
    """A model of the hub; the revision is "" where none was named."""

    id: str
    revision: str = ""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``org/name`` or ``org/name@revision``.

        Raises:
            ModelError: It is neither.
        """
        id_, mark, revision = text.partition("@")
        bad = ".." in text or "--" in id_ or (mark and not REVISION.fullmatch(revision))
        if bad or not ID.fullmatch(id_):
            raise ModelError(
                f"{text!r} is not the name of a model on the hub",
                hint="such as sentence-transformers/all-MiniLM-L6-v2, or NAME@REVISION",
            )
        return cls(id_, revision)

    def __str__(self) -> str:
        return f"{self.id}@{self.revision}" if self.revision else self.id

    def folder(self, hub: Path) -> Path:
        """Where its files are kept."""
        return hub / f"models--{self.id.replace('/', '--')}"


def hub_folder(environment: Mapping[str, str]) -> Path:
    """Where fetched models are kept, by the variables ``huggingface_hub`` goes by."""
    for name in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"):
        if environment.get(name):
            return Path(environment[name]).expanduser()
    if environment.get("HF_HOME"):
        return Path(environment["HF_HOME"]).expanduser() / "hub"
    cache = environment.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(cache).expanduser() / "huggingface" / "hub"


def hub_address(environment: Mapping[str, str]) -> str:
    """The server that is asked for models."""
    return (environment.get("HF_ENDPOINT") or HOME).rstrip("/")


def is_offline(environment: Mapping[str, str]) -> bool:
    """Whether plait is told to stay off the network."""
    return any(
        environment.get(name, "").lower() not in NO for name in ("PLAIT_OFFLINE", "HF_HUB_OFFLINE")
    )


def find_snapshot(wanted: HubId, hub: Path, pinned: str = "") -> Path | None:
    """The folder of a fetched model; None if it is not here.

    Args:
        wanted: Which model. Without a revision: the pinned one, else what ``main`` stood for.
        hub: Where models are kept.
        pinned: A commit that is as good as no revision.
    """
    home = wanted.folder(hub)
    for revision in [wanted.revision] if wanted.revision else filter(None, [pinned, MAIN]):
        commit = revision
        ref = home / "refs" / revision
        if not COMMIT.fullmatch(revision) and ref.is_file():
            commit = ref.read_text(encoding="utf-8", errors="replace").strip()
        folder = home / "snapshots" / commit
        if COMMIT.fullmatch(commit) and folder.is_dir() and any(folder.iterdir()):
            return folder
    return None


def fetched_ids(hub: Path) -> Iterator[str]:
    """The ids of all models that are here, of any kind."""
    for folder in sorted(hub.glob("models--*--*")):
        if (folder / "snapshots").is_dir():
            yield folder.name.removeprefix("models--").replace("--", "/", 1)


def check_snapshot(folder: Path, pinned: Mapping[str, str]) -> None:
    """Prove the files of a snapshot against their checksums: pinned ones, or their own names.

    Raises:
        ModelError: A file is not what it was.
    """
    from plait.downloads.download import git_id_of, sha256_of

    for path in sorted(folder.rglob("*")):
        inner = path.relative_to(folder).as_posix()
        if path.is_dir():
            continue
        try:
            expected = pinned.get(inner) or (path.resolve().name if path.is_symlink() else "")
            if SHA256.fullmatch(expected):
                is_right = sha256_of(path) == expected
            elif COMMIT.fullmatch(expected):
                is_right = git_id_of(path) == expected
            else:
                is_right = True  # a copy: nothing here says what it was
        except OSError as error:
            raise ModelError(f"cannot read {path}: {error}") from error
        if not is_right:
            raise ModelError(
                f"{path} is not the file that was fetched: its checksum is wrong",
                hint="delete it and fetch the model again: plait model fetch",
            )
