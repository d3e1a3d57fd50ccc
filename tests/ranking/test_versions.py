"""Versions: what is old stands beside something newer."""

from __future__ import annotations

import pytest

from plait.ranking.versions import superseded


@pytest.mark.parametrize(
    ("paths", "words", "old"),
    [
        (("src/v3/types.ts", "src/v4/core/schemas.ts"), (), [True, False]),
        (("lib/v1/fields.py", "lib/fields.py"), (), [True, False]),
        (("lib/v1/fields.py", "lib/main.py"), (), [False, False]),
        (("src/v3/types.ts", "src/v4/types.ts"), ("types", "V3"), [False, False]),
        (("a/v1/x.go", "b/v2/x.go"), (), [False, False]),
        (("v1/x.go", "v2/y.go"), (), [True, False]),
        (("apis/v1beta1/x.go", "apis/v1/x.go"), (), [False, False]),
    ],
)
def test_a_file_is_old_if_a_newer_one_of_its_kind_was_found(
    paths: tuple[str, ...], words: tuple[str, ...], old: list[bool]
) -> None:
    assert superseded(paths, words) == old
