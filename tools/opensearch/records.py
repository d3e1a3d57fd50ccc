"""Records: what a cluster has running, written down so that a crash leaves nothing behind.

Each cluster has a file that names its owner, its nodes and its namespaces. Whoever starts a
cluster first takes away what dead owners left.
"""

from __future__ import annotations

import json
import secrets
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from tools.opensearch import network
from tools.opensearch.distribution import cache_folder
from tools.opensearch.locks import alone
from tools.opensearch.processes import Process, end


@dataclass(frozen=True, slots=True)
class Record:
    """What there is of one cluster."""

    owner: Process
    folder: str
    is_temporary: bool  # the folder goes with the cluster
    nodes: tuple[Process, ...] = ()
    bridge: str = ""
    namespaces: tuple[str, ...] = ()

    def clear(self) -> None:
        """Take everything the record names off this machine."""
        end(list(self.nodes))
        if self.bridge:
            network.remove(self.bridge, self.namespaces)
        if self.is_temporary:
            shutil.rmtree(self.folder, ignore_errors=True)


def fresh_file() -> Path:
    """Where the record of a new cluster goes."""
    folder = cache_folder() / "running"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{secrets.token_hex(6)}.json"


def write(file: Path, record: Record) -> None:
    """Write a record, whole at every moment."""
    new = file.with_suffix(".new")
    new.write_text(json.dumps(asdict(record)), "utf-8")
    new.replace(file)


def read_all() -> Iterator[tuple[Path, Record]]:
    """Every record there is."""
    for file in sorted((cache_folder() / "running").glob("*.json")):
        with suppress(FileNotFoundError):  # its cluster is stopped at this moment
            yield file, _record(json.loads(file.read_text("utf-8")))


def reap() -> int:
    """Take away what dead owners left; how many clusters that was."""
    with alone(cache_folder() / "reap.lock"):
        left = [(file, record) for file, record in read_all() if not record.owner.is_alive]
        return _clear(left)


def stop_in(folder: Path) -> int:
    """Stop what runs in a folder, whoever owns it; how many clusters that was."""
    here = str(folder.absolute())
    return _clear([(file, record) for file, record in read_all() if record.folder == here])


def _clear(left: Sequence[tuple[Path, Record]]) -> int:
    for file, record in left:
        record.clear()
        file.unlink(missing_ok=True)
    return len(left)


def _record(told: dict[str, object]) -> Record:
    owner, nodes, namespaces = told["owner"], told["nodes"], told["namespaces"]
    assert isinstance(owner, dict)
    assert isinstance(nodes, list)
    assert isinstance(namespaces, list)
    return Record(
        owner=Process(**owner),
        folder=str(told["folder"]),
        is_temporary=bool(told["is_temporary"]),
        nodes=tuple(Process(**each) for each in nodes),
        bridge=str(told["bridge"]),
        namespaces=tuple(namespaces),
    )
