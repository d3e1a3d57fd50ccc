"""Files a project supplies: ignore files, settings, sources and links, made to stop or mislead."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path

from plait.settings import Settings
from tools.attack.bench import CANARY, GOOD_NAME, GOOD_WORD, Bench, Case

Plant = Callable[[Bench, Path], None]  # puts a hostile thing in the place of a file
IGNORES = (".gitignore", ".ignore", ".plaitignore", ".rgignore")
SETTINGS = ("pyproject.toml", ".plait.toml")
MANY = 1 << 20


def _text(content: str | bytes) -> Plant:
    raw = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content

    def plant(bench: Bench, path: Path) -> None:
        del bench
        path.write_bytes(raw)

    return plant


def _link(target: str) -> Plant:
    def plant(bench: Bench, path: Path) -> None:
        path.symlink_to(target.format(victim=bench.victim, tree=bench.tree))

    return plant


def _fifo(bench: Bench, path: Path) -> None:
    del bench
    os.mkfifo(path)


def _socket(bench: Bench, path: Path) -> None:
    del bench
    listening = socket.socket(socket.AF_UNIX)
    short = f"/proc/self/fd/{os.open(path.parent, os.O_RDONLY)}/{path.name}"
    listening.bind(short)
    listening.close()


def _folder(bench: Bench, path: Path) -> None:
    del bench
    path.mkdir()


def _sparse(size: int) -> Plant:
    def plant(bench: Bench, path: Path) -> None:
        del bench
        with path.open("wb") as file:
            file.truncate(size)

    return plant


def _closed(bench: Bench, path: Path) -> None:
    del bench
    path.write_text("secret\n")
    path.chmod(0)


def _device(major: int, minor: int) -> Plant:
    def plant(bench: Bench, path: Path) -> None:
        del bench
        os.mknod(path, 0o020666, os.makedev(major, minor))

    return plant


ANY: dict[str, Plant] = {
    "fifo": _fifo,
    "socket": _socket,
    "folder": _folder,
    "link outside": _link("{victim}/secret"),
    "link to itself": _link("{tree}/.gitignore"),
    "link to /dev/zero": _link("/dev/zero"),
    "link to /dev/tty": _link("/dev/tty"),
    "link to its environment": _link("/proc/self/environ"),
    "link to its memory": _link("/proc/self/mem"),
    "link to a folder": _link("{victim}"),
    "link upwards": _link("../../../../../../../etc/shadow"),
    "300 MB": _sparse(300 << 20),
    "1 TB": _sparse(1 << 40),
    "not readable": _closed,
    "zeros": _text(bytes(1000)),
    "no UTF-8": _text(b"\xff\xfe\x80 = \xc0\n"),
    "a byte order mark": _text(b"\xef\xbb\xbf*.none\n"),
    "UTF-16": _text("*.none\n".encode("utf-16")),
    "one long line": _text("a" * MANY),
    "only newlines": _text("\n" * MANY),
    "carriage returns": _text("*.x\r" * 1000),
    "a character device": _device(1, 5),
}
OF_IGNORES: dict[str, Plant] = {
    "1 MB of patterns": _text("".join(f"pattern{n}*x/**/{n}\n" for n in range(40_000))),
    "stars": _text("*" * 5000 + "b\n" + "**/" * 2000 + "a\n" + "a*" * 3000 + "\n"),
    "brackets": _text("[" * 5000 + "\n" + "[a-" * 2000 + "\n[]-a]\n[!]\n[[:alpha:]\n[z-a]\n"),
    "questions": _text("?" * 4000 + "*" * 10 + "x\n"),
    "backslashes": _text("\\" * 4001 + "\n\\\n\\ \n"),
    "braces": _text("{a,b}" * 2000 + "\n" + "{" * 5000 + "\n"),
    "negations": _text("!\n!!\n!/\n/\n//\n!**\n" * 100),
    "parents": _text("../*\n/../../*\n./../x\n"),
    "nothing but comments": _text("# x\n" * 200_000),
    "controls": _text("\x1b]0;x\x07*.none\n\u202e*.none\n"),
}
OF_SETTINGS: dict[str, Plant] = {
    "100,000 brackets": _text("[tool.plait]\nexclude = " + "[" * 100_000),
    "100,000 tables": _text("".join(f"[a{n}]\n" for n in range(100_000))),
    "deep keys": _text(".".join("a" * 10_000) + " = 1\n"),
    "inline tables": _text("x = " + "{a=" * 20_000),
    "a long number": _text("[tool.plait]\nlimit = " + "9" * 100_000 + "\n"),
    "a long string": _text("[tool.plait]\nmode = '" + "x" * MANY + "'\n"),
    "keys twice": _text("[tool.plait]\nlimit = 1\nlimit = 2\n"),
    "tool is text": _text("tool = 'x'\n"),
    "plait is a list": _text("[tool]\nplait = [1]\n"),
    "plait is tables": _text("[[tool.plait]]\nlimit = 1\n"),
    "dates": _text("[tool.plait]\nlimit = 1979-05-27T07:32:00Z\n"),
    "unclosed": _text("[tool.plait\nlimit = '''"),
    "controls": _text('[tool.plait]\n"\\u001b]0;x\\u0007\\u202e" = 1\n'),
    "half a million keys": _text("".join(f"k{n} = {n}\n" for n in range(60_000))),
}
VALUES = (
    *(
        "1000000000000",
        "-1",
        "0",
        "1e308",
        "nan",
        "inf",
        "true",
        "''",
        "[]",
        "{}",
        "99999999999999999999",
    ),
    *(
        "'\\u001b[2J'",
        "['**/**/**/**/**/**/**/**/*x']",
        "'../../../etc/passwd'",
        "-9223372036854775808",
    ),
)
FIELDS = (
    *(field.name for field in fields(Settings)),
    *("tls", "proxy", "model_key", "store_allow_cleartext", "__class__"),
)
SOURCES: dict[str, Plant] = {
    **ANY,
    "100,000 open brackets": _text("(" * 100_000),
    "unterminated": _text('"""' + "x" * 100_000),
    "a deep expression": _text("x = " + "-" * 50_000 + "1\n"),
    "a deep attribute": _text("x" + ".a" * 50_000 + "\n"),
    "one line of 900 kB": _text("def f(): return [" + "1," * 440_000 + "]\n"),
    "100,000 definitions": _text("def f(): 0\n" * 90_000),
    "one name of 900 kB": _text("def " + "a" * 900_000 + "(): 0\n"),
    "combining marks": _text("def a" + "\u0301" * 200_000 + "(): 0\n"),
    "surrogates": _text(b"def f\xed\xa0\x80(): 0\n"),
    "template": _text("{{ 7*7 }} ${7*7} $(touch x) `id` %n%s <script>\n"),
}
LANGUAGES = {
    "python": "py",
    "javascript": "js",
    "typescript": "ts",
    "java": "java",
    "go": "go",
    "c": "c",
    "c++": "cpp",
    "c#": "cs",
    "ruby": "rb",
    "php": "php",
    "rust": "rs",
    "swift": "swift",
    "kotlin": "kt",
    "scala": "scala",
    "bash": "sh",
    "lua": "lua",
    "haskell": "hs",
    "elixir": "ex",
    "zig": "zig",
    "markdown": "md",
    "json": "json",
    "html": "html",
    "xml": "xml",
}
NESTS = {
    "round brackets": "(" * 200_000,
    "square brackets": "[" * 200_000,
    "braces": "{" * 200_000,
    "if": "if (a) { " * 30_000,
    "strings": '"${' * 60_000,
    "comments": "/*" * 60_000,
    "tags": "<a>" * 60_000,
    "calls": "f(" * 60_000,
    "sum": "1+" * 60_000,
    "quotes": "'" * 100_001,
}


