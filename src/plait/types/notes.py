"""Notes and hints: a sentence for people, and a code by which programs know its kind."""

from __future__ import annotations

from typing import Self


class Note(str):
    """A sentence about an answer that knows its code.

    It is the sentence wherever text is wanted. Codes are few and stay; sentences may change with
    any version.
    """

    __slots__ = ("code",)
    code: str

    def __new__(cls, code: str, sentence: str) -> Self:
        note = super().__new__(cls, sentence)
        note.code = code
        return note

    def __reduce__(self) -> tuple[type[Self], tuple[str, str]]:
        return type(self), (self.code, str(self))


# Codes of notes: what an answer may lack, and what was done to find it.
SPELLING = "spelling"  # a word the index does not know was looked for in other spellings
RELAXED = "relaxed"  # the query was loosened until it found something
EXPANDED = "expanded"  # words of the first results were looked for too
SILENT = "silent-lane"  # a lane found nothing while others did
CUT = "cut-short"  # something that might have matched was not looked at
UNRANKED = "unranked"  # files are in the order the lanes gave, the store told no more in time
SCANNED = "scanned"  # all files had to be read
NO_VECTORS = "vectors-missing"  # some chunks have no vector yet
STALE = "stale"  # answered from an older generation
LEFT_OUT = "left-out"  # a file that was named is not indexed
SOURCE = "source"  # what the tree, its git directory or its ignore files made impossible
SETTING = "setting"  # a line of a project's settings that was not used
REBUILT = "rebuilt"  # the index was built anew
PLAIN_TEXT = "plain-text"  # files that are indexed without symbols
RECORD = "record"  # what could not be remembered for the next time
# Codes of hints: what a user may want to try.
UNKNOWN_FILTER = "unknown-filter"  # a name before a colon is no filter
SYNTAX = "syntax"  # a part of the query was read otherwise than it looks
UNKNOWN_LANGUAGE = "unknown-language"
PATTERN_LIKE = "pattern"  # what looks like a pattern was read as words
RESTRICTION = "restriction"  # without it there might be results
LANE = "lane"  # what could be done about a lane that gave no answer
