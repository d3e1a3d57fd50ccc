"""TREC files: the form in which other tools keep rankings and judgements.

    run      question Q0 document rank score tag
    qrels    question 0 document grade; or BEIR's: a header, then question, document, grade

Columns are parted by white space, so white space in an id is written as a percent sign and
digits, as in addresses; so is the percent sign, and an id reads back as it was.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NoReturn
from urllib.parse import quote

from plait.errors import EvaluationError
from plait.evaluation.dataset import Judgements, Level
from plait.evaluation.runs import Outcome, Run

QRELS = "qrels.trec"
BEIR_HEADER = "query-id"

LAST_SPACE = 0x3000  # the ideographic space; no later character is white space

_CODES = {code: quote(chr(code)) for code in range(LAST_SPACE + 1) if chr(code).isspace()}
_CODES[ord("%")] = "%25"
_CHARS = {code: chr(number) for number, code in _CODES.items()}
_CODE = re.compile("|".join(_CHARS))
_COLUMNS = re.compile("[ \t]+")


def escape(name: str) -> str:
    """An id as one word.

    Raises:
        EvaluationError: It is empty, which no column can be.
    """
    if not name:
        raise EvaluationError("an empty id cannot be written to a TREC file")
    return name.translate(_CODES)


def unescape(word: str) -> str:
    """The id that was escaped; percent signs before anything else are left alone."""
    return _CODE.sub(lambda found: _CHARS[found[0]], word)


# ---------------------------------------------------------------- runs


def write_run(path: Path, rankings: Mapping[str, Sequence[str]], tag: str) -> None:
    """Write rankings; scores only count down, since ranks are all that is known."""
    with path.open("w", encoding="utf-8", errors="surrogatepass", newline="\n") as file:
        for question, ranking in rankings.items():
            for rank, document in enumerate(ranking, start=1):
                score = len(ranking) + 1 - rank
                words = (escape(question), "Q0", escape(document), rank, score, escape(tag))
                file.write(" ".join(map(str, words)) + "\n")


def read_run(path: Path) -> dict[str, list[str]]:
    """Question to documents, best first: by rank, by score where ranks tie, by line at last.

    Raises:
        EvaluationError: The file cannot be read, or a line is not of this form.
    """
    found: defaultdict[str, list[tuple[int, float, str]]] = defaultdict(list)
    for number, line in _lines(path):
        try:
            question, _, document, rank, score, _ = _COLUMNS.split(line)
            place = (int(rank), -float(score), unescape(document))
        except ValueError:
            _refuse(path, number, line, "question Q0 document rank score tag")
        if math.isnan(place[1]):
            _refuse(path, number, line, "a score that is a number")
        found[unescape(question)].append(place)
    return {
        question: list(dict.fromkeys(name for _, _, name in sorted(places, key=lambda p: p[:2])))
        for question, places in found.items()
    }


# ---------------------------------------------------------------- judgements


def write_qrels(path: Path, judgements: Judgements) -> None:
    """Write every judgement, also those of grade 0."""
    with path.open("w", encoding="utf-8", errors="surrogatepass", newline="\n") as file:
        for question, grades in judgements.items():
            for document, grade in grades.items():
                file.write(f"{escape(question)} 0 {escape(document)} {grade}\n")


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    """Question to document to grade, from either form.

    Raises:
        EvaluationError: The file cannot be read, a line is of neither form, or a document
            has two grades.
    """
    found: defaultdict[str, dict[str, int]] = defaultdict(dict)
    is_beir = False
    for number, line in _lines(path):
        if not found and not is_beir and line.startswith(BEIR_HEADER):
            is_beir = True
            continue
        try:
            if is_beir:
                question, document, grade = line.split("\t")
            else:
                question, _, document, grade = map(unescape, _COLUMNS.split(line))
            value = int(grade)
        except ValueError:
            form = (
                "question, document, grade between tabs" if is_beir else "question 0 document grade"
            )
            _refuse(path, number, line, form)
        if found[question].setdefault(document, value) != value:
            _refuse(path, number, line, f"grade {found[question][document]} as before")
    return dict(found)


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        with path.open(encoding="utf-8-sig", errors="surrogatepass") as file:
            for number, line in enumerate(file, start=1):
                if stripped := line.strip(" \t\n"):
                    yield number, stripped
    except (OSError, UnicodeDecodeError) as error:
        raise EvaluationError(f"{path} cannot be read: {error}") from error


def _refuse(path: Path, number: int, line: str, wanted: str) -> NoReturn:
    raise EvaluationError(f"{path}, line {number}: expected {wanted}, got {line[:200]!r}") from None


# ---------------------------------------------------------------- whole runs


def export(run: Run, folder: Path) -> list[Path]:
    """Write a run's judgements and the rankings of each of its modes; the files written.

    Raises:
        EvaluationError: Its answers are targets, of which several may share a place.
    """
    if (run.config.get("dataset") or {}).get("level") == Level.TARGET:
        raise EvaluationError(
            f"run {run.name} cannot be written as TREC files: its answers are targets, "
            "of which several may share a place"
        )
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / QRELS]
    write_qrels(files[0], {outcome.question: outcome.relevant for outcome in run.outcomes})
    for mode in run.modes:
        files.append(folder / f"{quote(mode, safe='+,= ')}.trec")
        write_run(files[-1], {o.question: o.ranking for o in run.of(mode)}, mode)
    return files


def import_run(
    run_file: Path, qrels_file: Path, like: Sequence[Outcome] = (), mode: str = ""
) -> list[Outcome]:
    """Another system's rankings as outcomes: one for every judged question, answered or not.

    Part, language, category, split and text of a question are those it has in ``like``. The
    mode is the file's name unless it is given. What a TREC file cannot say is empty or 0.
    """
    rankings = read_run(run_file)
    known = {outcome.question: outcome for outcome in like}
    blank = Outcome("", "", "", "", "", "", "", {}, (), {}, (), 0.0, 0.0)
    return [
        known.get(question, blank)._replace(
            mode=mode or run_file.stem,
            question=question,
            relevant=relevant,
            ranking=tuple(rankings.get(question, ())),
            ranks={},
            shown=(),
            cpu_ms=0.0,
            wall_ms=0.0,
        )
        for question, relevant in read_qrels(qrels_file).items()
    ]
