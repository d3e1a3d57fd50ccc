"""Values of settings: what a file or a variable holds, as the setting's own type."""

from __future__ import annotations

import reprlib
from typing import Any

from plait.errors import SettingError


def shown(value: Any) -> str:
    """A value in a few words: a stranger's may be long, nested deep, or no number Python prints."""
    try:
        return reprlib.repr(value)
    except ValueError:
        return "a number of thousands of digits"


def as_setting(name: str, value: Any, default: Any, where: str) -> Any:
    """A value of the setting's own type; text from the environment is read as one.

    Raises:
        SettingError: It is of another.
    """
    got = shown(value)
    problem = SettingError(f"setting {name} in {where} must be {_describe(default)}, got {got}")
    if isinstance(default, bool):
        if isinstance(value, str):
            value = {
                "1": True,
                "true": True,
                "yes": True,
                "0": False,
                "false": False,
                "no": False,
            }.get(value.lower())
        if not isinstance(value, bool):
            raise problem
        return value
    if isinstance(default, int | float):
        try:
            read = type(default)(value)
            if isinstance(value, bool) or (isinstance(value, float) and read != value):
                raise problem
            return read
        except (TypeError, ValueError, OverflowError):
            raise problem from None
    if isinstance(default, tuple):
        items = value.split(",") if isinstance(value, str) else value
        if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
            raise problem
        return tuple(item.strip() for item in items if item.strip())
    if not isinstance(value, str):
        raise problem
    return value


def _describe(default: Any) -> str:
    if isinstance(default, bool):
        return "true or false"
    if isinstance(default, tuple):
        return "a list of strings"
    return {"int": "a whole number", "float": "a number"}.get(type(default).__name__, "a string")
