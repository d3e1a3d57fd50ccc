"""Caches: whose they are, who may read them, and what is done through links in them."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tools.attack.bench import CANARY, GOOD_NAME, GOOD_WORD, Bench, Case, touch

STRANGER = 12345
VERBS: tuple[tuple[str, ...], ...] = (
    (GOOD_WORD, "{tree}"),
    ("index", "{tree}"),
    ("index", "--rebuild", "{tree}"),
    ("index", "--check", "{tree}"),
    ("grep", GOOD_WORD, "{tree}"),
    ("status", "{tree}"),
    ("doctor", "{tree}"),
    ("clusters", "{tree}"),
    ("similar", "--duplicates", "{tree}"),
    ("clear", "{tree}"),
)
MOST = tuple(verb for verb in VERBS if verb[0] != "doctor")  # it takes as long as all of these
UMASKS = (0o000, 0o002, 0o022, 0o077, 0o777)


def cases() -> Iterator[Case]:
    """Modes under every umask; then every part of a cache in somebody else's hands."""
    for umask in UMASKS:
        for number, verb in enumerate(VERBS[:-1]):
            thing = f"umask {umask:03o}, {verb[0]} {number}"
            yield Case(thing, (thing,), _modes)
    for named in ("named", "default"):
        for label in PLACES:
            thing = f"{named} cache: {label}"
            yield Case(thing, (thing,), _place)
    for label in INNER:
        yield Case(f"inside: {label}", (f"inside: {label}",), _inner)


def _modes(bench: Bench, things: Sequence[str]) -> None:
    (thing,) = things
    umask = int(thing[6:9], 8)
    verb = VERBS[int(thing.rpartition(" ")[2])]
    bench.plant_good()
    told = [part.format(tree=bench.tree) for part in verb]
    if verb[0] not in (GOOD_WORD, "index"):
        bench.run("index", bench.tree, thing=thing, umask=umask)
    bench.run(*told, thing=thing, umask=umask)
    for path in (bench.cache, *bench.cache.rglob("*")):
        if not path.exists():
            continue
        mode = path.lstat().st_mode
        if stat.S_IMODE(mode) & 0o077:
            bench.breaks(thing, f"{path.relative_to(bench.folder)} has mode {stat.S_IMODE(mode):o}")


def _owned(folder: Path) -> None:
    folder.mkdir(parents=True)
    os.chown(folder, STRANGER, STRANGER)


def _mode(mode: int, group: int = -1) -> Callable[[Bench, Path], None]:
    def plant(bench: Bench, cache: Path) -> None:
        del bench
        cache.mkdir(parents=True)
        os.chown(cache, -1, group)
        cache.chmod(mode)

    return plant


def _link(bench: Bench, cache: Path) -> None:
    cache.parent.mkdir(parents=True, exist_ok=True)
    cache.symlink_to(bench.victim)


def _link_away(bench: Bench, cache: Path) -> None:
    cache.parent.mkdir(parents=True, exist_ok=True)
    away = bench.folder / "away"
    away.mkdir()
    cache.symlink_to(away)


def _strangers(bench: Bench, cache: Path) -> None:
    del bench
    _owned(cache)


def _strangers_open(bench: Bench, cache: Path) -> None:
    del bench
    _owned(cache)
    cache.chmod(0o777)


def _file(bench: Bench, cache: Path) -> None:
    del bench
    cache.parent.mkdir(parents=True, exist_ok=True)
    cache.write_text("a file\n")


def _fifo(bench: Bench, cache: Path) -> None:
    del bench
    cache.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(cache)


def _loop(bench: Bench, cache: Path) -> None:
    del bench
    cache.parent.mkdir(parents=True, exist_ok=True)
    cache.symlink_to(cache)


PLACES: dict[str, Callable[[Bench, Path], None]] = {
    "a link to a folder": _link,
    "a link to an empty folder": _link_away,
    "another's": _strangers,
    "another's, open": _strangers_open,
    "writable by all": _mode(0o777),
    "writable by a group": _mode(0o775, STRANGER),
    "sticky and writable": _mode(0o1777),
    "a file": _file,
    "a fifo": _fifo,
    "a link to itself": _loop,
}


