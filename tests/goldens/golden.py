"""Golden files: what a test found, kept as text and reviewed as a diff.

``PLAIT_UPDATE_GOLDENS=1`` (or ``make goldens``) writes them anew.
"""

from __future__ import annotations

import os
from pathlib import Path

HERE = Path(__file__).parent
UPDATE = "PLAIT_UPDATE_GOLDENS"


def check(name: str, found: str) -> None:
    """Fail unless a golden file holds exactly this text; write it if goldens are updated."""
    golden = HERE / name
    if os.environ.get(UPDATE) == "1":
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(found, encoding="utf-8")
        return
    assert golden.is_file(), f"there is no golden {name}: run `make goldens` and review it"
    assert found == golden.read_text(encoding="utf-8"), (
        f"{name} differs: run `make goldens` and review the diff"
    )
