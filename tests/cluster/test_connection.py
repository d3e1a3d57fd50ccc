"""A secured cluster of the older release: who may ask, and that the store works there."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import pytest

from plait.errors import PlaitError, StoreRefused
from plait.index.embed import embed
from plait.stores.cluster.connection import Connection
from plait.stores.cluster.store import ClusterStore
from plait.types import And, ChunkId, LineQuery, Not, Pattern, Phrase, Scope, Tag, Term
from tests.cluster.collection import ANALYSIS, address_of, beside, collection
from tests.cluster.lossy import way_to
from tests.cluster.running import Running
from tests.contract.lines import grepped, places
from tests.contract.notation import file, gone, ids, names, piece
from tests.contract.test_vectors import Hashed, passage_of
from tools.opensearch.nodes import Cluster

pytestmark = pytest.mark.slow
EVERYTHING = And(())


@pytest.fixture
def store(secured_node: Cluster) -> Iterator[ClusterStore]:
    """An empty collection of those who may do everything."""
    with collection(secured_node) as made:
        yield made


# ---------------------------------------------------------------- who may ask


def test_a_node_whose_authority_nobody_named_is_not_trusted(secured_node: Cluster) -> None:
    store = ClusterStore(address_of(secured_node, ca=""), ANALYSIS)
    with pytest.raises(
        StoreRefused, match=r"certificate of .* is not trusted: .*certificate"
    ) as refused:
        store.snapshot()
    store.close()

    assert "PLAIT_STORE_CA" in refused.value.hint


def test_a_file_of_another_authority_does_not_help(secured_node: Cluster) -> None:
    import certifi

    store = ClusterStore(address_of(secured_node, ca=certifi.where()), ANALYSIS)
    with pytest.raises(StoreRefused, match="is not trusted"):
        store.commit([file("a.py", "alpha\n")])
    store.close()


@pytest.mark.parametrize(
    "who",
    [
        pytest.param({"user": "", "password": ""}, id="nobody"),
        pytest.param({"password": "wr0ng-s3cret"}, id="wrong-password"),
        pytest.param({"user": "somebody", "password": "wr0ng-s3cret"}, id="unknown"),
        pytest.param({"user": "", "password": "", "api_key": "wr0ng-s3cret"}, id="wrong-key"),
    ],
)
def test_who_is_not_known_is_refused_and_no_secret_is_told(
    secured_node: Cluster, who: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    store = ClusterStore(address_of(secured_node, **who), ANALYSIS)
    for asked in (store.snapshot, store.check, lambda: store.commit([file("a.py", "alpha\n")])):
        with pytest.raises(StoreRefused, match=r"https?://|opensearch://.* refuses") as refused:
            asked()
        assert "PLAIT_STORE_USER" in refused.value.hint
        told = [str(refused.value), repr(refused.value), refused.value.hint, *causes(refused.value)]
        assert not any(secret in text for text in told for secret in secrets(secured_node))
    store.close()

    assert not any(secret in caplog.text for secret in secrets(secured_node))


def causes(error: BaseException) -> list[str]:
    """What an error came from, in words."""
    told = []
    while error.__cause__ is not None:
        error = error.__cause__
        told += [str(error), repr(error)]
    return told


def secrets(secured_node: Cluster) -> list[str]:
    return [secured_node.password, secured_node.reader_password, "wr0ng-s3cret"]


def test_nothing_that_is_printed_or_logged_holds_a_secret(
    secured_node: Cluster, store: ClusterStore, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    store.commit([file("a.py", "alpha\n")])
    snapshot = store.snapshot()
    shown = [store, store.address, store.connection, snapshot, vars(store), caplog.text]

    assert not any(secret in repr(one) for one in shown for secret in secrets(secured_node))


def test_who_may_only_read_reads_and_is_refused_in_words_to_write(
    secured_node: Cluster, store: ClusterStore
) -> None:
    store.commit([file("a.py", "alpha\n")])
    who = {"user": secured_node.reader, "password": secured_node.reader_password}
    with beside(store, **who) as reader:
        assert names(reader.snapshot().match(Term("alpha"), Scope(), 9)) == ["a.py"]
        with pytest.raises(StoreRefused, match=r"refuses: .*no permissions"):
            reader.commit([file("b.py", "beta\n")])

    assert names(store.snapshot().match(EVERYTHING, Scope(), 9)) == ["a.py"]


def test_an_api_key_is_sent_as_one(one_node: Running) -> None:
    """OpenSearch's own plug-in has no such keys; a proxy or a hosted service checks them."""
    with way_to(one_node.addresses[0], needs="ApiKey k3y") as way:
        address = address_of(way.cluster, api_key="k3y", user="ignored", password="too")
        connection = Connection(address)
        assert "version" in connection.ask("GET", "/")
        connection.close()
        refused = Connection(address_of(way.cluster, api_key="other"))
        with pytest.raises(StoreRefused) as told:
            refused.ask("GET", "/")
        refused.close()

    assert "other" not in str(told.value)


