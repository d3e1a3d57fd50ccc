"""Engine: a collection on a cluster, opened as the program opens it."""

from __future__ import annotations

from typing import NamedTuple

from plait.answering.index import Index
from plait.assembly import open_index
from plait.settings import Settings
from plait.stores.cluster.address import Address
from plait.stores.cluster.connection import Connection
from plait.stores.cluster.schema import alias_of


class Place(NamedTuple):
    """A collection on nodes that run here."""

    store: str  # its address
    pids: tuple[int, ...]  # of the nodes

    @property
    def address(self) -> Address:
        return Address.parse(self.store, {})

    @property
    def alias(self) -> str:
        return alias_of(self.address.collection)

    def engine(self) -> Index:
        """What indexes and searches the whole collection."""
        return open_index("", Settings(store=self.store))

    def index_name(self, connection: Connection) -> str:
        """The index that the name of the collection stands for."""
        return str(next(iter(connection.ask("GET", f"/_alias/{self.alias}"))))
