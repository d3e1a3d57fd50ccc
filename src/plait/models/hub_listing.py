"""What the hub says a model's files are, and which of them plait needs.

Only tables of numbers and plain text are ever fetched: ``.onnx``, ``.safetensors``, ``.json``,
``.txt``. A pickled file can run code when it is read; none is fetched, none is read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import quote

from plait.downloads.download import Patience
from plait.downloads.page import page
from plait.errors import ModelError
from plait.models.hub import COMMIT, PICKLES, SHA256, HubId
from plait.models.onnx import PREFERRED

WEIGHTS = (".onnx", ".safetensors")
TABLE = "model.safetensors"
TOKENIZER = "tokenizer.json"
BESIDE = (
    "config.json",
    "config_sentence_transformers.json",
    "modules.json",
    "sentence_bert_config.json",
    "special_tokens_map.json",
    TOKENIZER,
    "tokenizer_config.json",
    "vocab.txt",
    "1_Pooling/config.json",
)
PATH = re.compile(r"[\w][\w.+-]*(?:/[\w][\w.+-]*)*", re.ASCII)


class HubFile(NamedTuple):
    """A file by what the hub says it is; one of the checksums is known."""

    path: str
    size_bytes: int | None
    sha256: str = ""
    git_id: str = ""

    @property
    def checksum(self) -> str:
        return f"sha256:{self.sha256}" if self.sha256 else f"git:{self.git_id}"


class Listing(NamedTuple):
    """The files of a model at a commit; those without a checksum are not among them."""

    revision: str
    files: Mapping[str, HubFile]
    unsure: frozenset[str] = frozenset()


def ask_listing(address: str, wanted: HubId, patience: Patience | None = None) -> Listing:
    """Ask the hub what a model is.

    Raises:
        DownloadError: The hub does not answer, or has no such model or revision.
        ModelError: Its answer makes no sense, or is about another revision.
    """
    revision = wanted.revision or "main"
    url = f"{address}/api/models/{wanted.id}/revision/{quote(revision, safe='')}?blobs=true"
    answer = page(url, patience=patience)
    try:
        told = json.loads(answer)
        commit = str(told["sha"])
        if not COMMIT.fullmatch(commit):
            raise ValueError(f"its revision is {commit!r}")
        siblings = [_file(item) for item in told["siblings"]]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"{url} gave an answer that makes no sense: {error}") from error
    if COMMIT.fullmatch(revision) and commit != revision:
        raise ModelError(f"{wanted.id} was asked for at {revision}, the hub answered with {commit}")
    sure = {file.path: file for file in siblings if file.sha256 or file.git_id}
    return Listing(commit, sure, frozenset(file.path for file in siblings) - set(sure))


def choose_files(wanted: HubId, listing: Listing, weights: str = "") -> tuple[HubFile, ...]:
    """The files plait needs, the weights last.

    Raises:
        ModelError: The model has none that plait can run.
    """
    chosen = weights or _weights(wanted, listing)
    suffix = PurePosixPath(chosen).suffix
    if suffix not in WEIGHTS:
        raise ModelError(
            f"{chosen} is not fetched: plait reads only {' and '.join(WEIGHTS)}"
            + (", and never unpickles" if suffix in PICKLES else "")
        )
    needed = [path for path in BESIDE if path in listing.files or path in listing.unsure]
    if TOKENIZER not in needed:
        raise ModelError(f"{wanted} has no {TOKENIZER}: its tokens cannot be made")
    for path in (*needed, chosen):
        if path in listing.unsure:
            raise ModelError(f"the hub announces no checksum for {path} of {wanted}")
        if path not in listing.files:
            onnx = sorted(path for path in listing.files if path.endswith(WEIGHTS))
            raise ModelError(
                f"{wanted} has no file {path}", hint=f"weights there: {', '.join(onnx) or 'none'}"
            )
    return tuple(listing.files[path] for path in (*needed, chosen))


def _weights(wanted: HubId, listing: Listing) -> str:
    """The weights to take where none were named."""
    paths = {*listing.files, *listing.unsure}
    for name in PREFERRED:
        if name in paths:
            return name
    onnx = sorted(path for path in paths if path.endswith(".onnx"))
    if len(onnx) == 1:
        return onnx[0]
    if onnx:
        raise ModelError(
            f"{wanted} has several models: {', '.join(onnx)}", hint="choose one with --weights"
        )
    if TABLE in paths:
        return TABLE
    pickled = sorted(path for path in paths if PurePosixPath(path).suffix in PICKLES)
    if pickled:
        raise ModelError(
            f"{wanted} has only pickled weights ({', '.join(pickled[:3])}): reading a pickle can "
            "run code, so plait never does",
            hint="look for the same model as .onnx or .safetensors",
        )
    raise ModelError(f"{wanted} has no weights: neither .onnx nor .safetensors")


def _file(item: Mapping[str, Any]) -> HubFile:
    path = str(item["rfilename"])
    size = item.get("size")
    size_bytes = size if isinstance(size, int) and size >= 0 else None
    if not PATH.fullmatch(path):
        return HubFile(path, size_bytes)  # a name plait will not write
    lfs = item.get("lfs") or {}
    if SHA256.fullmatch(str(lfs.get("sha256", ""))):
        return HubFile(path, int(lfs.get("size", 0)) or size_bytes, sha256=lfs["sha256"])
    if not lfs and COMMIT.fullmatch(str(item.get("blobId", ""))):
        return HubFile(path, size_bytes, git_id=item["blobId"])
    return HubFile(path, size_bytes)
