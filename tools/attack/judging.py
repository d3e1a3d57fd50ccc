"""What must hold of every command, whatever it was pointed at."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tools.attack.running import Ran, arguments_of
from tools.attack.trace import CHANGES, CONNECTS, EXECUTES, OPENS, Call

CALM_EXITS = frozenset({0, 1, 2, 3})
MAX_CPU_S = 60.0
MAX_RSS_BYTES = 700 << 20  # the command maps its index and a model; workers have 512 MB
READING = frozenset(
    "rev-parse ls-files cat-file check-ignore log rev-list diff-tree for-each-ref show-ref"
    " ls-tree config var version symbolic-ref merge-base diff show name-rev --version".split()
)
TAKES_A_VALUE = frozenset({"-C", "-c", "--git-dir", "--work-tree", "--config-env", "--exec-path"})
# What an interpreter, the C library and git read of a system they run on, and nothing else.
OF_THE_SYSTEM = (
    "/dev/null /dev/urandom /dev/random /dev/zero /dev/tty /dev/shm /etc/ld.so.cache"
    " /etc/ld.so.preload /etc/localtime /etc/gitconfig /etc/nsswitch.conf /etc/passwd /etc/group"
    " /etc/hosts /etc/resolv.conf /etc/host.conf /etc/gai.conf /etc/ssl /lib /lib64 /usr/lib"
    " /usr/lib64 /usr/local/lib /usr/share/locale /usr/share/zoneinfo /usr/share/git-core"
    " /usr/lib/git-core /usr/share/ca-certificates /proc /sys/devices/system /sys/fs/cgroup"
    " /sys/kernel/mm /etc/locale.alias /usr/share/locale"
).split()
FORBIDDEN_IN_PROC = re.compile(r"/(environ|mem|maps|root|cwd)$")
CALM_CONTROLS = frozenset("\n\t")


@dataclass(frozen=True, slots=True)
class Rules:
    """What a command may run, reach, read and write."""

    programs: frozenset[str]
    program_folders: tuple[str, ...]
    readable: tuple[str, ...]
    writable: tuple[str, ...]
    reachable: frozenset[str] = frozenset()  # host:port of endpoints the user named
    max_cpu_s: float = MAX_CPU_S
    max_rss_bytes: int = MAX_RSS_BYTES
    hidden: tuple[str, ...] = ()  # texts no command may print or hand to a process
    listable: frozenset[str] = frozenset()  # folders that may be opened themselves: to be synced
    own: str = ""  # the checkout plait runs from, whose state an evaluation records
    raw_output: bool = False  # control characters are judged elsewhere
    exits: frozenset[int] = field(default=CALM_EXITS)


def plain_rules(plait: Path) -> Rules:
    """What commands of an installation may do wherever they run, before a tree's own folders."""
    python = plait.with_name("python")
    probe = (
        "import sys, plait; print(sys.prefix); print(sys.base_prefix); print(plait.__path__[0]);"
        "print(sys.executable)"
    )
    prefix, base, package, executable = _told([str(python), "-c", probe]).split("\n")
    git = shutil.which("git") or "/usr/bin/git"
    core = _told([git, "--exec-path"])
    programs = {str(plait), str(python), os.path.realpath(python), executable, git}
    programs |= {os.path.realpath(git), f"{core}/git"}
    folders = tuple(str(Path(at) / "bin") for at in (prefix, base))
    readable = [prefix, base, str(Path(package).parent), core, *OF_THE_SYSTEM]
    own = Path(package).parents[1]
    if (own / ".git").exists():  # an editable installation
        asked = [git, "-C", str(own), "rev-parse", "--path-format=absolute", "--git-common-dir"]
        return Rules(
            frozenset(programs), folders, (*readable, str(own), _told(asked)), (), own=str(own)
        )
    return Rules(frozenset(programs), folders, tuple(readable), ())


def _told(command: list[str]) -> str:
    return subprocess.run(
        command, capture_output=True, text=True, check=True, cwd="/"
    ).stdout.strip()


