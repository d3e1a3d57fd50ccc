"""Sections: what a page names and what it asks, whatever its markup."""

from __future__ import annotations

import pytest

from plait.evaluation.mining.docs.comments import Comment, comments
from plait.evaluation.mining.docs.inline import marked
from plait.evaluation.mining.docs.marks import names, shown
from plait.evaluation.mining.docs.sections import Section, question, sections


def of(text: str, markup: str, blocks: str = "") -> list[Section]:
    return list(sections("page", Comment(text, 1, markup, blocks or markup)))


@pytest.mark.parametrize(
    ("markup", "text", "name", "seen"),
    [
        ("rst", "Call :func:`~a.b.run` now", "~a.b.run", "Call run now"),
        ("rst", "A :class:`session <a.Session>` here", "a.Session", "A session here"),
        ("rst", "See `a.Session` here", "a.Session", "See a.Session here"),
        ("markdown", "The [`Router`](api.md#router) finds", "Router", "The Router finds"),
        ("markdown", "Call `run()` now", "run()", "Call run() now"),
        ("rustdoc", "Use [`task::spawn`] here", "task::spawn", "Use task::spawn here"),
        ("rustdoc", "Use [a task](crate::spawn) here", "crate::spawn", "Use a task here"),
        ("godoc", "Like [Client.Do] does", "Client.Do", "Like Client.Do does"),
        ("javadoc", "A {@link Foo#bar(int) bar} of <b>it</b>", "Foo#bar(int)", "A bar of it"),
    ],
)
def test_a_link_is_a_name_and_what_a_reader_sees(
    markup: str, text: str, name: str, seen: str
) -> None:
    found = marked(text, markup)

    assert [one.name for one in names(found)] == [name]
    assert shown(found) == seen


@pytest.mark.parametrize(
    ("markup", "text", "seen"),
    [
        ("rst", "Set :setting:`DEBUG` and `text <b>`_ to |x|", "Set DEBUG and text to"),
        ("markdown", "![badge](x) See [the guide](b.md) *now*", "See the guide now"),
        ("javadoc", "{@docRoot} a &lt; b", "a < b"),
    ],
)
def test_what_is_no_link_to_code_is_plain(markup: str, text: str, seen: str) -> None:
    assert names(marked(text, markup)) == []
    assert shown(marked(text, markup)) == seen


def test_signs_of_marks_in_a_text_do_no_harm() -> None:
    assert names(marked("a \x02Lb\x03c\x04 d", "markdown")) == []


def test_a_section_is_its_heading_and_first_paragraph() -> None:
    passed_over = "```py\nx = 1\n# no heading\n```\n\n- a list\n\n"
    text = f"# Guide\n\n## Retries\n\n{passed_over}Say how often. And more.\n\nLater.\n"
    (found,) = of(text, "markdown")

    assert (shown(found.heading), shown(found.above)) == ("Retries", "Guide")
    assert (found.line, shown(found.sentence)) == (3, "Say how often")


def test_titles_of_restructured_text_nest_by_their_signs() -> None:
    above = "=====\nGuide\n=====\n\nIntro words.\n\n"
    text = f"{above}Retries\n-------\n\n.. note:: x\n\n   inside\n\nSay how often.\n"
    first, second = of(text, "rst")

    assert shown(first.heading) == "Guide"
    assert (shown(second.heading), shown(second.above)) == ("Retries", "Guide")
    assert shown(second.paragraph) == "Say how often."


def test_a_directive_that_defines_heads_its_own_description() -> None:
    directive = ".. method:: Session.close(wait=True)\n\n   Ends every open connection.\n"
    text = f"Sessions\n========\n\n{directive}"
    (found,) = of(text, "rst")

    assert [one.name for one in found.meant] == ["Session.close"]
    assert shown(found.paragraph) == "Ends every open connection."


def test_headings_of_javadoc_cut_it_into_sections() -> None:
    text = "First words. <h2>Timing out</h2> <p>Waits for {@link Clock}.</p> <pre>x</pre>"
    first, second = of(text, "javadoc", "html")

    assert shown(first.paragraph) == "First words."
    assert (shown(second.heading), second.meant[0].name) == ("Timing out", "Clock")


@pytest.mark.parametrize(
    ("heading", "meant"),
    [
        ("### `createServer(options)`", ["createServer"]),
        ("### app.listen(port)", ["app.listen"]),
        ("### Installation", []),
        ("### The `true` value", []),
        ("### The `useThing` hook", ["useThing"]),
    ],
)
def test_a_heading_names_code_if_it_looks_like_code(heading: str, meant: list[str]) -> None:
    (found,) = of(f"{heading}\n\nSome words about it.\n", "markdown")

    assert [one.name for one in found.meant] == meant


def test_code_set_later_in_the_paragraph_is_not_meant_but_a_link_is() -> None:
    (found,) = of("# T\n\nFirst words. Then `runLater()` and [`linkIt`](x).\n", "markdown")

    assert [one.name for one in found.meant] == ["linkIt"]


def test_a_question_is_heading_and_first_sentence_without_the_names_that_are_cut() -> None:
    (found,) = of(
        "# Closing `Pool`\n\nCall `Pool.close()` e.g. at the end of it. More.\n", "markdown"
    )

    assert (
        question(found, lambda name: "Pool" in name.name) == "Closing: Call e.g. at the end of it"
    )


def test_a_heading_that_says_nothing_lends_its_place() -> None:
    _, found = of("# Retries\n\nx words.\n\n## Usage\n\nSay how often.\n", "markdown")

    assert question(found, lambda _: False) == "Retries: Say how often"


RUST = """//! Runs tasks.
//!
//! # Spawning
//!
//! See [`spawn`].

/// A handle.
///
/// # Cancelling tasks
///
/// Use [`abort`] for that.
struct Handle;

/// Plain.
fn f() {}
"""


def test_of_rust_modules_are_taken_whole_and_items_by_their_headings() -> None:
    found = [s for one in comments("rust", "a.rs", RUST) for s in sections("a.rs", one)]

    assert [(one.line, shown(one.heading)) for one in found] == [
        (1, ""),
        (3, "Spawning"),
        (9, "Cancelling tasks"),
    ]


@pytest.mark.parametrize(
    ("language", "path", "source"),
    [
        ("go", "doc.go", "// Licence.\n\n// Package a brews\n// [Kettle].\npackage a\n"),
        ("go", "doc.go", "/*\nPackage a brews\n[Kettle].\n*/\npackage a\n"),
        ("python", "a.py", '#!/usr/bin/python\n"""Package a brews :class:`Kettle`."""\n'),
        (
            "java",
            "a/package-info.java",
            "/**\n * Brews {@link Kettle}.\n * @since 1\n */\npackage a;",
        ),
        ("typescript", "a.ts", "/**\n * # Timing out\n *\n * Brews {@link Kettle}.\n */\n"),
    ],
)
def test_comments_of_every_language_are_read(language: str, path: str, source: str) -> None:
    found = [s for one in comments(language, path, source) for s in sections(path, one)]

    assert [name.name for one in found for name in one.meant] == ["Kettle"]


def test_what_documents_one_java_class_needs_a_heading() -> None:
    one = "/** Brews {@link A}. <h2>Timing out</h2> See {@link B}. */ class X {}"
    source = f"{one}\n/** Brews {{@link C}}. */"
    found = [s for one in comments("java", "X.java", source) for s in sections("X.java", one)]

    assert [name.name for one in found for name in one.meant] == ["B"]