def cases() -> Iterator[Case]:
    """Every place a project may put a file, with every hostile thing in it."""
    for name in IGNORES:
        for label, plant in {**ANY, **OF_IGNORES}.items():
            yield _one(f"{name}: {label}", name, plant)
    for name in SETTINGS:
        for label, plant in {**ANY, **OF_SETTINGS}.items():
            yield _one(f"{name}: {label}", name, plant)
    for field in FIELDS:
        things = tuple(f"{field} = {value}" for value in VALUES)
        yield Case(f"setting {field}", things, _settings)
    for number, group in enumerate(_grouped(tuple(SOURCES), 8)):
        yield Case(f"sources {number}", group, _sources)
    for suffix in LANGUAGES.values():
        things = tuple(f"{suffix}: {label}" for label in NESTS)
        yield Case(f"nested {suffix}", things, _nested)
    yield Case("20 files of 1 MB of (", ("20 files of 1 MB of (",), _brackets)
    for label, act in TREES.items():
        yield Case(label, (label,), act)


def _grouped(things: Sequence[str], size: int) -> Iterator[tuple[str, ...]]:
    for at in range(0, len(things), size):
        yield tuple(things[at : at + size])


def _one(label: str, name: str, plant: Plant) -> Case:
    def act(bench: Bench, things: Sequence[str]) -> None:
        bench.plant_good()
        plant(bench, bench.tree / name)
        ran = bench.run(GOOD_WORD, bench.tree, "--json", thing=things[0], seconds=45)
        if ran.exit in (0, 1) and GOOD_NAME not in ran.out and not ran.is_late:
            bench.breaks(things[0], f"the good file is not found: {ran.said[-300:]!r}")
        if ran.exit == 2 and name in SETTINGS:
            bench.breaks(things[0], f"one file stops the command: {ran.err[-300:]!r}")

    return Case(label, (label,), act)


