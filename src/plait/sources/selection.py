"""Selection: which files of a source does the caller want?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from plait.beneath import MOST_BYTES
from plait.errors import SettingError

MAX_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Selection:
    """What to leave out beyond what is never worth indexing.

    Args:
        hidden: Also take names that begin with a dot. What git tracks is always taken.
        no_ignore: Do not respect ignore files, neither git's nor ours.
        exclude: Further patterns to leave out, in gitignore's syntax, relative to the root.
        max_bytes: A larger file is skipped as oversized.
        include_secrets: Also take files that look like keys and credentials.
        skip_vendored: Skip copies of other people's code instead of tagging them.
        global_ignore: The user's own ignore file, used outside git repositories;
            None for git's default place.
    """

    hidden: bool = False
    no_ignore: bool = False
    exclude: tuple[str, ...] = ()
    max_bytes: int = MAX_BYTES
    include_secrets: bool = False
    skip_vendored: bool = False
    global_ignore: Path | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.max_bytes <= MOST_BYTES:
            raise SettingError(f"max_bytes must be 1 to {MOST_BYTES:,}, got {self.max_bytes}")
