"""The ranking of files on a real node: the same order as in the embedded store, and in time.

By words both stores count the same, but for the last digits of scores. By meaning they keep
vectors in fewer bits, each in its own way: what a signal gives may differ by ``BY_MEANING``, and
files closer to each other than that may change places. One signal counts a file's chunks among
the first hundred: there the hundredth may be one file's in one store and another's in the other.
"""

from __future__ import annotations

import threading
import time
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import NamedTuple

import pytest

from plait.assembly import Opened, open_source
from plait.engine.reader import Reader
from plait.evaluation.measures import scores
from plait.search.parse import parse
from plait.settings import Settings
from plait.sources.directory import DirectorySource
from plait.stores.cluster.store import ClusterStore
from plait.types import Answer, Query, Result, Snapshot
from plait.types.notes import UNRANKED
from tests.cluster.collection import address_of, beside, collection
from tests.cluster.lossy import Way, way_to
from tests.cluster.running import Running

pytestmark = pytest.mark.cluster
FIXTURES = Path(__file__).parents[1] / "fixtures" / "corpus"
GOLDENS = Path(__file__).parents[1] / "goldens" / "teahouse.toml"
CASES = tomllib.loads(GOLDENS.read_text("utf-8"))["question"]
FURTHER = (  # shapes of which the goldens have few
    "api/accounts/passwords.py",
    "stock/ledger.go",
    "web/src/cart",
    "tests for the ledger",
    "documentation of the deployment",
    "ValueError: a password has at least 12 characters",
    "panic: stock: too few on the shelf",
    "Ledger.Withdraw",
    "cart store",
)
QUESTIONS = (*(case["text"] for case in CASES), *FURTHER)
BY_WORDS, BY_MEANING = 1e-4, 0.02
COUNTED = {"dense, share", "dense, best chunk"}  # of a file that is the hundredth here, not there
AT_THE_EDGE = 2  # files it may differ for: one has a chunk more, one has a chunk less
ALLOWED = 0.003  # nDCG@10 over all questions
WITHIN_S = 2.0


class Both(NamedTuple):
    """The same corpus in both stores."""

    embedded: Opened
    cluster: Opened
    snapshots: tuple[Snapshot, Snapshot]

    def answers(self, text: str, mode: str) -> tuple[Answer, Answer]:
        """What both answer to a question."""
        query = asked(text)
        here, there = (
            one.reader.searcher(snapshot, mode).search(query)
            for one, snapshot in zip((self.embedded, self.cluster), self.snapshots, strict=True)
        )
        return here, there


def asked(text: str) -> Query:
    return Query(text, parse(text).wanted, limit=10, per_file=1)


