"""``plait doctor``: is everything plait needs there and working?"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator

import typer

from plait import children
from plait.errors import IndexMissing, PlaitError
from plait.interfaces.cli.arguments import parameters as params
from plait.interfaces.cli.tools.finding import Finding

PARTS = ("typer", "rich", "tantivy", "tree-sitter", "google-re2", "PyStemmer")
GRAMMAR_SECONDS = 60
GIT_SECONDS = 10
# Grammars are native code, so they are tried in a process that may die.
LOAD_GRAMMARS = """
import json
from plait.symbols.grammars import GRAMMARS, grammar
failed = {}
for language in GRAMMARS:
    try:
        grammar(language)
    except Exception as error:
        failed[language] = str(error)
print(json.dumps([len(GRAMMARS), failed]))
"""


def doctor(path: params.ScopeArgument = "", store: params.StoreOption = "") -> None:
    """Check the installation and the index of PATH. Exit 0 if all is well, 2 if not."""
    from plait.interfaces.cli.output import emit

    is_well = True
    for finding in _findings(path, store):
        is_well = is_well and not finding.hint
        mark = "problem" if finding.hint else "ok"
        emit([f"{mark:<8} {finding.about}: {finding.text}"])
        if finding.hint:
            emit([f"         hint: {finding.hint}"])
        sys.stdout.flush()
    raise typer.Exit(0 if is_well else 2)


def _findings(path: str, store: str) -> Iterator[Finding]:
    from plait import __version__

    python = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    yield Finding("plait", f"{__version__}, Python {python}")
    yield _parts()
    yield _grammars()
    yield _git()
    try:
        from plait.interfaces.cli.opened import open_path

        index = open_path(path, store=store).index
    except PlaitError as error:
        yield Finding("path", str(error), error.hint or "name an existing folder")
        return
    yield _cache(index.writer.folder.parent)
    cores = os.cpu_count() or 1
    yield Finding("workers", f"{index.settings.workers or cores} for {cores} cores; {_limits()}")
    if index.is_shared:
        from plait.interfaces.cli.cluster.doctor import server_findings

        yield from server_findings(index)
        return
    try:
        faults = index.reader.store.check()
    except IndexMissing:
        yield Finding("index", f"none yet for {index.root.directory}; the first search makes it")
        return
    if faults:
        yield Finding("index", "; ".join(faults), f"plait index --rebuild {path}")
        return
    try:
        built = index.reader.as_built()
    except PlaitError as error:
        yield Finding("index", str(error), error.hint)
        return
    sound = f"generation {built.snapshot.generation} in {index.place} is sound"
    if built.otherwise:
        sound += f"; {built.otherwise}; the next search rebuilds it"
    yield Finding("index", sound)


def _limits() -> str:
    """What one parse worker may use."""
    from plait.symbols.limits import MAX_CPU_SECONDS, MAX_MEMORY_BYTES, MAX_SECONDS

    if sys.platform == "win32":
        return f"each may take {MAX_SECONDS:.0f} s for a file"
    memory = f"{MAX_MEMORY_BYTES >> 20} MB of memory"
    return f"each may take {memory} and {MAX_CPU_SECONDS} s of processor time for a file"


def _parts() -> Finding:
    from importlib.metadata import PackageNotFoundError, version

    found, absent = [], []
    for name in PARTS:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            absent.append(name)
    if absent:
        return Finding("packages", f"not installed: {', '.join(absent)}", "reinstall plait")
    return Finding("packages", ", ".join(found))


def _grammars() -> Finding:
    try:
        done = children.run_code(LOAD_GRAMMARS, timeout_s=GRAMMAR_SECONDS)
    except subprocess.TimeoutExpired:
        return Finding("grammars", f"not loaded in {GRAMMAR_SECONDS} s", "reinstall plait")
    except (OSError, PlaitError) as error:
        return Finding("grammars", f"cannot be loaded: {error}", "reinstall plait")
    try:
        count, failed = json.loads(done.stdout)
    except ValueError:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        last = said[-1] if said else f"exit code {done.returncode}"
        return Finding("grammars", f"cannot be loaded: {last}", "reinstall plait")
    if failed:
        return Finding("grammars", "; ".join(failed.values()), "reinstall plait")
    return Finding("grammars", f"all {count} load")


def _git() -> Finding:
    git = children.program("git")
    try:
        done = children.run([git or "", "--version"], timeout_s=GIT_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return Finding("git", "not found; folders are searched without it, commits are not")
    said = done.stdout.decode("utf-8", "replace").strip()
    return Finding("git", said.removeprefix("git version "))


def _cache(folder: object) -> Finding:
    import tempfile
    from pathlib import Path

    from plait.errors import StoreUnsafe
    from plait.private.folders import PrivateFolder

    cache = Path(str(folder))
    try:
        PrivateFolder(cache).make()
        with tempfile.TemporaryFile(dir=cache):
            pass
    except StoreUnsafe as error:
        return Finding("cache", str(error), error.hint)
    except OSError as error:
        hint = "make it writable, or name another folder: PLAIT_CACHE_DIR"
        return Finding("cache", f"cannot write to {cache}: {error.strerror}", hint)
    return Finding("cache", f"{cache} is writable")
