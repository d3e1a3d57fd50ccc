"""Syntax: how the query language is written, to be read and to be shown again.

People paste code into search boxes, and code is full of colons, slashes, dashes and
parentheses. So a character is syntax only where it could not be code: at the start of
a token, with its partner in place. Everything else is a word.

One compiled scanner walks the text once. Parentheses are settled here, so the parser
sees only pairs: those glued to a name (``f(x, y)``) make a call, all of which is text;
those without a partner, or around nothing, are text as well. A call that never closes
was no call, and the text is scanned once more without that notion; hence linear time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from plait.types import Relation

SPELLINGS = {
    "lang": "lang l language",
    "path": "path file f",
    "repo": "repo r",
    "symbol": "symbol sym def",
    **{name: name for name in ("kind", "is", "type", "content", "regex", "text", "case")},
    **{name: name for name in ("calledby", "rev", "branch")},
    **{relation.lower(): relation.lower() for relation in Relation},
}
CANONICAL = {spelling: name for name, all_ in SPELLINGS.items() for spelling in all_.split()}


class Token(NamedTuple):
    """A piece of a query. A filter's ``text`` is its value, its ``name`` the canonical one."""

    kind: str  # phrase, pattern, open, close, minus, filter, word, OR, AND or NOT
    text: str
    start: int
    end: int
    name: str = ""


class Scanned(NamedTuple):
    """The tokens of a text, and what was odd about it."""

    tokens: list[Token]
    lone_quote: bool = False
    lone_parenthesis: bool = False
    unknown_names: tuple[str, ...] = ()  # names before a colon that are no filter's
    is_whole: bool = True  # no parenthesis, quote or slash waits for a partner


OPERATORS = {"OR": "OR", "|": "OR", "AND": "AND", "NOT": "NOT"}
QUOTED = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
PLAIN = r"(?!(?:OR|AND|NOT)(?:\s|\Z))\w++(?=\s|\Z)"
SLASHED = r"[^/\\]*+(?:\\.[^/\\]*+)*+/i?+(?=[\s)]|\Z)"

# Plain words are read in one run, for speed, unless only the first of them is negated.
# A pattern cannot begin with white space (``a / b / c`` divides) or with a repetition
# (``/* a comment */``). A dash before a digit, another dash or ``>`` is not a negation.
SCANNER = re.compile(
    rf"""\s*+(?:
      (?P<run>{PLAIN}(?:\s++{PLAIN})*+)
    | (?P<phrase>{QUOTED})
    | (?P<pattern>/(?![/\s*+?]){SLASHED})
    | (?P<open>\((?!\)))
    | (?P<minus>-(?=[^\W\d]|["/$@#.*]|\((?!\))))
    | (?P<filter>[A-Za-z]++:(?!:|//)(?=\S))
    | (?P<word>\S++)
    )""",
    re.VERBOSE | re.DOTALL,
)
SINGLE = re.compile(SCANNER.pattern.replace("(?P<run>", "(?P<run>(?!)"), SCANNER.flags)
WORD = re.compile(r"\s*+(?P<word>\S++)")
VALUE = re.compile(rf"/(?!/){SLASHED}|(?:{QUOTED}|\S)++", re.DOTALL)
IS_QUOTED = re.compile(QUOTED, re.DOTALL)
IS_SLASHED = re.compile(rf"/(?!/){SLASHED}", re.DOTALL)
IS_BARE = re.compile(r"[\w.*?@+#~][\w.*?@+#~/:-]*+")
ITEM_PARTS = re.compile(rf"{QUOTED}|[^,\"(\[{{<>}}\])]+|.", re.DOTALL)
BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")
MAX_GLOBS = 32  # that one value with braces becomes
STARTS_CALL = re.compile(r"[\w\])>]\(")
# A slash that what comes after the text could still make a pattern of.
OPEN_SLASH = re.compile(r"(?:\A|\s)/(?![/*+?\s]|[^/\\\s]++/(?!i?(?:[\s)]|\Z)))")


def scan(text: str) -> Scanned:
    """Cut a query into tokens whose parentheses pair up."""
    scanned, open_call = _scan(text, calls=True)
    if open_call:
        return _scan(text, calls=False)[0]._replace(is_whole=False)
    return scanned


