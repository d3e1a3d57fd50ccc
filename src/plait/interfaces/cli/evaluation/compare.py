"""``plait eval compare``: what one run gained over another, and whether it is more than luck."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from plait.errors import SettingError
from plait.interfaces.cli.arguments import parameters as params

if TYPE_CHECKING:
    from pathlib import Path

    from plait.evaluation.compare import Comparison
    from plait.evaluation.runs import Run

FORMATS = ("text", "md", "json", "csv")


def compare(
    a: Annotated[str, typer.Argument(metavar="A", help="The run before: a folder.")],
    b: Annotated[
        str,
        typer.Argument(metavar="B", help="The run after; with --qrels, a TREC file of rankings."),
    ],
    mode: Annotated[
        str, typer.Option(metavar="MODE", help="The mode, if a run has more than one.")
    ] = "",
    against_mode: Annotated[
        str, typer.Option(metavar="MODE", help="The mode of B (default: the same).")
    ] = "",
    measure: Annotated[
        str, typer.Option(metavar="NAME", help="A measure, such as MRR@10.")
    ] = "nDCG@10",
    output: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help=f"One of {', '.join(FORMATS)}.")
    ] = "text",
    limit: Annotated[
        int, typer.Option("-n", "--limit", metavar="N", help="Questions shown of each kind.")
    ] = 10,
    qrels: Annotated[
        str, typer.Option(metavar="FILE", help="Judgements of another system's rankings in B.")
    ] = "",
    any_dataset: Annotated[
        bool, typer.Option("--any-dataset", help="Compare what two datasets have in common.")
    ] = False,
) -> None:
    """Print what B gained over A, question by question, with intervals and p-values."""
    from pathlib import Path

    from plait.evaluation.compare import compare as compared
    from plait.evaluation.runs import load_run

    params.chosen("--format", output, FORMATS)
    params.at_least("--limit", limit, 0)
    before = load_run(Path(a))
    if not qrels:
        after = load_run(Path(b))
        mode_b = against_mode or mode
    elif against_mode:
        raise SettingError("--qrels and --against-mode exclude one another")
    else:
        after, mode_b = _imported(Path(b), Path(qrels), before), ""
    _show(
        compared(before, after, mode, mode_b, measure, any_dataset=any_dataset or bool(qrels)),
        output,
        limit,
    )


def _imported(rankings: Path, qrels: Path, like: Run) -> Run:
    from plait.evaluation.runs import Run
    from plait.evaluation.trec import import_run

    return Run(rankings, {}, import_run(rankings, qrels, like.outcomes))


def _show(comparison: Comparison, output: str, limit: int) -> None:
    from plait.evaluation.comparison_tables import as_csv, as_json, as_markdown, as_text
    from plait.interfaces.cli.output import emit, emit_json

    if output == "json":
        emit_json(as_json(comparison, limit))
    elif output == "csv":
        emit(as_csv(comparison).splitlines())
    else:
        page = as_markdown if output == "md" else as_text
        emit(page(comparison, limit))
