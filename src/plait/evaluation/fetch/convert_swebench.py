"""SWE-bench: the text of an issue to the files its fix changed.

The raw file has one instance a line, with the fix as a patch. Of the patch only the names
of the Python files it changes are kept, and of those only files that were there before: a
file the fix creates cannot be found. Patches, tests and hints are not kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from plait.evaluation.fetch.writing import write_judgements, write_lines

RAW = "instances.jsonl"
OLD_NAME = re.compile(r"--- (?:a/)?(.+)")
HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")
NOTHING = "/dev/null"


def convert_swebench(raw: Path, made: Path) -> tuple[str, ...]:
    """Write instances, queries and the judgements by file."""
    lines = (raw / RAW).read_text(encoding="utf-8").split("\n")
    instances, other = [], 0
    for line in filter(None, lines):
        published = json.loads(line)
        changed = sorted(set(changed_files(published["patch"])))
        python = [path for path in changed if path.endswith(".py")]
        other += len(changed) - len(python)
        instances.append(_instance(published, python))
    write_lines(made / "instances.jsonl", instances)
    write_lines(made / "queries.jsonl", map(_query, instances))
    judged = [(one["id"], path, 1) for one in instances for path in one["relevant_files"]]
    write_judgements(made, "test_files", judged)
    return (
        "the corpus is each repository at the instance's commit; clone them in full",
        f"{other} changed files that are not Python do not count as answers",
        "judgements by function are not made here: they need the repositories",
    )


def changed_files(patch: str) -> Iterator[str]:
    """The files a patch changes or deletes, by their names before it."""
    left = right = 0  # lines of the hunk still to come: they may look like headers
    for line in patch.split("\n"):
        if left > 0 or right > 0:
            left -= line[:1] not in ("+", "\\")
            right -= line[:1] not in ("-", "\\")
        elif hunk := HUNK.match(line):
            left, right = (1 if size is None else int(size) for size in hunk.groups())
        elif (name := OLD_NAME.match(line)) and name[1] != NOTHING:
            yield name[1]


def _instance(published: dict[str, Any], files: list[str]) -> dict[str, Any]:
    text = published["problem_statement"].strip()
    return {
        "id": published["instance_id"],
        "query": text,
        "title": text.split("\n", 1)[0].strip(),
        "relevant_files": files,
        "source": published["repo"],
        "commit": published["base_commit"],
        "version": published.get("version"),
    }


def _query(instance: dict[str, Any]) -> dict[str, Any]:
    about = {"title": instance["title"], "repo": instance["source"]}
    about |= {"base_commit": instance["commit"], "version": instance["version"]}
    return {"_id": instance["id"], "text": instance["query"], "metadata": about}
