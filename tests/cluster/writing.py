"""A process that writes and waits: ``python -m tests.cluster.writing ADDRESS commit|anew``.

It begins a commit, sends a good part of it, says so, and never finishes.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

from plait.stores.cluster.address import Address
from plait.stores.cluster.bulk import TARGET_BYTES
from plait.stores.cluster.store import ClusterStore
from plait.types import Change
from tests.cluster.collection import ANALYSIS
from tests.contract.notation import file

WORD = "unfinished"
LONG = "lorem ipsum dolor sit amet\n" * 400


def held() -> Iterator[Change]:
    """Changes that wait when more than one request was sent."""
    sent = number = 0
    while sent < 1.5 * TARGET_BYTES:
        yield file(f"held{number}.py", f"common {WORD}\n", LONG)
        sent, number = sent + len(LONG), number + 1
    print("holding", flush=True)  # noqa: T201  # the parent waits for it
    time.sleep(600)


def main() -> None:
    """Write as asked."""
    address, verb = sys.argv[1:]
    store = ClusterStore(Address.parse(address, {}), ANALYSIS)
    store.commit(held(), anew=verb == "anew")


if __name__ == "__main__":
    main()