@pytest.fixture(scope="module")
def both(one_node: Running, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    """Two shards, so that frequencies have to be gathered."""
    work = tmp_path_factory.mktemp("ranking")
    settings = Settings(cache_dir=str(work))
    source = DirectorySource(FIXTURES, name="corpus")
    here = open_source(source, work / "embedded", settings)
    with collection(one_node, shards=2) as store:
        there = Opened(
            replace(here.reader, store=store),
            replace(here.writer, store=store, folder=work / "cluster"),
        )
        for one in (here, there):
            one.writer.refresh(anew=True)
            one.writer.embed()
        yield Both(here, there, (here.reader.snapshot(), there.reader.snapshot()))
    here.close()


def files(answer: Answer) -> list[str]:
    return [result.chunk.path for result in answer.results]


def signals(result: Result) -> dict[str, float]:
    return {part.name: part.value for part in result.reason.parts}


def apart(one: Result, other: Result, names: Iterable[str]) -> float:
    """The most by which these signals of two results differ; one that is not told gives nothing."""
    ours, theirs = signals(one), signals(other)
    return max(abs(ours.get(name, 0) - theirs.get(name, 0)) for name in names)


# ---------------------------------------------------------------- the same order


@pytest.mark.parametrize("text", QUESTIONS)
def test_by_words_both_stores_give_the_same_files_for_the_same_signals(
    both: Both, text: str
) -> None:
    here, there = both.answers(text, "lexical")

    assert [one.chunk.id for one in there.results] == [one.chunk.id for one in here.results]
    for ours, theirs in zip(here.results, there.results, strict=True):
        assert signals(ours).keys() == signals(theirs).keys()
        assert apart(ours, theirs, signals(ours)) < BY_WORDS


@pytest.mark.parametrize("text", QUESTIONS)
def test_by_meaning_only_files_that_score_alike_change_places(both: Both, text: str) -> None:
    here, there = both.answers(text, "hybrid")
    ours = {one.chunk.path: one for one in here.results}
    met = [one for one in there.results if one.chunk.path in ours]
    pairs = [(ours[one.chunk.path], one) for one in met]
    edges = [apart(*pair, COUNTED) for pair in pairs]

    assert sum(edge > BY_MEANING for edge in edges) <= AT_THE_EDGE
    for at, (pair, edge) in enumerate(zip(pairs, edges, strict=True)):
        assert apart(*pair, signals(pair[0]).keys() - COUNTED) < BY_MEANING
        for (later, _), other in zip(pairs[at + 1 :], edges[at + 1 :], strict=True):
            assert later.score <= pair[0].score + BY_MEANING + edge + other
    for one in there.results:  # the last of one page may be the first of the next
        slack = BY_MEANING + max(edges, default=0)
        assert one in met or one.score <= here.results[-1].score + slack


def test_both_stores_are_right_as_often(both: Both) -> None:
    judged = {
        case["text"]: {answer.partition("#")[0]: 1 for answer in case["answers"]} for case in CASES
    }
    answers = {text: both.answers(text, "hybrid") for text in judged}
    here, there = (
        scores({text: files(pair[at]) for text, pair in answers.items()}, judged, ["nDCG@10"])
        for at in range(2)
    )
    ours, theirs = (mean(found["nDCG@10"].values()) for found in (here, there))

    assert abs(ours - theirs) <= ALLOWED


def test_typed_paths_and_messages_are_among_the_questions(both: Both) -> None:
    answers = [both.answers(text, "hybrid")[1] for text in FURTHER]

    assert {"path", "message"} <= {answer.shape for answer in answers}
    given = {name for answer in answers for name in signals(answer.results[0])}
    assert {"path", "message"} <= given


# ---------------------------------------------------------------- in time


class Led(NamedTuple):
    """The cluster's side of both, asked over a way that can be watched and blocked."""

    way: Way
    reader: Reader

    def search(self, text: str, **settings: bool | float) -> Answer:
        """An answer of a searcher that knows nothing yet but what the store has counted."""
        changed = replace(self.reader.settings, **settings)  # type: ignore[arg-type]  # short
        reader = replace(self.reader, settings=changed)
        return reader.searcher(reader.snapshot(), "lexical").search(asked(text))


@pytest.fixture
def led(both: Both, one_node: Running) -> Iterator[Led]:
    store = both.cluster.reader.store
    assert isinstance(store, ClusterStore)
    with way_to(one_node.addresses[0]) as way:
        hosts = address_of(way.cluster).hosts
        with beside(store, hosts=hosts) as other:
            yield Led(way, replace(both.cluster.reader, store=other))


def test_the_ranking_of_files_asks_a_cluster_twice_and_once_for_each_generation(led: Led) -> None:
    sent: list[bytes] = []

    def loses(_method: str, _path: str, body: bytes) -> bool:
        sent.append(body)
        return False

    led.way.loses = loses
    first = [_sent_by(led, sent, text) for text in ("session_from_cookie", "formatMoney")]

    assert [ranked - fused for ranked, fused in first] == [3, 2]


def _sent_by(led: Led, sent: list[bytes], text: str) -> tuple[int, int]:
    """How many requests a search sends with and without the ranking of files."""
    led.search(text, file_ranking=False)  # what it counts is known from now on
    made = []
    for is_ranked in (True, False):
        sent.clear()
        led.search(text, file_ranking=is_ranked)
        made.append(len(sent))
    return made[0], made[1]


@pytest.mark.parametrize("asked_for", [b'"marks"', b'"defines"', b'"key":"desc"'])
@pytest.mark.parametrize("hangs", [True, False], ids=["hangs", "hangs up"])
def test_a_node_that_does_not_tell_of_files_in_time_costs_their_order_and_not_the_answer(
    led: Led, asked_for: bytes, hangs: bool
) -> None:
    fused = led.search("session_from_cookie", file_ranking=False)
    gave_up = threading.Event()

    def loses(_method: str, _path: str, body: bytes) -> bool:
        is_lost = asked_for in body.replace(b" ", b"")
        if is_lost and hangs:
            gave_up.wait(4 * WITHIN_S)
        return is_lost

    led.way.loses = loses
    began = time.monotonic()
    answer = led.search("session_from_cookie", search_within_s=WITHIN_S)
    took_s = time.monotonic() - began
    gave_up.set()

    assert led.way.lost or hangs
    assert took_s < 2 * WITHIN_S
    assert [one.chunk.id for one in answer.results] == [one.chunk.id for one in fused.results]
    assert UNRANKED in {note.code for note in answer.notes}
