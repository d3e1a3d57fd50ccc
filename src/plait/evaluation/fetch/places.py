"""Places: where datasets are kept, and how a name or a path becomes a folder."""

from __future__ import annotations

from pathlib import Path

import platformdirs

from plait.errors import EvaluationError
from plait.evaluation.fetch.manifest import load_manifest


def datasets_folder() -> Path:
    """Where fetched datasets lie, one folder each."""
    return Path(platformdirs.user_data_dir("plait", appauthor=False)) / "datasets"


def find_dataset(name_or_path: str, folder: Path | None = None) -> Path:
    """The folder of a dataset: a fetched one by its name, any other by its path.

    What begins like a path (``./cosqa``, ``/data/cosqa``, ``~/cosqa``) is never a name.

    Raises:
        EvaluationError: There is no such dataset here.
    """
    at = Path(name_or_path).expanduser()
    if not (name_or_path.startswith(".") or at.is_absolute()):
        fetched = (folder or datasets_folder()) / name_or_path
        if name_or_path and fetched.is_dir():
            return fetched
    if name_or_path and at.is_dir():
        return at
    known = load_manifest()
    if name_or_path in known:
        source = "" if known[name_or_path].files else " --from FOLDER"
        raise EvaluationError(
            f"dataset {name_or_path} is not here yet",
            hint=f"plait eval fetch {name_or_path}{source}",
        )
    raise EvaluationError(
        f"there is no dataset {name_or_path!r}, neither a folder nor a known name",
        hint=f"known names: {', '.join(sorted({*known, *fetched_names(folder)}))}",
    )


def fetched_names(folder: Path | None = None) -> list[str]:
    """The names of the datasets that are here."""
    at = folder or datasets_folder()
    if not at.is_dir():
        return []
    return sorted(
        inner.name for inner in at.iterdir() if inner.is_dir() and not inner.name.startswith(".")
    )
