"""Every exception plait raises on purpose, and what a caller may do about it.

    PlaitError
    ├── SettingError         a setting, flag or configuration file cannot be used
    ├── QueryError           the query cannot be understood as written
    │   └── PatternError     a regular expression RE2 refuses
    ├── OutOfTime            a search, or a part of it, took longer than it may
    ├── SourceError          the place code should come from cannot be read
    ├── SymbolError          a grammar or its query file cannot be used
    │   ├── WorkerLost       a parse worker died or overran its limits
    │   └── WorkerUnusable   parse workers cannot be started, or lack a grammar
    ├── DownloadError        a file is unavailable, or is not the right one
    ├── ModelError           weights or a tokeniser cannot be used, or are unavailable
    ├── EvaluationError      a dataset or run cannot be used, or is unavailable
    └── StoreError           the index cannot serve
        ├── IndexMissing     nothing is indexed there yet
        ├── IndexBusy        another process is writing
        ├── IndexCorrupt     a file is not what its manifest says
        ├── FormatMismatch   written by another version of plait or with other settings
        ├── StoreUnwritable  the index cannot be changed; the old generation still serves
        │   ├── StoreFull    the disk is full
        │   └── StoreUnsafe  others could change what is kept there
        ├── StoreUnreachable no node of a cluster answers
        ├── StoreRefused     a cluster rejects our credentials, or we its certificate
        ├── StoreBusy        a cluster has too much to do
        ├── StoreDegraded    a part of the index cannot be read now
        └── SnapshotLost     a snapshot was held too long; a new one will do

An error says what happened, to which value, and what is accepted; its hint says
what to do. Anything that is not a PlaitError is a bug.
"""

from __future__ import annotations


class PlaitError(Exception):
    """A failure plait foresaw: a sentence for the user and, where there is one, a way out."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class SettingError(PlaitError):
    """A setting has a value that cannot work."""


class QueryError(PlaitError):
    """A query cannot be understood as written."""


class PatternError(QueryError):
    """A regular expression is not one RE2 accepts."""


class OutOfTime(PlaitError):
    """A search, or a part of it, took longer than it may."""


class SourceError(PlaitError):
    """The place code should come from cannot be read."""


class SymbolError(PlaitError):
    """A grammar or the query file of a language cannot be used."""


class WorkerLost(SymbolError):
    """A parse worker died, or was killed for overrunning its limits; ``cause`` says which."""

    def __init__(self, message: str, *, hint: str = "", cause: str = "") -> None:
        super().__init__(message, hint=hint)
        self.cause = cause or message


class WorkerUnusable(SymbolError):
    """No parse worker can be started, or it cannot parse: the installation is at fault."""


class DownloadError(PlaitError):
    """A file is unavailable, or is not the one that is wanted."""


class ModelError(PlaitError):
    """A model's weights or tokeniser cannot be used, or is unavailable."""


class EvaluationError(PlaitError):
    """A dataset or a run cannot be used, or is unavailable."""


class StoreError(PlaitError):
    """The index cannot serve."""


class IndexMissing(StoreError):
    """Nothing is indexed at the place asked for."""


class IndexBusy(StoreError):
    """Another process holds the writer's lock."""


class IndexCorrupt(StoreError):
    """A file of the index is not what its manifest says it is."""


class FormatMismatch(StoreError):
    """The index was written by another version of plait, or with other settings."""


class StoreUnwritable(StoreError):
    """The index cannot be changed; the generation before still serves."""


class StoreFull(StoreUnwritable):
    """There is no room to write."""


class StoreUnsafe(StoreUnwritable):
    """What is kept lies where others could change it; only a folder the user named is read."""


class StoreUnreachable(StoreError):
    """No node of a cluster answers."""


class StoreRefused(StoreError):
    """A cluster rejects our credentials, or its certificate is not trusted."""


class StoreBusy(StoreError):
    """A cluster has too much to do; later will do."""


class StoreDegraded(StoreError):
    """A part of the index cannot be read now, so no answer would be whole."""


class SnapshotLost(StoreError):
    """What a snapshot looked at is gone; a new snapshot will do."""
