"""Tensors from a ``.safetensors`` file, mapped into memory: numbers and names, no code.

The layout is the length of a JSON header, the header (name to type, shape and place), and
the bytes. Nothing is executed and every place is checked, so a file from anywhere can do no
more than be refused.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plait.errors import ModelError

if TYPE_CHECKING:
    from numpy.typing import NDArray

TYPES = {"F32": "<f4", "F16": "<f2", "I8": "i1", "U8": "u1", "I32": "<i4", "I64": "<i8"}
MAX_HEADER_BYTES = 1 << 24


def read_tensor(path: Path, name: str) -> NDArray[Any]:
    """One tensor of a file, read-only and read from disk only where it is used.

    Raises:
        ModelError: The file cannot be read, is damaged, or has no such tensor.
    """
    import numpy

    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            if not 2 <= length <= min(MAX_HEADER_BYTES, size - 8):
                raise ValueError("its header has no possible length")
            header = json.loads(file.read(length))
        told = header[name]
        kind = numpy.dtype(TYPES[told["dtype"]])
        shape = tuple(int(length) for length in told["shape"])
        begin, end = (int(at) for at in told["data_offsets"])
        count = 1
        for edge in shape:
            count *= edge
        if min((*shape, 0)) < 0 or not 0 <= begin <= end <= size - 8 - length:
            raise ValueError(f"tensor {name!r} lies outside the file")
        if end - begin != count * kind.itemsize:
            raise ValueError(f"tensor {name!r} has {end - begin} bytes for shape {shape}")
        return numpy.memmap(path, kind, "r", 8 + length + begin, shape)
    except (OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError,
            RecursionError) as error:  # fmt: skip
        raise ModelError(f"cannot read the weights {path}: {error}") from error
