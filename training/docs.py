"""Docs: what a doc comment says, without its marks, cut into what can be asked.

The first paragraph says what the thing does: that is the query. What it returns and when it
fails, wherever the comment's own convention says so, make two more.
"""

from __future__ import annotations

import re
from html import unescape
from typing import NamedTuple

MIN_WORDS = 3
MAX_CHARACTERS = 400
MIN_LETTER_SHARE = 0.6

OPENING = re.compile(
    r"""^\s*(?:@(?:module|type)?doc\s+(?:~[sS])?)?(?:[rRbBuUfF]{0,2}("{3}|'{3})|"|'|/\*[*!]?|\{-\s*\|?)"""
)
CLOSING = re.compile(r"""(?:"{3}|'{3}|"|'|\*+/|-\})\s*$""")
LINE_MARK = re.compile(r"^[ \t]*(?:///?[/!<]*|\*+(?!\S*/)|\#+!?|--+\s?[|^]?|;;+|%+)[ \t]?")
TAG = re.compile(
    r"""(?ix) ^\s*(?:
    [@\\](?!link|code|brief|short|abstract|(?:ref|p|c|a|e|em|b)\b|see\s)[a-z]\w*
    | :(?:param|type|returns?|rtype|raises?|args?|i?var|keyword|yields?|exception)\b
    | -\s+(?:parameters?|returns?|throws|note|important|warning|complexity|remark|precondition)\b
    | (?:args|arguments|parameters|params|returns?|raises|yields?|examples?|example\ usage|usage
        |notes?|see\ also|references|attributes|keyword\ args|keyword\ arguments|options|throws
        |exceptions|warns|warnings|errors|panics|safety|inputs?|outputs?|todo|fixme|since
        |authors?)\s*:?\s*$
    | (?:args|arguments|parameters|params|returns?|raises|yields|examples?|usage|notes?|throws)\s*:
    | \#\#?\s | ={3,} | -{3,} | ~{3,} | `{3} | >>>\s | \.\.\s | \|\s | <pre | \+-- )"""
)
BRIEF = re.compile(
    r"(?i)[@\\](?:brief|short|abstract|details|summary|description|desc|method|function|public"
    r"|private|internal|static|export|api)\b:?[ \t]*"
)
INLINE_TAG = re.compile(r"\{@\w+\s+([^}|]*)(?:\|[^}]*)?\}")
DOXYGEN = re.compile(r"[@\\](?:ref|p|c|a|e|em|b)\s+(?=\w)")
XML_REFERENCE = re.compile(
    r"""<(?:see|seealso|paramref|typeparamref)\s+\w+="(?:[A-Z]:)?([^"]*)"\s*/?>"""
)
INLINE_HTML = re.compile(r"</?(?:b|i|a|em|tt|code|strong|span|c|var|kbd|samp)\b[^<>]{0,200}>")
HTML = re.compile(r"</?[A-Za-z][^<>]{0,200}>")
ROLE = re.compile(r":[\w:+.-]+:`~?([^`<]*?)(?:\s*<[^`>]*>)?`")
LINK = re.compile(r"!?\[([^\]\[]*)\](?:\([^)]*\)|\[[^\]]*\])")
BARE_LINK = re.compile(r"\[`?([\w.:#<>()]+)`?\](?![(\w])")
CODE_MARK = re.compile(
    r"``?|(?<!\w)\*\*?(?=\w)|(?<=\w)\*\*?(?!\w)|(?<!\w)_{1,2}(?=\w[^_]*\w_{1,2}\b)"
)
SPACE = re.compile(r"\s+")
URL = re.compile(r"https?:|www\.|\bftp:")
WORD = re.compile(r"[^\W\d_]{2,}")
SENTENCE = re.compile(r"(?<=[a-z0-9)\]`'\"])[.!?](?=\s+[A-Z`(\"']|\s*$)")
SUMMARY = re.compile(r"<summary>(.*?)(?:</summary>|$)", re.DOTALL)
XML_RETURNS = re.compile(r"<returns>(.*?)</returns>", re.DOTALL)
XML_EXCEPTION = re.compile(r"<exception[^>]*>(.*?)</exception>", re.DOTALL)
RETURNS = re.compile(
    r"""(?isx) (?:^|\n)\s*
    (?: [@\\]returns?\b | :returns?: | -\s*returns?: | returns?:(?=[ \t]*\S|\s*\n\s+\S)
      | returns?\n\s*-{3,}\n )
    \s*(?:\{[^}\n]*\}\s*)?(?:[\w.\[\], |]{1,40}:\s)?
    (.+?)(?=\n\s*\n|\n\s*[@\\:]\w|\n\s*-\s|$)"""
)
RAISES = re.compile(
    r"""(?isx) (?:^|\n)\s*
    (?: [@\\](?:throws?|exception)\s+(?:\{[^}\n]*\}\s*)?[\w.\\]+ | :raises?\s+[\w.]+:
      | -\s*throws: | (?:raises|throws):\s*\n\s+[\w.]+\s*: )
    \s*(.+?)(?=\n\s*\n|\n\s*[@\\:]\w|\n\s*-\s|\n\s+[\w.]+:\s|$)"""
)
USELESS = re.compile(
    r"""(?ix) ^(?: deprecated | (?:see|refer\ to)\b | todo | fixme | xxx | hack\b | @?inherit
    | \(?non-javadoc | generated | auto-?generated | licen[cs]e | copyright | eslint | pylint | noqa
    | type:\s | istanbul | jshint | nolint | go:generate | rubocop | phpcs | clang-format
    | @?suppress | noinspection | internal\ use | not\ implemented | document\ me
    | (?:method|function|class)\s+description | override[sn]?\b | implements?\ \w+$
    | creates?\ a\ new\ instance\.?$ | constructor\.?$ | (?:default|empty)\ constructor
    | description\ of | \{@ | for\ internal | this\ method\ was\ generated
    | initiali[sz]es?\ a\ new\ instance\ of\ the | gets?\ or\ sets?\ the\ value\.?$
    | (?:end)?region\b | -+$ )
    | \b(?:auto-?generated|do\ not\ edit|spdx-license|all\ rights\ reserved|licensed\ under
        |permission\ is\ hereby)\b"""
)
# A type before the words, as PHP, Ruby and JavaScript write it.
TYPE = re.compile(
    r"""(?x)^(?: \{[^}]*\} | \[[^\]]*\] | [\w\\<>\[\]$]+(?:\|[\w\\<>\[\]$]+)+ | bool(?:ean)?
    | string | int(?:eger)? | array | float | mixed | void | object | self | static | \$this
    | [A-Z][a-z]+[A-Z]\w* | \w*\\[\w\\]+ | \w+\[\] )\s+(?=\w)"""
)


