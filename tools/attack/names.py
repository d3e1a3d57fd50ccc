"""Names: files called as nothing should be called, and found all the same or left out in words."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from tools.attack.bench import Bench, Case
from tools.attack.files import git

WORD = "hostilename"
PLAIN = (
    *(
        "-rf",
        "--help",
        "-",
        "--",
        "-n",
        "--json",
        "@file",
        "~",
        "~root",
        "$HOME",
        "${PATH}",
        "%s%n",
    ),
    *(
        "$(touch x)",
        "`touch x`",
        "; touch x",
        "| touch x",
        "& touch x",
        "> x",
        "< x",
        "*",
        "?",
        "[a-z]",
    ),
    *(
        "{a,b}",
        "!x",
        "#x",
        ":x",
        ":/",
        ":(glob)**",
        ":(exclude)*",
        ":!x",
        "::",
        "a:b:1:2",
        "a b",
        " a ",
    ),
    *(
        "'",
        '"',
        "\\",
        "\\\\server\\share",
        "C:",
        "C:\\x",
        "con",
        "nul",
        "aux.c",
        "COM1",
        "lpt1.txt",
    ),
    *(
        "a.",
        "a ",
        "...",
        ".. ",
        "git~1",
        ".GIT",
        ".git ",
        ".git.",
        ".giT",
        "\u2024git",
        ".g\u0131t",
    ),
    *("HEAD", "refs", "index", "config", ".gitmodules", ".gitattributes", ".mailmap", ".plait"),
    *(
        "e\u0301",
        "\u00e9",
        "\ufb01",
        "\u0130",
        "\u1e9e",
        "\u200b",
        "\u200d",
        "\ufeff",
        "\U000e0001",
        "\u2028",
    ),
    *(
        "\u202e" + "yp.x",
        "\u2066a",
        "\x01",
        "\x07",
        "\x1b[2J",
        "\x1b]0;t\x07",
        "\r",
        "\n",
        "\t",
        "\x7f",
        "\x9b2J",
    ),
    *(
        "a\nforged.py:1: forged",
        "a\rforged.py:1: x",
        "a\n\nb",
        "<script>alert(1)</script>",
        "]]>",
        "--x-->",
    ),
    *(
        "{{7*7}}",
        "```",
        "</code>",
        "'; DROP TABLE x; --",
        "a" * 200,
        "\u4e2d" * 60,
        "\U0001f4a9" * 40,
    ),
    *(
        "CURRENT",
        "manifest.json",
        "lock",
        "__proto__",
        "constructor",
        "null",
        "None",
        "true",
        "0",
        "-1",
    ),
    *(
        "%00",
        "%2e%2e%2f",
        "..%2f",
        "\\x00",
        "\\n",
        "&#x3c;",
        "file://x",
        "http://x",
        "ext::sh -c x",
    ),
)
BYTES = (
    b"\xff",
    b"\xfe\xff",
    b"\xc0\x80",
    b"\xed\xa0\x80",
    b"\x80",
    b"a\xffb",
    b"\xf8\x88\x80\x80\x80",
)
CHARACTERS = [
    *(chr(code) for code in (*range(1, 32), 127, *range(0x80, 0xA0)) if code != 47),
    *"\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029\ufeff\ufff9",
]


VERBS = (
    ("grep", WORD, "{tree}"),
    ("grep", "--json", WORD, "{tree}"),
    (WORD, "{tree}", "-n", "400", "--per-file", "0"),
    ("symbols", WORD, "{tree}"),
    ("index", "-v", "{tree}"),
    ("status", "{tree}"),
)


def every() -> dict[str, bytes]:
    """Every name, by what it is called in a report."""
    found = {}
    texts = [*PLAIN, *(f"x{char}y" for char in CHARACTERS), *(f"{char}.py" for char in CHARACTERS)]
    for raw in [*(os.fsencode(text) for text in texts), *BYTES]:
        if 0 < len(raw) < 240 and b"/" not in raw and raw not in (b".", b".."):
            found[repr(raw)[1:]] = raw
    return found


def cases() -> Iterator[Case]:
    """As files, as folders, and as files git tracks."""
    names = every()
    for kind in ("file", "folder", "tracked"):
        things = tuple(f"{kind} {name}" for name in names)
        yield Case(f"names of a {kind}", things, _act)


def _act(bench: Bench, things: Sequence[str]) -> None:
    bench.plant_good()
    names = every()
    kind = things[0].partition(" ")[0]
    raw_names = {thing: names[thing.partition(" ")[2]] for thing in things}
    for number, raw in enumerate(raw_names.values()):
        _plant(os.fsencode(bench.tree / f"n{number}"), raw, kind, number)
    if kind == "tracked":
        git(bench.tree, "init", "-q")
        git(bench.tree, "add", "-A")

    def blamed(words: str) -> str:
        """The thing whose name holds a character that was printed raw."""
        chars = {chr(int(code, 16)) for code in re.findall(r"U\+([0-9A-F]{4,6})", words)}
        guilty = (thing for thing, raw in raw_names.items() if chars & set(os.fsdecode(raw)))
        return next(guilty, "")

    bench.finds_good(blame=blamed)
    for arguments in VERBS:
        told = [part.format(tree=bench.tree) for part in arguments]
        ran = bench.run(*told, blame=blamed)
        if any(line.startswith("forged.py:1") for line in ran.said.splitlines()):
            for thing in [thing for thing in things if "forged" in thing] or [""]:
                bench.breaks(thing, "a name forges a line of output", " ".join(arguments))
        if arguments == VERBS[0]:
            for number, (thing, raw) in enumerate(raw_names.items()):
                if f"{WORD}_{number}(" not in ran.out and not _may_miss(raw):
                    bench.breaks(thing, f"its content is not found: {ran.err[-100:]!r}")


def _plant(folder: bytes, raw: bytes, kind: str, number: int) -> None:
    os.mkdir(folder)  # noqa: PTH102 - a name of bytes
    path = folder + b"/" + raw
    if kind == "folder":
        os.mkdir(path)  # noqa: PTH102 - a name of bytes
        path += b"/inner"
    if not path.endswith(b".py"):
        path += b".py"
    with open(path, "wb") as file:  # noqa: PTH123 - a name of bytes
        file.write(f"def {WORD}_{number}():\n    return {number}\n".encode())


def _may_miss(raw: bytes) -> bool:
    """Names that are left out, in words: hidden, no text, or git's own."""
    return raw.startswith(b".") or raw in BYTES or b"git" in raw.lower()
