"""BEIR folders: documents, queries and judgements as files.

    corpus.jsonl[.gz]    {"_id", "title", "text", "metadata": {"language", ...}}
    queries.jsonl[.gz]   {"_id", "text"}
    qrels/NAME.tsv       question, document, grade

A document is one chunk; its title is its name.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from plait.errors import EvaluationError
from plait.evaluation.dataset import Dataset, Judgements, Level, Part, Question
from plait.evaluation.loaders.files import found, json_lines, judgements, language_of, metadata_of
from plait.types import Listed, Skipped, SourceFile

CHOICES = ("test", "test_1k", "dev")  # of judgements, if none is asked for


class Document(NamedTuple):
    """One line of a corpus."""

    title: str
    text: str
    language: str


class DocumentSource:
    """Documents as a source: each is a file that is never cut.

    Args:
        name: The collection's name in the index.
        path: The corpus, read when it is first needed.
    """

    def __init__(self, name: str, path: Path) -> None:
        self._name = name
        self._path = path
        self._documents: dict[str, Document] = {}

    @property
    def name(self) -> str:
        return self._name

    @property
    def documents(self) -> dict[str, Document]:
        """Every document by its id, in order of the ids."""
        if not self._documents:
            self._documents = dict(sorted(_documents(self._path)))
        return self._documents

    def listing(self) -> Iterator[Listed | Skipped]:
        """Every document there is."""
        for path, document in self.documents.items():
            yield Listed(path, _digest(document))

    def read(self, path: str) -> SourceFile | Skipped:
        """Read one document."""
        document = self.documents.get(path)
        if document is None:
            return Skipped(path, "gone", "the corpus has no such document")
        return SourceFile(
            repo=self._name,
            path=path,
            language=document.language,
            content=document.text.encode("utf-8", "replace"),
            digest=_digest(document),
            title=document.title,
        )


def fits(folder: Path) -> bool:
    """Whether a folder has this layout."""
    return found(folder, "queries") is not None and found(folder, "corpus") is not None


def load(folder: Path, *, qrels: str, corpus: str, repos: Path | None) -> Dataset:
    """Load a BEIR folder."""
    del repos  # the documents are all there is
    path = found(folder, corpus or "corpus")
    if path is None:
        raise EvaluationError(f"{folder} has no corpus {corpus!r}")
    chosen = qrels or next(
        (name for name in CHOICES if (folder / "qrels" / f"{name}.tsv").is_file()), CHOICES[0]
    )
    judged = judgements(folder, chosen)
    name = folder.resolve().name
    source = DocumentSource(name, path)
    asked = questions(folder, judged)
    language = language_of(next(json_lines(path), {}))
    part = Part(name, language, source, path.name.partition(".")[0], asked, judged)
    called = "/".join(filter(None, (name, qrels, corpus)))
    return Dataset(called, Level.DOCUMENT, [part])


def questions(folder: Path, judged: Judgements, category: str = "") -> list[Question]:
    """The queries that have at least one right answer, in the file's order.

    ``category`` names a key of a query's metadata whose value is the question's category.
    """
    path = found(folder, "queries")
    if path is None:
        raise EvaluationError(f"{folder} has no queries")
    asked = []
    for query in json_lines(path):
        key = str(query.get("_id", ""))
        if any(grade > 0 for grade in judged.get(key, {}).values()):
            if "text" not in query:
                raise EvaluationError(f"{path}: a query without 'text'")
            kind = metadata_of(query, category) if category else ""
            asked.append(Question(key, str(query["text"]), kind, metadata_of(query, "without")))
    if not asked:
        raise EvaluationError(f"no query of {path} has a right answer among these judgements")
    return asked


def _documents(path: Path) -> Iterator[tuple[str, Document]]:
    for line in json_lines(path):
        try:
            title, text = str(line.get("title", "")), str(line["text"])
            yield str(line["_id"]), Document(title, text, language_of(line))
        except KeyError as error:
            raise EvaluationError(f"{path}: a document without {error}") from error


def _digest(document: Document) -> str:
    whole = "\0".join(document).encode("utf-8", "surrogatepass")
    return hashlib.sha256(whole).hexdigest()[:32]
