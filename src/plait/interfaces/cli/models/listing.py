"""``plait model list``: which models there are, which are here, which one is used."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from plait.interfaces.cli.arguments import parameters as params

if TYPE_CHECKING:
    from plait.models.catalogue import KnownModel

SCHEMA = "plait.models/1"


class ModelOut(TypedDict):
    """One model."""

    model: str  # what `plait model set` takes
    state: str  # bundled, fetched, known, set, damaged
    kind: str  # static, onnx, endpoint, or "" where only opening it would tell
    dimension: int | None
    size_bytes: int | None
    licence: str
    about: str
    in_use: bool


def listing(
    form: params.PlainFormatOption = "text",
    as_json: params.JsonOption = False,
) -> None:
    """List the models that are bundled, known or fetched, and the one in use."""
    from plait.assembly import user_settings_file
    from plait.interfaces.cli.output import emit, emit_json
    from plait.models.hub import hub_folder
    from plait.settings import load_settings

    form = params.chosen("--format", "json" if as_json else form, ("text", "json"))
    used = load_settings(None, os.environ, user_settings_file()).model
    models = list(_models(used, hub_folder(os.environ)))
    if form == "json":
        emit_json({"schema": SCHEMA, "in_use": used or "default", "models": models})
        return
    width = max(len(out["model"]) for out in models)
    emit(_line(out, width) for out in models)


def _models(used: str, hub: Path) -> Iterator[ModelOut]:
    from plait.models.catalogue import CATALOGUE
    from plait.models.choose import shown_name
    from plait.models.hub import HubId, fetched_ids, find_snapshot

    yield _bundled(is_used=not used)
    shown = {"default"}
    for known in CATALOGUE.values():
        is_here = find_snapshot(HubId(known.id), hub, known.revision) is not None
        yield _known(known, is_here=is_here, is_used=used == known.id)
        shown.add(known.id)
    for id_ in fetched_ids(hub):
        folder = find_snapshot(HubId(id_), hub)
        if id_ not in shown and folder is not None and _is_model(folder):
            yield _here(id_, folder, is_used=used == id_)
            shown.add(id_)
    if used and used not in shown:
        kind = "endpoint" if "://" in used else ""
        yield _out(used, "set", kind, about=shown_name(used), in_use=True)


def _bundled(*, is_used: bool) -> ModelOut:
    from plait.errors import ModelError
    from plait.models.bundle import BUNDLED, NAME, check_digests, has_bundled
    from plait.models.safetensors import read_tensor
    from plait.models.static import TABLE, WEIGHTS

    if not has_bundled():
        return _out("default", "none", "static", about="this plait brings none", in_use=is_used)
    try:
        check_digests(BUNDLED)
        dimension = int(read_tensor(BUNDLED / WEIGHTS, TABLE).shape[1])
    except ModelError as error:
        return _out("default", "damaged", "static", about=str(error), in_use=is_used)
    about = f"{NAME}, the one plait brings"
    size = (BUNDLED / WEIGHTS).stat().st_size
    return _out("default", "bundled", "static", dimension, size, "MIT", about, in_use=is_used)


def _known(known: KnownModel, *, is_here: bool, is_used: bool) -> ModelOut:
    return _out(
        known.id,
        "fetched" if is_here else "known",
        known.kind,
        known.dimension,
        known.size_bytes,
        known.licence,
        known.title,
        in_use=is_used,
    )


def _here(id_: str, folder: Path, *, is_used: bool) -> ModelOut:
    files = [path for path in folder.rglob("*") if path.suffix in (".onnx", ".safetensors")]
    kind = "onnx" if any(path.suffix == ".onnx" for path in files) else "static"
    size = sum(path.stat().st_size for path in files)
    return _out(id_, "fetched", kind, size_bytes=size, in_use=is_used)


def _is_model(folder: Path) -> bool:
    """Whether plait may be able to run a snapshot; the hub's folder holds other things too."""
    if not (folder / "tokenizer.json").exists():
        return False
    return any(any(folder.glob(p)) for p in ("*.onnx", "onnx/*.onnx", "model.safetensors"))


def _out(
    model: str,
    state: str,
    kind: str,
    dimension: int | None = None,
    size_bytes: int | None = None,
    licence: str = "",
    about: str = "",
    *,
    in_use: bool,
) -> ModelOut:
    return ModelOut(
        model=model,
        state=state,
        kind=kind,
        dimension=dimension,
        size_bytes=size_bytes,
        licence=licence,
        about=about,
        in_use=in_use,
    )


def _line(out: ModelOut, width: int) -> str:
    from plait.interfaces.cli.output import sized

    mark = "*" if out["in_use"] else " "
    size = sized(out["size_bytes"]) if out["size_bytes"] else ""
    dimension = out["dimension"] or ""
    facts = f"{out['state']:<8} {out['kind']:<8} {dimension!s:>4} {size:>9}"
    rest = ", ".join(filter(None, [out["about"], out["licence"]]))
    return f"{mark} {out['model']:<{width}}  {facts}  {rest}".rstrip()