def complaints(ran: Ran, rules: Rules) -> Iterator[str]:
    """Everything that does not hold, each as a sentence."""
    if ran.is_late:
        yield f"it hung: not done after {ran.command.seconds:.0f} s"
    elif ran.exit not in rules.exits:
        yield f"it ended with {ran.exit}: {ran.err[-200:]!r}"
    if "Traceback (most recent call last)" in ran.said:
        yield f"it printed a traceback: {ran.err[-200:]!r}"
    if "plait has a bug" in ran.said:
        yield f"it calls itself broken: {_line_with(ran.err, 'plait has a bug')!r}"
    if ran.cpu_s > rules.max_cpu_s:
        yield f"it took {ran.cpu_s:.0f} CPU-s, more than {rules.max_cpu_s:.0f}"
    if ran.rss_bytes > rules.max_rss_bytes:
        yield f"it took {ran.rss_bytes >> 20} MB, more than {rules.max_rss_bytes >> 20}"
    for text in rules.hidden:
        if text in ran.said:
            yield f"it printed {text!r}"
    if not rules.raw_output:
        for char in sorted(raw_controls(ran.said)):
            yield f"it printed U+{ord(char):04X} raw"
    for call in ran.calls:
        yield from _of_call(call, rules)


def raw_controls(text: str) -> set[str]:
    """Control and bidirectional characters that would act on a terminal."""
    plain = text.replace("\r\n", "\n")  # how a line of code may end
    return {char for char in set(plain) - CALM_CONTROLS if is_hostile(char)}


def is_hostile(char: str) -> bool:
    """Whether a character moves, hides or reorders what stands around it."""
    if "\udc80" <= char <= "\udcff":  # a byte that is no UTF-8, passed through
        return 0x80 <= ord(char) - 0xDC00 <= 0x9F
    return unicodedata.category(char) == "Cc" or unicodedata.bidirectional(char) in (
        *("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"),
    )


def _line_with(text: str, part: str) -> str:
    return next((line for line in text.splitlines() if part in line), "")


def _of_call(call: Call, rules: Rules) -> Iterator[str]:
    if call.name in EXECUTES:
        if call.result == 0:
            yield from _of_program(call, rules)
    elif call.name in CONNECTS:
        if "sa_family=AF_" in call.text and not _is_reachable(call.text, rules.reachable):
            yield f"it called {call.name}({call.text})"
    elif call.result < 0:
        return
    elif call.name in OPENS:
        yield from _of_open(call, rules)
    elif call.name in CHANGES:
        for path in call.paths[-1:] if "symlink" in call.name else call.paths:
            if path.startswith("/") and not beneath(path, rules.writable):
                yield f"it called {call.name} on {path!r}"


def _of_open(call: Call, rules: Rules) -> Iterator[str]:
    path = call.opened or call.paths[0]
    if not path.startswith("/") or path.startswith(("/memfd:", "/dev/null")):
        return
    if call.writes and not beneath(path, rules.writable):
        yield f"it opened {path!r} for writing"
    elif "O_PATH" not in call.text and not _is_readable(path, rules):
        yield f"it opened {path!r} for reading"


def _is_reachable(text: str, reachable: frozenset[str]) -> bool:
    port = re.search(r"sin6?_port=htons\((\d+)\)", text)
    host = re.search(r'"([0-9a-f.:]+)"', text)
    if port is None or host is None:
        return "/nscd/" in text  # the C library asks whether a name cache runs; none does
    return f"{host[1]}:{port[1]}" in reachable


def _is_readable(path: str, rules: Rules) -> bool:
    if path.startswith("/proc/") and FORBIDDEN_IN_PROC.search(path):
        return False
    return path in rules.listable or beneath(path, rules.readable)


def beneath(path: str, folders: tuple[str, ...]) -> bool:
    """Whether a path is one of some folders or lies in one."""
    path = os.path.normpath(path.removesuffix(" (deleted)").removesuffix("(deleted)"))
    return any(path == folder or path.startswith(f"{folder}/") for folder in folders)


def _of_program(call: Call, rules: Rules) -> Iterator[str]:
    program = call.paths[0]
    for text in rules.hidden:
        if text in call.text:
            yield f"it handed {text!r} to {program}"
    arguments = arguments_of(call)
    if program in rules.programs or beneath(program, rules.program_folders):
        if Path(program).name == "git" and (verb := _git_verb(list(arguments))) not in READING:
            is_own = verb == "status" and f'"GIT_WORK_TREE={rules.own}"' in call.text
            if not is_own:
                yield f"it ran git {verb}: {' '.join(arguments)[:200]}"
        return
    yield f"it ran {program!r} {' '.join(arguments)[:200]!r}"


def _git_verb(arguments: list[str]) -> str:
    rest = arguments[1:]
    while rest:
        word = rest.pop(0)
        if word in TAKES_A_VALUE:
            rest = rest[1:]
        elif not word.startswith("-") or word == "--version":
            return word
    return ""
