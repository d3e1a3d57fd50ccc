"""The table of signals: every one, its weight, and what it means in words."""

from __future__ import annotations

from plait.ranking import signals as of
from plait.ranking.signals import File, Signal


def _met(file: File) -> str:
    """Which word of the question each word of a file's name meets."""
    words = dict.fromkeys(filter(None, map(file.meeting.word, file.names.stem_roots)))
    return f"`{file.names.stem}` meets " + ", ".join(f'"{word}"' for word in words)


def _left(file: File) -> str:
    return f"of `{file.names.stem}`"


def _folders(file: File) -> str:
    return "/".join(file.names.folders)


def _defines(file: File) -> str:
    names = dict.fromkeys(one.name for one in file.definitions)
    return ", ".join(f"`{name}`" for name in names)


def _bytes(file: File) -> str:
    return f"{file.facts.size:,} bytes"


def _depth(file: File) -> str:
    return f"{file.names.depth} folders"


WORDS, MEANING = "lexical", "dense"

SIGNALS = (
    Signal("words: best chunk", 1.4, "its best match by words, of the best there is",
           of.best_chunk(WORDS), lane=WORDS),
    Signal("words: three best", 1.4, "its three best chunks by words, of the most a file has",
           of.three_best(WORDS), lane=WORDS),
    Signal("meaning: three best", 2.3, "its three best chunks by meaning, of the most a file has",
           of.three_best(MEANING), lane=MEANING),
    Signal("meaning: share", 0.7, "how much of it is near in meaning",
           of.share_found(MEANING), lane=MEANING),
    Signal("file name", 1.9, "words of its name that were asked for", of.stem_met, _met),
    Signal("file name: rest", -1.2, "words of its name that nobody asked for", of.stem_left, _left),
    Signal("folder", 0.8, "words of its folders that were asked for", of.folders_met, _folders),
    Signal("joined words", 0.5, "words asked for, written as one, are its name or defined here",
           of.words_joined),
    Signal("called so", 1.0, "the name asked for is the file's", of.called_as_asked),
    Signal("defines the name", 1.3, "the name asked for is defined here", of.defines_the_name,
           _defines),
    Signal("defines a name", 0.8, "a name in the question is defined here", of.defines_a_name,
           _defines),
    Signal("test", -6.0, "a test", of.tagged("test")),
    Signal("documentation", -6.0, "documentation", of.tagged("documentation")),
    Signal("not written here", -0.9, "vendored or generated", of.tagged("vendored", "generated")),
    Signal("size", 1.6, "long files have more to find", of.size, _bytes),
    Signal("depth", -2.4, "deep files matter less", of.depth, _depth),
    Signal("deep in the lists", -20.0, "not among the first hundred of any lane", of.found_deep),
)  # fmt: skip
