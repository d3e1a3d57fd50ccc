"""An index that cannot be written says why in words, and promises only what is there."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from plait.errors import StoreUnwritable
from plait.private.trouble import in_words
from tests.stores.folder import opened, tags, uniform

ELSEWHERE = "name another folder: PLAIT_CACHE_DIR"


def blocked(root: Path) -> Path:
    """An index that not even root can write: a folder stands where its lock would be."""
    (root / "lock").unlink(missing_ok=True)
    (root / "lock").mkdir(parents=True)
    root.chmod(0o700)
    return root


def test_without_an_index_no_index_is_said_to_answer(tmp_path: Path) -> None:
    root = blocked(tmp_path / "store")
    with pytest.raises(StoreUnwritable) as caught:
        opened(root).commit(uniform("first"))

    assert str(caught.value).startswith("the index cannot be written: ")
    assert str(root / "lock") in str(caught.value)
    assert "[Errno" not in str(caught.value)
    assert caught.value.hint == ELSEWHERE


@pytest.mark.skipif(os.name == "nt" or not os.getuid(), reason="this user may write anywhere")
def test_a_folder_that_is_closed_to_the_user_is_told(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(StoreUnwritable, match="cannot be written: no permission for /"):
        opened(tmp_path / "store").commit(uniform("first"))


def test_an_index_that_is_there_still_answers(tmp_path: Path) -> None:
    store = opened(tmp_path / "store")
    store.commit(uniform("old"))
    blocked(store.root)
    with pytest.raises(StoreUnwritable) as caught:
        store.commit(uniform("new"))

    assert "[Errno" not in str(caught.value)
    assert caught.value.hint == f"the index before this change still answers; or {ELSEWHERE}"
    assert tags(store) == {"old"}


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (PermissionError(errno.EACCES, "Permission denied", "/x"), "no permission for /x"),
        (PermissionError(errno.EPERM, "Operation not permitted"), "no permission for /here"),
        (OSError(errno.EROFS, "Read-only file system", "/x"), "read-only file system: /x"),
        (OSError(errno.EIO, "Input/output error"), "input/output error: /here"),
        (OSError("odd"), "odd: /here"),
        (MemoryError(), "memory is exhausted"),
        (ValueError("an IO error occurred"), "an IO error occurred"),
    ],
)
def test_a_system_error_is_told_without_its_number(error: Exception, words: str) -> None:
    assert in_words(error, Path("/here")) == words
