"""The choice of a model by one line of text; what is refused, and what is left unopened."""

from __future__ import annotations

import hashlib
import json
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from plait.errors import ModelError
from plait.models.bundle import check_digests
from plait.models.choose import lazy_model, open_model, shown_name
from plait.models.http import HttpModel
from plait.models.static import StaticModel
from tests.models.endpoint import Endpoint
from tests.models.test_static import TABLE, save
from tests.models.tiny_onnx import save_onnx

NOWHERE = Path("nowhere")
COMMIT = "1" * 40


def fetched(hub: Path, id_: str) -> Path:
    """A snapshot to be filled, as if it had been fetched."""
    home = hub / f"models--{id_.replace('/', '--')}"
    (home / "refs").mkdir(parents=True)
    (home / "refs" / "main").write_text(COMMIT)
    return home / "snapshots" / COMMIT


def write_digests(folder: Path) -> None:
    digests = {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest()
        for name in ("model.safetensors", "tokenizer.json")
    }
    (folder / "digests.json").write_text(json.dumps(digests))


# ---------------------------------------------------------------- the bundled model


def test_nothing_means_the_model_plait_brings(tmp_path: Path) -> None:
    folder = save(tmp_path / "bundled", TABLE)
    write_digests(folder)
    model = open_model("", NOWHERE, bundled=folder)

    assert isinstance(model, StaticModel)
    assert model.name == "plait-static"
    assert check_digests(folder) == 2


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json"])
def test_a_tampered_file_of_the_bundled_model_is_refused(tmp_path: Path, name: str) -> None:
    folder = save(tmp_path / "bundled", TABLE)
    write_digests(folder)
    body = bytearray((folder / name).read_bytes())
    body[-3] ^= 1
    (folder / name).write_bytes(body)

    with pytest.raises(ModelError, match=f"{name} in .* is not the file plait came with"):
        open_model("", NOWHERE, bundled=folder)


def test_a_missing_file_or_broken_list_of_the_bundled_model_is_refused(tmp_path: Path) -> None:
    folder = save(tmp_path / "bundled", TABLE)
    write_digests(folder)
    (folder / "tokenizer.json").unlink()
    with pytest.raises(ModelError, match="cannot check the model"):
        open_model("", NOWHERE, bundled=folder)
    (folder / "digests.json").write_text("[]")

    with pytest.raises(ModelError, match="cannot check the model"):
        check_digests(folder)


def test_a_plait_without_a_model_says_so(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="brings no model") as caught:
        open_model("", NOWHERE, bundled=tmp_path / "absent")

    assert "plait model set" in caught.value.hint


# ---------------------------------------------------------------- folders


def test_a_folder_is_of_the_kind_its_files_are(tmp_path: Path) -> None:
    static = open_model(str(save(tmp_path / "static", TABLE)), NOWHERE)

    assert isinstance(static, StaticModel)
    assert static.name == "static"


def test_a_folder_with_onnx_weights_is_a_transformer(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="the extra onnx is not installed")
    folder = save_onnx(tmp_path / "tiny", file="onnx/model.onnx")
    model = open_model(str(folder), NOWHERE)

    assert (type(model).__name__, model.name, model.dimension) == ("OnnxModel", "tiny", 64)


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"pytorch_model.bin": b"\x80\x04", "tokenizer.json": b"{}"}, r"only pickled.*never does"),
        ({"model.pt": b"\x80\x04"}, r"only pickled weights \(model\.pt\)"),
        ({"readme.txt": b""}, "holds no model"),
        ({"model.safetensors": b"\x02\0\0\0\0\0\0\0{}"}, "no table of vectors"),
        ({"model.safetensors": b"damaged", "tokenizer.json": b"{}"}, "cannot read"),
    ],
)
def test_a_folder_plait_cannot_run_is_refused(
    tmp_path: Path, files: dict[str, bytes], words: str
) -> None:
    for name, body in files.items():
        (tmp_path / name).write_bytes(body)

    with pytest.raises(ModelError, match=words):
        open_model(str(tmp_path), NOWHERE)


def test_a_transformers_own_weights_are_told_apart_from_a_table(tmp_path: Path) -> None:
    header = json.dumps({"encoder.weight": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}})
    body = struct.pack("<Q", len(header)) + header.encode() + bytes(4)
    (tmp_path / "model.safetensors").write_bytes(body)

    with pytest.raises(ModelError, match=r"runs a transformer from \.onnx only"):
        open_model(str(tmp_path), NOWHERE)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="there is no folder"):
        open_model(str(tmp_path / "absent"), NOWHERE)


