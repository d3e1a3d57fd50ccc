"""Load: look at what a folder holds and pick the loader of its layout."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from plait.errors import EvaluationError
from plait.evaluation.dataset import Dataset
from plait.evaluation.loaders import agent63, beir, gitloc, mined, swebench


class Layout(Protocol):
    """What the module of a layout offers."""

    def fits(self, folder: Path) -> bool: ...

    def load(self, folder: Path, *, qrels: str, corpus: str, repos: Path | None) -> Dataset: ...


LAYOUTS: tuple[Layout, ...] = (beir, agent63, mined, swebench, gitloc)  # the first that fits


def load_dataset(
    folder: Path, *, qrels: str = "", corpus: str = "", repos: Path | None = None
) -> Dataset:
    """Load a dataset from its folder.

    Args:
        folder: A BEIR folder, a mined one, a folder of mined ones, or agent63's.
        qrels: Which judgements, by the name of their file; "" for the layout's own choice.
        corpus: Which corpus of a BEIR folder, by the name of its file; "" for ``corpus``.
        repos: Where clones of the repositories lie, if the dataset has no corpus of its own.

    Raises:
        EvaluationError: The folder is no dataset, or something it needs is missing.
    """
    if not folder.is_dir():
        raise EvaluationError(
            f"there is no dataset folder {folder}",
            hint="name a folder, or get a public one with plait eval fetch",
        )
    for layout in LAYOUTS:
        if layout.fits(folder):
            return layout.load(folder, qrels=qrels, corpus=corpus, repos=repos)
    raise EvaluationError(
        f"{folder} is no dataset: it has neither a corpus and queries nor annotations",
        hint="docs/evaluation.md describes the layouts",
    )