def _scan(text: str, calls: bool) -> tuple[Scanned, bool]:
    tokens: list[Token] = []
    unknown_names: list[str] = []
    has_parentheses = lone_quote = False
    depth = 0  # of the parentheses of a call
    at = 0
    scanner = SCANNER
    while found := (WORD if depth else scanner).match(text, at):
        group = found.lastgroup or "word"
        start, at = found.span(group)
        if group == "run":
            words = " ".join(text[start:at].split())
            tokens.append(Token("word", words, start, at))
            continue
        scanner = SCANNER
        if group == "filter":
            token = _filter(text, start, at)
            if token is not None:
                tokens.append(token)
                at = token.end
                continue
            unknown_names.append(text[start : at - 1])
            at = WORD.match(text, start).end()  # type: ignore[union-attr]  # the name is there
        elif group != "word":
            has_parentheses = has_parentheses or group == "open"
            scanner = SINGLE if group == "minus" else SCANNER
            tokens.append(Token(group, text[start:at], start, at))
            continue

        word = text[start:at]
        end = at
        if "(" in word or ")" in word:
            balance = depth + word.count("(") - word.count(")")
            end -= min(max(-balance, 0), len(word) - len(word.rstrip(")")))
            if depth or (calls and STARTS_CALL.search(word)):
                depth = max(balance, 0)
            word = text[start:end]
        if word:
            kind = "word"
            if word in OPERATORS and not depth and text[start - 1 : start] != "-":
                kind = OPERATORS[word]
                scanner = SCANNER if kind == "OR" else SINGLE
            lone_quote = lone_quote or (word[0] == '"' and not depth)
            tokens.append(Token(kind, word, start, end))
        for place in range(end, at):
            has_parentheses = True
            tokens.append(Token("close", ")", place, place + 1))

    scanned = _pair(tokens) if has_parentheses else Scanned(tokens)
    if lone_quote:
        scanned = scanned._replace(lone_quote=True, is_whole=False)
    return scanned._replace(
        unknown_names=tuple(unknown_names)
    ) if unknown_names else scanned, depth > 0


def _filter(text: str, start: int, colon: int) -> Token | None:
    """The filter whose name ends at ``colon``; none if that is no filter or has no value."""
    spelling = text[start : colon - 1]
    # One capital letter is a drive, as in F:\dir.
    name = CANONICAL.get(spelling if len(spelling) == 1 else spelling.lower())
    found = VALUE.match(text, colon)
    if name is None or found is None:
        return None
    value = found.group()
    if ")" in value:
        bare = IS_QUOTED.sub("", value)
        surplus = bare.count(")") - bare.count("(")
        value = value[: len(value) - min(max(surplus, 0), len(value) - len(value.rstrip(")")))]
    return Token("filter", value, start, colon + len(value), name) if value else None


def _pair(tokens: list[Token]) -> Scanned:
    """Make words of parentheses that have no partner or nothing inside, glued as typed."""
    opened: list[int] = []
    alone: list[int] = []
    empty: list[int] = []
    for index, token in enumerate(tokens):
        if token.kind == "open":
            opened.append(index)
        elif token.kind == "close":
            if not opened:
                alone.append(index)
            elif opened[-1] == index - 1:
                empty += (opened.pop(), index)
            else:
                opened.pop()
    alone += opened
    demoted = {*alone, *empty}
    if not demoted:
        return Scanned(tokens)
    # The dash before a parenthesis that is text is text as well.
    demoted |= {i - 1 for i in demoted if i and tokens[i - 1].kind == "minus"}
    settled: list[Token] = []
    for index, token in enumerate(tokens):
        word = token._replace(kind="word") if index in demoted else token
        last = settled[-1] if settled else None
        if last and last.kind == word.kind == "word" and last.end == word.start:
            settled[-1] = Token("word", last.text + word.text, last.start, word.end)
        else:
            settled.append(word)
    return Scanned(settled, lone_parenthesis=bool(alone), is_whole=False)


# ---------------------------------------------------------------- values


def quote(text: str) -> str:
    """Text in quotation marks, such that ``unquote`` gives it back."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def unquote(quoted: str) -> str:
    """What stands between quotation marks. Only they and backslashes can be escaped."""
    return re.sub(r'\\(["\\])', r"\1", quoted[1:-1])


def slash(regex: str) -> str:
    """A regular expression between slashes, such that ``unslash`` gives it back."""
    return "/" + re.sub(r"(?s)\\.|/", lambda m: "\\/" if m[0] == "/" else m[0], regex) + "/"


def unslash(slashed: str) -> tuple[str, bool]:
    """The regular expression between slashes, and whether ``i`` follows it."""
    body, _, flag = slashed[1:].rpartition("/")
    return unescape_slashes(body), flag == "i"


def unescape_slashes(regex: str) -> str:
    """A regular expression without the backslashes that only its delimiter needs."""
    return re.sub(r"(?s)\\(.)", lambda m: "/" if m[1] == "/" else m[0], regex)


def items(value: str) -> Iterator[tuple[str, bool]]:
    """The values between commas, and whether each was quoted.

    Commas within quotation marks or brackets (``Map<K,V>``, ``*.{c,h}``) do not count.
    """
    if "," not in value:
        yield _item(value)
        return
    piece = ""
    depth = 0
    for part in ITEM_PARTS.findall(value):
        if part == "," and depth <= 0:
            yield _item(piece)
            piece = ""
            continue
        if part in "([{<>}])":
            depth += 1 if part in "([{<" else -1
        piece += part
    yield _item(piece)


def _item(piece: str) -> tuple[str, bool]:
    if piece[:1] == '"' and IS_QUOTED.fullmatch(piece):
        return unquote(piece), True
    return piece, False


def expand_braces(glob: str) -> list[str]:
    """``*.{c,h}`` as ``*.c`` and ``*.h``; what would become too many stays as it is."""
    globs = [glob]
    while len(globs) <= MAX_GLOBS and (found := BRACES.search(globs[0])):
        choices = found[1].split(",")
        globs = [one.replace(found[0], choice, 1) for one in globs for choice in choices]
    return [one for one in globs if one] if len(globs) <= MAX_GLOBS else [glob]
