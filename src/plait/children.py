"""Children: the one place where plait starts Python interpreters and other programs.

A child gets an argument list, never a shell; an absolute program; an empty folder to stand
in; and an environment without keys, passwords or anything else it has no use for. A Python
child is isolated as well (``-I``): it imports from where its parent does, less whatever lies
in the current folder (``import_path.py``), and from nowhere else. What is kept from children
is kept from a parser that a hostile file has taken over, too.

git has its own rules (``sources/git.py``).
"""

from __future__ import annotations

import atexit
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from plait.errors import SettingError
from plait.import_path import trusted

# What a program may need to run at all: its libraries, the system's folder (Windows), a
# locale. Nothing here can hold a secret.
KEPT = frozenset(
    "PATH PATHEXT SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC TEMP TMP TMPDIR LANG LC_ALL LC_CTYPE "
    "LD_LIBRARY_PATH DYLD_LIBRARY_PATH DYLD_FALLBACK_LIBRARY_PATH NIX_LD_LIBRARY_PATH".split()
)
# -S: the path is handed over, so no .pth file and no sitecustomize is looked for.
BOOT = "import sys, runpy; m = sys.argv[1]; sys.path[:] = sys.argv[2:]; del sys.argv[1:]; "
RUN_MODULE = BOOT + "runpy.run_module(m, run_name='__main__', alter_sys=True)"
RUN_CODE = BOOT + "exec(m, {'__name__': '__main__'})"


def start_module(module: str, **pipes: Any) -> subprocess.Popen[bytes]:
    """Start ``python -m module`` as an isolated child; ``pipes`` are those of ``Popen``.

    Raises:
        OSError: It could not be started.
        SettingError: This process does not know its interpreter.
    """
    return subprocess.Popen(
        python(RUN_MODULE, module), cwd=empty_folder(), env=environment(), **pipes
    )


def start_plait(module: str, **pipes: Any) -> subprocess.Popen[bytes]:
    """Start a module of plait that does what its parent could do itself.

    It is isolated as any child, but stands where its parent does and knows what it knows:
    where the cache is, how to reach a store.

    Raises:
        OSError: It could not be started.
        SettingError: This process does not know its interpreter.
    """
    known = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    return subprocess.Popen(python(RUN_MODULE, module), env=known, **pipes)


def run_code(code: str, *, timeout_s: float) -> subprocess.CompletedProcess[bytes]:
    """Run a piece of our own Python to its end, as an isolated child.

    Raises:
        OSError, subprocess.TimeoutExpired: It could not be started, or took too long.
        SettingError: This process does not know its interpreter.
    """
    return run([*python(RUN_CODE, code)], timeout_s=timeout_s)


def run(arguments: Sequence[str], *, timeout_s: float) -> subprocess.CompletedProcess[bytes]:
    """Run a program, by its absolute path (``program`` finds it), to its end.

    Raises:
        OSError, subprocess.TimeoutExpired: It could not be started, or took too long.
    """
    if not Path(arguments[0]).is_absolute():
        raise FileNotFoundError(2, "not an absolute path", arguments[0])
    return subprocess.run(
        arguments,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=timeout_s,
        check=False,
        cwd=empty_folder(),
        env=environment(),
    )


def python(boot: str, what: str) -> list[str]:
    """The argument list of an isolated interpreter: a program above, and its argument.

    Raises:
        SettingError: This process does not know its interpreter.
    """
    if not sys.executable or not Path(sys.executable).is_absolute():
        raise SettingError(
            "plait cannot start its parse workers: Python does not know its own path",
            hint="run plait with an installed Python, not inside another program",
        )
    no_bytecode = ["-B"] if sys.dont_write_bytecode else []
    homes = [_home(what)] if boot is RUN_MODULE else []
    return [sys.executable, "-I", "-S", *no_bytecode, "-c", boot, what, *trusted(*homes)]


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a child: what any program needs, and ``more``."""
    # Nothing is decided by these: they are handed on.
    kept = {key: value for key, value in os.environ.items() if key.upper() in KEPT}
    return {**kept, **(more or {})}


def program(name: str) -> str | None:
    """Where a program is installed, by the absolute folders of PATH; None if in none.

    Never in the current folder, whatever PATH says and Windows would do.
    """
    folders = [
        folder
        for folder in os.environ.get("PATH", os.defpath).split(os.pathsep)
        if _is_safe(folder)
    ]
    found = shutil.which(name, path=os.pathsep.join(folders)) if folders else None
    return found if found and Path(found).is_absolute() else None


def _is_safe(folder: str) -> bool:
    try:
        return Path(folder).is_absolute() and not Path(folder).samefile(Path.cwd())
    except OSError:
        return False  # not there


def _home(module: str) -> str:
    """The folder a module's outermost package lies in; "" if it cannot be found."""
    package = module.partition(".")[0]
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return ""
    if spec is None:
        return ""
    if spec.submodule_search_locations:
        return str(Path(next(iter(spec.submodule_search_locations))).parent)
    return str(Path(spec.origin).parent) if spec.origin else ""


_empty: list[str] = []  # the folder children stand in, once there is one


def empty_folder() -> str:
    """A folder with nothing in it that only this user can write to, gone when plait ends.

    Where none can be made (a full disk), it is the root folder: a child imports nothing from
    where it stands.
    """
    if not (_empty and Path(_empty[-1]).is_dir()):  # cleaners of temporary folders exist
        try:
            made = tempfile.mkdtemp(prefix="plait-empty-")
        except OSError:
            return Path(sys.executable or Path.cwd()).anchor
        _empty.append(made)
        atexit.register(_remove, made)
    return _empty[-1]


def _remove(folder: str) -> None:
    with suppress(OSError):
        Path(folder).rmdir()