class Doc(NamedTuple):
    """What a doc comment can be asked for; "" where it does not say."""

    query: str = ""  # its first paragraph, or the first sentence of a long one
    sentence: int = 0  # the length of the first sentence
    returns: str = ""
    raises: str = ""
    why_not: str = ""  # the reason for an empty query


def bare(raw: str) -> str:
    """A comment's lines without what makes them a comment."""
    text = CLOSING.sub("", OPENING.sub("", raw.strip(), count=1))
    lines = [LINE_MARK.sub("", line) for line in text.split("\n")]
    first, rest = lines[0].strip(), lines[1:]
    margin = min((len(x) - len(x.lstrip()) for x in rest if x.strip()), default=0)
    return "\n".join([first, *(line[margin:].rstrip() for line in rest)]).strip("\n")


def flat(text: str) -> str:
    """Prose on one line, without mark-up."""
    text = INLINE_TAG.sub(r"\1", XML_REFERENCE.sub(r"\1", text))
    text = DOXYGEN.sub("", unescape(HTML.sub(" ", INLINE_HTML.sub("", text))))
    text = LINK.sub(r"\1", ROLE.sub(r"\1", text))
    text = CODE_MARK.sub("", BARE_LINK.sub(r"\1", text))
    return SPACE.sub(" ", text).strip(" -*:\t")


def first_paragraph(text: str) -> str:
    """The lines before the first blank one or the first that begins something else."""
    kept: list[str] = []
    for line in text.split("\n"):
        if not line.strip():
            if kept:
                break
            continue
        if TAG.match(line):
            break
        kept.append(line)
    return " ".join(kept)


def why_not(query: str) -> str:
    """Why a text cannot be a query; "" if it can."""
    if len(query) > MAX_CHARACTERS:
        return "doc too long"
    if len(WORD.findall(query)) < MIN_WORDS:
        return "doc too short"
    if URL.search(query):
        return "doc with an address"
    if (
        sum(c.isalpha() or c == " " for c in query) < MIN_LETTER_SHARE * len(query)
        or not query.isascii()
    ):
        return "doc not in letters"
    if USELESS.search(query):
        return "doc says nothing"
    return ""


def part(found: re.Match[str] | None, minimum: int) -> str:
    """A further query from one part of a comment, if it is worth one."""
    if found is None:
        return ""
    text = TYPE.sub("", flat(TYPE.sub("", found[1].strip())))
    end = SENTENCE.search(text)
    text = text[: end.end()] if end else text
    return "" if len(WORD.findall(text)) < minimum or why_not(text) else text


def read_doc(raw: str) -> Doc:
    """Read a doc comment or docstring, as written."""
    text = BRIEF.sub("", bare(raw))
    summary = SUMMARY.search(text)
    opening = summary[1] if summary else text
    if summary is None:
        opening = INLINE_TAG.sub(r"\1", opening)
    query = flat(first_paragraph(opening.strip("\n")))
    end = SENTENCE.search(query)
    sentence = end.end() if end else len(query)
    if len(query) > MAX_CHARACTERS:
        query = query[:sentence]
    returns = part(XML_RETURNS.search(text) or RETURNS.search(text), 4)
    raises = part(XML_EXCEPTION.search(text) or RAISES.search(text), 4)
    refused = why_not(query)
    if refused:
        return Doc("", 0, returns, raises, refused)
    return Doc(query, min(sentence, len(query)), returns, raises)
