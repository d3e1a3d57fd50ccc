"""``plait eval economy``: what an agent pays to find the answer, with plait and with ripgrep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from plait.interfaces.cli.arguments import parameters as params

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from plait.evaluation.economy.budgets import ShownLine
    from plait.types import Answer

FORMATS = ("text", "json", "md")
SHOWN_LOSSES = 20  # of text and md; json has them all
MAX_QUESTION = 70  # letters of a lost question that are shown
WAYS = (
    ("ripgrep, ranged reads", "baseline"),
    ("ripgrep, thrifty script", "thrifty"),
    ("ripgrep, whole files", "naive"),
)
BUDGET_WAYS = (
    ("plait, packed", "packed", "recall"),
    ("plait, page of ten", "page", "recall"),
    ("ripgrep, ranged reads", "baseline", "recall"),
    ("ripgrep, thrifty script", "thrifty", "recall"),
    ("the same, had names been enough", "thrifty", "named"),
)
BUDGET_SENTENCES = (
    "Recall: the share of the answers of which a line was shown before so many tokens were",
    "spent, the question's included; mean over questions.",
)
HEAD = ("tokens of", "found", "median", "mean", "at best")


def economy(
    dataset: Annotated[
        str, typer.Argument(metavar="DATASET", help="A folder, or the name of a fetched dataset.")
    ],
    qrels: Annotated[
        str, typer.Option(metavar="NAME", help="Which judgements, such as test, dev, test_files.")
    ] = "",
    repos: Annotated[
        str, typer.Option(metavar="DIR", help="One clone of each repository the dataset names.")
    ] = "",
    limit: Annotated[
        int,
        typer.Option("-n", "--limit", metavar="N", help="So many questions, spread evenly."),
    ] = 0,
    output: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help=f"One of {', '.join(FORMATS)}.")
    ] = "text",
) -> None:
    """Count the tokens an agent pays until it has DATASET's answers: plait against ripgrep."""
    import hashlib
    import os
    from pathlib import Path

    from plait.assembly import cache_folder, user_settings_file
    from plait.evaluation.economy.economy import Given
    from plait.evaluation.economy.economy import economy as measure
    from plait.evaluation.economy.ripgrep import version
    from plait.evaluation.economy.summary import as_object, summary
    from plait.evaluation.fetch.places import find_dataset
    from plait.evaluation.load import load_dataset
    from plait.interfaces.cli.evaluation.progress import RunProgress
    from plait.interfaces.cli.output import emit, emit_json, say
    from plait.settings import load_settings

    params.chosen("--format", output, FORMATS)
    params.at_least("--limit", limit, 0)
    ripgrep = version()  # before an hour of indexing
    at = find_dataset(dataset).resolve()
    loaded = load_dataset(at, qrels=qrels, repos=Path(repos) if repos else None)
    for note in loaded.notes:
        say(f"note: {note}")
    settings = load_settings(None, os.environ, user_settings_file())
    digest = hashlib.sha256(os.fsencode(at)).hexdigest()[:12]
    indexes = cache_folder(settings) / "evaluation" / "economy" / f"{at.name}-{digest}"
    with RunProgress() as progress:
        given = Given(rendered, packed)
        rows = measure(loaded, settings, indexes, given, limit=limit, watch=progress)
    about = {"schema": 1, "dataset": loaded.name, "digest": loaded.digest, "ripgrep": ripgrep}
    made = {**about, **summary(rows)}
    if output == "json":
        emit_json({**made, "rows": [as_object(row) for row in rows]})
    else:
        emit(as_markdown(made) if output == "md" else as_text(made))


# ---------------------------------------------------------------- what an agent is given


def rendered(answer: Answer) -> list[str]:
    """What ``plait search --format llm`` prints: a block for each result, then the asides."""
    from plait.interfaces.cli.searching.printing import llm_block, llm_fence
    from plait.interfaces.fences import DATA_ONLY

    fence = llm_fence(answer.results)
    blocks = [llm_block(result.chunk.path, result, fence) for result in answer.results]
    blocks[:1] = [f"{DATA_ONLY}\n{block}" for block in blocks[:1]]
    blocks += [f"warning: {absent.sentence}" for absent in answer.absent]
    blocks += [f"note: {note}" for note in answer.notes]
    blocks += [] if answer.results else ["no results"]
    return [*blocks, *(f"hint: {hint}" for hint in answer.hints)]


