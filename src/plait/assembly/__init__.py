"""Assembly: the only package that names concrete sources, lanes and stores.

``open_index`` puts together what a path needs: the root it belongs to, where its index is kept,
the source that lists its files, the lanes that find them.
"""

from plait.assembly.opening import (
    Opened,
    index_of,
    open_index,
    open_operations,
    open_source,
    rebuild_together,
    settings_for,
)
from plait.assembly.parts import dense_lane, lexical_lane
from plait.assembly.places import cache_folder, user_settings_file

__all__ = [
    "Opened",
    "cache_folder",
    "dense_lane",
    "index_of",
    "lexical_lane",
    "open_index",
    "open_operations",
    "open_source",
    "rebuild_together",
    "settings_for",
    "user_settings_file",
]