def _place(bench: Bench, things: Sequence[str]) -> None:
    """Nothing may be written to such a place, and the answer says why."""
    (thing,) = things
    named, _, label = thing.partition(" cache: ")
    cache = bench.cache if named == "named" else bench.home / ".cache" / "plait"
    bench.plant_good()
    PLACES[label](bench, cache)
    before = _listing(bench)
    env = {} if named == "named" else {"PLAIT_CACHE_DIR": ""}
    for verb in MOST:
        told = [part.format(tree=bench.tree) for part in verb]
        ran = bench.run(*told, thing=thing, env=env, seconds=60, writable=(str(bench.scratch),))
        if ran.exit == 0 and verb[0] == "index" and "--check" not in verb:
            bench.breaks(thing, f"it claims to have indexed: {ran.out[-100:]!r}")
    if _listing(bench) != before:
        bench.breaks(thing, "something was written there")


def _listing(bench: Bench) -> list[str]:
    found = []
    for top in (bench.cache, bench.home, bench.victim, bench.folder / "away"):
        if top.is_dir():
            found += [str(path) for path in top.rglob("*")]
    return sorted(found)


def _replaced(pattern: str, is_folder: bool) -> Callable[[Bench, Path], None]:
    """The part of an index a pattern names becomes a link into somebody's files."""

    def change(bench: Bench, store: Path) -> None:
        for path in sorted(store.glob(pattern))[:3]:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
            path.symlink_to(bench.victim / "src" if is_folder else bench.victim / "secret")

    return change


def _added(name: str, is_folder: bool) -> Callable[[Bench, Path], None]:
    def change(bench: Bench, store: Path) -> None:
        path = store / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_symlink() or path.exists():
            path.unlink()
        path.symlink_to(bench.victim / "src" if is_folder else bench.victim / "secret")

    return change


def _store_link(bench: Bench, store: Path) -> None:
    away = bench.home / "store"  # it lies in the user's own cache, who may have moved it
    shutil.move(store, away)
    store.symlink_to(away)


def _store_strangers(bench: Bench, store: Path) -> None:
    del bench
    for path in (store, *store.rglob("*")):
        os.chown(path, STRANGER, STRANGER)


def _store_open(bench: Bench, store: Path) -> None:
    del bench
    store.chmod(0o777)


INNER: dict[str, Callable[[Bench, Path], None]] = {
    "the index a link": _store_link,
    "the index another's": _store_strangers,
    "the index writable by all": _store_open,
    "CURRENT a link": _replaced("CURRENT", is_folder=False),
    "lock a link": _added("lock", is_folder=False),
    "CURRENT.new a link": _added("CURRENT.new", is_folder=False),
    "generations a link": _replaced("generations", is_folder=True),
    "a generation a link": _replaced("generations/*", is_folder=True),
    "manifest a link": _replaced("generations/*/manifest.json", is_folder=False),
    "stamps a link": _replaced("stamps", is_folder=True),
    "a stamp a link": _replaced("stamps/*", is_folder=False),
    "every file a link": _replaced("**/*.*", is_folder=False),
    "a foreign folder": _added("generations/000999", is_folder=True),
    "a foreign layer": _added("layers/evil", is_folder=True),
    "a foreign file": _added("evil.tmp", is_folder=False),
    "a foreign folder on top": _added("old", is_folder=True),
    "a temporary link": _added("generations/000003", is_folder=True),
    "words a link": _replaced("generations/*/words", is_folder=True),
}


def _inner(bench: Bench, things: Sequence[str]) -> None:
    """Nothing of the victim's may be read, changed or removed through the index."""
    (thing,) = things
    bench.plant_good()
    bench.run("index", bench.tree, thing=thing)
    (pointer,) = bench.cache.rglob("CURRENT")
    INNER[thing.partition(": ")[2]](bench, pointer.parent)
    before = {path: path.read_bytes() for path in bench.victim.rglob("*") if path.is_file()}
    for verb in (*MOST[1:], VERBS[0], VERBS[-1]):
        touch(bench.tree / GOOD_NAME)
        told = [part.format(tree=bench.tree) for part in verb]
        ran = bench.run(*told, thing=thing, seconds=60)
        if CANARY in ran.said:
            bench.breaks(thing, "it shows what lies behind a link", " ".join(verb))
    after = {path: path.read_bytes() for path in bench.victim.rglob("*") if path.is_file()}
    if any(after.get(path) != content for path, content in before.items()):
        bench.breaks(thing, "somebody else's file was changed or removed")
