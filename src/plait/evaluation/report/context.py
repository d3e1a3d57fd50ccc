"""What the numbers hang on: how runs were made, what was indexed, how fair the questions are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from plait.evaluation.report.charts import bars
from plait.evaluation.report.markup import NOTHING, Markup, joined, number, tag
from plait.evaluation.report.series import Series, as_number
from plait.evaluation.report.svg import Trace
from plait.evaluation.report.tables import Cell, as_table, scrolled
from plait.evaluation.runs import Run

LOSSES = 100  # how many are listed
BEFORE, AFTER = Trace("before stripping", 6), Trace("after stripping", 0)
AS_IS = Trace("as indexed", 0)

Labelled = Sequence[tuple[str, Run]]  # the name of a run in this report, and the run


def labelled(series: Sequence[Series]) -> Labelled:
    """The runs, each once, under the names the report gives them."""
    return list({each.run_label: (each.run_label, each.run) for each in series}.values())


def facts(runs: Labelled) -> Markup:
    """Dataset, level, questions, commit, machine, date and settings; of later runs what differs."""
    first = dict(_facts(runs[0][1]))
    made = [_described(runs[0][0], first)]
    for name, run in runs[1:]:
        own = {
            key: _differing(value, first.get(key))
            for key, value in _facts(run)
            if value != first.get(key)
        }
        made.append(_described(name, own | {"Otherwise": f"as {runs[0][0]}"}))
    return joined(made)


def _described(name: str, known: Mapping[str, object]) -> Markup:
    rows = [("Run", name), *known.items()]
    return tag(
        "dl",
        [tag("div", tag("dt", key), tag("dd", pairs(value) or NOTHING)) for key, value in rows],
    )


def _differing(value: object, other: object) -> object:
    """The keys that differ, where both have keys."""
    if not (isinstance(value, Mapping) and isinstance(other, Mapping)):
        return value
    return {key: held for key, held in value.items() if held != other.get(key)}


def _facts(run: Run) -> Iterator[tuple[str, object]]:
    config = run.config
    dataset = config.get("dataset") or {}
    yield "Dataset", " ".join(str(dataset.get(key, "")) for key in ("name", "digest"))
    yield "Level", dataset.get("level", "")
    if dataset.get("average"):
        yield "Averaged over", f"{dataset['average']}s"
    if dataset.get("qrels"):
        yield "Judgements", dataset["qrels"]
    yield "Questions", number(len({outcome.question for outcome in run.outcomes}), 0)
    yield "Commit", config.get("commit", "")
    yield "Machine", config.get("machine", "")
    dates = [str(config[key]) for key in ("started", "finished") if config.get(key)]
    yield "Date", " to ".join(dates).replace("T", " ").replace("+00:00", " UTC")
    yield "Command", config.get("command", "")
    yield "Settings", config.get("settings", {})
    yield "Versions", config.get("versions", {})


def pairs(value: object) -> Markup:
    """A value of the configuration, its keys told apart from what they hold."""
    if isinstance(value, Mapping):
        flat = list(_flat(value, ""))
        return joined(tag("span", tag("i", key), f" {held}", class_="pair") for key, held in flat)
    if isinstance(value, list | tuple):
        return joined(" ".join(map(str, value)))
    return joined(str(value))


def _flat(value: Mapping[str, Any], above: str) -> Iterator[tuple[str, str]]:
    for key, held in value.items():
        if isinstance(held, Mapping):
            yield from _flat(held, f"{above}{key}.")
        elif isinstance(held, list | tuple):
            yield f"{above}{key}", ", ".join(map(str, held))
        else:
            yield f"{above}{key}", str(held)


def corpora(runs: Labelled) -> Markup | None:
    """What was indexed, a row per run and corpus; revisions of one repository are one row."""
    rows: list[list[Cell]] = []
    for label, run in runs:
        by_name: dict[str, list[Mapping[str, Any]]] = {}
        for part in run.config.get("parts") or ():
            by_name.setdefault(str(part.get("name", "")), []).append(part)
        for name, parts in by_name.items():
            languages = dict.fromkeys(str(part.get("language") or "") for part in parts)
            rows.append(
                [
                    name if len(runs) == 1 else f"{label} · {name}",
                    ", ".join(filter(None, languages)),
                    number(len(parts), 0),
                    number(_total(parts, "questions"), 0),
                    number(_largest(parts, "files"), 0),
                    number(_largest(parts, "chunks"), 0),
                    number(_total(parts, "index_cpu_s"), 1),
                ]
            )
    if not rows:
        return None
    head = ["Corpus", "Language", "Revisions", "Questions", "Files", "Chunks", "Indexing CPU s"]
    return scrolled(as_table(head, rows))


def _largest(parts: Sequence[Mapping[str, Any]], key: str) -> float | None:
    return max(_known(parts, key), default=None)


def _total(parts: Sequence[Mapping[str, Any]], key: str) -> float | None:
    known = _known(parts, key)
    return sum(known) if known else None


def _known(parts: Sequence[Mapping[str, Any]], key: str) -> list[float]:
    return [value for part in parts if (value := as_number(part.get(key))) is not None]


def overlap(run: Run) -> Markup | None:
    """How much of the questions' wording their right answers hold; None if not measured."""
    found = run.config.get("overlap")
    if not found:
        return None
    before, after = (found.get(key) or {} for key in ("before", "after"))
    is_stripped = before != after
    rows = ((BEFORE, before), (AFTER, after)) if is_stripped else ((AS_IS, after),)
    lengths = sorted({*before, *after}, key=lambda n: (len(n), n))
    says = "Share of a question's n-grams that its right answers hold"
    values = [(trace, [as_number(shares.get(n)) for n in lengths]) for trace, shares in rows]
    chart = bars(says, [f"{n}-grams" for n in lengths], values)
    how = "comments and docstrings were stripped" if is_stripped else "nothing was stripped"
    return chart and joined(tag("p", f"{says}; {how}."), chart)


def economy(run: Run) -> Markup | None:
    """Tokens read until the answer is found, against a baseline; None if not measured."""
    found = run.config.get("economy")
    if not found:
        return None
    questions = number(as_number(found.get("questions")), 0)
    rows = [
        ["Median tokens", *(number(as_number(found.get(k)), 0) for k in _sides("median_tokens"))],
        [f"Found, of {questions}", *(number(as_number(found.get(k)), 0) for k in _sides("found"))],
    ]
    losses = found.get("losses") or []
    parts = [as_table(["", "plait", "baseline"], rows)]
    if losses:
        head = ["Question", "Query", "plait tokens", "baseline tokens"]
        listed = [
            [
                str(loss.get("question", "")),
                str(loss.get("text", "")),
                *(number(as_number(loss.get(key)), 0) for key in _sides("tokens")),
            ]
            for loss in losses[:LOSSES]
        ]
        says = f"{len(losses):,} questions where the baseline did better"
        if len(losses) > LOSSES:
            says += f", the first {LOSSES}"
        parts.append(tag("details", tag("summary", says), scrolled(as_table(head, listed))))
    return joined(parts)


def _sides(key: str) -> tuple[str, str]:
    return key, f"baseline_{key}"


def notes(runs: Labelled) -> Markup | None:
    """What stands in for what in the dataset, and what is left out."""
    found = dict.fromkeys(
        str(note) for _, run in runs for note in (run.config.get("dataset") or {}).get("notes", ())
    )
    return tag("ul", [tag("li", note) for note in found]) if found else None
