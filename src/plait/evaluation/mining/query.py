"""Queries: what a commit message asks for, once everything that is not said in words is cut.

Numbers of issues, prefixes of a convention, emoji and final stops tell a reader of the
history something, but nobody types them to find code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from plait.words import IDENTIFIER, STOP_WORDS, split

KINDS = (
    "build|chores?|ci|docs?|features?|feat|fix(?:es|ed)?|bug|bugfix|hotfix|perf|performance|"
    "refactor(?:ing)?|refact|style|tests?|wip|types?|typings|deps|release|improvements?|improve|"
    "enhancement|security|misc|cleanup|clean|fmt|lint|internal|maint|core|minor|breaking|revert"
)
CONVENTIONAL = re.compile(
    rf"(?i)^\[?({KINDS})\]?(?:[(\[][^)\]]*[)\]])?!?\]?\s*:+\s+|^\[({KINDS})\]\s+"
)
CALLED = r"(?:issues?|bugs?|tickets?|pr|prs|pull requests?|gh)"
CLOSING = (
    r"(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?|ref(?:erence)?s?|see(?: also)?|address(?:es)?|"
    r"implement(?:s|ed)?|relate[sd]?(?: to)?|re|via|from|part of|part \d+ of|towards|"
    r"backport(?: of)?|forwardport(?: of)?|follow-?up (?:to|on|of)|for|in|per|and|thanks)"
)
# A subject may come from anyone: no repetition can match the same text in two ways, and what
# may begin anywhere is bounded.
NUMBER = r"(?:[\w.-]{1,40}/[\w.-]{1,100})?(?:#|\bGH-|\bgh-)\d+\b"
NUMBERS = rf"{NUMBER}(?:(?:\s*(?:,|&|\+|/|and)){{1,9}}\s*{NUMBER})*"
BEFORE = rf"(?:\b{CLOSING}\b:?\s+){{0,5}}(?:\b{CALLED}\b:?\s*)?"
REFERENCE = f"{BEFORE}{NUMBERS}"
BRACKETED = re.compile(
    rf"(?i)\s*[(\[]\s*(?:{BEFORE}{NUMBER}(?:[\s,;&+/]+{BEFORE}{NUMBER})*|{CALLED}\s+\d+)\s*[)\]]:?"
)
LEADING = re.compile(rf"(?i)^{REFERENCE}(?:\s*[-:,;.\u2013\u2014]+)?\s+")
BARE = re.compile(rf"(?i)\s*[,;:\u2013\u2014-]{{0,9}}\s*\b{REFERENCE}|\s*{NUMBERS}")
# A tracker's key stands first; standards are named alike, but are not asked about by number.
KEY = re.compile(
    r"^\[?(?!(?:UTF|SHA|ISO|RFC|CVE|MD|AES|HTTP|ES|PEP|PSR|TLS|IPV|C|X|UCS|GB|BIG)-)"
    r"[A-Z][A-Z0-9]+-\d+\]?(?:[:,.]|\s+-)?\s+"
)
LINK = re.compile(r"(?i)(?:[,;]?\s*\b(?:see|at|from):?\s+)?\(?\bhttps?://\S+")
BRANCH = re.compile(
    r"(?i)^\[[^\]]*\d+\.(?:\d+|x)[^\]]*\]\s*|\s*\[(?:ci skip|skip ci|no ci|ci|skip changelog)\]"
)
SHORTCODE = re.compile(r"(?:(?<=\s)|^):[a-z0-9_+-]+:(?=\s|$)")
EMOJI = re.compile(
    "[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\u2190-\u21ff\u2300-\u23ff\u200d\ufe0f\u20e3]"
)
EDGES = " \t.,;:!-\u2013\u2014*#"
TRAILER = re.compile(r"(?i)^(?:[a-z]+(?:-[a-z]+)+|change-id|cc|pr-url|refs?|fixes|closes?): *\S")

REMOVAL = re.compile(r"(?i)^(?:remov|drop|delet|get(?:ting)? rid|eliminat|kill|nuke)\w*\b")
# Written as code: in backticks, called, joined, or with a hump in it.
NAME = re.compile(
    r"`[^`]+`|[\w$]+(?:(?:\.|::|\#|->|/)[\w$]+)*\(\)?|[\w$]+(?:(?:\.|::|\#|->)[\w$]+)+"
    r"|\w+_\w+|\b[A-Za-z]*[a-z0-9][A-Z]\w*"
)

# What commits are about is not among these: they tell what was done, to whatever it was.
GENERIC = frozenset(
    """add added adding adds address allow allows also another avoid better bit bug bugs bugfix
    change changed changes check clean cleaned cleaner cleaning cleanup cleanups code comment
    comments correct correctly couple doc docs document documentation drop dropped due enable
    ensure error errors example examples extra few file files final fix fixed fixes fixing
    function functions general handle handling implement implementation improve improved
    improvement improvements improves improving initial instead introduce issue issues just last
    let little main make makes making method methods minor misc missing more move moved moves new
    now old one part possible prevent problem proper properly put quick reduce refactor
    refactored refactoring release remove removed removes removing rename renamed renames replace
    replaced reword rework rewrite set several simple simplify simplified simplification slight
    slightly small some stuff support supports switch test tested testing tests thing things tidy
    tweak tweaks unnecessary unneeded unused update updated updates updating usage use used uses
    using various version way we when wip without work working works wrong""".split()
)


def query_of(subject: str) -> str:
    """A subject as somebody might have typed it to find the code."""
    text = SHORTCODE.sub(" ", EMOJI.sub(" ", BRANCH.sub("", subject))).strip()
    text = cut_references(text)
    for _ in range(2):  # "fix: docs: ..."
        text = KEY.sub("", CONVENTIONAL.sub("", text, count=1), count=1).strip()
    text = LEADING.sub("", text)
    return " ".join(text.split()).strip(EDGES)


def cut_references(text: str) -> str:
    """A text without links and numbers of issues, white space made even."""
    text = " ".join(text.split())
    for pattern in (LINK, BRACKETED, LEADING, BARE):
        text = pattern.sub("", text)
    return text


def body_of(body: str) -> str:
    """The paragraphs of a body, less its trailers and numbers of issues."""
    lines = [line.strip() for line in body.splitlines() if not TRAILER.match(line.strip())]
    kept = [cut_references(line).strip() for line in lines]
    return "\n".join(line for line in kept if line.strip(EDGES))


def kind_of(subject: str) -> str:
    """The type a conventional commit gives itself, in lower case; "" without one."""
    found = CONVENTIONAL.match(subject)
    return (found[1] or found[2]).lower() if found else ""


def telling_words(query: str) -> set[str]:
    """The distinct words that narrow down what a query is about; names count by their parts."""
    words = [split(word) for word in IDENTIFIER.findall(query)]
    telling = {
        part
        for parts in words
        for part in parts
        if len(parts) > 1 or part not in STOP_WORDS | GENERIC
    }
    return {part for part in telling if len(part) > 1 and not part.isdecimal()}


def removes_what_is_gone(query: str, contents: Iterable[bytes]) -> bool:
    """Whether a query speaks of taking a name away, and the name stands in no file left."""
    if REMOVAL.match(query) is None:
        return False
    names = [re.split(r"[^\w$]+", name.rstrip("()`"))[-1] for name in NAME.findall(query)]
    wanted = [name.encode() for name in names if name]
    return bool(wanted) and not any(name in content for content in contents for name in wanted)


def mentions(query: str, names: Iterable[str]) -> bool:
    """Whether a query holds one of the names as a whole word, in whatever case."""
    found = "|".join(re.escape(name) for name in names if name)
    return bool(found) and re.search(rf"(?i)(?<!\w)(?:{found})(?!\w)", query) is not None
