"""An index that cannot be written: why in words, and what to do about it."""

from __future__ import annotations

import errno
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from plait.errors import StoreFull, StoreUnwritable
from plait.private.trouble import in_words

TROUBLE = re.compile(r"os error \d+|I/?O ?error", re.IGNORECASE)  # as the word index words it
SERVES = "the index before this change still answers"
ELSEWHERE = "name another folder: PLAIT_CACHE_DIR"


@contextmanager
def disk_errors(
    root: Path, theirs: Sequence[BaseException], has_index: Callable[[], bool]
) -> Iterator[None]:
    """Say in words why the index cannot be written, whoever noticed.

    Args:
        root: The index.
        theirs: What was raised outside the store, for which no disk of ours is blamed.
        has_index: Whether there is a generation that answers meanwhile.
    """
    try:
        yield
    except (OSError, ValueError, MemoryError) as error:
        if any(error is other for other in theirs):
            raise
        is_full = getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT)
        if is_full or "No space left" in str(error):
            hint = f"; {SERVES}" if has_index() else f", or {ELSEWHERE}"
            raise StoreFull(
                f"no room to write the index in {root}", hint=f"free some disk space{hint}"
            ) from error
        if isinstance(error, ValueError) and not TROUBLE.search(str(error)):
            raise
        hint = f"{SERVES}; or {ELSEWHERE}" if has_index() else ELSEWHERE
        reason = in_words(error, root)
        raise StoreUnwritable(f"the index cannot be written: {reason}", hint=hint) from error
