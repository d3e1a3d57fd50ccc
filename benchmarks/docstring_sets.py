"""Docstring sets for languages that no public set has: built from real packages, then asked.

    python -m benchmarks.docstring_sets [--reference MODEL]

Rust, C, C++, C#, Kotlin and Scala packages of ``tools/corpora/languages.toml`` that the
bundled model was not trained on (its manifest says so) are cut into functions; the first sentence
of a doc comment, taken out of the code, asks for its function among all of the language. Nothing
of the packages is kept but ids and figures. ``--reference`` names a static model to compare with.
"""

from __future__ import annotations

import argparse
import gzip
import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from benchmarks.evaluation_page import table
from plait.evaluation.load import load_dataset
from plait.evaluation.runner import Plan, run
from plait.models.bundle import BUNDLED
from plait.settings import Settings
from plait.sources.languages import language_of
from plait.symbols.workers import Message, WorkerPool
from tools.corpora.fetch import default_root
from tools.record import command_line, write_record
from training.functions import MODULE, Function

LANGUAGES = ("rust", "c", "cpp", "csharp", "kotlin", "scala", "swift")
MEASURE = "RR@10"
MOST_QUESTIONS = 1_000
PACKAGES = ("plait", "tantivy", "tree-sitter", "numpy")


def main() -> None:
    """Build the sets, ask them, write the record."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--reference", default="", help="a static model's folder")
    options = parser.parse_args()
    rows, raw = [], {}
    for language in LANGUAGES:
        packages = [
            p
            for p in sorted((default_root() / "languages" / language).glob("*"))
            if _is_new(p.name)
        ]
        with tempfile.TemporaryDirectory() as scratch:
            counts = _build(Path(scratch) / "set", language, packages)
            if not counts["questions"]:
                print(f"{language}: no package at hand that was not trained on")
                continue
            found = _asked(Path(scratch), options.reference)
        names = ", ".join(package.name for package in packages)
        raw[language] = {"packages": names, **counts, MEASURE: found}
        figures = [f"{found[mode]:.3f}" for mode in found]
        rows.append(
            [language, names, f"{counts['functions']:,}", f"{counts['questions']:,}", *figures]
        )
    reference = ["reference, dense"] if options.reference else []
    head = (
        "language",
        "packages",
        "functions",
        "questions",
        "lexical",
        "dense",
        "hybrid",
        *reference,
    )
    summary = table(head, rows)
    command = command_line("benchmarks.docstring_sets")
    print(write_record("docstring-sets", command, raw, summary, PACKAGES))
    print(summary)


def _is_new(package: str) -> bool:
    """Whether the bundled model has not seen a package, by its manifest."""
    with gzip.open(BUNDLED / "MANIFEST.jsonl.gz", "rt", encoding="utf-8") as manifest:
        trained = {json.loads(line)["name"].lower().replace(":", "-") for line in manifest}
    return package.rpartition("-")[0].lower() not in trained


def _build(folder: Path, language: str, packages: list[Path]) -> dict[str, int]:
    """Write one language's set in the layout of BEIR; how large it is."""
    (folder / "qrels").mkdir(parents=True)
    functions = [f for package in packages for f in _functions(language, package)]
    said = Counter(_first_sentence(function) for function in functions)
    documents, questions, judged = [], [], ["query-id\tcorpus-id\tscore"]
    step = max(sum(1 for text in said if text) // MOST_QUESTIONS, 1)
    for at, function in enumerate(functions):
        name = f"{function.container}.{function.name}" if function.container else function.name
        documents.append({"_id": f"d{at}", "title": name, "text": function.code,
                          "metadata": {"language": language}})  # fmt: skip
        text = _first_sentence(function)
        if text and said[text] == 1 and at % step == 0:
            questions.append({"_id": f"q{at}", "text": text})
            judged.append(f"q{at}\td{at}\t1")
    for name, lines in (("corpus", documents), ("queries", questions)):
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    (folder / "qrels" / "test.tsv").write_text("\n".join(judged) + "\n", encoding="utf-8")
    return {"functions": len(documents), "questions": len(questions)}


def _first_sentence(function: Function) -> str:
    return function.query[: function.sentence] if function.query else ""


def _functions(language: str, package: Path) -> Iterator[Function]:
    """The functions of a package, parsed where a parser can be killed; tests left out."""
    files = []
    for path in sorted(package.rglob("*")):
        if path.is_file() and not path.is_symlink() and "test" not in path.as_posix().lower():
            content = path.read_bytes()
            if language_of(path.name, content) == language and len(content) < 1 << 20:
                files.append(content)
    with WorkerPool(MODULE, 1, max_seconds=60.0) as pool:
        for rows in pool.map(
            lambda worker, content: (
                worker.ask(Message({"language": language, "test": False}, content)).value
            ),
            files,
        ):
            yield from (function for row in rows if (function := Function.of(row)).code)


def _asked(scratch: Path, reference: str) -> dict[str, float]:
    dataset = load_dataset(scratch / "set", qrels="test")
    found = {}
    plans = [("", ["lexical", "dense", "hybrid"])]
    plans += [(reference, ["dense"])] if reference else []
    for at, (model, modes) in enumerate(plans):
        settings = replace(Settings(), model=model)
        plan = Plan(dataset, modes, settings, scratch / f"run{at}", scratch / "indexes", [MEASURE])
        for mode, measures in run(plan).measures.items():
            found[f"reference {mode}" if model else mode] = measures[MEASURE]
    return found


if __name__ == "__main__":
    main()
