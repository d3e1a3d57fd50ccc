"""The choice of a model, by one line of text:

    ""                                    the static model plait brings
    ./folder, /folder, ~/folder           a model in a folder: static or ONNX
    org/name, org/name@revision           a model fetched from the Hugging Face hub
    https://host/v1#name                  an endpoint that speaks OpenAI's /embeddings
    https://host/v1?key=VARIABLE#name     ... its key in an environment variable of that name

A name is never looked up below the current folder: what lies in a checkout is not the user's
choice.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit, urlunsplit

from plait.errors import ModelError
from plait.models.bundle import BUNDLED, NAME, check_digests, has_bundled
from plait.models.catalogue import CATALOGUE, KnownModel
from plait.models.hub import ID, PICKLES, HubId, check_snapshot, find_snapshot, is_offline
from plait.models.lazy import LazyEncoder
from plait.models.static import TABLE, WEIGHTS, StaticModel
from plait.types import Encoder

if TYPE_CHECKING:
    from plait.models.http import HttpModel

KEY_VARIABLE = "PLAIT_MODEL_KEY"
NOTHING: Mapping[str, str] = MappingProxyType({})


def lazy_model(
    spec: str,
    models_dir: Path,
    environment: Mapping[str, str] = NOTHING,
    *,
    threads: int = 1,
    wait_s: float = 0.0,
) -> LazyEncoder:
    """A model that is opened by the first question; ``open_model`` says what it may raise."""
    return LazyEncoder(
        shown_name(spec),
        lambda: open_model(spec, models_dir, environment, threads=threads, wait_s=wait_s),
        waits=bool(spec),  # the one that plait brings is a table in memory
    )


def open_model(
    spec: str,
    models_dir: Path,
    environment: Mapping[str, str] = NOTHING,
    *,
    threads: int = 1,
    wait_s: float = 0.0,
    bundled: Path = BUNDLED,
    catalogue: Mapping[str, KnownModel] = CATALOGUE,
) -> Encoder:
    """Open the model a line of text means, its files proved where they can be.

    Args:
        spec: The line.
        models_dir: Where fetched models are kept, as ``hub_folder`` says.
        environment: Holds the key of an endpoint, and whether to stay offline.
        threads: How many texts a transformer encodes at once; 0 for one per core.
        wait_s: How long an endpoint has for a question; 0 for its usual time.
        bundled: Where the model plait brings would lie.
        catalogue: The models that are known byte for byte.

    Raises:
        ModelError: There is no such model here, or it cannot be used.
    """
    if not spec:
        if not has_bundled(bundled):
            raise ModelError(
                "this plait brings no model",
                hint="set one: plait model set SPEC; plait model list shows what there is",
            )
        check_digests(bundled)
        return StaticModel(bundled, NAME)
    if "://" in spec:
        return _endpoint(spec, environment, wait_s)
    if not is_hub_name(spec):
        return _in_folder(Path(spec).expanduser(), threads=threads)
    wanted = HubId.parse(spec)
    known = catalogue.get(wanted.id)
    folder = find_snapshot(wanted, models_dir, known.revision if known else "")
    if folder is None:
        near = f", or ./{spec} for the folder" if Path(spec).is_dir() else ""
        raise ModelError(f"model {spec} is not here", hint=f"plait model fetch {spec}{near}")
    is_pinned = known is not None and folder.name == known.revision
    check_snapshot(folder, known.files if known and is_pinned else {})
    return _in_folder(folder, spec, known, threads=threads)


def shown_name(spec: str) -> str:
    """What a model is called before it is opened."""
    if not spec:
        return NAME
    if "://" in spec:
        parts = urlsplit(spec)
        return f"{parts.fragment} at {parts.hostname}"
    return spec if is_hub_name(spec) else Path(spec).name


def is_hub_name(spec: str) -> bool:
    """Whether a line names a model of the hub: two plain words, not a path."""
    return bool(ID.fullmatch(spec.partition("@")[0]))


def _in_folder(
    folder: Path, name: str = "", known: KnownModel | None = None, *, threads: int = 1
) -> Encoder:
    """The model in a folder, of the kind its files are."""
    if not folder.is_dir():
        raise ModelError(
            f"there is no folder {folder}",
            hint="a model is a folder, org/name of the hub, or an address",
        )
    check_digests(folder)
    if _has_table(folder / WEIGHTS):
        return StaticModel(folder, name)
    if any(folder.glob("*.onnx")) or any(folder.glob("onnx/*.onnx")):
        from plait.models.onnx import OnnxModel

        return OnnxModel(folder, name, known.config if known else None, threads)
    if (folder / WEIGHTS).is_file():
        raise ModelError(
            f"{folder / WEIGHTS} is no table of vectors: plait runs a transformer from .onnx only",
            hint="export it, or fetch a model that has .onnx weights",
        )
    pickled = sorted(path.name for path in folder.iterdir() if path.suffix in PICKLES)
    if pickled:
        raise ModelError(
            f"{folder} holds only pickled weights ({', '.join(pickled[:3])}): reading a pickle "
            "can run code, so plait never does",
            hint="a model is .onnx, or .safetensors with a table of vectors",
        )
    raise ModelError(
        f"{folder} holds no model", hint=f"expected {WEIGHTS} or .onnx beside tokenizer.json"
    )


def _has_table(weights: Path) -> bool:
    """Whether weights are a static model's; damaged ones are left to it to refuse."""
    if not weights.is_file():
        return False
    try:
        with weights.open("rb") as file:
            (length,) = struct.unpack("<Q", file.read(8))
            header = json.loads(file.read(min(length, 1 << 24)))
    except (OSError, ValueError, RecursionError, struct.error):
        return True
    return not isinstance(header, dict) or TABLE in header


def _endpoint(spec: str, environment: Mapping[str, str], wait_s: float) -> HttpModel:
    """The model behind an address."""
    from plait.models.http import QUESTION_S, HttpModel, is_local

    try:
        parts = urlsplit(spec)
        query = parse_qs(parts.query, strict_parsing=True) if parts.query else {}
    except ValueError as error:
        raise ModelError(f"{spec!r} is not the address of a model: {error}") from None
    variable = query.pop("key", [KEY_VARIABLE])[-1]
    if query:
        raise ModelError(
            f"the address of a model takes ?key=VARIABLE only, got {', '.join(query)}",
        )
    url = urlunsplit((parts.scheme, parts.netloc, parts.path, "", ""))
    if is_offline(environment) and not is_local(url):
        raise ModelError(
            f"{parts.fragment} at {parts.hostname} is not asked: plait is told to stay offline",
            hint="unset PLAIT_OFFLINE and HF_HUB_OFFLINE, or choose another model",
        )
    key = environment.get(variable, "")
    if not key and variable != KEY_VARIABLE:
        raise ModelError(f"the key of {url} is not there: {variable} is not set")
    return HttpModel(
        url,
        parts.fragment,
        api_key=key,
        question_s=wait_s or QUESTION_S,
        environment=environment,
    )
