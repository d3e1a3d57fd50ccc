"""Prefixes: what stands before a message in a log or on a terminal, and not in the code."""

from __future__ import annotations

import re
from typing import NamedTuple

from plait.messages.values import TIME

KIND = (
    r"(?P<kind>(?:[A-Za-z_][\w$]*(?:\.|::|\\))*(?:[A-Z_]\w*)?"
    r"(?:Error|Exception|Warning|Failure|Fault|Interrupt|Invalid|NotFound|Missing|Failed)\w*)"
)
UPPER = "TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL|CRIT|SEVERE|ALERT|PANIC"
LOWER = "trace|debug|info|notice|warn|warning|error|fatal|critical"
# Any of these shows that a program wrote the line.
SURE = re.compile(
    rf"""\s*(?:
      \[?\(?(?:{TIME})\)?\]?(?=[\s|:,-])[|:,-]?
    | [\[(<|]?\s*(?:{UPPER})\s*[\])>|]?:?(?=\s|\Z)
    | [\[(](?:{LOWER})[\])]:?
    | [IWEF]\d{{4}}\s[\d:.]+\s+\d+\s[\w.-]+:\d+\]
    | (?:{LOWER}|panic|note|failure|(?:fatal|internal|compile)\ error|fatal\ exception)
      (?:\[\w+\]|\ \w+\d+)?:(?=\s)
    | PHP\ (?:\w+\ error|Warning|Notice|Deprecated):(?=\s)
    | [\w./-]+\[\d+\]:(?=\s)
    | npm\ (?:ERR!|error)(?=\s) | E\ {{2,}}
    | (?:Error|Fatal|Failure|Fatal\ error|Panic|Uncaught|Unhandled)(?:\ \w+)?(?:\[\w+\])?:(?=\s)
    | thread\ '[^'\n]*'(?:\ \(\d+\))?\ panicked\ at\ (?:[^\s:']+:\d+:\d+:)?
    | (?:Exception\ in\ thread\ "[^"\n]*" | Caused\ by:? | Uncaught(?:\ \(in\ promise\))?
        | Unhandled\ rejection | goroutine\ \d+\ \[[\w\ ]+\]: | panic:
        | Traceback\ \(most\ recent\ call\ last\):)(?=\s|\Z)
    | {KIND}(?:\ \[\w+\])?(?:\ \(\w+\))?:(?=\s|\Z)
    | [\w./\\@+-]+\.\w{{1,5}}(?::\d+(?::\d+)?:|\(\d+(?:,\d+)?\):)(?:in\ [`'][^'\n]+':)?(?=\s)
    )""",
    re.VERBOSE,
)
# What may stand between them: a thread, a logger, a process, a dash.
FILLER = re.compile(
    r"""\s*(?:
      [\[(<][^\[\]()<>\n]{1,60}[\])>](?=[\s:]):?
    | [\w$-]+(?:(?:::|[.$:/])[\w$-]+)+\s*(?:-|:|\|)(?=\s)
    | (?:main|root|http|worker|server)(?=\s+[-:|]\s)
    | pid[:=]\d+ | [-:|>,]+(?=\s) | \d+(?=\s)
    )""",
    re.VERBOSE,
)


class Prefix(NamedTuple):
    """What stands before a message."""

    end: int  # where the message begins
    kind: str  # the class of the error, without its package; "" if none is named


def prefix_of(line: str) -> Prefix | None:
    """The prefix of a line that a program wrote; None if nothing shows that one did."""
    end, kind, is_sure = 0, "", False
    while True:
        found = SURE.match(line, end)
        if found is not None and found.end() > end:
            is_sure = True
            kind = kind or bare_name(found["kind"] or "")
        else:
            found = FILLER.match(line, end)
            if found is None or found.end() == end:
                return Prefix(end, kind) if is_sure else None
        end = found.end()


def bare_name(kind: str) -> str:
    """The name of a class without its package."""
    return re.split(r"\.|::|\\", kind)[-1]