def test_without_the_extra_a_transformer_says_what_to_install(tmp_path: Path) -> None:
    script = (
        "import sys; sys.modules['onnxruntime'] = sys.modules['tokenizers'] = None\n"
        "from pathlib import Path; from plait.errors import ModelError\n"
        "from plait.models.choose import open_model\n"
        f"try: open_model({str(save_onnx(tmp_path / 'tiny'))!r}, Path('nowhere'))\n"
        "except ModelError as error: print(error, error.hint)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )

    assert 'pip install "plait[onnx]"' in run.stdout


# ---------------------------------------------------------------- the hub


def test_a_fetched_model_is_opened_by_its_name(tmp_path: Path) -> None:
    save_static = fetched(tmp_path, "org/static")
    save_static.mkdir(parents=True)
    save(save_static, TABLE)
    model = open_model("org/static", tmp_path)

    assert (type(model), model.name) == (StaticModel, "org/static")
    assert open_model(f"org/static@{COMMIT}", tmp_path).digest == model.digest


def test_a_fetched_model_that_was_tampered_with_is_refused(tmp_path: Path) -> None:
    snapshot = fetched(tmp_path, "org/static")
    snapshot.mkdir(parents=True)
    save(snapshot, TABLE)
    weights = snapshot / "model.safetensors"
    blobs = snapshot.parents[1] / "blobs"
    blobs.mkdir()
    blob = blobs / hashlib.sha256(weights.read_bytes()).hexdigest()
    weights.rename(blob)
    weights.symlink_to(f"../../blobs/{blob.name}")
    assert open_model("org/static", tmp_path).dimension == 3
    blob.write_bytes(blob.read_bytes()[:-1] + b"!")

    with pytest.raises(ModelError, match="its checksum is wrong"):
        open_model("org/static", tmp_path)


def test_a_model_that_was_not_fetched_says_how_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ModelError, match="org/tiny is not here") as caught:
        open_model("org/tiny", tmp_path)
    assert caught.value.hint == "plait model fetch org/tiny"
    save(tmp_path / "org", TABLE)
    save(tmp_path / "org" / "tiny", TABLE)
    monkeypatch.chdir(tmp_path)

    # What lies in a checkout by that name is not the user's choice.
    with pytest.raises(ModelError, match="is not here") as caught:
        open_model("org/tiny", tmp_path)
    assert "./org/tiny" in caught.value.hint
    assert open_model("./org/tiny", tmp_path).name == "tiny"


# ---------------------------------------------------------------- endpoints


def test_an_address_is_an_endpoint_and_its_key_comes_from_the_environment(
    endpoint: Endpoint,
) -> None:
    model = open_model(f"{endpoint.url}#tiny", NOWHERE, {"PLAIT_MODEL_KEY": "one"})
    other = open_model(f"{endpoint.url}?key=MINE#tiny", NOWHERE, {"MINE": "two"})

    assert isinstance(model, HttpModel)
    assert model.digest == other.digest
    assert endpoint.keys == ["Bearer one", "Bearer two"]
    assert endpoint.asked[0]["path"] == "/v1/embeddings"


@pytest.mark.parametrize(
    ("spec", "environment", "words"),
    [
        ("https://host/v1", {}, "needs the name of a model"),
        ("https://host/v1?key=MINE#m", {}, "MINE is not set"),
        ("https://host/v1?token=5#m", {}, r"takes \?key=VARIABLE only, got token"),
        ("https://host/v1#m", {"PLAIT_OFFLINE": "1"}, "told to stay offline"),
        ("https://host/v1#m", {"HF_HUB_OFFLINE": "1"}, "told to stay offline"),
        ("https://[host/v1#m", {}, "is not the address"),
        ("ftp://host/v1#m", {}, "is not the address"),
    ],
)
def test_an_address_that_cannot_be_used(spec: str, environment: dict[str, str], words: str) -> None:
    with pytest.raises(ModelError, match=words):
        open_model(spec, NOWHERE, environment)


def test_this_machine_is_asked_even_offline(endpoint: Endpoint) -> None:
    model = open_model(f"{endpoint.url}#tiny", NOWHERE, {"PLAIT_OFFLINE": "1"})

    assert model.dimension == 128


# ---------------------------------------------------------------- laziness


def test_a_lazy_model_is_opened_by_its_first_question_and_only_once(endpoint: Endpoint) -> None:
    absent = lazy_model("org/absent", NOWHERE)
    assert absent.name == "org/absent"
    with pytest.raises(ModelError, match="is not here"):
        absent.questions(["x"])
    model = lazy_model(f"{endpoint.url}#tiny", NOWHERE)
    assert endpoint.asked == []
    assert len(model.questions(["x"])) == 1
    opened = model.opened

    assert (model.dimension, model.digest) == (128, opened.digest)
    assert model.opened is opened
    assert len(endpoint.asked) == 1


def test_choosing_a_model_loads_nothing_that_is_slow() -> None:
    script = (
        "import sys; from pathlib import Path; from plait.models.choose import lazy_model\n"
        "for spec in ('org/tiny', 'https://host/v1#m'): lazy_model(spec, Path('nowhere'))\n"
        "slow = {'numpy', 'onnxruntime', 'tokenizers', 'ssl', 'urllib.request'}\n"
        "print(sorted(slow & set(sys.modules)))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )

    assert run.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("", "plait-static"),
        ("org/tiny@v1", "org/tiny@v1"),
        ("~/models/mine", "mine"),
        ("https://user@host:8080/v1?key=K#bge", "bge at host"),
    ],
)
def test_a_model_has_a_name_before_it_is_opened(spec: str, name: str) -> None:
    assert shown_name(spec) == name
