"""One damage after another to one index, and what its answers are then."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

from plait.models.bundle import BUNDLED
from plait.stores.embedded.proofs import RECORD
from plait.stores.embedded.watching import EVERY_S
from tools.chaos.asking import Said, ask_all, opened, search_fresh
from tools.chaos.damage import Sound, damage
from tools.chaos.tree import edit, grow

MAX_SECONDS = 300  # on a machine that has other things to do
MAX_MEMORY_BYTES = 4 << 30
MODEL = "plait/bundled"
COMMIT = "c" * 40
# The share of trials that ask so; the rest ask of an index that is opened anew.
WAYS = {"open": 0.12, "up to date": 0.002, "command": 0.002, "command, up to date": 0.001}
TOLD = re.compile(r"^(error|note|warning|hint): |may have changed", re.MULTILINE)
COMMANDS = (
    ("parse token stream", "TREE", "--mode", "lexical"),
    ("how is a vector updated", "TREE", "--mode", "dense", "--format", "json"),
    ("BufferCache", "TREE", "--explain"),
    ("grep", "return", "TREE"),
    ("def", "CacheClient", "TREE"),
    ("symbols", "cache", "TREE"),
    ("clusters", "TREE"),
)


def build(folder: Path, *, files: int, seed: int) -> None:
    """An index with a history: several layers, segments, dead files, vectors and clusters."""
    hub = folder / "hub" / f"models--{MODEL.replace('/', '--')}"
    snapshot = hub / "snapshots" / COMMIT
    for path in (snapshot, hub / "blobs", hub / "refs"):
        path.mkdir(parents=True)
    for name in ("model.safetensors", "tokenizer.json", "config.json"):
        blob = hub / "blobs" / sha256((BUNDLED / name).read_bytes()).hexdigest()
        shutil.copyfile(BUNDLED / name, blob)
        (snapshot / name).symlink_to(blob)
    (hub / "refs" / "main").write_text(COMMIT, encoding="ascii")
    os.environ["HF_HUB_CACHE"] = str(folder / "hub")
    rng = random.Random(seed)
    grow(folder / "tree", files, seed)
    image = folder / "tree" / "image.bin"  # a file that is left out
    index = opened(folder / "tree", folder / "cache", MODEL)
    for _ in range(5):
        image.write_bytes(bytes(range(256)))
        index.refresh()
        index.embed()
        image.unlink()
        edit(folder / "tree", rng)  # the last edits are not in the index
    image.write_bytes(bytes(range(256)))
    ask_all(index)
    time.sleep(0.1)  # what is younger has no proof
    ask_all(index)


def kind_of(path: Path) -> str:
    """What a file is to the index."""
    if "blobs" in path.parts or "refs" in path.parts:
        return f"model, {'weights' if path.stat().st_size > 1 << 21 else 'other files'}"
    if path.parent.name in ("stamps", "clusters"):
        return path.parent.name
    if path.parent.name == "words":
        return f"words, {path.suffix or path.name}"
    return path.name if path.name in ("CURRENT", "lock", RECORD) else path.suffix or path.name


class Trials:
    """An index that is damaged, asked and put right, again and again."""

    def __init__(self, folder: Path, rng: random.Random) -> None:
        os.environ["HF_HUB_CACHE"] = str(folder / "hub")
        self._folder = folder
        self._rng = rng
        self._tree, self._cache = folder / "tree", folder / "cache"
        self._copy = folder / "copy"
        self._sound = [
            Sound(self._cache, folder / "sound-cache", (RECORD,)),
            Sound(folder / "hub", folder / "sound-hub"),
        ]
        self._index = opened(self._tree, self._cache, MODEL)
        assert self._index.reader.dense is not None
        self._index.reader.dense.encoder.questions(["opened"])  # once, not in every trial
        self._answers = self._expected(lambda: ask_all(self._index))
        for module in self._loaded:  # once, too
            with suppress(ImportError):
                import_module(module)
        self._fresh = [self._fresh_answers(anew=anew) for anew in (False, True)]
        self._victims = self.victims()
        self._printed: dict[tuple[tuple[str, ...], bool], list[tuple[int, str]]] = {}

    def victims(self) -> dict[str, list[Path]]:
        """Every file that can be damaged, by kind."""
        found: dict[str, list[Path]] = {}
        for sound in self._sound:
            for path in sound.files():
                found.setdefault(kind_of(path), []).append(path)
        return found

    def run(self, way: str, kind: str, how: str) -> dict[str, Any]:
        """Damage one file, ask, and put it right again."""
        for sound in self._sound:
            sound.restore()
        self._rng = random.Random(self._rng.random())  # what a child draws, we have not drawn
        path = self._rng.choice(self._victims[kind])
        row: dict[str, Any] = {"way": way, "kind": kind, "damage": how, "file": path.name}
        began = time.monotonic()
        judged = self._ask(way, path, how, row)
        row["seconds"] = round(time.monotonic() - began, 3)
        row["questions"] = judged
        worst = [
            v for v in ("crash", "hang", "unforeseen", "wrong", "told") if v in judged.values()
        ]
        row["verdict"] = worst[0] if worst else "right"
        return row

    # ------------------------------------------------------------ ways of asking

    def _ask(self, way: str, path: Path, how: str, row: dict[str, Any]) -> dict[str, str]:
        if way == "open":
            return self._ask_open(path, how, row)
        if way == "up to date":
            return self._ask_fresh(path, how, row)
        if way.startswith("command"):
            return self._command(path, how, row, fresh=way != "command")
        return self._ask_anew(path, how, row)

    def _ask_anew(self, path: Path, how: str, row: dict[str, Any]) -> dict[str, str]:
        def ask() -> dict[str, Any]:
            self._index.snapshot().close()  # proves every file
            time.sleep(EVERY_S)  # the engine opens what is opened once more, in the background
            done = self._damage(path, how)
            return {"done": done, "said": ask_all(self._asking(path), rng=self._rng)}

        return self._judged(in_a_process(self._folder, ask), [self._answers], row)

    def _ask_open(self, path: Path, how: str, row: dict[str, Any]) -> dict[str, str]:
        def ask() -> dict[str, Any]:
            index = self._asking(path)
            snapshot = index.snapshot()
            first = index.ask(snapshot, "cache")
            assert first.results
            done = self._damage(path, how)
            time.sleep(EVERY_S)
            return {"done": done, "said": ask_all(index, snapshot, self._rng)}

        return self._judged(in_a_process(self._folder, ask), [self._answers], row)

    def _ask_fresh(self, path: Path, how: str, row: dict[str, Any]) -> dict[str, str]:
        def ask() -> dict[str, Any]:
            copied, index = self._copied(path)
            return {"done": self._damage(copied, how), "said": search_fresh(index, self._rng)}

        return self._judged(in_a_process(self._folder, ask), self._fresh, row)

    def _command(self, path: Path, how: str, row: dict[str, Any], *, fresh: bool) -> dict[str, str]:
        command = self._rng.choice(COMMANDS)
        if (command, fresh) not in self._printed:
            ways = (False, True) if fresh else (False,)
            self._printed[command, fresh] = [self._run(command, fresh, anew)[:2] for anew in ways]
        shutil.rmtree(self._copy, ignore_errors=True)
        shutil.copytree(self._cache, self._copy)
        is_ours = path.is_relative_to(self._cache)
        row["done"] = self._damage(self._there(path) if is_ours else path, how)
        code, out, err = self._run(command, fresh, None)
        row["said"] = err.strip()[-300:].replace(str(self._folder), "FOLDER")
        name = " ".join(command)
        if code in (124, -signal.SIGKILL):
            return {name: "hang"}
        if code < 0:
            return {name: "crash"}
        if "Traceback" in err or "a bug" in err or code > 3:
            return {name: "unforeseen"}
        if (code, out) in self._printed[command, fresh]:
            return {name: "right"}
        return {name: "told" if TOLD.search(err) else "wrong"}

    def _run(
        self, command: tuple[str, ...], fresh: bool, anew: bool | None
    ) -> tuple[int, str, str]:
        """Run the command over a copy of the index: the sound one, none at all, or as it is."""
        if anew is not None:
            shutil.rmtree(self._copy, ignore_errors=True)
            if not anew:
                shutil.copytree(self._cache, self._copy)
        given = [str(self._tree) if word == "TREE" else word for word in command]
        given += [] if fresh else ["--no-refresh"]
        environment = {
            **os.environ,
            "PLAIT_CACHE_DIR": str(self._copy),
            "PLAIT_MODEL": MODEL,
            "PLAIT_WORKERS": "1",
        }
        try:
            run = subprocess.run(
                [sys.executable, "-P", "-m", "plait", *given],
                capture_output=True,
                text=True,
                env=environment,
                timeout=MAX_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return 124, "", ""
        return run.returncode, run.stdout, run.stderr

    # ------------------------------------------------------------ parts

    def _damage(self, path: Path, how: str) -> str:
        others = [one for one in path.parent.rglob("*") if one.is_file()]
        if len(others) < 2:
            others += [one for one in path.parent.parent.rglob("*") if one.is_file()]
        others = [one for one in others if not one.is_symlink()]  # nobody would put a link right
        return damage(path, how, others, self._rng)

    def _there(self, path: Path) -> Path:
        return self._copy / path.relative_to(self._cache)

    def _asking(self, path: Path) -> Any:
        """The index; with a model that is opened only now, if it is the model that is damaged."""
        if path.is_relative_to(self._cache):
            return self._index
        return opened(self._tree, self._cache, MODEL)

    def _copied(self, path: Path) -> tuple[Path, Any]:
        """The same file in a copy of the cache, and the index over that."""
        shutil.rmtree(self._copy, ignore_errors=True)
        shutil.copytree(self._cache, self._copy)
        is_ours = path.is_relative_to(self._cache)
        return self._there(path) if is_ours else path, opened(self._tree, self._copy, MODEL)

    def _fresh_answers(self, *, anew: bool) -> dict[str, Said]:
        def ask() -> dict[str, Said]:
            _, index = self._copied(self._cache / "CURRENT")
            if anew:
                index.refresh(anew=True)
            return search_fresh(index)

        return self._expected(ask)

    def _expected(self, ask: Callable[[], dict[str, Said]]) -> dict[str, Said]:
        given, ended_by = in_a_process(
            self._folder, lambda: {"said": ask(), "loaded": sorted(sys.modules)}
        )
        if given is None:
            raise SystemExit(f"the sound index ends its process: signal {ended_by}")
        self._loaded = [name for name in given["loaded"] if name.startswith("plait.")]
        said = {name: Said(*values) for name, values in given["said"].items()}
        for name, one in said.items():
            if not one.answer:
                raise SystemExit(f"the sound index is not sound: {name}: {one}")
        return said

    def _judged(
        self,
        outcome: tuple[dict[str, Any] | None, int],
        expected: Sequence[Mapping[str, Said]],
        row: dict[str, Any],
    ) -> dict[str, str]:
        given, ended_by = outcome
        row["signal"] = ended_by
        if given is None:
            return {"all": "hang" if ended_by == signal.SIGALRM else "crash"}
        row["done"] = given["done"]
        judged = {}
        words = set()
        for name, values in given["said"].items():
            said = Said(values[0], tuple(values[1]), values[2])
            judged[name] = max((verdict(said, one[name]) for one in expected), key=GOOD.index)
            words |= (
                {said.unforeseen} if said.unforeseen else set(said.words if not said.answer else ())
            )
        row["said"] = "; ".join(sorted(words)).replace(str(self._folder), "FOLDER")[:300]
        return judged


GOOD = ("unforeseen", "wrong", "told", "right")


def verdict(said: Said, expected: Said) -> str:
    """What became of one question."""
    if said.unforeseen:
        return "unforeseen"
    if said.answer == expected.answer:
        return "right"
    return "told" if set(said.words) - set(expected.words) else "wrong"


def in_a_process(
    folder: Path, ask: Callable[[], Mapping[str, Any]]
) -> tuple[dict[str, Any] | None, int]:
    """What is said in a process of its own, and the signal that ended it, if any."""
    out = folder / "said.json"
    out.unlink(missing_ok=True)
    child = os.fork()
    if child == 0:
        try:
            _confine()
            out.write_text(json.dumps(ask()), encoding="utf-8")
        except BaseException as error:  # noqa: BLE001  # a fault of this file: let it be seen
            print(f"{type(error).__name__}: {error}", flush=True)
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return None, os.WTERMSIG(status)
    return (json.loads(out.read_text(encoding="utf-8")) if out.exists() else None), 0


def _confine() -> None:
    import resource

    signal.alarm(MAX_SECONDS)
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # panics of the engine