# ---------------------------------------------------------------- the store on 2.19


def test_the_node_is_of_the_older_release(store: ClusterStore) -> None:
    assert store.connection.ask("GET", "/")["version"]["number"].startswith("2.19.")


def test_files_are_added_replaced_removed_and_built_anew(store: ClusterStore) -> None:
    assert store.commit([file("a.py", "alpha\n"), file("b.py", "alpha beta\n")]) == 1
    held = store.snapshot()
    assert store.commit([file("a.py", "gamma\n"), gone("b.py"), file("c.py", "beta\n")]) == 2

    assert names(store.snapshot().match(EVERYTHING, Scope(), 9)) == ["a.py", "c.py"]
    assert names(store.snapshot().match(Term("alpha"), Scope(), 9)) == []
    assert names(held.match(Term("alpha"), Scope(), 9)) == ["a.py", "b.py"]
    assert store.commit([file("d.py", "delta\n")], anew=True) == 3
    assert list(store.snapshot().digests("r")) == ["d.py"]
    assert store.check() == []


def test_a_commit_that_fails_has_not_happened(store: ClusterStore) -> None:
    store.commit([file("a.py", "alpha\n")])
    with pytest.raises(ValueError, match="changes twice"):
        store.commit([file("b.py", "beta\n"), file("b.py", "beta\n")])

    assert names(store.snapshot().match(EVERYTHING, Scope(), 9)) == ["a.py"]
    assert store.check() == []


def test_words_phrases_patterns_and_their_reasons(store: ClusterStore) -> None:
    store.commit(
        [
            file("a.py", "one two three\n", piece("def two_one(): pass\n", "two_one")),
            file("b.go", "two one\n", language="go"),
            file("c.py", "one one one\n", repo="other"),
        ]
    )
    snapshot = store.snapshot()

    def found(wanted: Any, scope: Scope = Scope()) -> list[str]:  # noqa: B008  # frozen
        return names(snapshot.match(wanted, scope, 9))

    assert found(Term("one"))[0] == "c.py"
    assert sorted(found(Term("one"))) == ["a.py", "b.go", "c.py"]
    assert found(Term("one"), Scope(repos=frozenset(["other"]))) == ["c.py"]
    assert found(Phrase("two one", ("two", "one"))) == ["b.go"]
    assert found(Pattern(r"def \w+_one")) == ["a.py#1"]
    assert found(Not(Tag("lang", "python"))) == ["b.go"]
    assert snapshot.spellings("onee", 3) == ["one"]
    assert snapshot.count([Term("one")])[0] == 3
    (best, *_) = snapshot.match(Term("one"), Scope(), 1).hits
    (reason,) = snapshot.explain(Term("one"), [best.chunk]).values()
    assert reason.value == pytest.approx(best.score, rel=1e-4)


def test_the_nearest_among_those_that_satisfy_a_condition(store: ClusterStore) -> None:
    files = [file(f"{n}.py", f"text {n}\n", repo=f"r{n % 3}") for n in range(30)]
    store.commit(files)
    encoder = Hashed()
    embed(store, encoder, passage_of)
    snapshot, question = store.snapshot(), encoder.questions(["text 7\n"])

    def nearest(where: Any, scope: Scope) -> list[str]:
        return names(snapshot.nearest(encoder.digest, question, where, scope, 1))

    assert nearest(EVERYTHING, Scope()) == ["7.py"]
    assert nearest(EVERYTHING, Scope(repos=frozenset(["r1"]))) == ["7.py"]
    assert nearest(EVERYTHING, Scope(repos=frozenset(["r2"]))) != ["7.py"]
    assert nearest(Not(Pattern("text 7")), Scope()) != ["7.py"]
    assert snapshot.missing_vectors(encoder.digest) == 0
    key = ChunkId("r1", "7.py", 0)
    assert list(snapshot.vectors(encoder.digest, [key])) == [key]


def test_lines_are_found(store: ClusterStore) -> None:
    store.commit([file("a.py", "alpha\nbeta gamma\n"), file("b.py", "gamma\nalpha\n")])
    files, tally = grepped(store.snapshot(), LineQuery((Pattern("^gam|beta"),), within_s=60))

    assert places(files) == ["a.py:2", "b.py:1"]
    assert tally.lines == 2
    assert ids("a.py") == list(store.snapshot().outline("r", "a.py"))


def test_what_is_not_there_is_told_as_on_any_other(store: ClusterStore) -> None:
    with pytest.raises(PlaitError, match="nothing is indexed in opensearch://"):
        store.snapshot()
