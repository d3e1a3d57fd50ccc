"""The table of signals: every one, its weight, and what it means in words."""

from __future__ import annotations

from collections.abc import Callable

from plait.ranking import signals as of
from plait.ranking.signals import File, Signal


def _of_best(_: File, value: float) -> str:
    return f"{value:.2f} of the best match"


def _of_most(_: File, value: float) -> str:
    return f"{value:.2f} of the most that a file has"


def _of_file(_: File, value: float) -> str:
    return f"{value:.2f} of its chunks"


def _met(file: File, _: float) -> str:
    """Which words of the question the words of a file's name meet."""
    words = dict.fromkeys(filter(None, map(file.meeting.word, file.names.stem_roots)))
    return f"`{file.names.stem}` meets " + ", ".join(f'"{word}"' for word in words)


def _left(file: File, _: float) -> str:
    if not file.stem_met:
        return f"nobody asked for `{file.names.stem}`"
    return f"`{file.names.stem}` has words that nobody asked for"


def _folders(file: File, _: float) -> str:
    words = dict.fromkeys(
        file.meeting.word(root) for root in file.names.folder_roots if root in file.meeting.words
    )
    return f"`{'/'.join(file.names.folders)}` has " + ", ".join(f'"{word}"' for word in words)


def _defines(file: File, _: float) -> str:
    names = dict.fromkeys(one.name for one in file.definitions if one.is_asked)
    return "defines " + ", ".join(f"`{name}`" for name in names)


def _bytes(file: File, _: float) -> str:
    return f"{file.facts.size:,} bytes"


def _depth(file: File, _: float) -> str:
    return f"{file.names.depth} folder{'s' if file.names.depth > 1 else ''} deep"


def _asked_for(what: str) -> Callable[[File, float], str]:
    return lambda _, value: what if value > 0 else f"{what}, as the question asks"


WORDS, MEANING, LINES = "lexical", "dense", "message"

SIGNALS = (
    Signal("lexical, best chunk", 1.5, "its best match by words, of the best there is",
           of.best_chunk(WORDS), _of_best, WORDS),
    Signal("lexical, three best", 1.1, "its three best chunks by words, of the most a file has",
           of.three_best(WORDS), _of_most, WORDS),
    Signal("dense, three best", 1.8, "its three best chunks by meaning, of the most a file has",
           of.three_best(MEANING), _of_most, MEANING),
    Signal("dense, best chunk", 1.0, "its best match by meaning, of the best there is",
           of.best_chunk(MEANING), _of_best, MEANING),
    Signal("dense, share", 0.5, "how many of its chunks are near in meaning",
           of.share_found(MEANING), _of_file, MEANING),
    Signal("message", 12.0, "a line of it says what was pasted", of.best_chunk(LINES), _of_best,
           LINES),
    Signal("file name", 1.3, "words of its name that were asked for", of.stem_met, _met),
    Signal("file name, rest", -1.3, "words of its name that nobody asked for", of.stem_left, _left),
    Signal("folder", 0.5, "words of its folders that were asked for", of.folders_met, _folders),
    Signal("first words", 1.9, "what the question names first is in its path", of.first_words),
    Signal("joined words", 0.5, "words asked for, written as one, are its name or defined here",
           of.words_joined),
    Signal("path", 12.0, "the path that was typed is the file's, or its folder's", of.path_typed),
    Signal("called so", 1.0, "the name asked for is the file's", of.called_as_asked),
    Signal("defines the name", 1.6, "the name asked for is defined here", of.defines_the_name,
           _defines),
    Signal("defines a name", 0.9, "a name in the question is defined here", of.defines_a_name,
           _defines),
    Signal("test", -6.0, "tests come after the code", of.tagged("test"), _asked_for("a test")),
    Signal("documentation", -6.0, "documentation comes after the code",
           of.tagged("documentation"), _asked_for("documentation")),
    Signal("example", -3.0, "examples come after the code", of.tagged("example"),
           _asked_for("an example")),
    Signal("built", -6.0, "the same code stands elsewhere as it was written", of.tagged("built")),
    Signal("not written here", -0.9, "vendored or generated", of.tagged("vendored", "generated")),
    Signal("names only", -0.3, "a stub or re-exports: what it names is written elsewhere",
           of.tagged("stub", "reexport")),
    Signal("data", -2.0, "translations, migrations or certificates",
           of.tagged("locale", "migration", "certificate")),
    Signal("older version", -2.1, "there is a newer version of it", of.older_version),
    Signal("size", 1.8, "long files have more to find", of.size, _bytes),
    Signal("depth", -2.5, "deep files matter less", of.depth, _depth),
    Signal("far down", -20.0, "not among the first hundred of any lane", of.found_deep),
)  # fmt: skip
