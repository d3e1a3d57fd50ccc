"""A node by TLS that asks who is calling, on every run; the real plug-in is asked at night."""

from __future__ import annotations

import base64
import shutil
from collections.abc import Iterator

import pytest

from plait.errors import StoreRefused
from plait.stores.cluster.store import ClusterStore
from plait.types import Scope, Term
from tests.cluster.collection import ANALYSIS, address_of, collection
from tests.cluster.lossy import Way, way_to
from tests.cluster.running import Running
from tests.contract.notation import file, names
from tools.opensearch.security import certificates

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed"),
]
PASSWORD = "c0rrect-s3cret"
KNOWN = base64.b64encode(f"somebody:{PASSWORD}".encode()).decode()


@pytest.fixture(scope="module")
def way(one_node: Running, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Way]:
    """A way to a node: encrypted, and for one user only."""
    folder = tmp_path_factory.mktemp("certificates")
    certificates(folder, ["127.0.0.1"])
    with way_to(one_node.addresses[0], f"Basic {KNOWN}", folder) as made:
        yield made


def refused(way: Way, **others: str) -> StoreRefused:
    """What a store says when it is not let in."""
    store = ClusterStore(address_of(way.cluster, **others), ANALYSIS)
    with pytest.raises(StoreRefused) as told:
        store.snapshot()
    store.close()
    return told.value


def test_who_is_known_writes_and_searches(way: Way) -> None:
    with collection(way.cluster, user="somebody", password=PASSWORD) as store:
        store.commit([file("a.py", "alpha\n")])

        assert names(store.snapshot().match(Term("alpha"), Scope(), 9)) == ["a.py"]


def test_an_authority_nobody_named_is_not_trusted(way: Way) -> None:
    told = refused(way, user="somebody", password=PASSWORD, ca="")

    assert "is not trusted" in str(told)
    assert "PLAIT_STORE_CA" in told.hint


def test_a_wrong_password_is_refused_and_not_told(way: Way) -> None:
    told = refused(way, user="somebody", password="wr0ng-s3cret")

    assert "PLAIT_STORE_USER" in told.hint
    assert "wr0ng-s3cret" not in f"{told}{told!r}{told.hint}{told.__cause__!r}"
