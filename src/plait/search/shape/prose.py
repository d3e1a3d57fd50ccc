"""Prose: whether words are a question, and how many words are few."""

from __future__ import annotations

import re
from collections.abc import Sequence

MAX_FEW = 3  # words that may stand beside a name, or without one
MAX_LISTED = 8  # words in a row without any that joins them
MAX_UNSPACED = 4  # characters of a name in a script that has no spaces

# Words that begin a question or a request.
OPENERS = frozenset(
    """are can could did do does explain find give how is list locate should show tell was were
    what what's when where where's which who whom whose why will would
    was warum welche welcher welches wer wie wieso wo woher wohin
    comment combien où pourquoi quand quel quelle qui
    cómo cuándo dónde qué quién por cuál
    где как какой когда кто почему что зачем""".split()
)
# Words that join others to a sentence.
JOINING = frozenset(
    """a after all an and any are as at be because been before between but by can do does for from
    has have i if in into is it its me my no not of off on or our out over so than that the their
    them then there these they this those through to under until up us via was we were what when
    where which while who why will with without would you your
    als am an auf aus bei bis das dem den der des die durch ein eine einen einer für ihr im ist mit
    nach nicht oder sind und von vor was werden wie wird zu zum zur über
    au aux avec ce dans de des du en est et la le les ne ou par pas pour que sans se sur un une
    con del el en es la las lo los no para pero por se sin sobre su un una y""".split()
)
# In scripts that are written without spaces: what makes a question of a run of signs.
UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0e7f]+")
ASKING = re.compile(
    r"什么|怎么|怎样|如何|为什么|为何|哪里|哪个|哪些|谁|吗|呢"
    r"|何|どこ|どう|どの|なぜ|誰|いつ|ますか|ですか|어디|어떻게|무엇|왜|누가|언제"
)


def is_few(words: Sequence[str]) -> bool:
    """Whether these are few words."""
    return len(words) <= MAX_FEW


def asks(words: Sequence[str]) -> bool:
    """Whether words are a question or a sentence rather than a list."""
    if not words:
        return False
    if words[-1].endswith(("?", "\uff1f")) or ASKING.search(" ".join(words)):
        return True
    plain = [word.strip(",.;:!").lower() for word in words]
    if plain[0] in OPENERS and len(words) > 1:
        return len(words) >= MAX_FEW
    is_joined = any(word in JOINING for word in plain)
    return len(words) > MAX_LISTED or (not is_few(words) and is_joined)


def is_question_unspaced(word: str) -> bool:
    """Whether one word is a sentence of a script that has no spaces."""
    if not UNSPACED.fullmatch(word):
        return False
    return len(word) > MAX_UNSPACED or ASKING.search(word) is not None
