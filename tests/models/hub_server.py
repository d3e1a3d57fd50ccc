"""A server that behaves as the Hugging Face hub does: listings, redirects, ranges, tags."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any

from tests.downloads.server import Page, Server

LFS = (".onnx", ".safetensors", ".bin")


def git_id(body: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(body) + body, usedforsecurity=False).hexdigest()


def sha256(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def checksum(path: str, body: bytes) -> str:
    """What the hub calls a file: the name of its blob."""
    return sha256(body) if path.endswith(LFS) else git_id(body)


@dataclass
class Hub:
    """Models by id and revision."""

    server: Server
    listings: dict[str, dict[str, Any]] = field(default_factory=dict)

    def publish(
        self, id_: str, commit: str, files: dict[str, bytes], names: tuple[str, ...] = ("main",)
    ) -> dict[str, Any]:
        """Put a model there; its listing, which may be spoilt before ``tell``."""
        siblings = [self._sibling(path, body) for path, body in files.items()]
        listing: dict[str, Any] = {"id": id_, "sha": commit, "siblings": siblings}
        for path, body in files.items():
            stored = f"/cdn/{commit}/{path}"
            self.server.put(f"/{id_}/resolve/{commit}/{path}", Page(location=stored))
            self.server.put(stored, Page(body, etag=f'"{checksum(path, body)}"'))
        for name in (commit, *names):
            self.tell(id_, name, listing)
        return listing

    def tell(self, id_: str, revision: str, listing: object) -> None:
        """Say what a revision is."""
        path = f"/api/models/{id_}/revision/{revision.replace('/', '%2F')}?blobs=true"
        self.server.put(path, Page(json.dumps(listing).encode(), etag=""))

    def page(self, commit: str, path: str) -> Page:
        """What is served for a file, to be spoilt."""
        return self.server.pages[f"/cdn/{commit}/{path}"]

    def fetched(self) -> list[str]:
        """The paths of the files that were sent."""
        asked = [asked.path for asked in self.server.asked if asked.path.startswith("/cdn/")]
        return [path.split("/", 3)[3] for path in asked]

    @staticmethod
    def _sibling(path: str, body: bytes) -> dict[str, Any]:
        told: dict[str, Any] = {"rfilename": path, "size": len(body), "blobId": git_id(body)}
        if path.endswith(LFS):
            told["blobId"] = git_id(b"pointer " + sha256(body).encode())
            told["lfs"] = {"sha256": sha256(body), "size": len(body), "pointerSize": 131}
        return told
