"""Measure tags: ``python -m benchmarks.tags [draw | measure] --corpora DIR [--clones DIR]``.

    draw      300 files by a seed, for somebody to read
    measure   precision and recall of each tag on the files that were read

``--corpora`` is where ``tools.corpora`` unpacks, ``--clones`` a folder of git directories.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.tags.cost import cost
from benchmarks.tags.drawing import draw
from benchmarks.tags.trees import files
from benchmarks.tags.verdicts import Count, count, load
from plait.sources.tags import tags_of
from tools.record import command_line, write_record

SEED = 17


def main() -> None:
    """Draw a sample, or measure on the one that was read."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="?", default="measure", choices=("draw", "measure"))
    parser.add_argument("--corpora", type=Path, required=True, help="packages of many languages")
    parser.add_argument("--clones", type=Path, help="git directories, one below each folder")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--save", action="store_true", help="write a record")
    given = parser.parse_args()
    folders = [*sorted((given.corpora / "languages").iterdir()), given.corpora / "mixed"]
    folders = [folder for folder in (*folders, given.clones) if folder and folder.is_dir()]
    if given.what == "draw":
        for drawn in draw(files(folders), given.seed):
            print("\t".join((*drawn, "")))
        return
    verdicts = load()
    wanted = {(one.tree, one.path) for one in verdicts}
    read = [one for one in files(folders) if (one.tree, one.path) in wanted]
    got = {(one.tree, one.path): frozenset(tags_of(one.path, one.content)) for one in read}
    judged = [one for one in verdicts if (one.tree, one.path) in got]
    samples = {
        seed: count((one for one in judged if one.seed == seed), got)
        for seed in sorted({one.seed for one in judged})
    }
    taken = cost(read)
    summary = "\n".join(
        [
            "# tags",
            "",
            (
                f"{len(judged)} of {len(verdicts)} files that were read are here. Tagging one "
                f"takes {taken.micros:.0f} microseconds of CPU time, {100 * taken.share:.2f}% of a "
                f"first index of them."
            ),
            *(line for seed, counts in samples.items() for line in table(seed, counts)),
            "",
        ]
    )
    print(summary)
    if given.save:
        counted = {str(seed): [one._asdict() for one in counts] for seed, counts in samples.items()}
        raw = {"counts": counted, "cost": taken._asdict()}
        print(write_record("tags", command_line("benchmarks.tags"), raw, summary, ("plait",)))


def table(seed: int, counts: list[Count]) -> list[str]:
    """The counts of one sample as lines of a page."""
    rows = [
        f"| {one.tag} | {one.right} | {len(one.wrong)} | {one.precision:.2f} | {len(one.missing)} "
        f"| {one.recall:.2f} |"
        for one in counts
    ]
    return [
        "",
        f"## Files drawn by seed {seed}",
        "",
        "| tag | right | wrong | precision | missing | recall |",
        "|---|---|---|---|---|---|",
        *rows,
        "",
        *(f"- {one.tag}, wrong: {name}" for one in counts for name in one.wrong),
        *(f"- {one.tag}, missing: {name}" for one in counts for name in one.missing),
    ]


if __name__ == "__main__":
    main()
