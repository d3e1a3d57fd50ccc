"""Documents: a file and its chunks on the way into the index, and a chunk on the way back."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from plait.stores.cluster.grams import gram_terms
from plait.stores.cluster.schema import MAX_TERM, length_field
from plait.stores.line_search import find_word
from plait.stores.properties import names_of, properties, reference
from plait.types import (
    NOTHING,
    Change,
    Chunk,
    ChunkId,
    Entry,
    Excerpt,
    FileFacts,
    SourceFile,
    Span,
    Symbol,
    SymbolName,
)

Document = dict[str, Any]
CHUNK, FILE = "type:chunk", "type:file"
NO_LANGUAGE = "text"
MAX_NAME = 4_096  # letters of a name or reference that are indexed


def file_term(repo: str, path: str) -> str:
    """Repository and path as one short term."""
    digest = hashlib.blake2b(f"{repo}\0{path}".encode(), digest_size=15).digest()
    return base64.urlsafe_b64encode(digest).decode()


def version_of(repo: str, path: str, attempt: int) -> str:
    """What one attempt wrote of one file."""
    return f"{attempt}.{file_term(repo, path)}"


def chunk_key(key: ChunkId) -> str:
    """An id as a term that sorts like it."""
    return f"{key.repo}\0{key.path}\0{key.ordinal:09d}"


def id_of(key: str) -> ChunkId:
    """The other way round."""
    repo, path, ordinal = key.split("\0")
    return ChunkId(repo, path, int(ordinal))


def file_key(repo: str, path: str) -> str:
    """A term of a file that sorts before those of its chunks."""
    return f"{repo}\0{path}"


def place_of(repo: str, path: str) -> str:
    """A term that sorts files by path, folder by folder."""
    return file_key(repo, path.replace("/", "\0"))


def key_at(place: str) -> str:
    """The key of the file that is at a place."""
    repo, _, path = place.partition("\0")
    return file_key(repo, path.replace("\0", "/"))


def documents(change: Change, attempt: int) -> Iterator[tuple[str, Document]]:
    """The documents of a file, each with its id; the file's own comes last."""
    file = change.file
    assert file is not None
    version = version_of(change.repo, change.path, attempt)
    shared = {
        "version": version,
        "born": attempt,
        "path": change.path,
        "path_low": change.path.lower(),
    }
    symbols = set()
    for ordinal, entry in enumerate(change.entries):
        if entry.chunk.symbol:
            symbols.add(id(entry.chunk.symbol))
        yield f"{version}.{ordinal}", {**shared, **_chunk_document(entry)}
    yield (
        version,
        {
            **shared,
            **_file_document(file, change.entries),
            "chunks": len(change.entries),
            "symbols": len(symbols),
        },
    )


def _file_document(file: SourceFile, entries: Iterable[Entry]) -> Document:
    language = [f"lang:{file.language}"] if file.language else []
    tags = [FILE, f"repo:{file.repo}", *language, *(f"is:{tag}" for tag in file.tags)]
    return {
        "key": file_key(file.repo, file.path),
        "tags": tags,
        "file": file_term(file.repo, file.path),
        "repo": file.repo,
        "language": file.language or NO_LANGUAGE,
        "marks": " ".join(file.tags),
        "digest": file.digest,
        "bytes": len(file.content),
        "place": place_of(file.repo, file.path),
        "shelf": _shelf(file.tags),
        "path_grams": gram_terms(file.path.encode()),
        "grams": gram_terms(file.content),
        "content": {
            "text": base64.b64encode(file.content).decode() if _is_odd(file) else _text(file),
            "is_odd": _is_odd(file),
            "language": file.language,
            "tags": file.tags,
            "names": _names(file.content, entries),
        },
    }


def _shelf(tags: Sequence[str]) -> int:
    return int(bool(tags))  # files with tags are shown after others


def _names(content: bytes, entries: Iterable[Entry]) -> list[tuple[int, int]]:
    """Where the names stand that a file defines, and how long they are."""
    places = set()
    for entry in entries:
        symbol = entry.chunk.symbol
        if symbol is not None and not entry.chunk.part and symbol.signature.end:
            name = symbol.name.encode()
            place = find_word(content, name, symbol.signature.begin, symbol.signature.end)
            if place >= 0:
                places.add((place, len(name)))
    return sorted(places)


