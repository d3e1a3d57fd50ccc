"""The figures of a run of the patterns that count, as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from benchmarks.speed.clock import percentile

Rows = Mapping[str, Mapping[str, Any]]

ENGINES = {
    "plait": "plait",
    "zoekt": "zoekt",
    "zoekt_cores": "zoekt, all cores",
    "zoekt_re2": "zoekt, RE2",
    "rg": "ripgrep",
    "plait_all": "plait, count of all",
    "zoekt_all": "zoekt, all",
}
SHOWN = 20


def summary(raw: Mapping[str, Any]) -> str:
    """All parts that were run."""
    told: dict[str, Callable[[Any], list[str]]] = {
        "speed": _speed,
        "lines": lambda rows: _same("Lines", rows),
        "edits": _edits,
        "random": _random,
        "hostile": _hostile,
        "changed": _changed,
    }
    lines = [line for part, tell in told.items() if part in raw for line in tell(raw[part])]
    return "\n".join(["# Patterns", *lines]) + "\n"


def grouped(rows: Rows) -> dict[str, list[Mapping[str, Any]]]:
    """Rows by kind and by shape: all substrings, each of their shapes, all regexes, ..."""
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for kind in dict.fromkeys(name.split(" ")[0] for name in rows):
        groups[f"all {kind} questions"] = []
        for name, row in rows.items():
            of, shape, _ = name.split(" ", 2)
            if of == kind:
                groups.setdefault(f"{kind}: {shape}", []).append(row)
                if shape != "empty":  # zoekt does not answer these
                    groups[f"all {kind} questions"].append(row)
    return groups


def _speed(found: Mapping[str, Any]) -> list[str]:
    tree, index, zoekt = found["tree"], found["index"], found["zoekt_index"]
    source = tree["size_bytes"]
    rows: Rows = found["questions"]
    engines = [name for name in ENGINES if any(name in row for row in rows.values())]
    lines = ["", "## Speed", ""]
    lines.append(
        f"{tree['files']:,} files, {source / 1e6:.0f} MB. plait: {index['chunks']:,} chunks, "
        f"{index['mb_per_cpu_s']:.2f} MB per CPU-s, index / source "
        f"{index['index_to_source']:.2f}, of which trigrams {index.get('share_grams', 0):.3f}."
    )
    if zoekt:
        lines.append(
            f"zoekt: {zoekt['cpu_s']:.0f} CPU-s, {source / 1e6 / zoekt['cpu_s']:.2f} MB per CPU-s, "
            f"index / source {zoekt['megabytes'] / (source / 1e6):.2f}."
        )
    lines += ["", "CPU ms, p50 / p95. The first hundred lines unless it says all.", ""]
    lines.append(f"| questions | n | {' | '.join(ENGINES[name] for name in engines)} |")
    lines.append("|---|---|" + "---|" * len(engines))
    groups = grouped(rows)
    for title, group in groups.items():
        cells = " | ".join(_cell(group, name) for name in engines)
        lines.append(f"| {title} | {len(group)} | {cells} |")
    lines += ["", *_claims(groups)]
    wrong = [
        f"- {name}: {engine}: {timed['error']}"
        for name, row in rows.items()
        for engine, timed in row.items()
        if timed["error"]
    ]
    return lines + (["", "Not answered as asked:", "", *wrong[:SHOWN]] if wrong else [])


def _claims(groups: Mapping[str, list[Mapping[str, Any]]]) -> list[str]:
    """How plait stands to the others where it is claimed to be no slower."""
    lines = ["| plait to | p50 | p95 |", "|---|---|---|"]
    for kind in ("substring", "regex"):
        for title in (f"all {kind} questions", f"{kind}: frequent"):
            for other in ("zoekt", "zoekt_re2", "rg"):
                group = groups.get(title, [])
                ours, theirs = (_values(group, name) for name in ("plait", other))
                if ours and theirs:
                    ratios = [
                        f"{percentile(ours, share) / percentile(theirs, share):.4g}"
                        for share in (0.5, 0.95)
                    ]
                    lines.append(f"| {ENGINES[other]}, {title} | {' | '.join(ratios)} |")
    return lines


def _values(group: Iterable[Mapping[str, Any]], name: str) -> list[float]:
    return [row[name]["cpu_ms"] for row in group if name in row]


def _cell(group: Iterable[Mapping[str, Any]], name: str) -> str:
    values = _values(group, name)
    if not values:
        return "-"
    return f"{percentile(values, 0.5):,.2f} / {percentile(values, 0.95):,.2f}"


def _same(title: str, rows: Rows) -> list[str]:
    differ = {name: row for name, row in rows.items() if row["missing"] or row["extra"]}
    lines = ["", f"## {title}", ""]
    lines.append(
        f"{len(rows) - len(differ)} of {len(rows)} questions give the same lines as ripgrep, "
        f"{sum(row['lines'] for row in rows.values()):,} lines in all."
    )
    lines += [
        f"- `{name}`: {row['missing']} missing, {row['extra']} extra: {', '.join(row['examples'])}"
        for name, row in list(differ.items())[:SHOWN]
    ]
    return lines


def _edits(found: Mapping[str, Any]) -> list[str]:
    done = ", ".join(f"{count} {name}" for name, count in sorted(found["edits"].items()))
    told = (
        f"{found['files']:,} files, {found['megabytes']:.1f} MB after {done}; generation "
        f"{found['generation']}, {found['layers']} layers."
    )
    return [*_same("After edits", found["questions"]), told]


def _random(found: Mapping[str, Any]) -> list[str]:
    told = (
        f"{found['patterns']:,} patterns: {found['with_lines']:,} match, {found['lines']:,} lines "
        f"in all, {found['refused']:,} refused, {len(found['faults'])} differ."
    )
    return ["", "## Random patterns", "", told, *_faults(found)]


def _hostile(found: Mapping[str, Any]) -> list[str]:
    lines = ["", "## Hostile patterns", ""]
    for name, part in found.items():
        if "ends" in part:
            ends = ", ".join(f"{count:,} {end}" for end, count in sorted(part["ends"].items()))
            lines.append(
                f"On {name}: {part['patterns']:,} patterns within {part['within_s']} s: {ends}; "
                f"p50 {part['p50_s']:.3f} s, p99 {part['p99_s']:.3f} s, longest "
                f"{part['max_s']:.3f} s; memory of its own {part['memory_before_mb']:.0f} MB "
                f"before, {part['memory_most_mb']:.0f} MB at most, bound {part['bound_mb']} MB; "
                f"{len(part['faults'])} faults."
            )
        lines += _faults(part)
    return lines


def _faults(found: Mapping[str, Any]) -> list[str]:
    return [f"- {fault}" for fault in found["faults"][:SHOWN]]


def _changed(found: Mapping[str, Any]) -> list[str]:
    walls, cpus = (", ".join(f"{value:.2f}" for value in found[key]) for key in ("wall_s", "cpu_s"))
    told = (
        f"One changed file among {found['files']:,}: its lines are found after {walls} s "
        f"({cpus} CPU-s)."
    )
    return ["", "## A changed file", "", told]
