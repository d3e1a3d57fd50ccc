"""Import path: where Python may take code from, which is never the folder one stands in.

plait is run inside repositories nobody has vetted. A ``json.py`` there must not be imported
because ``python -m``, ``python -c`` or a relative entry of PYTHONPATH put the current folder
on ``sys.path``. This module imports nothing that is not loaded when Python starts: whoever
cleans the path must not import from it first.
"""

from __future__ import annotations

import os
import sys


def trusted(*homes: str) -> list[str]:
    """``sys.path`` without entries that lie in the current folder or depend on it.

    Kept even there: the interpreter's own folders, the one plait came from, and ``homes``.
    """
    here = _here()
    own = _interpreters_own()
    known = {os.path.realpath(home) for home in (_home(), *homes) if home}
    return [
        entry
        for entry in sys.path
        if os.path.isabs(entry)
        and (
            not _is_within(entry, here)
            or os.path.realpath(entry) in known
            or any(_is_within(entry, folder) for folder in own)
        )
    ]


def _here() -> str:
    try:
        return os.path.realpath(os.getcwd())
    except OSError:  # the folder is gone: nothing can lie in it
        return ""


def _interpreters_own() -> list[str]:
    """Folders that belong to this Python: its library and where packages are installed."""
    own = [os.path.dirname(os.__file__)]
    if sys.platform == "win32":
        own += [os.path.join(sys.base_prefix, name) for name in ("DLLs", "Lib")]
    site = sys.modules.get("site")  # absent under -S
    if site is not None:
        own += site.getsitepackages()
        if site.ENABLE_USER_SITE:
            own.append(site.getusersitepackages())
    return [os.path.realpath(folder) for folder in own]


def _home() -> str:
    """The folder the package plait lies in."""
    return os.path.dirname(os.path.dirname(os.path.realpath(__file__)))


def _is_within(path: str, folder: str) -> bool:
    if not folder:
        return False
    real = os.path.realpath(path)
    return real == folder or real.startswith(folder.rstrip(os.sep) + os.sep)
