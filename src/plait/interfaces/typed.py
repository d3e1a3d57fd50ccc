"""TypedDict, as pydantic needs it: on Python 3.11 it takes only the one of typing_extensions.

That package comes with pydantic; plait alone does without.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from typing import TypedDict
else:
    try:
        from typing_extensions import TypedDict
    except ImportError:
        from typing import TypedDict

__all__ = ["TypedDict"]
