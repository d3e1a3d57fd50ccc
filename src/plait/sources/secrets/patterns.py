"""Patterns: where in a text may secrets stand?

One pattern finds all places worth a look in one pass, quickly and loosely; those of a place
say exactly what is there. All run on RE2, over bytes.
"""

from __future__ import annotations

import re
from typing import Any

import re2
from re2 import _re2

from plait.sources.secrets.shapes import SHAPES

UNANCHORED = _re2.RE2.Anchor.UNANCHORED
AT_START = _re2.RE2.Anchor.ANCHOR_START
MEMORY_BYTES = 32 << 20

# What secrets are called. Those of PASSWORDS people make up themselves.
PASSWORDS = r"passw(?:or)?d|passphrase|passwd|pwd|identified by"
KEYS = (
    r"secret|token|(?:api|access|account|auth|private|signing|encryption|master|shared|client|"
    r"license|session|crypt|app|access|storage|admin|deploy|service|consumer|subscription)"
    r"[_-]?key|credential|jwt|dsn|_auth\b|\bpass\b"
)
CALLED = rf"(?i:{PASSWORDS}|{KEYS})"
NAME = rf"{CALLED}[\w-]*"
BEHIND = r"[\"'`\\\])]{0,4}"  # what closes a name
GAP = r"[^\"'`\n]{0,40}(?:[=(:,\\]\r?\n[ \t]{0,60})?"  # a value may stand on the next line
# Where a value follows without a sign: options of a command, an image's variables, .netrc.
TOLD = r"(?:--[\w-]{0,30}|ENV[ \t]+\w{0,30}|login[ \t]+[^\s]{1,60}[ \t]+)"


def _compiled(regex: str, *, groups: bool) -> Any:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = MEMORY_BYTES
    options.never_capture = not groups
    options.encoding = re2.Options.Encoding.LATIN1
    compiled = _re2.RE2(regex.encode(), options)
    assert compiled.ok(), regex
    return compiled


def _near(mark: str, rest: str) -> str:
    """A mark and the first letters behind it: enough to look closer."""
    alphabet = re.match(r"\[[^\]]+\]", rest)
    return f"{mark}{alphabet[0]}" + "{8}" * (mark != "-us") if alphabet else mark


KEY_BLOCK = r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
PUTTY = r"PuTTY-User-Key-File-[0-9]"
URL = r"://[^\s/\"'`@:<>]{0,64}:[^\s/\"'`<>]{3,}@"
COMMAND = r"(?:mysql\w{0,12}|mariadb|sshpass)[ \t]"
HEADER = r"(?i:bearer|basic)[ \t]+[A-Za-z0-9._~+/=-]{12}"

TRIGGER = _compiled(
    "|".join(
        (
            *(_near(shape.mark, shape.rest) for shape in SHAPES),
            KEY_BLOCK,
            PUTTY,
            URL,
            HEADER,
            COMMAND,
            rf"{NAME}{BEHIND}{GAP}[\"'`][^\s\"'`]{{8}}",
            rf"{NAME}[\"'\]]{{0,2}}[ \t]{{0,20}}[:=>]{{1,2}}[ \t]{{0,20}}[^\s\"'`]{{8}}",
            rf"{TOLD}{NAME}[ \t]{{1,4}}[^\s\"'`=:]{{8}}",
            r"(?:-u|--user)[ =]?[\"']?[\w.-]{1,40}:[^\s\"']{8}",
        )
    ),
    groups=False,
)
SHAPE = _compiled(
    "|".join(f"{shape.mark}{shape.rest}" for shape in SHAPES if not shape.lead), groups=False
)
LED_SHAPE = _compiled(
    "|".join(f"{shape.lead}{shape.mark}{shape.rest}" for shape in SHAPES if shape.lead),
    groups=False,
)
NAMED = _compiled(f"({CALLED})([\\w-]*)", groups=True)
# Behind a name: what leads to a value in quotes, or to one without, and the values.
TO_QUOTE = _compiled(rf"{BEHIND}{GAP}[\"'`]", groups=False)
TO_BARE = _compiled(r"[\"'\]]{0,2}[ \t]{0,20}(?:=>|:=|=|:|>)[ \t]{0,20}", groups=False)
VALUES = {
    quote: _compiled(regex, groups=False)
    for quote, regex in (
        (b'"', r"(?:\\.|[^\"\\\s]){8,}\""),
        (b"'", r"(?:\\.|[^'\\\s]){8,}'"),
        (b"`", r"[^`\s]{8,}`"),
        (b"\\", r"[^\"'`\\\s]{8,}\\"),
        (b"", r"[^\s\"'`<>]{8,}"),
    )
}
FOLLOWING = _compiled(rf"{TOLD}{NAME}[ \t]{{1,4}}([^\s\"'`=:]{{8,}})", groups=True)
IN_URL = _compiled(r"://[^\s/\"'`@:<>]{0,64}:([^\s/\"'`<>]{3,200})@", groups=True)
IN_HEADER = _compiled(r"(?i:(bearer)|basic)[ \t]+([A-Za-z0-9._~+/=-]{12,})", groups=True)
FOR_COMMAND = _compiled(
    r"(?:(?:mysql\w{0,12}|mariadb)[ \t](?:[^\n|;&]{0,80}[ \t])??-p|"
    r"sshpass[ \t]+(?:-[^p\s]+[ \t]+)?-p[ \t]*)[\"']?([^\s\"'`|;&)]{3,200})",
    groups=True,
)
FOR_USER = _compiled(r"(?:-u|--user)[ =]?[\"']?[\w.-]{1,40}:([^\s\"']{8,})", groups=True)
