"""``plait eval gate``: may this change become the default? The exit status says it to a script."""

from __future__ import annotations

from typing import Annotated

import typer

from plait.errors import SettingError


def gate(
    candidate: Annotated[
        str, typer.Argument(metavar="CANDIDATE", help="The run of the change: a folder.")
    ],
    baseline: Annotated[
        str, typer.Argument(metavar="BASELINE", help="The run of what is the default now.")
    ],
    mode: Annotated[
        str, typer.Option(metavar="MODE", help="The mode, if a run has more than one.")
    ] = "",
    baseline_mode: Annotated[
        str, typer.Option(metavar="MODE", help="The mode of BASELINE (default: the same).")
    ] = "",
    measure: Annotated[
        str, typer.Option(metavar="NAME", help="A measure, such as MRR@10.")
    ] = "nDCG@10",
    tolerance: Annotated[
        float, typer.Option(metavar="X", help="How far the mean over parts may fall.")
    ] = 0.002,
    alpha: Annotated[
        float, typer.Option(metavar="P", help="Below this p-value a part counts as worse.")
    ] = 0.05,
) -> None:
    """Exit 0 if CANDIDATE is no worse than BASELINE, on average and on every part; 1 if it is."""
    from pathlib import Path

    from plait.evaluation.compare import compare
    from plait.evaluation.gate import gate as judged
    from plait.evaluation.measures import paper_name
    from plait.evaluation.runs import load_run
    from plait.interfaces.cli.output import emit

    if not tolerance >= 0:
        raise SettingError(f"--tolerance must be at least 0, got {tolerance:g}")
    if not 0 < alpha < 1:
        raise SettingError(f"--alpha must lie between 0 and 1, got {alpha:g}")
    before, after = load_run(Path(baseline)), load_run(Path(candidate))
    comparison = compare(before, after, baseline_mode or mode, mode, measure)
    verdict = judged(comparison, tolerance, alpha)
    if not verdict.passed:
        emit(f"failed: {reason}" for reason in verdict.reasons)
        raise typer.Exit(1)
    macro = comparison.macro
    change = f"{macro.paired.mean:+.4f}, from {macro.a:.4f} to {macro.b:.4f}"
    mean = f"mean {paper_name(comparison.measure)} over {macro.name}"
    emit([f"passed: {mean} {change}; no part is worse with p below {alpha:g}"])
