"""The ranker: candidates of all lanes, folded to files and ordered by the sum of their signals.

Signals are computed for every file that was found; words for them only for what is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum, inf
from operator import mul

from plait.ranking.definitions import Definition, definitions
from plait.ranking.names import Meeting, path_names, project_roots
from plait.ranking.pool import Candidate, Pool, pooled
from plait.ranking.question import Question, question_of
from plait.ranking.signals import File, Files, Signal
from plait.ranking.table import SIGNALS
from plait.types import ChunkId, FileKey, Hit, Query, Ranking, Reason, Snapshot

NAME = "files"
FURTHER, FURTHER_MEANS = "further chunk", "below the file's best chunk"


@dataclass(frozen=True, slots=True)
class Reading:
    """How a plan understands a question."""

    about: frozenset[str] = frozenset()  # tags of the files it asks for
    path: tuple[str, ...] = ()  # folders and file, if a path was typed
    scales: Mapping[str, float] = field(default_factory=dict)  # of lanes that count otherwise


USUAL = Reading()


@dataclass(frozen=True, slots=True)
class Ranked:
    """Files in order, and what speaks for each."""

    files: Files
    rows: Mapping[FileKey, int]  # of each file
    columns: Mapping[Signal, Sequence[float]]  # of the signals that have something to say
    ranking: Ranking  # of each file the chunk that speaks for it, best first

    def has(self, chunk: ChunkId) -> bool:
        """Whether a lane found this chunk."""
        row = self.rows.get((chunk.repo, chunk.path))
        return row is not None and chunk in self.files.rows[row].candidate.chunks

    def page(self, per_file: int, limit: int) -> list[Hit]:
        """The first hits, at most ``per_file`` of each file.

        A further chunk is as far below its file's first as their fused scores are apart.
        """
        if per_file == 1:
            return list(self.ranking.hits[:limit])
        hits = [hit for first in self.ranking.hits for hit in self._of_file(first, per_file)]
        return list(Ranking.best_first(NAME, hits).hits[:limit])

    def account(self, chunk: ChunkId, by_lane: Mapping[str, Reason]) -> Reason:
        """Why a chunk scores as it does, with each lane's own account below what it gave."""
        row = self.rows[chunk.repo, chunk.path]
        parts = list(self._parts(row, by_lane))
        if below := _below(self.files.rows[row], chunk):
            parts.append(Reason(FURTHER, below, words=FURTHER_MEANS))
        return Reason.total(NAME, parts, "sum of")

    def _of_file(self, first: Hit, per_file: int) -> Iterator[Hit]:
        yield first
        row = self.rows[first.chunk.repo, first.chunk.path]
        file = self.files.rows[row]
        given = [signal.weight * values[row] for signal, values in self.columns.items()]
        others = [chunk for chunk in file.candidate.chunks if chunk != first.chunk]
        for chunk in others[: per_file - 1]:
            yield Hit(chunk, Reason(NAME, fsum((*given, _below(file, chunk)))))

    def _parts(self, row: int, by_lane: Mapping[str, Reason]) -> Iterator[Reason]:
        file = self.files.rows[row]
        told: set[str] = set()  # lanes, each of which gives its account once
        for signal, values in self.columns.items():
            value = values[row]
            if not value:
                continue
            words = signal.detail(file, value) if signal.detail else signal.means
            inner = None if signal.lane in told else by_lane.get(signal.lane)
            told.add(signal.lane)
            below = () if inner is None else (inner,)
            yield Reason(signal.name, signal.weight * value, below, f"{signal.name}: {words}")


class FileRanker:
    """Ranks the files of one snapshot.

    Args:
        snapshot: Where the candidates are from.
        signals: What counts, and how much.
    """

    def __init__(self, snapshot: Snapshot, signals: Sequence[Signal] = SIGNALS) -> None:
        self._snapshot = snapshot
        self._signals = signals
        self._projects: dict[str, tuple[str, frozenset[str]]] = {}

    def rank(
        self,
        query: Query,
        rankings: Sequence[Ranking],
        fused: Ranking,
        reading: Reading = USUAL,
        until: float = inf,
    ) -> Ranked:
        """Put the files in which anything was found in order.

        Args:
            query: What was asked.
            rankings: What each lane found.
            fused: All of it in one.
            reading: How the question is to be understood.
            until: When the store has to have told of them (``time.monotonic``).

        Raises:
            OutOfTime: It has not.
        """
        question = question_of(query, reading.about, reading.path)
        files = self._files(query, question, pooled(rankings, fused), until)
        columns: dict[Signal, Sequence[float]] = {}
        for signal in self._signals:
            values = signal.values(files)
            if values is not None:
                columns[signal.scaled(reading.scales.get(signal.lane, 1.0))] = values
        weights = [signal.weight for signal in columns]
        by_file = zip(*columns.values(), strict=True)
        hits = [
            Hit(row.shown, Reason(NAME, fsum(map(mul, weights, values))))
            for row, values in zip(files.rows, by_file, strict=True)
        ]
        ranking = Ranking.best_first(NAME, hits)
        ranking = ranking._replace(notes=fused.notes, is_partial=fused.is_partial)
        rows = {row.candidate.key: at for at, row in enumerate(files.rows)}
        return Ranked(files, rows, columns, ranking)

    def _files(self, query: Query, question: Question, pool: Pool, until: float) -> Files:
        facts = self._snapshot.files(pool.files, until)
        defined = definitions(self._snapshot, question, query.scope, pool.files, until)
        self._learn([repo for repo, _ in pool.files], until)
        meetings: dict[str, Meeting] = {}
        rows: list[File] = []
        for key, candidate in pool.files.items():
            repo, path = key
            root, project = self._projects[repo]
            meeting = meetings.get(repo)
            if meeting is None:
                meeting = meetings[repo] = Meeting(question.words, project)
            names = path_names(path, root)
            own = defined.get(key, ())
            met = meeting.count(names.stem_roots)
            shown = _shown(candidate, question, own)
            rows.append(File(candidate, facts[key], names, meeting, met, own, shown))
        tags = frozenset(tag for row in rows for tag in row.facts.tags)
        return Files(rows, question, pool.most, tags, pool.is_deep)

    def _learn(self, repos: Sequence[str], until: float) -> None:
        """Find out where the files of repositories begin, and the words of their names."""
        if new := set(repos) - self._projects.keys():
            for repo, root in self._snapshot.roots(new, until).items():
                self._projects[repo] = root, project_roots(repo, root)


def _shown(candidate: Candidate, question: Question, own: Sequence[Definition]) -> ChunkId:
    """The chunk that speaks for a file, of those that were found and so meet every condition: where
    one name is asked for, that of a type so called."""
    if question.is_name:
        for one in own:
            if one.is_exact and one.is_type and one.chunk in candidate.chunks:
                return one.chunk
    return next(iter(candidate.chunks))


def _below(file: File, chunk: ChunkId) -> float:
    """How far the fused score of a chunk is below that of the one shown first."""
    chunks = file.candidate.chunks
    return min(chunks.get(chunk, 0.0) - chunks[file.shown], 0.0)
