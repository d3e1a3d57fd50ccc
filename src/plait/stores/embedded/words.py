"""The word index: how chunks and expressions look to tantivy.

Analysed fields hold terms separated by spaces, with frequencies and no positions: phrases
are verified on the stored text, which costs the index half as much. Everything exact
(language, kind, repository, test or not) is a term of one ``tags`` field. Filters score
nothing, so a score is always the sum of its words.
"""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp

import tantivy
from tantivy import Occur, Query

from plait.private.files import is_writable
from plait.stores.embedded.reading import is_panic
from plait.stores.properties import names_of, properties, reference
from plait.stores.resolved import Numbers, Paths
from plait.types import And, Defines, Entry, Expression, Field, Not, Or, Refers, Tag, Term

SPACES = "plait_spaces"
READERS_LOCK = ".tantivy-meta.lock"
REMOVALS = 5
NO_THREAD = "Failed to spawn"
FEW_NUMBERS = 100  # up to here single lookups are cheaper than a walk over all numbers


def make_schema() -> tantivy.Schema:
    """The fields of the index. A change here is a change of format."""
    builder = tantivy.SchemaBuilder()
    for field in Field:
        builder.add_text_field(field.value, tokenizer_name=SPACES, index_option="freq")
    for name in ("tags", "file", "defines", "refers"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("chunk", indexed=True, fast=True)
    return builder.build()


SCHEMA = make_schema()


def open_index(folder: Path, *, create: bool = False) -> tantivy.Index:
    """Open (or start) the index in a folder.

    The engine locks a folder even to read it. Where it cannot, or must not since the index is a
    link to somewhere else, it is given one of its own.
    """
    try:
        if create:
            index = tantivy.Index(SCHEMA, path=str(folder), reuse=False)
        elif not is_elsewhere(folder) and is_writable(folder / READERS_LOCK):
            index = tantivy.Index.open(str(folder))
        else:
            index = _opened_aside(folder)
    except BaseException as error:
        if is_panic(error) and NO_THREAD in str(error):  # nothing is wrong with the index
            raise MemoryError("no thread can be started for the word index") from None
        raise
    spaces = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
    index.register_tokenizer(SPACES, spaces)
    return index


def is_elsewhere(folder: Path) -> bool:
    """Whether a link leads to the folder of an index: ``STORE/generations/000042/words``."""
    return any(place.is_symlink() for place in (folder, *list(folder.parents)[:3]))


def _opened_aside(folder: Path) -> tantivy.Index:
    """Open an index that may only be read, through links in a folder that lasts as long."""
    aside = Path(mkdtemp(prefix="plait-"))
    try:
        for path in folder.iterdir():
            if path.name != READERS_LOCK:
                (aside / path.name).symlink_to(path.absolute())
        return tantivy.Index.open(str(aside))  # it maps all its files at once
    finally:
        _remove_in_use(aside)


def _remove_in_use(folder: Path) -> None:
    """Remove a folder of ours in which the engine may be making its lock this very moment.

    It opens an index twice: at once, and again from a thread of its own.
    """
    for _ in range(REMOVALS):
        with suppress(OSError):
            shutil.rmtree(folder)
            return
    shutil.rmtree(folder, ignore_errors=True)


def document(entry: Entry, number: int) -> tantivy.Document:
    """A chunk as tantivy stores it."""
    chunk = entry.chunk
    (repo, path, _), symbol = chunk.id, chunk.symbol
    made = tantivy.Document()
    made.add_unsigned("chunk", number)
    add = made.add_text
    add("file", path)
    for field, terms in entry.terms.items():
        if terms:
            add(field, terms)
    for tag in properties(repo, chunk.language, chunk.kind, symbol is not None, chunk.tags):
        add("tags", tag)
    for name in names_of(chunk):
        add("defines", name)
    for relation, target in entry.links.targets():
        add("refers", reference(relation, target))
    return made


def one_chunk(number: int) -> Query:
    """The query for a single chunk."""
    return Query.term_query(SCHEMA, "chunk", number)


# ---------------------------------------------------------------- expressions into queries


def translate(wanted: Expression) -> Query:
    """An expression as tantivy asks it. It holds neither free text, phrase nor pattern."""
    match wanted:
        case Term(text, field, weight):
            query = Query.term_query(SCHEMA, field.value, text, "freq")
            return query if weight == 1 else Query.boost_query(query, weight)
        case Or(parts):
            if not parts:
                return Query.empty_query()
            return Query.boolean_query([(Occur.Should, translate(part)) for part in parts])
        case And(parts):
            clauses = [
                (Occur.MustNot, translate(part.part))
                if isinstance(part, Not)
                else (Occur.Must, translate(part))
                for part in parts
            ]
            if all(isinstance(part, Not) for part in parts):
                clauses.append((Occur.Must, silent(Query.all_query())))
            return clauses[0][1] if len(clauses) == 1 else Query.boolean_query(clauses)
        case Not():
            return translate(And((wanted,)))
        case _:
            return silent(_filter(wanted))


def _filter(wanted: Expression) -> Query:
    term = looked_up(wanted)
    if term is not None:
        return Query.term_query(SCHEMA, *term)
    match wanted:
        case Paths(paths):
            return Query.term_set_query(SCHEMA, "file", list(paths))
        case Numbers(numbers) if len(numbers) <= FEW_NUMBERS:
            return Query.boolean_query([(Occur.Should, one_chunk(n)) for n in numbers])
        case Numbers(numbers):
            return Query.term_set_query(SCHEMA, "chunk", list(numbers))
        case _:
            raise AssertionError(f"not a filter: {wanted!r}")


def looked_up(wanted: Expression) -> tuple[str, str] | None:
    """The field and the term that an expression is looked up by; None if it takes more."""
    match wanted:
        case Term(text, field):
            return field.value, text
        case Tag(name, value):
            return "tags", f"{name}:{value}"
        case Defines(name):
            return "defines", name.lower()
        case Refers(relation, target):
            return "refers", reference(relation, target)
        case _:
            return None


def silent(query: Query) -> Query:
    """A query that filters and scores nothing."""
    return Query.const_score_query(query, 0.0)
