"""The command line of ripgrep, as far as it is about finding lines.

Read by ``getopt``, because ripgrep lets later flags override earlier ones, takes values that
begin with a dash, and is started by editors for every key that is pressed.
"""

from __future__ import annotations

import getopt
from collections.abc import Sequence
from dataclasses import dataclass, field

from plait.errors import SettingError

HELP = """\
Usage: plait grep [OPTIONS] PATTERN [PATH...]
       plait grep [OPTIONS] -e PATTERN ... [PATH...]

Print every line below PATH in which a regular expression matches, from the index.
The options are ripgrep's, so that what calls rg can call plait grep.

Which lines
  -e, --regexp PATTERN     a pattern; may be given several times
  -F, --fixed-strings      patterns are texts, not regular expressions
  -i, -s, -S               ignore case, case-sensitive (default), smart case
  -w, --word-regexp        only whole words           -x, --line-regexp  only whole lines
  -v, --invert-match       lines that do not match    -m, --max-count N  at most N per file
  -U, --multiline          matches may span lines     --multiline-dotall  and . over line breaks
  --limit N                at most N in all           --timeout SECONDS  (default: 10)

Which files
  -g, --glob GLOB          only these; !GLOB: not these
  -t, --type LANG          only this language         -T, --type-not LANG  not this one
  -., --hidden             include hidden files       --no-ignore  include ignored files
  --include-secrets        include secret files, do not mask secrets

What is printed
  -A, -B, -C N             lines after, before, around each match
  -c, --count              matching lines per file    --count-matches  matches per file
  -l, --files-with-matches paths                      -q, --quiet  nothing: exit 0 if any matches
  -o, --only-matching      only what matches          --trim  no white space before a line
  -n, -N                   line numbers or not        --column  the column of the first match
  -H, -I                   paths or not               --heading, --no-heading  above the lines
  -0, --null               a zero byte after paths    -M, --max-columns N  leave out longer lines
  --vimgrep                path:line:column:text for each match
  --json                   ripgrep's messages         --stats  how many, on standard error
  --color WHEN             auto, always or never      -p, --pretty  as on a terminal
  --sort ORDER             path; none or rank for the best first (default)

Index
  --no-refresh             answer from the index as it is (--refresh: bring it up to date first)
  --store ADDRESS          a collection on a cluster; without PATH all of its repositories
  --strict                 exit 3 if the answer is partial or stale

Exit status: 0 lines found, 1 none, 2 error.
"""

# A value follows where the name ends in "=". One line an option: its names.
TAKEN = """
e regexp=|F fixed-strings|i ignore-case|s case-sensitive|S smart-case|w word-regexp|x line-regexp
v invert-match|m max-count=|U multiline|multiline-dotall|limit=|timeout=
g glob=|t type=|T type-not=|. hidden|no-ignore|u unrestricted
A after-context=|B before-context=|C context=|c count|count-matches|l files-with-matches|q quiet
o only-matching|trim|n line-number|N no-line-number|column|H with-filename|I no-filename|heading
no-heading|0 null|M max-columns=|max-columns-preview|vimgrep|json|stats|color=|p pretty|sort=
sort-files|include-secrets|refresh|no-refresh|store=|strict|h help
"""
# They are about how files are read, or ask for what is always so.
IGNORED = """
line-buffered|block-buffered|no-messages|no-config|no-require-git|no-ignore-parent|no-ignore-global
no-ignore-messages|crlf|L follow|no-follow|j threads=|mmap|no-mmap|no-unicode|no-pcre2|colors=
one-file-system|no-search-zip|no-multiline|no-hidden|no-column|no-trim|no-json|no-stats|no-encoding
dfa-size-limit=|regex-size-limit=|no-text|no-binary|type-add=|type-clear=
"""
NO_BINARIES = "binary files are not indexed"
REFUSED = {
    "P pcre2": "look-around and back-references are not supported",
    "z search-zip": "compressed files are not indexed",
    "a text": NO_BINARIES,
    "binary": NO_BINARIES,
    "r replace=": "plait grep prints lines as they are",
    "f file=": "give each pattern with -e",
    "files": "plait grep does not list files without a pattern",
    "files-without-match": "an index of lines cannot tell them",
    "passthru": "plait grep prints no lines that do not match",
    "null-data": "lines end at line breaks",
    "sortr=": "plait grep sorts by rank or path only",
    "pre=": "files are indexed as they are",
}
ONLY = {  # values that say what is so anyway
    "engine": (("default", "auto"), "look-around and back-references are not supported"),
    "encoding": (("utf-8", "utf8", "auto"), "text was read as UTF-8 when it was indexed"),
    "path-separator": (("/",), "paths are printed with /"),
}
CASES = {"ignore-case": "no", "case-sensitive": "yes", "smart-case": "auto"}
COUNTING = {"count", "count-matches"}  # the last of them counts
SWITCHES = {  # what a flag says about which question
    "line-number": ("numbers", True),
    "no-line-number": ("numbers", False),
    "with-filename": ("paths", True),
    "no-filename": ("paths", False),
    "heading": ("heading", True),
    "no-heading": ("heading", False),
}


