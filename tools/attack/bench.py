"""The bench an attack is tried on: a user's home, a tree, a cache, and what is none of its own."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tools.attack.judging import Rules, complaints
from tools.attack.running import Command, Ran, Session, run_real

DEEP = "[" * 200_000  # brackets that no recursion survives
CANARY = "canaryQ7vZ1"  # in every file that must not be read
MAX_RETRIES = 12  # of one case, to find what broke it
GOOD_NAME, GOOD_WORD = "good_neighbour.py", "good_neighbour"
GOOD = f"def {GOOD_WORD}(first, second):\n    return first + second\n"


@dataclass(frozen=True, slots=True)
class Broken:
    """Something that did not hold."""

    thing: str  # what broke it; "" if that is not known
    words: str
    command: str = ""


@dataclass(slots=True)
class Bench:
    """One attempt's folders, and what went wrong on them."""

    folder: Path
    plait: Path
    rules: Rules
    session: Session
    is_sample: bool = False  # a tenth: fewer verbs over the same things
    broken: list[Broken] = field(default_factory=list)
    _victims: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for folder in (self.home, self.tree, self.scratch, self.victim / "src"):
            folder.mkdir(parents=True)
        self.traces.mkdir()
        self.traces.chmod(0o777)
        secret = f"{CANARY} password = hunter2\n"
        for name in ("secret", "src/private.py", ".gitignore", "pyproject.toml"):
            (self.victim / name).write_text(f"# {secret}", encoding="utf-8")
        self._victims = digests(self.victim)
        own = (self.tree, self.home, self.cache, self.scratch)
        self.rules = replace(
            self.rules,
            readable=(*self.rules.readable, *map(str, own)),
            writable=(str(self.cache), str(self.scratch)),
            listable=frozenset({str(self.folder)}),  # the cache is made in it
            hidden=(CANARY,),
        )

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def tree(self) -> Path:
        return self.folder / "tree"

    @property
    def cache(self) -> Path:
        return self.folder / "cache"

    @property
    def scratch(self) -> Path:
        return self.folder / "scratch"

    @property
    def victim(self) -> Path:
        return self.folder / "victim"

    @property
    def traces(self) -> Path:
        return self.folder / "traces"

    @property
    def env(self) -> dict[str, str]:
        """The environment of a plain user."""
        return {
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "HOME": str(self.home),
            "TMPDIR": str(self.scratch),
            "PLAIT_CACHE_DIR": str(self.cache),
            "PLAIT_WORKERS": "1",  # as many attempts as cores run at a time
            "LANG": "C.UTF-8",
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def breaks(self, thing: str, words: str, command: str = "") -> None:
        """Note that something did not hold."""
        self.broken.append(Broken(thing, words.replace(str(self.folder), "…"), command))

    def run(
        self,
        *arguments: str | Path,
        thing: str = "",
        cwd: Path | None = None,
        env: dict[str, str] | None = None,
        real: bool = False,
        seconds: float = 120.0,
        umask: int = 0o022,
        blame: Callable[[str], str] | None = None,
        **rules: object,
    ) -> Ran:
        """Run a command, judge it by the rules, and hand back what it did.

        Args:
            arguments: Of ``plait``.
            thing: What broke it, if something does not hold.
            cwd: Where; by default in the tree.
            env: Variables beside the plain ones.
            real: As the console script in a new interpreter, not as a forked session.
            seconds: After which it hangs.
            umask: Of the user.
            blame: Which thing a complaint is about, from its words.
            rules: Rules that differ for this command.
        """
        command = Command(
            tuple(map(str, arguments)),
            cwd or self.tree,
            {**self.env, **(env or {})},
            seconds,
            umask,
        )
        ran = run_real(self.plait, command) if real else self.session.run(command)
        judged = replace(self.rules, **rules)  # type: ignore[arg-type]  # fields of Rules
        seen = set()
        for words in complaints(ran, judged):
            if words not in seen:
                seen.add(words)
                self.breaks(thing or (blame(words) if blame else ""), words, command.shown())
        return ran

    def plant_good(self, folder: Path | None = None) -> None:
        """A plain file that must be found, whatever lies beside it."""
        place = folder or self.tree
        place.mkdir(parents=True, exist_ok=True)
        (place / GOOD_NAME).write_text(GOOD, encoding="utf-8")

    def finds_good(self, folder: Path | None = None, thing: str = "", **options: object) -> Ran:
        """Search for the plain file; not finding it is a complaint."""
        ran = self.run(GOOD_WORD, folder or self.tree, "--json", thing=thing, **options)  # type: ignore[arg-type]
        if not ran.is_late and GOOD_NAME not in ran.out:
            self.breaks(
                thing, f"the good file is not found: {ran.said[-300:]!r}", ran.command.shown()
            )
        return ran

    def leaves_alone(self) -> None:
        """What is not the command's own must be as it was; a trace of planted code is a break."""
        if digests(self.victim) != self._victims:
            self.breaks("", "a file outside the tree and the cache was changed")
        for trace in sorted(self.traces.iterdir()):
            self.breaks(trace.name, "planted code was run")
            trace.unlink()


def digests(folder: Path) -> dict[str, str]:
    """What every file below a folder is."""
    found = {}
    for path in sorted(folder.rglob("*")):
        told = path.lstat()
        content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        found[str(path.relative_to(folder))] = (
            f"{told.st_mode:o} {told.st_uid} {hashlib.sha256(content).hexdigest()}"
        )
    return found


Act = Callable[[Bench, Sequence[str]], None]


@dataclass(frozen=True, slots=True)
class Case:
    """Hostile things that can be tried in one go, and how."""

    name: str
    things: tuple[str, ...]
    act: Act

    def only(self, things: Sequence[str]) -> Case:
        """The same with some of the things."""
        return replace(self, things=tuple(things))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a case: which things broke it, and how."""

    case: Case
    broken: dict[str, list[Broken]]

    @property
    def held(self) -> int:
        return len(self.case.things) - len(self.broken)


@dataclass(slots=True)
class Workshop:
    """Makes benches, and tries cases on them."""

    folder: Path
    plait: Path
    rules: Rules
    session: Session
    is_sample: bool = False
    keep: bool = False
    _count: int = 0

    def attempt(self, case: Case) -> Outcome:
        """Try a case. If it is not known which of its things broke it, they are parted and
        tried again until it is; so many times at most, then all that are left count."""
        broken: dict[str, list[Broken]] = {}
        waiting: list[tuple[str, ...]] = [case.things]
        left = 0 if self.is_sample else MAX_RETRIES
        while waiting:
            things = waiting.pop()
            found = self._once(case.only(things))
            unknown = [problem for problem in found if problem.thing not in things]
            for problem in found:
                if problem.thing in things:
                    broken.setdefault(problem.thing, []).append(problem)
            if not unknown or not broken.keys().isdisjoint(things):
                continue  # what is known to have broken it explains the rest
            if len(things) == 1 or left < 2:
                for thing in things:
                    broken.setdefault(thing, []).extend(unknown)
                continue
            left -= 2
            half = len(things) // 2
            waiting += [things[:half], things[half:]]
        return Outcome(case, broken)

    def _once(self, case: Case) -> list[Broken]:
        self._count += 1
        folder = self.folder / f"{self._count:05d}"
        bench = Bench(folder, self.plait, self.rules, self.session, self.is_sample)
        try:
            case.act(bench, case.things)
            bench.leaves_alone()
        except Exception as error:  # noqa: BLE001 - a case that cannot be tried has not held
            bench.breaks("", f"it could not be tried: {type(error).__name__}: {error}")
        finally:
            if not self.keep:
                remove(folder)
        return bench.broken


def remove(folder: Path) -> None:
    """Remove a folder however deep and however its permissions are."""
    import subprocess

    subprocess.run(["chmod", "-R", "u+rwX", str(folder)], check=False, capture_output=True)
    subprocess.run(["rm", "-rf", "--", str(folder)], check=False, capture_output=True)
    shutil.rmtree(folder, ignore_errors=True)


def batched(things: Sequence[str], size: int) -> Iterator[tuple[str, ...]]:
    """Things in portions."""
    for at in range(0, len(things), size):
        yield tuple(things[at : at + size])


def touch(path: Path) -> None:
    """Change a file as an editor would, so that the next command parses it again."""
    with path.open("a", encoding="utf-8") as file:
        file.write(f"\n# {os.urandom(4).hex()}\n")
