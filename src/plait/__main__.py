"""``plait`` and ``python -m plait``: the way in.

The import path is cleaned before anything is imported that the current folder could
provide. What Python itself imports earlier it can provide: in a stranger's repository, use
``plait`` or ``python -P -m plait``.
"""

# ruff: noqa: E402 - that is the point
import sys

from plait.import_path import trusted

sys.path[:] = trusted()

from plait.interfaces.cli.main import run

if __name__ == "__main__":
    run()
