"""Phrasing: what a doc comment says, in the words of somebody who looks for it.

A comment states what a function does ("Returns True if the path is absolute."); a question
is short, begins with a bare verb or none, and often names the language ("python check if path
is absolute"). The rules here turn the one into the other, so that training sees both.
"""

from __future__ import annotations

import re

WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:'[a-z]+)?|[0-9]+")
MOST_WORDS = 14
WHETHER = re.compile(
    r"^(?:returns?|get|check|test|tells?|determine|indicate|query|verify|say)s?\s+"
    r"(?:(?:true|false|1|a bool(?:ean)?|boolean)\s+)?"
    r"(?:(?:if|iff|when|whether|that|indicating whether|indicating if)\b)\s*(?:or not\s+)?",
    re.IGNORECASE,
)
TRUE_IF = re.compile(r"^(?:true|false)\s+(?:if|iff|when)\s+", re.IGNORECASE)
SAME = {"return": "get", "retrieve": "get", "fetch": "get", "obtain": "get", "yield": "get"}
NOT_VERBS = frozenset("this is as its was has does always class process access pass alias".split())


def as_question(text: str, name: str, sentence: int = 0) -> str:
    """A doc comment as a question; without the name it may begin with, as Go's do."""
    said = text[:sentence] if sentence else text
    said = said.strip()
    first, _, rest = said.partition(" ")
    if rest and first.lower().strip("`'\"():,.") == name.lower():
        said = rest.strip()
        if said.startswith(("is ", "are ")):
            said = said.partition(" ")[2]
    said = TRUE_IF.sub("check if ", WHETHER.sub("check if ", said))
    words = WORD.findall(said)[:MOST_WORDS]
    if words:
        words[0] = bare(words[0].lower())
        words[0] = SAME.get(words[0], words[0])
    return " ".join(words)


def bare(verb: str) -> str:
    """The bare form of a verb in the third person: ``creates`` as ``create``."""
    if verb in NOT_VERBS or len(verb) < 4 or not verb.endswith("s") or verb.endswith("ss"):
        return verb
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    if verb.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return verb[:-2]
    return verb[:-1]
