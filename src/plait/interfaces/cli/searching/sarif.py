"""An answer as a SARIF 2.1.0 log."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from plait.interfaces.schemas import ShownPath
    from plait.types import Answer, Result

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
RULE = "search-result"
LINK = re.compile(r"[\[\]\\]")  # a message may hold links; a name holds none


def log(answer: Answer, shown: ShownPath) -> dict[str, object]:
    """The log: one run, one rule, one result for each result."""
    from plait import __version__

    rule = {"id": RULE, "shortDescription": {"text": "Code found by a plait search"}}
    driver = {"name": "plait", "version": __version__, "rules": [rule]}
    said = [*(one.sentence for one in answer.absent), *answer.notes, *answer.hints]
    notifications = [{"level": "note", "message": {"text": text}} for text in said]
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "columnKind": "unicodeCodePoints",
                "invocations": [
                    {
                        "executionSuccessful": not answer.absent,
                        "toolExecutionNotifications": notifications,
                    }
                ],
                "properties": {"query": answer.query.text, "generation": answer.generation},
                "results": [_result(result, shown) for result in answer.results],
            }
        ],
    }


def _result(result: Result, shown: ShownPath) -> dict[str, object]:
    chunk, span = result.chunk, result.snippet_span
    name = LINK.sub(r"\\\g<0>", chunk.symbol.qualified_name if chunk.symbol else chunk.path)
    return {
        "ruleId": RULE,
        "level": "note",
        "message": {"text": f"{name} ({chunk.kind}), score {result.score:.4f}"},
        "rank": round(100 / result.rank, 2),
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": _uri(shown(chunk.repo, chunk.path))},
                    "region": {
                        "startLine": span.first,
                        "endLine": span.last,
                        "snippet": {"text": result.snippet},
                    },
                }
            }
        ],
    }


def _uri(path: str) -> str:
    """A path as the relative reference it is; one that is no text by its bytes."""
    try:
        return quote(path.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:  # halves of characters that no file system gave
        return quote(path.encode("utf-8", "replace"))