@dataclass(slots=True)
class Arguments:
    """What was given: flags by their long names, values in order."""

    positional: list[str]
    flags: set[str] = field(default_factory=set)
    values: dict[str, list[str]] = field(default_factory=dict)
    case: str = "yes"
    switches: dict[str, bool] = field(default_factory=dict)
    bounds: str = ""  # the last of -w and -x
    before: int = 0
    after: int = 0

    def has(self, name: str) -> bool:
        return name in self.flags

    @property
    def fresh(self) -> bool | None:
        """Whether the index is to be brought up to date; None for the setting."""
        if self.has("no-refresh"):
            return False
        return True if self.has("refresh") else None

    def last(self, name: str, default: str = "") -> str:
        return self.values.get(name, [default])[-1]

    def number(self, name: str, default: int = 0) -> int:
        return _number(name, self.values[name][-1]) if name in self.values else default


def _table(text: str) -> dict[str, str]:
    """``-e`` and ``--regexp`` to ``regexp=``, for every option of a table."""
    found = {}
    for entry in text.replace("\n", "|").split("|"):
        *short, long = entry.split() or [""]
        found.update({f"-{letter}": long for letter in short})
        found[f"--{long.removesuffix('=')}"] = long
    return found


OPTIONS = {
    **_table(TAKEN),
    **_table(IGNORED),
    **_table("|".join(REFUSED)),
    **_table("|".join(f"{name}=" for name in ONLY) + "|E encoding="),
}
SILENT = frozenset(_table(IGNORED).values())
REASONS = {entry.split()[-1]: why for entry, why in REFUSED.items()}


def read(arguments: Sequence[str]) -> Arguments:
    """Read a command line.

    Raises:
        SettingError: An option is not known, cannot be honoured, or lacks its value.
    """
    short = "".join(
        f"{name[1]}{':' if long.endswith('=') else ''}"
        for name, long in OPTIONS.items()
        if name[1] != "-"
    )
    long_names = [long for long in dict.fromkeys(OPTIONS.values()) if long]
    try:
        pairs, rest = getopt.gnu_getopt(list(arguments), short, long_names)
    except getopt.GetoptError as error:
        raise SettingError(
            f"plait grep: {error.msg}", hint="plait grep --help lists what is accepted"
        ) from None
    given = Arguments(rest)
    for option, value in pairs:
        name = OPTIONS[option]
        if name not in SILENT:
            _take(given, option, name, value)
    return given


def _take(given: Arguments, option: str, name: str, value: str) -> None:
    if name in REASONS:
        raise SettingError(f"plait grep cannot do {option}: {REASONS[name]}")
    plain = name.removesuffix("=")
    if plain in ONLY:
        accepted, why = ONLY[plain]
        if value.lower() not in accepted:
            raise SettingError(f"plait grep cannot do {option} {value}: {why}")
    elif plain in CASES:
        given.case = CASES[plain]
    elif plain in SWITCHES:
        question, answer = SWITCHES[plain]
        given.switches[question] = answer
    elif plain in ("word-regexp", "line-regexp"):
        given.bounds = plain
    elif plain in ("after-context", "before-context", "context"):
        number = _number(option, value)
        given.after = given.after if plain == "before-context" else number
        given.before = given.before if plain == "after-context" else number
    elif name.endswith("="):
        given.values.setdefault(plain, []).append(value)
    else:
        if plain in COUNTING:
            given.flags -= COUNTING
        if plain == "unrestricted":
            plain = "hidden" if given.has("no-ignore") else "no-ignore"
        given.flags.add(plain)


def _number(name: str, value: str) -> int:
    if not value.isdecimal():
        raise SettingError(f"{name} takes a number, got {value!r}")
    return int(value)
