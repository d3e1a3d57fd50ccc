"""What can go wrong with a test cluster, in words.

``PartMissing`` is the one a test may skip for: this machine lacks something. The others mean
that something here is wrong.
"""

from __future__ import annotations

from plait.errors import PlaitError


class ClusterError(PlaitError):
    """A test cluster did not do what it was told."""


class PartMissing(ClusterError):
    """A part that is needed is not on this machine and cannot be had."""


class WrongPackage(ClusterError):
    """A package is not the one whose checksum is recorded."""


class PortTaken(ClusterError):
    """Somebody else listens where a node wanted to."""
