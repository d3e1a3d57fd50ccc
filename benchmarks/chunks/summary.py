"""What two censuses of chunks and the reading of a sample came to, as a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from benchmarks.chunks.fragments import Fragment

Census = list[dict[str, Any]]


def summary(
    before: Census,
    after: Census,
    costs: Mapping[str, Mapping[str, Mapping[str, float]]],
    verdicts: str,
) -> str:
    """Fragments by kind and by language, sizes, costs, and what a reader found."""
    lines = ["# Chunks", "", f"{len(after)} packages, at most 1,500 files of each.", ""]
    lines += ["| | before | after |", "|---|---|---|"]
    totals = [_totals(census) for census in (before, after)]
    lines += _row("chunks", (f"{one['chunks']:,}" for one in totals))
    lines += _row("bytes of their text", (f"{one['bytes']:,}" for one in totals))
    lines += _row("CPU-s to parse and cut", (f"{one['cpu_s']:.1f}" for one in totals))
    kinds = [_by(census, "kind") for census in (before, after)]
    for kind in Fragment:
        lines += _row(
            kind.value,
            (_share(k[kind.value], t["chunks"]) for k, t in zip(kinds, totals, strict=True)),
        )
    all_of = ((k.total(), t["chunks"]) for k, t in zip(kinds, totals, strict=True))
    lines += _row("fragments, all kinds", (_share(*pair) for pair in all_of))

    lines += [
        "",
        "## By language",
        "",
        "| language | chunks | before | after |",
        "|---|---|---|---|",
    ]
    sizes = [_chunks(census) for census in (before, after)]
    languages = [_by(census, "language") for census in (before, after)]
    for language, size in sizes[1].most_common():
        if size >= 100:
            shares = [
                _share(b[language], s[language]) for b, s in zip(languages, sizes, strict=True)
            ]
            lines.append(f"| {language or 'other'} | {size:,} | {' | '.join(shares)} |")

    lines += [
        "",
        "## An index by words",
        "",
        "| package | CPU-s | | bytes | |",
        "|---|---|---|---|---|",
    ]
    for package, cost in costs.items():
        old, new = cost["before"], cost["after"]
        lines.append(
            f"| {package} | {old['cpu_s']:.1f} | {new['cpu_s']:.1f}"
            f" ({_change(old['cpu_s'], new['cpu_s'])}) | {old['bytes']:,} | {new['bytes']:,}"
            f" ({_change(old['bytes'], new['bytes'])}) |"
        )
    if verdicts:
        lines += ["", "## Read one by one", "", verdicts.rstrip()]
    return "\n".join(lines) + "\n"


def _row(name: str, cells: Iterable[str]) -> list[str]:
    return [f"| {name} | {' | '.join(cells)} |"]


def _share(count: int, of: int) -> str:
    return f"{count:,} ({100 * count / of:.2f} %)" if of else "-"


def _change(old: float, new: float) -> str:
    return f"{100 * (new / old - 1):+.1f} %"


def _totals(census: Census) -> dict[str, Any]:
    return {
        "chunks": _chunks(census).total(),
        "bytes": sum(one["bytes"] for one in census),
        "cpu_s": sum(one["cpu_s"] for one in census),
    }


def _chunks(census: Census) -> Counter[str]:
    found: Counter[str] = Counter()
    for one in census:
        found.update(one["chunks"])
    return found


def _by(census: Census, what: str) -> Counter[str]:
    """Fragments by their kind, or by the language of their file."""
    found: Counter[str] = Counter()
    for one in census:
        for label, count in one["fragments"].items():
            language, _, kind = label.partition(": ")
            found[kind if what == "kind" else language] += count
    return found
