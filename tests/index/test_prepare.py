"""Prepare: what a worker sends of a file, and what its parent makes of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plait.index.prepare import answer, entries, request
from plait.lanes.lexical import Lexical
from plait.symbols.parse import parse
from plait.symbols.workers import Message
from plait.types import SourceFile

TEXT = b'import os\n\n\ndef f(x):\n    """Says."""\n    return os.stat(g(x))  # \xe2\x80\x94\n'
FILE = SourceFile("r", "a/b.py", "python", TEXT, "0")


def asked(file: SourceFile, *, comments: bool = True) -> Message:
    return answer(request(file, Lexical(), is_plain=False, comments=comments))


def test_entries_are_the_chunks_and_terms_the_worker_had() -> None:
    made = entries(FILE, asked(FILE))

    parsed = parse(FILE)
    assert [entry.chunk for entry in made] == parsed.chunks
    assert [entry.links for entry in made] == parsed.links
    assert sum(len(entry.links.references) for entry in made) == 3
    for entry in made:
        terms = Lexical().terms(entry.chunk)
        assert dict(entry.terms) == {field: text for field, text in terms.items() if text}


def test_a_file_without_its_comments_comes_before_the_lines() -> None:
    reply = asked(FILE, comments=False)
    bare = reply.payload[: reply.value["content"]]

    assert bare == TEXT.replace(b"Says.", b"     ").replace("# —".encode(), b"     ")
    assert [e.chunk for e in entries(replace(FILE, content=bare), reply)] == parse(
        replace(FILE, content=bare)
    ).chunks


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda value, lines: (value, lines + b"\n0f"), id="a-line-too-many"),
        pytest.param(lambda value, lines: (value, lines[: len(lines) // 2]), id="lines-missing"),
        pytest.param(
            lambda value, lines: ({**value, "chunks": value["chunks"][:-1]}, lines),
            id="a-number-missing",
        ),
        pytest.param(lambda value, lines: (value, b"x" + lines), id="links-of-no-shape"),
        pytest.param(
            lambda value, lines: ({**value, "chunks": ["1"] * 6}, lines), id="text-for-a-number"
        ),
    ],
)
def test_an_answer_out_of_shape_is_refused(change: object) -> None:
    assert callable(change)
    value, payload = asked(FILE)
    with pytest.raises((KeyError, TypeError, ValueError)):
        entries(FILE, Message(*change(value, payload)))
