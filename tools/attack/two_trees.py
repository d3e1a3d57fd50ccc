"""Two trees: a ``.git`` pointing at another repository, whose index and files are not its own."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tools.attack import repositories as repos
from tools.attack.bench import GOOD_NAME, GOOD_WORD, Bench, Case

PRIVATE = "victims_own_word"
VERBS: tuple[tuple[str, ...], ...] = (
    (PRIVATE, "{tree}", "--json"),
    ("index", "{tree}"),
    ("index", "--rebuild", "{tree}"),
    ("grep", PRIVATE, "{tree}"),
    ("status", "{tree}"),
    ("eval", "mine", "{tree}", "--out", "{scratch}/mined"),
    ("clear", "{tree}"),
)


def _points(text: str) -> Callable[[Bench, Path], None]:
    def plant(bench: Bench, other: Path) -> None:
        (bench.tree / ".git").write_text(text.format(other=other, tree=bench.tree))

    return plant


def _link(bench: Bench, other: Path) -> None:
    (bench.tree / ".git").symlink_to(other / ".git")


def _commondir(bench: Bench, other: Path) -> None:
    repos.git(bench.tree, "init", "-q")
    (bench.tree / ".git" / "commondir").write_text(f"{other}/.git\n")


def _worktree(bench: Bench, other: Path) -> None:
    """As ``git worktree`` lays it out, but the other repository does not know of it."""
    made = bench.tree / ".fake"
    made.mkdir()
    (made / "HEAD").write_text("ref: refs/heads/main\n")
    (made / "commondir").write_text(f"{other}/.git\n")
    (made / "gitdir").write_text(f"{bench.tree}/.git\n")
    (bench.tree / ".git").write_text(f"gitdir: {made}\n")


def _objects(bench: Bench, other: Path) -> None:
    repos.git(bench.tree, "init", "-q")
    shutil.rmtree(bench.tree / ".git" / "objects")
    (bench.tree / ".git" / "objects").symlink_to(other / ".git" / "objects")
    shutil.copy(other / ".git" / "index", bench.tree / ".git" / "index")


def _refs(bench: Bench, other: Path) -> None:
    repos.git(bench.tree, "init", "-q")
    for name in ("refs", "objects"):
        shutil.rmtree(bench.tree / ".git" / name)
        (bench.tree / ".git" / name).symlink_to(other / ".git" / name)


def _alternates(bench: Bench, other: Path) -> None:
    repos.git(bench.tree, "init", "-q")
    info = bench.tree / ".git" / "objects" / "info"
    info.mkdir(exist_ok=True)
    (info / "alternates").write_text(f"{other}/.git/objects\n")
    shutil.copy(other / ".git" / "index", bench.tree / ".git" / "index")


def _config_worktree(bench: Bench, other: Path) -> None:
    repos.git(bench.tree, "init", "-q")
    repos.configure(bench.tree, f"[core]\nworktree = {other}")


def _submodule(bench: Bench, other: Path) -> None:
    (bench.tree / "sub").mkdir()
    (bench.tree / "sub" / ".git").write_text(f"gitdir: {other}/.git\n")
    repos.git(bench.tree, "init", "-q")


def _names(bench: Bench, other: Path) -> None:
    """A folder whose storage key would be that of the other."""
    (bench.tree / ".git").mkdir()
    (bench.tree / ".git" / "gitdir").write_text(f"{other}/.git\n")
    (bench.tree / ".git" / "HEAD").write_text("ref: refs/heads/main\n")


WAYS: dict[str, Callable[[Bench, Path], None]] = {
    "gitdir, absolute": _points("gitdir: {other}/.git\n"),
    "gitdir, relative": _points("gitdir: ../user/other/.git\n"),
    "gitdir, no newline": _points("gitdir: {other}/.git"),
    "gitdir, two lines": _points("gitdir: {other}/.git\ngitdir: {tree}/x\n"),
    "gitdir, spaces": _points("gitdir:    {other}/.git   \n"),
    "gitdir, through a folder": _points("gitdir: {other}/sub/../.git\n"),
    "gitdir, its worktrees": _points("gitdir: {other}/.git/worktrees/evil\n"),
    "gitdir, nothing": _points("gitdir: \n"),
    "gitdir, itself": _points("gitdir: .git\n"),
    "gitdir, /dev/zero": _points("gitdir: /dev/zero\n"),
    "gitdir, long": _points("gitdir: " + "a/" * 100_000),
    "link": _link,
    "commondir": _commondir,
    "worktree": _worktree,
    "objects of another": _objects,
    "refs and objects of another": _refs,
    "alternates": _alternates,
    "core.worktree": _config_worktree,
    "submodule": _submodule,
    "half a .git": _names,
}


def cases() -> Iterator[Case]:
    """Every way to point at another repository."""
    for name in WAYS:
        for place in ("beside", "before"):
            label = f"{name}, indexed {place}"
            yield Case(label, (label,), _act)


def _act(bench: Bench, things: Sequence[str]) -> None:
    (thing,) = things
    name = thing.rpartition(", ")[0]
    other = bench.folder / "user" / "other"
    repos.make(other)
    (other / "private.py").write_text(f"def {PRIVATE}():\n    return 1\n")
    (other / "sub").mkdir()
    repos.git(other, "add", "-A")
    repos.git(other, "commit", "-q", "-m", "Add the private file of the victim")
    readable = (*bench.rules.readable, str(other))
    is_before = thing.endswith("before")
    if is_before:
        bench.run("index", other, thing=thing, readable=readable)
    was = _state(bench, other, thing, readable) if is_before else ""
    bench.plant_good()
    WAYS[name](bench, other)
    for verb in VERBS:
        told = [part.format(tree=bench.tree, scratch=bench.scratch) for part in verb]
        ran = bench.run(*told, thing=thing, seconds=60)
        if PRIVATE in ran.out.replace(" ".join(told), "") and verb[0] in (PRIVATE, "grep"):
            lines = [line for line in ran.out.splitlines() if "private.py" in line]
            if lines:
                bench.breaks(thing, "it shows what the other repository holds", " ".join(verb))
    if is_before and _state(bench, other, thing, readable) != was:
        bench.breaks(thing, "the other repository's index is not what it was")


def _state(bench: Bench, other: Path, thing: str, readable: tuple[str, ...]) -> str:
    """What a search of the other repository finds, without refreshing it."""
    ran = bench.run("grep", "--no-refresh", f"{PRIVATE}|{GOOD_WORD}", other, thing=thing,
                    readable=readable)  # fmt: skip
    if "private.py" not in ran.out or GOOD_NAME not in ran.out:
        bench.breaks(thing, f"the other repository's index is gone: {ran.said[-200:]!r}")
    return ran.out
