"""Values of options that must be one of a few, or not too small."""

from __future__ import annotations

from collections.abc import Sequence

from plait.errors import SettingError

FORMATS = ("text", "json", "jsonl", "md", "vimgrep", "sarif", "llm")
COLORS = ("auto", "always", "never")


def chosen(name: str, value: str, accepted: Sequence[str]) -> str:
    """A value that must be one of a few.

    Raises:
        SettingError: It is none of them.
    """
    if value not in accepted:
        raise SettingError(f"{name} must be one of {', '.join(accepted)}, got {value!r}")
    return value


def at_least(name: str, value: int | None, least: int) -> int | None:
    """A number that must not be too small.

    Raises:
        SettingError: It is.
    """
    if value is not None and value < least:
        raise SettingError(f"{name} must be at least {least}, got {value}")
    return value