def _settings(bench: Bench, things: Sequence[str]) -> None:
    """Each value by itself: it holds or is left aside, and what is sought is found."""
    bench.plant_good()
    (bench.tree / "large.py").write_text("x = 1  # " + "word " * 100_000)
    for thing in things:
        (bench.tree / ".plait.toml").write_text(thing + "\n", encoding="utf-8")
        ran = bench.run(GOOD_WORD, bench.tree, "--json", thing=thing, seconds=45)
        if not ran.is_late and GOOD_NAME not in ran.out:
            bench.breaks(thing, f"the good file is not found: {ran.said[-300:]!r}")


def _sources(bench: Bench, things: Sequence[str]) -> None:
    bench.plant_good()
    for number, thing in enumerate(things):
        (bench.tree / f"d{number}").mkdir()
        SOURCES[thing](bench, bench.tree / f"d{number}" / "hostile.py")
    bench.finds_good(seconds=90)
    ran = bench.run("grep", CANARY, bench.tree, seconds=60)
    if ran.exit == 0:
        bench.breaks("", "what lies outside the tree is found")


def _nested(bench: Bench, things: Sequence[str]) -> None:
    bench.plant_good()
    for number, thing in enumerate(things):
        suffix, _, label = thing.partition(": ")
        (bench.tree / f"hostile{number}.{suffix}").write_text(NESTS[label])
    bench.finds_good(seconds=150, max_cpu_s=120.0)


def _brackets(bench: Bench, things: Sequence[str]) -> None:
    bench.plant_good()
    for number in range(20):
        (bench.tree / f"brackets{number}.py").write_text("(" * ((1 << 20) - 1))
    bench.finds_good(thing=things[0], seconds=300, max_cpu_s=30.0)


def _deep(levels: int, is_git: bool = False) -> Callable[[Bench, Sequence[str]], None]:
    def act(bench: Bench, things: Sequence[str]) -> None:
        bench.plant_good()
        at = os.open(bench.tree, os.O_RDONLY)
        for _ in range(levels):
            os.mkdir("d", dir_fd=at)
            inner = os.open("d", os.O_RDONLY, dir_fd=at)
            os.close(at)
            at = inner
        file = os.open("deep.py", os.O_CREAT | os.O_WRONLY, dir_fd=at)
        os.write(file, b"def deep(): 0\n")
        os.close(file)
        os.close(at)
        if is_git:
            git(bench.tree, "init", "-q")
            git(bench.tree, "add", ".")
        bench.finds_good(thing=things[0], seconds=120)

    return act


