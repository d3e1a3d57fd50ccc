"""What git histories yield as evaluation cases: ``python -m benchmarks.mining --repos DIR``.

Mines every repository below DIR, each a bare one in a folder ``owner+name/repo``, or those
named. The record holds how many commits each filter left out of each history and what it
cost. Below ``--out`` go the cases, and a sample of them spread over the repositories, to be
judged by reading the commits; what a history says is its authors', so no record quotes it.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from plait.evaluation.mining import Case, Mined, Options, mine, write_mined
from tools.record import ROOT, write_record

RECORDED_PACKAGES = ("plait", "tree-sitter")
SAMPLE = "sample.md"


def repositories(folder: Path, names: Sequence[str]) -> dict[str, Path]:
    """``owner/name`` to the bare repository, for those named or for all, sorted."""
    found = {
        place.parent.name.replace("+", "/", 1): place
        for place in sorted(folder.glob("*+*/repo"))
        if (place / "HEAD").is_file()
    }
    if not names:
        return found
    wanted = [name.replace("+", "/", 1) for name in names]
    missing = [name for name in wanted if name not in found]
    if missing:
        raise SystemExit(f"error: no repository {', '.join(missing)} below {folder}")
    return {name: found[name] for name in wanted}


def sample(mined: Sequence[Mined], size: int, seed: int) -> list[tuple[str, Case]]:
    """Cases chosen by chance, as evenly over the repositories as their numbers allow."""
    chance = random.Random(seed)
    queues = [(one.name, chance.sample(one.cases, len(one.cases))) for one in mined]
    chance.shuffle(queues)
    taken: list[tuple[str, Case]] = []
    while len(taken) < size and any(cases for _, cases in queues):
        taken.extend((name, cases.pop()) for name, cases in queues if cases)
    return taken[:size]


def sample_table(taken: Sequence[tuple[str, Case]], seed: int) -> str:
    """The sample with an empty column for a judgement."""
    rows = [
        f"| {name} | `{case.commit[:12]}` | {_cell(case.text)} | {_cells(case.files)} "
        f"| {_cells(case.symbols)} | |"
        for name, case in taken
    ]
    head = [
        f"# {len(taken)} cases, seed {seed}",
        "",
        "Judge each by its commit: right, arguable or wrong.",
        "",
        "| repository | commit | query | files | symbols | judgement |",
        "|---|---|---|---|---|---|",
    ]
    return "\n".join([*head, *rows]) + "\n"


def summary_of(mined: Sequence[Mined], cpu: dict[str, float]) -> str:
    """Cases, cost and what was left out, as tables."""
    lines = [
        "# Cases mined from git histories",
        "",
        "| repository | commits | cases | with symbols | name their target | dev | CPU-s |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for one in mined:
        cases = one.cases
        lines.append(
            f"| {one.name} | {one.commits:,} | {len(cases):,} "
            f"| {sum(bool(case.symbols) for case in cases):,} "
            f"| {sum(case.mentions_target for case in cases):,} "
            f"| {sum(case.split == 'dev' for case in cases):,} | {cpu[one.name]:.1f} |"
        )
    languages: Counter[str] = Counter()
    left_out: Counter[str] = Counter()
    for one in mined:
        languages.update(one.languages)
        left_out.update(one.left_out)
    lines += ["", "| language | cases |", "|---|--:|"]
    lines += [f"| {language} | {count:,} |" for language, count in languages.most_common()]
    lines += ["", "| left out as | commits |", "|---|--:|"]
    lines += [f"| {reason} | {count:,} |" for reason, count in left_out.most_common()]
    total = sum(len(one.cases) for one in mined)
    commits = sum(one.commits for one in mined)
    lines += ["", f"{total:,} cases of {commits:,} commits in {sum(cpu.values()):.0f} CPU-s."]
    return "\n".join(lines) + "\n"


def raw_of(one: Mined, cpu_s: float) -> dict[str, object]:
    """One repository's figures, without the place it was read from."""
    return {
        "revision": one.revision,
        "options": asdict(one.options),
        "commits": one.commits,
        "cases": len(one.cases),
        "with_symbols": sum(bool(case.symbols) for case in one.cases),
        "languages": one.languages,
        "left_out": dict(one.left_out),
        "cpu_s": round(cpu_s, 1),
    }


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _cells(ids: Sequence[str]) -> str:
    return "<br>".join(f"`{_cell(id_)}`" for id_ in ids)


def cpu_s() -> float:
    """Of this process and of every worker that has ended."""
    both = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


def main() -> int:
    """Exit 0 if every repository gave cases, 1 if one gave none."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="owner/name; by default all")
    parser.add_argument("--repos", type=Path, required=True, metavar="DIR")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write the cases below DIR")
    parser.add_argument("--scratch", action="store_true", help="write no record, only below --out")
    parser.add_argument("--limit", type=int, default=Options().limit, help="commits of each")
    parser.add_argument("--sample", type=int, default=50, help="cases to be judged")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    if asked.scratch and asked.out is None:
        parser.error("--scratch needs --out")
    mined: list[Mined] = []
    cpu: dict[str, float] = {}
    for name, repo in repositories(asked.repos, asked.names).items():
        began = cpu_s()
        one = mine(repo, name=name, options=Options(limit=asked.limit))
        cpu[name] = cpu_s() - began
        mined.append(one)
        if asked.out is not None:
            write_mined(asked.out / name.replace("/", "+", 1), one)
        print(
            f"{name}: {len(one.cases)} cases of {one.commits} commits, {cpu[name]:.1f} CPU-s",
            file=sys.stderr,
            flush=True,
        )
    text = summary_of(mined, cpu)
    if asked.out is not None:
        table = sample_table(sample(mined, asked.sample, asked.seed), asked.seed)
        (asked.out / SAMPLE).write_text(table, encoding="utf-8")
    if asked.scratch:
        (asked.out / "summary.md").write_text(text, encoding="utf-8")
    else:
        raw = {one.name: raw_of(one, cpu[one.name]) for one in mined}
        named = "".join(f" {name}" for name in asked.names)
        command = (
            f"python -m benchmarks.mining --repos DIR --limit {asked.limit} "
            f"--sample {asked.sample} --seed {asked.seed}{named}"
        )
        folder = write_record("mining", command, raw, text, RECORDED_PACKAGES)
        print(f"wrote {folder.relative_to(ROOT)}", file=sys.stderr)
    return 0 if all(one.cases for one in mined) else 1


if __name__ == "__main__":
    sys.exit(main())
