"""Write: cases as a folder in the layout of BEIR, without its corpus.

    mined.json                          what was mined, how, and what was left out
    queries.jsonl                       one query a line, with the commit or page it comes from
    qrels/{symbols,files}[_dev|_test].tsv   the right answers, all and by split

The corpus is the repository at the revision ``mined.json`` names, or the folder of that name.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Protocol

from plait.errors import EvaluationError
from plait.evaluation.mining.cases import Case, Mined
from plait.evaluation.mining.docs.cases import DocCase, MinedDocs, split_of

FORMAT = 1
HISTORY, DOCS = "history", "docs"  # what cases are mined from
HEADER = "query-id\tcorpus-id\tscore\n"


class Judged(Protocol):
    """What the tables need of a case."""

    @property
    def id(self) -> str: ...

    @property
    def split(self) -> str: ...

    @property
    def files(self) -> tuple[str, ...]: ...

    @property
    def symbols(self) -> tuple[str, ...]: ...


def write_mined(folder: Path, mined: Mined | MinedDocs) -> None:
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


def _table(cases: Iterable[Judged], level: str) -> str:
    rows = [
        f"{case.id}\t{answer}\t1\n"
        for case in cases
        for answer in (case.symbols if level == "symbols" else case.files)
    ]
    return "".join([HEADER, *rows])


def _query(case: Case | DocCase) -> dict[str, object]:
    both = {
        "language": case.language,
        "mentions_target": case.mentions_target,
        "split": case.split,
    }
    if isinstance(case, DocCase):
        own = {"path": case.path, "line": case.line, "without": case.without}
    else:
        own = {"commit": case.commit, "date": case.date, "subject": case.subject}
    return {"_id": case.id, "text": case.text, "metadata": own | both}


def _summary(mined: Mined | MinedDocs) -> dict[str, object]:
    languages = mined.languages
    if isinstance(mined, MinedDocs):
        own = {"from": DOCS, "split": split_of(mined.name), "sections": mined.sections}
    else:
        own = {"from": HISTORY, "commits": mined.commits}
    return {
        "format": FORMAT,
        "name": mined.name,
        "repository": mined.repository,
        "revision": mined.revision,
        "language": next(iter(languages), ""),
        "languages": languages,
        **own,
        "cases": len(mined.cases),
        "left_out": dict(mined.left_out),
        "options": asdict(mined.options),
    }
