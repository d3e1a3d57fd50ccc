"""Rebuild: make one index from nothing but some sources, in one step.

Sources follow one another, their workers stay. Whoever searches meanwhile sees what was
there before, then all of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from plait.index.diff import Diff, compare, masked_in
from plait.index.losses import Losses
from plait.index.prepare import MODULE, prepared
from plait.index.reasons import keep_reasons
from plait.index.refresh import Progress, Report, changes_of
from plait.index.stamps import kept_stamps
from plait.lanes.lexical import Lexical
from plait.private.folders import PrivateFolder
from plait.symbols.workers import WorkerPool
from plait.types import Change, Source, Store


def rebuild(
    sources: Sequence[tuple[Source, Path, PrivateFolder]],
    store: Store,
    lexical: Lexical,
    *,
    workers: int = 0,
    comments: bool = True,
    watch: Callable[[Progress], None] = lambda _: None,
) -> list[Report]:
    """Forget all that a store holds and index some sources, as one generation.

    Args:
        sources: Each with the place where its stamps are remembered, and the folder of ours
            which that is in.
        store: What holds them in the end, and nothing else.
        lexical: How words are made.
        workers: Parse processes; 0 for one per core.
        comments: Whether comments and docstrings are indexed; if not, they are blanked.
        watch: Called after every file, of each source anew.

    Returns:
        What was done of each source, in their order.
    """
    diffs: list[Diff] = []
    reports = [Report() for _ in sources]
    with WorkerPool(MODULE, workers or os.cpu_count() or 1) as pool:
        prepare = partial(prepared, lexical=lexical, comments=comments, losses=Losses())

        def changes() -> Iterator[Change]:
            for (source, _, _), report in zip(sources, reports, strict=True):
                diffs.append(compare(source, {}, {}))
                yield from changes_of(diffs[-1], pool, prepare, report, watch)

        generation = store.commit(changes(), anew=True)
    for (_, stamps_path, private), diff, report in zip(sources, diffs, reports, strict=True):
        report.notes += kept_stamps(stamps_path, diff.stamps, private)
        keep_reasons(stamps_path, report.as_text, private)
        report.generation = generation
        report.skipped = diff.skipped
        report.masked = masked_in(diff.stamps)
    return reports
