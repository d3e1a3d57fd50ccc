"""The figures of a speed run that count, as Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

HEAD = """\
| chunks | MB | MB per CPU-s | index / source | plait p50 / p99 ms | bare, every word | ratio \
| bare, same terms | ratio | open ms |
|---|---|---|---|---|---|---|---|---|---|"""


def summary(raw: Mapping[str, Any]) -> str:
    """All parts that were run."""
    lines = ["# Words: speed and size", ""]
    if "bare" in raw:
        lines += [_ingest(raw["bare"], raw["same_files"]), ""]
    sizes = [key.removeprefix("ingest_") for key in raw if key.startswith("ingest_")]
    if sizes:
        lines.append(HEAD)
        lines += [_size(raw[f"ingest_{size}"], raw.get(f"query_{size}")) for size in sizes]
    if "incremental" in raw:
        lines += ["", _changed(raw["incremental"])]
    return "\n".join(lines) + "\n"


def _ingest(bare: Mapping[str, float], same: Mapping[str, float]) -> str:
    return (
        f"The same {bare['megabytes']:.1f} MB in {bare['files']:,.0f} files: bare stages "
        f"{bare['sum']:.1f} CPU-s (parse {bare['parse']:.1f}, tokenise {bare['tokenise']:.1f}, "
        f"tantivy {bare['tantivy']:.1f}), plait {same['cpu_s']:.1f} CPU-s: "
        f"{bare['sum'] / same['cpu_s']:.2f} of the bare speed, "
        f"{same['mb_per_cpu_s']:.2f} MB per CPU-s."
    )


def _size(built: Mapping[str, float], asked: Mapping[str, float] | None) -> str:
    times = "- | - | - | - | - | -"
    if asked is not None:
        times = (
            f"{asked['plait_p50_ms']:.2f} / {asked['plait_p99_ms']:.2f} | "
            f"{asked['bare_p50_ms']:.2f} / {asked['bare_p99_ms']:.2f} | "
            f"{asked['p50_ratio']:.2f} / {asked['p99_ratio']:.2f} | "
            f"{asked['bare_same_terms_p50_ms']:.2f} / {asked['bare_same_terms_p99_ms']:.2f} | "
            f"{asked['p50_ratio_same_terms']:.2f} / {asked['p99_ratio_same_terms']:.2f} | "
            f"{asked['open_cpu_ms']:.1f}"
        )
    return (
        f"| {built['chunks']:,} | {built['megabytes']:.0f} | {built['mb_per_cpu_s']:.2f} | "
        f"{built['index_to_source']:.2f} | {times} |"
    )


def _changed(changed: Mapping[str, float]) -> str:
    return (
        f"One changed file among {changed['files']:,}: found after "
        f"{changed['change_wall_s']:.2f} s, {changed['change_cpu_s']:.2f} CPU-s = "
        f"{changed['change_share_of_full']:.2%} of the full build's {changed['full_cpu_s']:.0f}; "
        f"nothing changed: {changed['noop_cpu_s']:.2f} CPU-s "
        f"({changed['noop_share_of_full']:.2%})."
    )
