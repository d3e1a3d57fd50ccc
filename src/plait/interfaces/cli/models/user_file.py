"""One setting in the user's own file, the rest of which stays as it was written."""

from __future__ import annotations

import json
import os
import re
import tomllib
from pathlib import Path

from plait.errors import SettingError


def write_setting(path: Path, name: str, value: str) -> None:
    """Set a text in a settings file; "" takes the setting out.

    Raises:
        SettingError: The file cannot be read or written, or is laid out in a way that a line
            cannot be changed in.
    """
    try:
        before = path.read_text(encoding="utf-8") if path.is_file() else ""
        expected = {key: kept for key, kept in tomllib.loads(before).items() if key != name}
        line = re.compile(rf"^[ \t]*{re.escape(name)}[ \t]*=.*\n?", re.MULTILINE)
        after = line.sub("", before)
        if value:
            after = f"{name} = {json.dumps(value, ensure_ascii=False)}\n{after}"
            expected[name] = value
        if not _means(after, expected):
            raise SettingError(
                f"cannot change {name} in {path}: it is not written on a line of its own",
                hint=f"edit the file: {name} = {json.dumps(value, ensure_ascii=False)}",
            )
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f"{path.name}.{os.getpid()}")
        fresh.write_text(after, encoding="utf-8")
        fresh.replace(path)
    except (OSError, ValueError) as error:
        raise SettingError(f"cannot change {path}: {error}") from error


def _means(text: str, expected: dict[str, object]) -> bool:
    """Whether a file says exactly what it should."""
    try:
        return tomllib.loads(text) == expected
    except tomllib.TOMLDecodeError:
        return False
