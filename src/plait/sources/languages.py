"""Languages: what is a file written in, and what do people call that?

A name decides if it is known (``Makefile``), then the extension, then the first line. Only
``.h``, which three languages share, is decided by a look at the content.
"""

from __future__ import annotations

import re

from plait.sources.language_table import ALIASES, FILE_NAMES, INTERPRETERS, SUFFIXES

SNIFF_BYTES = 8192
CPLUSPLUS = re.compile(
    rb"(?m)^[ \t]*(?:class[ \t]+\w+[^;\n]*(?:\{|$)|namespace\b|template[ \t]*<|using[ \t]+\w|"
    rb"(?:public|private|protected)[ \t]*:)|\w::~?\w|\bconstexpr\b|\bnullptr\b|"
    rb"^#[ \t]*include[ \t]*<(?:string|vector|memory|map|utility|cstd\w+|iostream)>"
)
OBJECTIVE_C = re.compile(
    rb"(?m)^[ \t]*(?:@(?:interface|protocol|class|end|property)\b|#[ \t]*import\b)"
)
MATLAB = re.compile(rb"(?m)^[ \t]*(?:%|function\b|end[ \t]*$)")
LANGUAGES = frozenset({*SUFFIXES.values(), *FILE_NAMES.values(), *INTERPRETERS.values()})


def language_of(path: str, content: bytes = b"") -> str:
    """The canonical name of a file's language; "" if unknown."""
    name = path[path.rfind("/") + 1 :]
    found = FILE_NAMES.get(name) or FILE_NAMES.get(name.lower())
    if found:
        return found
    lowered = name.lower()
    dot = lowered.find(".", 1)
    while dot > 0:  # the longest known suffix: "d.ts" before "ts"
        suffix = lowered[dot + 1 :]
        if suffix in SUFFIXES:
            return settled(suffix, content)
        dot = lowered.find(".", dot + 1)
    stem = lowered.partition(".")[0]
    if stem in ("dockerfile", "containerfile", "makefile", "jenkinsfile"):
        return FILE_NAMES[stem]
    return shebang_language(content)


def settled(suffix: str, content: bytes) -> str:
    """The language of a suffix, by content where languages share it."""
    head = content[:SNIFF_BYTES]
    if suffix == "h":
        if OBJECTIVE_C.search(head):
            return "objective-c"
        return "cpp" if CPLUSPLUS.search(head) else "c"
    if suffix == "m" and MATLAB.search(head) and not OBJECTIVE_C.search(head):
        return "matlab" if b"{" not in head else "objective-c"
    return SUFFIXES[suffix]


def shebang_language(content: bytes) -> str:
    """The language of ``#!/usr/bin/env -S python3.12 -u`` and its like; "" if there is none."""
    if not content.startswith(b"#!"):
        return ""
    words = content[2:256].split(b"\n", 1)[0].decode("ascii", "replace").split()
    for word in words:
        program = word.rpartition("/")[2]
        if program == "env" or word.startswith("-") or "=" in word:
            continue
        return INTERPRETERS.get(re.sub(r"[\d.]+$", "", program.lower()), "")
    return ""


def canonical(name: str) -> str | None:
    """The canonical name of a language however it is called; None if it is not known."""
    lowered = name.strip().lower()
    if lowered in LANGUAGES:
        return lowered
    return ALIASES.get(lowered) or SUFFIXES.get(lowered.removeprefix("."))
