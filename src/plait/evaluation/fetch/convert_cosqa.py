"""CoSQA: web queries to Python functions.

    code_idx_map.txt                     {function: number}
    cosqa-retrieval-{test,dev}-500.json  [{"idx", "doc", "retrieval_idx", "label"}]

The functions are written twice, with and without their docstrings: with them a search may
find the description rather than the code.
"""

from __future__ import annotations

import json
from pathlib import Path

from plait.evaluation.fetch.docstrings import cut_docstring, function_name
from plait.evaluation.fetch.writing import write_judgements, write_lines

SPLITS = ("test", "dev")
Row = dict[str, object]


def convert_cosqa(raw: Path, made: Path) -> tuple[str, ...]:
    """Write the corpus, with and without docstrings, the queries and the judgements."""
    numbers: dict[str, int] = json.loads((raw / "code_idx_map.txt").read_text("utf-8"))
    functions = sorted((number, code) for code, number in numbers.items())
    whole: list[Row] = []
    bare: list[Row] = []
    uncut = 0
    for number, code in functions:
        row: Row = {
            "_id": f"c{number}",
            "title": function_name(code),
            "text": code,
            "metadata": {"language": "python"},
        }
        without = cut_docstring(code)
        uncut += without is None
        whole.append(row)
        bare.append(row if without is None else row | {"text": without})
    write_lines(made / "corpus.jsonl", whole)
    write_lines(made / "corpus_nodoc.jsonl", bare)

    queries: list[Row] = []
    for split in SPLITS:
        pairs = json.loads((raw / f"cosqa-retrieval-{split}-500.json").read_text("utf-8"))
        queries += [
            {"_id": f"q-{pair['idx']}", "text": pair["doc"], "metadata": {"split": split}}
            for pair in pairs
        ]
        judged = [
            (f"q-{pair['idx']}", f"c{pair['retrieval_idx']}", int(pair["label"])) for pair in pairs
        ]
        write_judgements(made, split, judged)
    write_lines(made / "queries.jsonl", queries)
    return (f"{uncut} of {len(functions):,} functions have no docstring that could be cut out",)