def _text(file: SourceFile) -> str:
    return file.content.decode()


def _is_odd(file: SourceFile) -> bool:
    """Whether a content is no text after all."""
    try:
        file.content.decode()
    except UnicodeDecodeError:
        return True
    return False


def content_of(kept: Document) -> bytes:
    """The bytes of a file."""
    text: str = kept["text"]
    return base64.b64decode(text) if kept["is_odd"] else text.encode()


def _chunk_document(entry: Entry) -> Document:
    chunk = entry.chunk
    symbol = chunk.symbol
    made: Document = {
        "key": chunk_key(chunk.id),
        "tags": [
            CHUNK,
            *properties(chunk.repo, chunk.language, chunk.kind, symbol is not None, chunk.tags),
        ],
        "chunk": _packed(chunk),
    }
    for field, terms in entry.terms.items():
        made[field.value] = kept = _bearable(terms)
        made[length_field(field)] = len(kept.split())
    names = names_of(chunk)
    if names:
        made["defines"] = [name[:MAX_NAME] for name in names]
    if symbol and names:
        made["called"] = symbol.name[:MAX_NAME]
        made["shelf"] = _shelf(chunk.tags)
        made["name_size"] = len(symbol.name)
        made["name_grams"] = gram_terms(symbol.name.encode())
    if entry.links.text:
        made["links"] = entry.links.text
    if targets := entry.links.targets():
        made["refers"] = [reference(*one)[:MAX_NAME] for one in targets]
    return made


def _bearable(terms: str) -> str:
    """Terms without those that are longer than any word."""
    if len(terms) <= MAX_TERM:
        return terms
    return " ".join(term for term in terms.split(" ") if len(term) <= MAX_TERM)


# ---------------------------------------------------------------- chunks as they are kept


def _packed(chunk: Chunk) -> Document:
    kept: Document = {
        "lang": chunk.language,
        "span": chunk.span,
        "body": chunk.body,
        "tags": chunk.tags,
    }
    symbol = chunk.symbol
    if symbol is not None:
        kept["part"] = chunk.part
        kept["symbol"] = [
            symbol.name,
            symbol.kind,
            symbol.span,
            symbol.container,
            _piece(symbol.signature, chunk.body),
            _piece(symbol.docstring, chunk.body),
            symbol.n,
        ]
    return kept


def _piece(excerpt: Excerpt, body: Excerpt) -> list[int | str]:
    """A piece of a file; its text only if the body does not hold it."""
    begin, end, text = excerpt
    return [begin, end] if body.begin <= begin and end <= body.end else [begin, end, text]


def _excerpt(kept: list[Any], begin: int, body: bytes) -> Excerpt:
    if len(kept) == 2:
        text = body[kept[0] - begin : kept[1] - begin].decode()
        return Excerpt(kept[0], kept[1], text) if kept[1] else NOTHING
    return Excerpt(*kept)


def name_of(kept: Document) -> SymbolName:
    """The symbol of a chunk, without its text."""
    name, kind, _, container, *_ = kept["symbol"]
    return SymbolName(name, kind, container, kept.get("part", 0))


def facts_of(hit: Document) -> FileFacts:
    """What is known of a file without its text."""
    fields = hit["fields"]
    language = fields["language"][0]
    return FileFacts(
        "" if language == NO_LANGUAGE else language,
        tuple(fields.get("marks", [""])[0].split()),
        fields["bytes"][0],
        fields["chunks"][0],
    )


def chunk_of(key: ChunkId, kept: Document) -> Chunk:
    """A chunk as it was committed."""
    body = Excerpt(*kept["body"])
    symbol = None
    if "symbol" in kept:
        name, kind, span, container, signature, docstring, n = kept["symbol"]
        text = body.text.encode()
        symbol = Symbol(
            name,
            kind,
            Span(*span),
            container,
            _excerpt(signature, body.begin, text),
            _excerpt(docstring, body.begin, text),
            n,
        )
    return Chunk(
        id=key,
        language=kept["lang"],
        span=Span(*kept["span"]),
        body=body,
        symbol=symbol,
        part=kept.get("part", 0),
        tags=tuple(kept["tags"]),
    )
