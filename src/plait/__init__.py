"""plait: code search by words, meaning and structure, with a reason for every score.

Importing this package loads nothing but itself: no grammar, no engine, no file.
"""

from __future__ import annotations

__all__ = ["__version__"]

__version__: str


def __getattr__(name: str) -> str:
    # Reading installed metadata costs milliseconds that only --version should pay.
    if name == "__version__":
        from importlib.metadata import version

        return version("plait")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
