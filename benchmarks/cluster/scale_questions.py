"""Questions that people and agents really asked, to measure searches with."""

from __future__ import annotations

import json
from pathlib import Path

from plait.evaluation.loaders.files import json_lines
from plait.search.parse import parse
from plait.sources import canonical
from plait.types import Query, Scope

SHORT = "csn99-python"  # what people typed into a search engine
LONG = "agent63"  # what agents ask about a repository


def read_questions(data: Path, count: int) -> list[str]:
    """So many questions: half of them short ones, if there are enough, the others by agents."""
    short = [line["text"] for line in json_lines(data / SHORT / "queries.jsonl")]
    long = [
        one["query"]
        for file in sorted((data / LONG / "annotations").glob("*.json"))
        for one in json.loads(file.read_text(encoding="utf-8"))
    ]
    chosen = short[: count // 2]
    rest = count - len(chosen)
    return chosen + long[:: max(len(long) // rest, 1)][:rest]


def query_of(text: str, scope: Scope) -> Query:
    """A question as the command line asks it."""
    return Query(text=text, wanted=parse(text, canonical).wanted, scope=scope)
