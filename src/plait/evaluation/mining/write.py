"""Write: cases as a folder in the layout of BEIR, without its corpus.

    mined.json                          what was mined, how, and what was left out
    queries.jsonl                       one query a line, with the commit it comes from
    qrels/{symbols,files}[_dev|_test].tsv   the right answers, all and by split

The corpus is the repository at the revision ``mined.json`` names.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from plait.errors import EvaluationError
from plait.evaluation.mining.cases import Case, Mined

FORMAT = 1
HEADER = "query-id\tcorpus-id\tscore\n"


def write_mined(folder: Path, mined: Mined) -> None:
    """Write cases into a folder, over what was mined there before.

    Raises:
        EvaluationError: The folder cannot be written.
    """
    try:
        (folder / "qrels").mkdir(parents=True, exist_ok=True)
        for split in ("", "dev", "test"):
            chosen = [case for case in mined.cases if split in ("", case.split)]
            for level in ("symbols", "files"):
                path = folder / "qrels" / f"{level}{f'_{split}' if split else ''}.tsv"
                path.write_text(_table(chosen, level), encoding="utf-8", newline="\n")
        queries = "".join(f"{json.dumps(_query(case))}\n" for case in mined.cases)
        (folder / "queries.jsonl").write_text(queries, encoding="utf-8", newline="\n")
        text = json.dumps(_summary(mined), indent=2)
        (folder / "mined.json").write_text(f"{text}\n", encoding="utf-8", newline="\n")
    except OSError as error:
        raise EvaluationError(
            f"cannot write {folder}: {error}", hint="name another folder"
        ) from error


def _table(cases: Iterable[Case], level: str) -> str:
    rows = [
        f"{case.id}\t{answer}\t1\n"
        for case in cases
        for answer in (case.symbols if level == "symbols" else case.files)
    ]
    return "".join([HEADER, *rows])


def _query(case: Case) -> dict[str, object]:
    return {
        "_id": case.id,
        "text": case.text,
        "metadata": {
            "commit": case.commit,
            "date": case.date,
            "subject": case.subject,
            "language": case.language,
            "mentions_target": case.mentions_target,
            "split": case.split,
        },
    }


def _summary(mined: Mined) -> dict[str, object]:
    languages = mined.languages
    return {
        "format": FORMAT,
        "name": mined.name,
        "repository": mined.repository,
        "revision": mined.revision,
        "language": next(iter(languages), ""),
        "languages": languages,
        "commits": mined.commits,
        "cases": len(mined.cases),
        "left_out": dict(mined.left_out),
        "options": asdict(mined.options),
    }
