"""``plait eval run``: ask a dataset's questions and measure the answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from plait.errors import SettingError
from plait.interfaces.cli.arguments import parameters as params

if TYPE_CHECKING:
    from pathlib import Path

    from plait.evaluation.dataset import Dataset
    from plait.evaluation.runs import Run
    from plait.settings import Settings

FORMATS = ("text", "json", "md", "csv")


def run(
    dataset: Annotated[
        str, typer.Argument(metavar="DATASET", help="A folder, or the name of a fetched dataset.")
    ],
    qrels: Annotated[
        str, typer.Option(metavar="NAME", help="Which judgements, such as test, dev, test_files.")
    ] = "",
    corpus: Annotated[
        str, typer.Option(metavar="NAME", help="Which corpus of the folder, such as corpus_nodoc.")
    ] = "",
    repos: Annotated[
        str, typer.Option(metavar="DIR", help="One clone of each repository the dataset names.")
    ] = "",
    modes: Annotated[
        str, typer.Option(metavar="MODES", help="Ways of ranking, separated by commas.")
    ] = "lexical",
    measures: Annotated[
        str, typer.Option(metavar="NAMES", help="Measures, such as MRR@10,nDCG@10.")
    ] = "",
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="A setting for this run; repeatable."),
    ] = None,
    strip: Annotated[
        bool, typer.Option("--strip", help="Blank comments and docstrings before indexing.")
    ] = False,
    out: Annotated[
        str,
        typer.Option(
            metavar="FOLDER", help="Where to write the run; an interrupted run is resumed."
        ),
    ] = "",
    output: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help=f"One of {', '.join(FORMATS)}.")
    ] = "text",
) -> None:
    """Index what DATASET searches, ask its questions in each mode, and measure the answers."""
    from pathlib import Path

    from plait.evaluation.fetch.places import find_dataset
    from plait.evaluation.load import load_dataset
    from plait.evaluation.measures import parse_names
    from plait.evaluation.runner import Plan, known_modes
    from plait.evaluation.runner import run as carry_out
    from plait.interfaces.cli.evaluation.progress import RunProgress
    from plait.interfaces.cli.output import say

    params.chosen("--format", output, FORMATS)
    settings = _settings(changes or [], strip=strip)
    now, absent = known_modes([mode.strip() for mode in modes.split(",")], settings)
    for mode in absent:
        say(f"note: mode {mode} is left out: there is no model")
    at = find_dataset(dataset).resolve()
    loaded = load_dataset(at, qrels=qrels, corpus=corpus, repos=Path(repos) if repos else None)
    for note in loaded.notes:
        say(f"note: {note}")
    plan = Plan(
        dataset=loaded,
        modes=now,
        settings=settings,
        folder=Path(out) if out else _new_folder(loaded),
        indexes=_indexes(at, settings, corpus),
        names=parse_names(measures) if measures else (),
    )
    with RunProgress() as progress:
        done = carry_out(plan, progress)
    _show(done, output, absent)
    say(f"the run is in {done.folder}")


def _settings(changes: list[str], *, strip: bool) -> Settings:
    """The user's settings with this run's changes."""
    import os
    from dataclasses import replace

    from plait.assembly import user_settings_file
    from plait.settings import PREFIX, load_settings

    given = {}
    for change in changes:
        key, equals, value = change.partition("=")
        if not equals:
            raise SettingError(f"--set takes KEY=VALUE, got {change!r}")
        given[f"{PREFIX}{key.strip().upper()}"] = value.strip()
    known = {f"{PREFIX}{name.upper()}" for name in _names()}
    unknown = [key for key in given if key not in known]
    if unknown:
        raise SettingError(f"there is no setting {unknown[0].removeprefix(PREFIX).lower()!r}")
    settings = load_settings(None, {**os.environ, **given}, user_settings_file())
    return replace(settings, comments=False) if strip else settings


def _names() -> list[str]:
    from dataclasses import fields

    from plait.settings import Settings

    return [field.name for field in fields(Settings)]


def _evaluation_folder() -> Path:
    import os

    from plait.assembly import cache_folder, user_settings_file
    from plait.settings import load_settings

    return cache_folder(load_settings(None, os.environ, user_settings_file())) / "evaluation"


def _new_folder(dataset: Dataset) -> Path:
    from datetime import UTC, datetime

    name = f"{dataset.name.replace('/', '-')}-{datetime.now(UTC):%Y%m%dT%H%M%S%f}"
    return _evaluation_folder() / "runs" / name


def _indexes(dataset: Path, settings: Settings, corpus: str) -> Path:
    """A folder for each way of indexing a dataset, so that they do not push each other out."""
    import hashlib

    from plait.assembly import lexical_lane

    kind = f"{dataset} {corpus} {lexical_lane(settings).analysis} {settings.comments}"
    digest = hashlib.sha256(kind.encode("utf-8", "surrogateescape")).hexdigest()[:12]
    return _evaluation_folder() / "indexes" / f"{dataset.name}-{digest}"


def _show(run: Run, output: str, absent: list[str]) -> None:
    from plait.evaluation.report.plain import as_csv, markdown
    from plait.interfaces.cli.output import emit, emit_json, emit_text

    if output == "json":
        emit_json(as_object(run, absent))
    elif output == "text":
        emit(as_text(run))
    else:
        emit_text({"md": markdown, "csv": as_csv}[output]([run]).rstrip("\n"))


def as_text(run: Run) -> list[str]:
    """A table: a row for each measure, a column for each mode."""
    from plait.evaluation.measures import paper_name

    modes = list(run.measures)
    first = run.measures[modes[0]]
    rows = [["", *modes]]
    for name, value in first.items():
        if isinstance(value, dict):
            continue
        shown = [run.measures[mode][name] for mode in modes]
        is_measure = not (name.endswith("_ms") or isinstance(value, int))
        label = paper_name(name) if is_measure else name.replace("_", " ")
        rows.append([label, *(f"{v:,}" if isinstance(v, int) else f"{v:.4f}" for v in shown)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip()
        for row in rows
    ]


def as_object(run: Run, absent: list[str]) -> dict[str, Any]:
    """The one-line form: what programs read."""
    config = run.config
    return {
        "schema": 1,
        "dataset": config["dataset"],
        "modes": run.measures,
        "absent": dict.fromkeys(absent, "there is no model"),
        "questions": sum(part["questions"] for part in config["parts"]),
        "documents": sum(part["files"] for part in config["parts"]),
        "index_cpu_s": round(sum(part["index_cpu_s"] for part in config["parts"]), 3),
        "overlap": config["overlap"],
        "settings": config["settings"],
        "commit": config["commit"],
        "run": str(run.folder),
    }