def git(folder: Path, *arguments: str) -> str:
    """Run git, to make a repository."""
    import subprocess

    identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"]
    done = subprocess.run(
        ["git", "-C", str(folder), *identity, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1"},
    )
    if done.returncode:
        raise RuntimeError(f"git {arguments}: {done.stderr}")
    return done.stdout.strip()


def _wide(bench: Bench, things: Sequence[str]) -> None:
    bench.plant_good()
    for number in range(20_000):
        (bench.tree / f"f{number}.txt").write_text("x")
    bench.finds_good(thing=things[0], seconds=240, max_cpu_s=120.0)


def _link_farm(bench: Bench, things: Sequence[str]) -> None:
    bench.plant_good()
    for number in range(200):
        (bench.tree / f"loop{number}").symlink_to(
            bench.tree if number % 2 else bench.tree / f"loop{number + 1}"
        )
        (bench.tree / f"out{number}.py").symlink_to(bench.victim / "src" / "private.py")
        (bench.tree / f"dir{number}").symlink_to(bench.victim)
    bench.finds_good(thing=things[0])
    if bench.run("grep", CANARY, bench.tree, thing=things[0]).exit == 0:
        bench.breaks(things[0], "what lies outside the tree is found through a link")


def _tracked_links(bench: Bench, things: Sequence[str]) -> None:
    git(bench.tree, "init", "-q")
    _link_farm_in(bench)
    git(bench.tree, "add", "-A")
    bench.finds_good(thing=things[0])
    if bench.run("grep", CANARY, bench.tree, thing=things[0]).exit == 0:
        bench.breaks(things[0], "what lies outside the tree is found through a tracked link")


def _link_farm_in(bench: Bench) -> None:
    bench.plant_good()
    (bench.tree / "src").mkdir()
    (bench.tree / "src" / "private.py").write_text("plain\n")
    git(bench.tree, "add", "-A")
    (bench.tree / "src" / "private.py").unlink()
    (bench.tree / "src").rmdir()
    (bench.tree / "src").symlink_to(bench.victim / "src")


def _excludes(value: str) -> Callable[[Bench, Sequence[str]], None]:
    def act(bench: Bench, things: Sequence[str]) -> None:
        bench.plant_good()
        git(bench.tree, "init", "-q")
        os.mkfifo(bench.tree / "fifo")
        git(bench.tree, "config", "core.excludesFile", value.format(bench=bench))
        git(bench.tree, "config", "core.attributesFile", value.format(bench=bench))
        bench.finds_good(thing=things[0], seconds=45)

    return act


def _info(kind: Plant, name: str) -> Callable[[Bench, Sequence[str]], None]:
    def act(bench: Bench, things: Sequence[str]) -> None:
        bench.plant_good()
        git(bench.tree, "init", "-q")
        (bench.tree / ".git" / "info").mkdir(exist_ok=True)
        path = bench.tree / ".git" / name
        path.unlink(missing_ok=True)
        kind(bench, path)
        bench.finds_good(thing=things[0], seconds=45)

    return act


TREES: dict[str, Callable[[Bench, Sequence[str]], None]] = {
    "a git tree 600 folders deep": _deep(600, is_git=True),
    "10,000 levels": _deep(10_000),
    "20,000 small files": _wide,
    "600 links": _link_farm,
    "a tracked folder that became a link": _tracked_links,
    "excludesFile outside": _excludes("{bench.victim}/.gitignore"),
    "excludesFile a fifo": _excludes("{bench.tree}/fifo"),
    "excludesFile /dev/zero": _excludes("/dev/zero"),
    "excludesFile its environment": _excludes("/proc/self/environ"),
    **{
        f".git/{name}: {label}": _info(ANY[label], name)
        for name in ("info/exclude", "info/attributes", "index", "HEAD", "config", "packed-refs")
        for label in ("fifo", "link outside", "link to /dev/zero", "zeros", "folder", "300 MB")
    },
}