def packed(answer: Answer, tokens: int) -> Iterator[ShownLine]:
    """What ``plait search --max-tokens`` prints, line by line."""
    from plait.evaluation.economy.budgets import ShownLine
    from plait.interfaces.packed import RESERVED, form_of, packed_lines
    from plait.search.packing.pack import pack

    form = form_of(answer, lambda _, path: path)
    made = pack(answer, max(tokens - RESERVED, 1), form)
    return (ShownLine(*line) for line in packed_lines(made, form))


# ---------------------------------------------------------------- tables


def as_text(made: Mapping[str, Any]) -> list[str]:
    """A table of the ways of finding, and what was lost."""
    lines = aligned(_rows(made))
    lines += ["", *_sentences(made), "", *aligned(budget_rows(made)), "", *BUDGET_SENTENCES]
    shown = made["losses"][:SHOWN_LOSSES]
    if shown:
        lines += ["", *(f"  {loss['question']}: {_loss(loss)}" for loss in shown)]
    return [*lines, *_left_out(made, shown)]


def as_markdown(made: Mapping[str, Any]) -> list[str]:
    """The same for a page."""
    lines = [*_table(_rows(made)), "", *_sentences(made)]
    lines += ["", *_table(budget_rows(made)), "", *BUDGET_SENTENCES]
    shown = made["losses"][:SHOWN_LOSSES]
    if shown:
        lines += ["", *(f"- `{loss['question']}`: {_loss(loss)}" for loss in shown)]
    return [*lines, *_left_out(made, shown)]


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as columns, the first to the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip()
        for row in rows
    ]


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    head, *others = [f"| {' | '.join(row)} |" for row in rows]
    return [head, f"|---|{'---:|' * (len(rows[0]) - 1)}", *others]


def budget_rows(made: Mapping[str, Any]) -> list[list[str]]:
    """Recall at each budget, a row for each way of finding."""
    rows = [["recall at tokens", *(f"{budget:,}" for budget in made["budgets"])]]
    for label, way, what in BUDGET_WAYS:
        rows.append([label, *(f"{share:.3f}" for share in made["at_budgets"][way][what])])
    tokens = (_number(mean) for mean in made["at_budgets"]["packed"]["mean_tokens"])
    return [*rows, ["tokens of a pack, mean", *tokens]]


def _rows(made: Mapping[str, Any]) -> list[tuple[str, ...]]:
    best = _number(made["median_first_hit_tokens"])
    plait = (_percent(made["found"]), _number(made["median_tokens"]), _number(made["mean_tokens"]))
    rows: list[tuple[str, ...]] = [HEAD, ("plait, the whole page", *plait, best)]
    for label, name in WAYS:
        figures = [made[f"{name}_{what}_tokens"] for what in ("median", "mean", "median_sight")]
        rows.append((label, _percent(made[f"{name}_found"]), *map(_number, figures)))
    return rows


def _sentences(made: Mapping[str, Any]) -> list[str]:
    asked = f"{made['questions']:,} questions of {made['dataset']}, counted in {made['encoding']}"
    lines = [
        f"{asked}; what was not found costs all that was paid.",
        "At best: the median, had the agent stopped at the first right thing it was shown.",
    ]
    both = made["both_found"]
    if both["questions"]:
        medians = f"{_number(both['median_tokens'])} and {_number(both['baseline_median_tokens'])}"
        found = f"Where plait and ranged reads both found it ({both['questions']:,})"
        lines.append(f"{found}: medians {medians}.")
    cheaper, calls = _percent(made["cheaper_and_found"]), made["baseline_mean_calls"]
    lines.append(
        f"plait found it for fewer tokens than ranged reads on {cheaper} of the questions,"
    )
    lines.append(f"in one call; ranged reads took {calls:.1f} on average.")
    lost, thrifty = f"{made['lost']:,}", f"{made['lost_to_thrifty']:,}"
    lines.append(f"Lost to ranged reads: {lost} questions; to the thrifty script: {thrifty}.")
    return lines


def _loss(loss: Mapping[str, Any]) -> str:
    from plait.interfaces.escaping import visible

    text = visible(" ".join(loss["text"].split()))
    short = text if len(text) <= MAX_QUESTION else f"{text[: MAX_QUESTION - 1]}…"
    cost = f"{loss['tokens']:,} tokens, ripgrep {loss['baseline_tokens']:,}"
    return f"{short} ({cost}: {loss['reason']})"


def _left_out(made: Mapping[str, Any], shown: Sequence[Any]) -> list[str]:
    rest = len(made["losses"]) - len(shown)
    return ["", f"{rest:,} more losses are in --format json"] if rest else []


def _number(value: float) -> str:
    return f"{value:,.0f}"


def _percent(share: float) -> str:
    return f"{share:.1%}"
