"""Copyrights: Debian's machine-readable account of who owns which file, under which licence.

All stanzas are read. A file's licence is that of the last stanza that matches it, as the
format says, and also of the stanza with the longest matching glob; both must be permissive.
A binary package has its files in other places than the source the globs speak of, so there a
glob matches wherever the end of the path fits it, and a stanza that is not permissive needs
to fit only loosely to keep a file out.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple, Self

from training.heads import COPYLEFT_TEXT
from training.licences import UNKNOWN, Verdict, judge

FIELD = re.compile(r"^([A-Za-z][A-Za-z0-9-]*):[ \t]*(.*)$")
FORMAT = re.compile(r"copyright-format|dep5|DEP-5", re.IGNORECASE)
SPECIAL = re.compile(r"[*?\\]")
LITERAL = re.compile(r"[A-Za-z0-9]{3}")


class Stanza(NamedTuple):
    """Globs and what is said of the files they match."""

    globs: tuple[str, ...]
    verdict: Verdict


class Copyright(NamedTuple):
    """The stanzas of one package, in their order; none if the file cannot be read by machine."""

    stanzas: tuple[Stanza, ...]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a copyright file."""
        blocks = [fields(block) for block in re.split(r"\n[ \t]*\n", text.replace("\r", ""))]
        blocks = [block for block in blocks if block]
        if not blocks or not FORMAT.search(blocks[0].get("format", "")):
            return cls(())
        texts = {}
        for block in blocks:
            if "files" not in block and "license" in block:
                name, _, body = block["license"].partition("\n")
                texts[name.strip().lower()] = body
        stanzas = []
        for block in blocks:
            if "files" in block:
                name, _, body = block.get("license", "").partition("\n")
                body = body.strip() or texts.get(name.strip().lower(), "")
                globs = tuple(block["files"].replace(",", " ").split())
                stanzas.append(Stanza(globs, stanza_verdict(name.strip(), body)))
        return cls(tuple(stanzas))

    def verdict(self, path: str, *, is_installed: bool) -> Verdict:
        """Judge a file by its path in the source tree, or where a binary package puts it."""
        if not self.stanzas:
            return Verdict(False, "", "copyright file not machine-readable")
        ends = suffixes(path) if is_installed else (path,)
        longest = (-1, UNKNOWN)
        last = UNKNOWN
        for stanza in self.stanzas:
            for glob in stanza.globs:
                if is_installed and glob.startswith("debian/"):
                    continue
                if matches(glob, ends):
                    last = stanza.verdict
                    if len(glob) >= longest[0]:
                        longest = (len(glob), stanza.verdict)
                elif is_installed and not stanza.verdict.is_permissive and loosely(glob, ends):
                    return stanza.verdict
        for verdict in (last, longest[1]):
            if not verdict.is_permissive:
                return verdict
        return last


def fields(block: str) -> dict[str, str]:
    """The fields of a stanza, names in lower case, continuation lines joined by line breaks."""
    found: dict[str, str] = {}
    name = ""
    for line in block.split("\n"):
        match = FIELD.match(line)
        if match:
            name = match[1].lower()
            found[name] = match[2]
        elif name and line[:1] in (" ", "\t"):
            found[name] += "\n" + line.strip()
    return found


def stanza_verdict(name: str, text: str) -> Verdict:
    """Judge a licence by its short name; a text that says otherwise outweighs the name."""
    verdict = judge(name)
    if verdict.is_permissive and not verdict.is_choice and " " not in name:
        found = COPYLEFT_TEXT.search(text)
        if found:
            return Verdict(False, found[0], "copyleft licence under a permissive name")
    return verdict


def matches(glob: str, ends: tuple[str, ...]) -> bool:
    """Whether a glob matches one of several paths; most globs are plain names of files."""
    if not SPECIAL.search(glob):
        return glob.removeprefix("./") in ends
    pattern = compiled(glob)
    return any(pattern.fullmatch(end) for end in ends)


@lru_cache(maxsize=1 << 14)
def compiled(glob: str) -> re.Pattern[str]:
    """A glob as a regular expression: only ``*`` and ``?`` are special, and both match ``/``."""
    pieces = re.split(r"(\\.|\*|\?)", glob.removeprefix("./"))
    table = {"*": ".*", "?": "."}
    return re.compile(
        "".join(table.get(piece) or re.escape(piece.removeprefix("\\")) for piece in pieces),
        re.DOTALL,
    )


@lru_cache(maxsize=1 << 12)
def suffixes(path: str) -> tuple[str, ...]:
    """A path without its first folder, its first two, and so on."""
    parts = path.split("/")
    return tuple("/".join(parts[at:]) for at in range(len(parts)))


def loosely(glob: str, ends: tuple[str, ...]) -> bool:
    """Whether a glob without some of its first folders matches."""
    return any(LITERAL.search(shorter) and matches(shorter, ends) for shorter in suffixes(glob)[1:])
