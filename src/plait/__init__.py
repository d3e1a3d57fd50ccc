"""plait: code search by words, meaning and structure, with a reason for every score.

    import plait

    index = plait.open("path/to/code")
    answer = index.search("retry with backoff", limit=5)
    print(answer.results[0].chunk.path, answer.results[0].reason.text)

Importing this package loads nothing but itself: no grammar, no engine, no file.
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers know the name; importing it would load typing
if TYPE_CHECKING:
    from plait.assembly import open_index as open

__all__ = ["__version__", "open"]

__version__: str


def __getattr__(name: str) -> object:
    # What costs time is loaded when it is first asked for.
    if name == "__version__":
        from importlib.metadata import version

        return version("plait")
    if name == "open":
        from plait.assembly import open_index

        return open_index
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
