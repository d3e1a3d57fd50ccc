"""The vector set: which layer has vectors of which model, while a commit is being written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from plait.stores.embedded.manifest import LayerRecord, VectorRecord
from plait.stores.embedded.vectors import VectorFile, VectorWriter

ATTIC = ""  # the layer of vectors whose chunks are gone
MAX_ATTIC_ROWS = 200_000

Rows = tuple[str, range]  # of a layer


class VectorSet:
    """The vectors of the generation before, and what a commit makes of them.

    Args:
        root: The store.
        name: Of the commit; files it writes begin with it.
        records: What the current generation has.
    """

    def __init__(self, root: Path, name: str, records: Iterable[VectorRecord]) -> None:
        self._root = root
        self._name = name
        self._records = {(record.layer, record.model): record for record in records}

    def records(self) -> tuple[VectorRecord, ...]:
        """What the next generation has, in a fixed order."""
        return tuple(self._records[key] for key in sorted(self._records))

    def missing_vectors(self, layers: Iterable[LayerRecord], model: str) -> list[LayerRecord]:
        """The layers some of whose living chunks have no vector of a model."""
        return [
            layer
            for layer in layers
            if (kept := self._records.get((layer.name, model))) is None or kept.missing
        ]

    def files(self, model: str) -> dict[str, VectorFile]:
        """All vectors of a model by layer, the attic's too."""
        return {r.layer: self._opened(r) for r in self.records() if r.model == model}

    def keep(self, layer: str, model: str, made: VectorWriter) -> VectorFile:
        """Write the vectors of a layer."""
        name = f"layers/{self._name}.{layer or 'attic'}.{model}.vectors"
        made.write(self._root / name)
        record = VectorRecord(layer, model, name, made.dimension, made.rows, made.missing)
        self._records[layer, model] = record
        return self._opened(record)

    def empty_attic(self, model: str) -> None:
        """Forget what no chunk has any more."""
        self._records.pop((ATTIC, model), None)

    def merge(self, name: str, kept: Sequence[Rows], dropped: Sequence[Rows]) -> None:
        """Give a merged layer the vectors its chunks had, and the attic those of the others.

        Args:
            name: Of the merged layer; "" if nothing of the layers was alive.
            kept: Where the chunks of the merged layer stood, in its order.
            dropped: Where chunks stood that are in no layer now.
        """
        merged = {layer for layer, _ in (*kept, *dropped)}
        old = [record for record in self.records() if record.layer in merged]
        for record in old:
            del self._records[record.layer, record.model]
        for model, dimension in {record.model: record.dimension for record in old}.items():
            files = {r.layer: self._opened(r) for r in old if r.model == model}
            if name:
                self.keep(name, model, _copied(model, dimension, files, kept))
            gone = [(layer, rows) for layer, rows in dropped if layer in files]
            attic = self._records.get((ATTIC, model))
            if attic is not None:
                files[ATTIC] = self._opened(attic)
                gone.append((ATTIC, range(attic.rows)))
            if gone:
                self.keep(ATTIC, model, _copied(model, dimension, files, gone, MAX_ATTIC_ROWS))

    def _opened(self, record: VectorRecord) -> VectorFile:
        return VectorFile(self._root / record.file, record.model, record.rows)


def _copied(
    model: str,
    dimension: int,
    files: Mapping[str, VectorFile],
    sources: Iterable[Rows],
    most: int | None = None,
) -> VectorWriter:
    """Rows of several files as one; those of a layer without vectors stay absent."""
    made = VectorWriter(model, dimension)
    for layer, rows in _joined(sources):
        room = len(rows) if most is None else min(len(rows), most - made.rows)
        if layer in files:
            made.copy(files[layer], slice(rows.start, rows.start + room))
        else:
            made.leave_out(room)
    return made


def _joined(sources: Iterable[Rows]) -> Iterator[Rows]:
    """Rows that follow one another as one, so that they are copied as one."""
    last: Rows | None = None
    for layer, rows in sources:
        if last is not None and last[0] == layer and last[1].stop == rows.start:
            last = (layer, range(last[1].start, rows.stop))
            continue
        if last is not None:
            yield last
        last = (layer, rows)
    if last is not None:
        yield last
