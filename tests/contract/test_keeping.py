"""What a store keeps of a file, and what it counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from plait.index.embed import embed
from plait.types import (
    Binding,
    Change,
    ChunkId,
    Field,
    Import,
    Reference,
    Refers,
    Relation,
    Role,
    Scope,
    Snapshot,
    Store,
    Tag,
    Term,
)
from tests.contract.notation import Piece, file, gone, ids, names, piece
from tests.contract.reference import Model
from tests.contract.test_store import assert_holds, words_of
from tests.contract.test_vectors import Hashed, passage_of

ALL_RELATIONS = tuple(Reference(relation, f"Target.{relation}") for relation in Relation)
ALL_ROLES = tuple(Binding(role, f"name.{role}", f"T[{role}, 文]", 1) for role in Role)
CALL = Reference(Relation.CALLS, "send", "self.client.get()[]", 70_000)

KEPT = {
    "every-field": file(
        "pkg/every.py",
        "import os\n\n",
        Piece(
            "def résumé(a):\n    '''Döc → 文.'''\n    return a\n",
            "Outer.Inner.résumé",
            "method",
            references=ALL_RELATIONS,
            signature="def résumé(a):",
            docstring="'''Döc → 文.'''",
        ),
        Piece("    more\n", "Outer.Inner.résumé", part=1),
        Piece("    most\n", "Outer.Inner.résumé", part=2, references=ALL_RELATIONS[:1]),
        "the end\n",
        tags=("test", "generated", "vendored"),
    ),
    "unicode": file("ünï/文件 🎉.py", piece("naïve 文 = '\u2028🎉'\n", "文.é"), repo="répo/名"),
    "crlf": file("crlf.py", "a = 1\r\n", piece("def f():\r\n\tpass\r\n", "f"), "lone\rcr\n"),
    "no-newline-at-the-end": file("bare.py", "one\n", "two"),
    "no-text": file("empty.py", ""),
    "no-language": file("README", "one\n", language=""),
    "white-space": file("blank.py", "\n\n", " \t \n"),
    "control-characters": file("control.py", "a\0b\x1b[0m\x7f\n"),
    "odd-path": file("a b/#1:x%20'\"\\[id]/{y}*?.py", "odd\n", repo="host:org/repo@branch#1"),
    "long-line": file("long.py", "x = '" + "é0" * 1_000_000 + "'\n", piece("f\n", "f")),
    "many-chunks": file("many.py", *(piece(f"def f{n}(): pass\n", f"f{n}") for n in range(3_000))),
    "many-references": file(
        "refers.py", piece("x\n", "x", *(Reference(Relation.CALLS, f"t{n}") for n in range(3_000)))
    ),
    "links": file(
        "links.py",
        Piece("import a\n", imports=(Import("..größe", "*", "", 1), Import("a/b", "", "文", 2))),
        "x = 1\n",
        Piece(
            "def f(): pass\n",
            "f",
            references=(CALL, CALL, CALL._replace(qualifier=""), CALL._replace(qualifier="a:b")),
            imports=(Import("m", "n", "o", 3), Import("m", "n", "o", 3)),
            bindings=(*ALL_ROLES, *ALL_ROLES),
        ),
    ),
    "long-links": file(
        "long_links.py",
        Piece("x\n", references=(Reference(Relation.CALLS, "t" * 9_000, "q" * 40_000, 1),)),
    ),
    "symbols-of-one-name": file(
        "twice.py",
        Piece("def f(): pass\n", "f"),
        Piece("def f(): pass\n", "f", n=2),
        Piece("def f(): pass\n", "f", n=70_000),
    ),
    "many-lines": file("lines.py", piece("x\n" * 70_000, "x"), "y\n"),
    "long-signature": file(
        "signature.py", Piece(f"def f({'a, ' * 20_000}): pass\n", "f", signature="a, " * 20_000)
    ),
    "long-docstring": file(
        "doc.py", Piece(f"def f(): '{'a, ' * 30_000}'\n", "f", docstring="a, " * 30_000)
    ),
    "nameless-kind": file("kind.py", piece("x\n", "x", kind="")),
    "empty-excerpts-inside": file("sig.py", Piece("class A: pass\n", "A", "class", signature="c")),
}


@pytest.mark.parametrize("change", KEPT.values(), ids=KEPT.keys())
def test_what_is_committed_comes_back_as_it_was(store: Store, change: Change) -> None:
    store.commit([file("before.py", "one\n"), change, file("zzz.py", "one\n")])

    assert_holds(store, Model([file("before.py", "one\n"), change, file("zzz.py", "one\n")]))


def test_what_is_committed_comes_back_after_many_commits(store: Store) -> None:
    model = Model()
    for change in KEPT.values():
        store.commit([change])
        model.commit([change])
    for n in range(20):
        store.commit([file("other.py", f"text{n}\n")])
        model.commit([file("other.py", f"text{n}\n")])

    assert_holds(store, model)


@pytest.mark.parametrize("churn", [0, 12], ids=["at-once", "after-commits"])
def test_files_without_text_are_kept(store: Store, churn: int) -> None:
    blank = [file(f"{n}/__init__.py", "") for n in range(3)]
    for change in blank:
        store.commit([change])
    for n in range(churn):
        store.commit([file(f"{n}/more.py", "")])
    model = Model([*blank, *(file(f"{n}/more.py", "") for n in range(churn))])

    assert_holds(store, model)


@pytest.mark.parametrize(
    "unknown",
    [
        ChunkId("r", "a.py", 2),
        ChunkId("r", "a.py", -1),
        ChunkId("r", "b.py", 0),
        ChunkId("other", "a.py", 0),
        ChunkId("r", "", 0),
        ChunkId("", "", 0),
        ChunkId("r", "a.py", 10**12),
    ],
    ids=str,
)
def test_an_unknown_id_is_left_out(store: Store, unknown: ChunkId) -> None:
    store.commit([file("a.py", "one\n", "two\n")])
    snapshot = store.snapshot()
    found = snapshot.fetch([unknown, *ids("a.py#1"), unknown])

    assert list(found) == ids("a.py#1")
    assert found[ids("a.py#1")[0]].text == "two\n"
    assert list(snapshot.explain(Term("two"), [unknown, *ids("a.py#1")])) == ids("a.py#1")


def test_nothing_is_known_of_what_is_not_there(store: Store) -> None:
    store.commit([file("a.py", "one\n")])
    snapshot = store.snapshot()

    assert snapshot.digests("other") == {}
    assert list(snapshot.outline("other", "a.py")) == []
    assert list(snapshot.outline("r", "a")) == []
    assert snapshot.fetch([]) == {}
    assert snapshot.explain(Term("one"), []) == {}


def test_links_are_given_in_the_order_asked_for_and_unknown_ids_left_out(store: Store) -> None:
    called = [piece("x\n", f"f{n}", Reference(Relation.CALLS, f"t{n}")) for n in range(3)]
    store.commit([file("a.py", *called, "rest\n")])
    found = store.snapshot().links(ids("a.py#2", "a.py#9", "b.py", "a.py#0", "a.py#2", "a.py#3"))

    assert names(found) == ["a.py#2", "a.py", "a.py#3"]
    assert [links.targets() for links in found.values()] == [
        [(Relation.CALLS, "t2")],
        [(Relation.CALLS, "t0")],
        [],
    ]


def test_a_repeated_reference_is_found_once_and_kept_as_often(store: Store) -> None:
    twice = (CALL, CALL._replace(qualifier="other"))
    store.commit([file("a.py", piece("x\n", "f", *twice))])
    snapshot = store.snapshot()

    assert names(snapshot.match(Refers(Relation.CALLS, "send"), Scope(), 10)) == ["a.py"]
    assert names(snapshot.match(Refers(Relation.CALLS, "client.send"), Scope(), 10)) == []
    assert snapshot.links(ids("a.py"))[ids("a.py")[0]].references == twice


def test_links_and_symbols_outlive_embedding_and_further_commits(store: Store) -> None:
    model = Model([KEPT["links"], KEPT["symbols-of-one-name"]])
    store.commit(model.files.values())
    embed(store, Hashed(), passage_of)
    assert_holds(store, model)

    later = [file("later.py", Piece("y\n", references=(CALL,))), KEPT["every-field"]]
    store.commit(later)
    model.commit(later)
    embed(store, Hashed(), passage_of)
    assert_holds(store, model)


# ---------------------------------------------------------------- counts


def test_statistics_count_what_there_is(store: Store) -> None:
    store.commit(
        [
            file("a.py", piece("def f(): pass\n", "f"), Piece("x\n", "f", part=1), "rest é\n"),
            file("b.go", "one\n", language="go"),
            file("c", "one\n", language="go", repo="other"),
        ]
    )
    counted = store.snapshot().statistics()

    assert (counted.files, counted.chunks, counted.symbols) == (3, 5, 1)
    assert counted.source_bytes == len("def f(): pass\nx\nrest é\none\none\n".encode())
    assert counted.index_bytes > 0
    assert dict(counted.languages) == {"go": 2, "python": 1}


def test_statistics_follow_changes(store: Store) -> None:
    store.commit([file("a.py", piece("f\n", "f"), "x\n"), file("b.go", "one\n", language="go")])
    store.commit([file("a.py", "longer\n"), gone("b.go"), gone("no.such")])
    counted = store.snapshot().statistics()

    assert (counted.files, counted.chunks, counted.symbols, counted.source_bytes) == (1, 1, 0, 7)
    assert dict(counted.languages) == {"python": 1}


@pytest.mark.parametrize("field", Field, ids=lambda field: field.value)
def test_frequency_counts_chunks_not_occurrences(store: Store, field: Field) -> None:
    store.commit(
        [
            file("alpha.py", piece("alpha alpha beta\n", "alpha"), "alpha beta\n"),
            file("beta.py", piece("beta\n", "gamma"), piece("alpha beta\n", "alpha")),
        ]
    )
    store.commit([file("gamma.py", "alpha\n")])
    term = {Field.PAIRS: "alpha_beta"}.get(field, "alpha")
    expected = {Field.WORDS: 4, Field.NAME: 2, Field.PAIRS: 3}[field]

    assert store.snapshot().count([Term(term, field)])[0] == expected
    assert store.snapshot().count([Term("nowhere", field)])[0] == 0


def test_many_are_counted_as_each_is(store: Store) -> None:
    store.commit([file("a.py", "one two two\n"), file("b.py", "two\n")])
    asked = [Term("two"), Term("one"), Term("nowhere"), Term("two")]

    assert list(store.snapshot().count(asked)) == [2, 1, 0, 2]
    assert list(store.snapshot().count([])) == []


def spelled(*texts: str) -> Callable[[Store], Snapshot]:
    def made(store: Store) -> Snapshot:
        store.commit([file(f"{n}.py", text) for n, text in enumerate(texts)])
        return store.snapshot()

    return made


def test_spellings_are_one_edit_away_most_frequent_first(store: Store) -> None:
    snapshot = spelled(
        "parser parsed pars parse\n", "parser parsed\n", "parser spare\n", "parsers barse pasre\n"
    )(store)

    assert list(snapshot.spellings("parse", 9)) == ["parser", "parsed", "pars", "pasre"]
    assert list(snapshot.spellings("parse", 2)) == ["parser", "parsed"]
    assert list(snapshot.spellings("parse", 0)) == []


@pytest.mark.parametrize(
    ("typed", "known"),
    [
        pytest.param("hous", ["house"], id="a-letter-dropped"),
        pytest.param("housee", ["house"], id="a-letter-added"),
        pytest.param("hause", ["house"], id="a-letter-changed"),
        pytest.param("huose", ["house"], id="two-letters-swapped"),
        pytest.param("ouse", [], id="the-first-letter-has-to-be-right"),
        pytest.param("mouse", [], id="another-first-letter"),
        pytest.param("hosue", ["house"], id="swapped-later"),
        pytest.param("hoseu", [], id="two-edits"),
        pytest.param("house", [], id="the-word-itself-is-no-spelling-of-it"),
        pytest.param("", [], id="nothing"),
        pytest.param("ünder", ["ünter"], id="beyond-ascii"),
    ],
)
def test_a_spelling(store: Store, typed: str, known: list[str]) -> None:
    snapshot = spelled("house ünter\n")(store)

    assert list(snapshot.spellings(typed, 9)) == known


def test_spellings_of_equal_frequency_come_in_alphabetical_order(store: Store) -> None:
    snapshot = spelled("parsez parsea parsem\n")(store)

    assert list(snapshot.spellings("parse", 9)) == ["parsea", "parsem", "parsez"]


def test_a_chunk_may_be_found_by_terms_that_are_not_in_its_text(store: Store) -> None:
    change = file("a.py", "one\n")
    (entry,) = change.entries
    store.commit([replace(change, entries=(replace(entry, terms={Field.WORDS: "two two 文"}),))])
    snapshot = store.snapshot()

    assert words_of(snapshot, "one") == []
    assert words_of(snapshot, "two") == ["a.py"]
    assert words_of(snapshot, "文") == ["a.py"]


def test_a_chunk_without_terms_is_kept_all_the_same(store: Store) -> None:
    change = file("a.py", "one\n")
    (entry,) = change.entries
    store.commit([replace(change, entries=(replace(entry, terms={}),))])

    assert_holds(store, Model([change]))
    assert names(store.snapshot().match(Tag("repo", "r"), Scope(), 9)) == ["a.py"]
