"""Fetching from a hub: proved, resumed, remembered; and what is refused."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plait.downloads.download import Patience
from plait.errors import DownloadError, ModelError
from plait.models.catalogue import CATALOGUE, KnownModel
from plait.models.hub import (
    HubId,
    check_snapshot,
    fetched_ids,
    find_snapshot,
    hub_address,
    hub_folder,
    is_offline,
)
from plait.models.hub_fetch import Fetched, fetch_model
from plait.models.lock import read_lock
from tests.downloads.server import Server
from tests.models.hub_server import Hub, checksum, git_id, sha256

ID = "org/tiny-model"
FIRST, SECOND = "1" * 40, "2" * 40
WEIGHTS = bytes(range(256)) * 500
FILES = {
    "README.md": b"# tiny",
    "config.json": b'{"model_type": "bert"}',
    "tokenizer.json": b'{"version": "1.0"}',
    "1_Pooling/config.json": b'{"pooling_mode_mean_tokens": true}',
    "onnx/model.onnx": WEIGHTS,
    "onnx/model_int8.onnx": WEIGHTS[:100],
    "pytorch_model.bin": b"\x80\x04 a pickle",
    "handler.py": b"import os",
}
NEEDED = ["1_Pooling/config.json", "config.json", "onnx/model.onnx", "tokenizer.json"]
BRISK = Patience(attempts=3, pause_s=0.01, timeout_s=5.0)


@pytest.fixture
def hub(server: Server) -> Hub:
    made = Hub(server)
    made.publish(ID, FIRST, FILES)
    return made


class Here:
    """The places on this side."""

    def __init__(self, folder: Path) -> None:
        self.models = folder / "hub"
        self.lock = folder / "config" / "models.lock.toml"

    def fetch(self, hub: Hub, name: str = ID, **options: Any) -> Fetched:
        chosen = {"patience": BRISK, "catalogue": {}, **options}
        return fetch_model(
            HubId.parse(name),
            hub=self.models,
            address=hub.server.address,
            lock=self.lock,
            **chosen,
        )

    def files(self) -> list[str]:
        return sorted(
            path.relative_to(self.models).as_posix()
            for path in self.models.rglob("*")
            if not path.is_dir()
        )


@pytest.fixture
def here(tmp_path: Path) -> Here:
    return Here(tmp_path)


# ---------------------------------------------------------------- the plain case


def test_what_is_needed_arrives_in_the_layout_of_the_hub_and_nothing_else(
    hub: Hub, here: Here
) -> None:
    done = here.fetch(hub)
    home = "models--org--tiny-model"
    blobs = sorted(checksum(path, FILES[path]) for path in NEEDED)

    assert here.files() == sorted(
        [f"{home}/blobs/{blob}" for blob in blobs]
        + [f"{home}/refs/main"]
        + [f"{home}/snapshots/{FIRST}/{path}" for path in NEEDED]
    )
    assert (here.models / home / "refs" / "main").read_text() == FIRST
    assert (done.folder, done.revision, done.is_new) == (
        here.models / home / "snapshots" / FIRST,
        FIRST,
        True,
    )
    for path in NEEDED:
        assert (done.folder / path).read_bytes() == FILES[path]
    link = os.readlink(done.folder / "onnx" / "model.onnx")  # noqa: PTH115 - as text
    assert link == f"../../../blobs/{sha256(WEIGHTS)}"


def test_what_huggingface_hub_would_look_for_is_found_by_it(hub: Hub, here: Here) -> None:
    library = pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed")
    done = here.fetch(hub)
    found = library.try_to_load_from_cache(ID, "onnx/model.onnx", cache_dir=here.models)

    assert found == str(done.folder / "onnx/model.onnx")


def test_a_second_fetch_sends_for_no_file(hub: Hub, here: Here) -> None:
    here.fetch(hub)
    hub.server.asked.clear()
    again = here.fetch(hub)

    assert not again.is_new
    assert hub.fetched() == []


def test_weights_can_be_chosen(hub: Hub, here: Here) -> None:
    done = here.fetch(hub, weights="onnx/model_int8.onnx")

    assert (done.folder / "onnx" / "model_int8.onnx").read_bytes() == WEIGHTS[:100]
    assert not (done.folder / "onnx" / "model.onnx").exists()


def test_a_revision_can_be_a_commit_or_a_name(hub: Hub, here: Here) -> None:
    hub.publish(ID, SECOND, FILES | {"config.json": b"{}"}, names=("refs/pr/1",))

    assert here.fetch(hub, f"{ID}@{SECOND}").revision == SECOND
    assert here.fetch(hub, f"{ID}@refs/pr/1").revision == SECOND
    assert here.fetch(hub).revision == FIRST
    assert find_snapshot(HubId(ID), here.models) == find_snapshot(HubId(ID, FIRST), here.models)
    assert find_snapshot(HubId(ID, "refs/pr/1"), here.models) is not None
    assert find_snapshot(HubId(ID, "3" * 40), here.models) is None
    assert list(fetched_ids(here.models)) == [ID]


def test_a_damaged_reference_is_a_model_that_is_not_here(hub: Hub, here: Here) -> None:
    here.fetch(hub)
    (reference,) = here.models.glob("models--*/refs/*")
    sound = reference.read_bytes()
    for damaged in (b"", b"\xff" + sound[1:], sound[:-1], bytes(40), b"../" * 13 + b"."):
        reference.write_bytes(damaged)

        assert find_snapshot(HubId(ID), here.models) is None


def test_a_connection_that_is_cut_goes_on_where_it_was(hub: Hub, here: Here) -> None:
    hub.page(FIRST, "onnx/model.onnx").cuts = [50_000]
    done = here.fetch(hub)
    ranges = [asked.range for asked in hub.server.asked if asked.path.endswith("model.onnx")]

    assert (done.folder / "onnx" / "model.onnx").read_bytes() == WEIGHTS
    assert "bytes=50000-" in ranges


def test_a_fetch_that_was_stopped_leaves_no_snapshot_and_goes_on(hub: Hub, here: Here) -> None:
    hub.page(FIRST, "onnx/model.onnx").cuts = [50_000]
    with pytest.raises(DownloadError, match="cut after"):
        here.fetch(hub, patience=Patience(1, 0.01, 5.0))
    assert find_snapshot(HubId(ID), here.models) is None
    assert not here.lock.exists()
    here.fetch(hub)

    assert hub.fetched().count("tokenizer.json") == 1
    assert find_snapshot(HubId(ID), here.models) is not None


# ---------------------------------------------------------------- what is not believed


@pytest.mark.parametrize("path", ["onnx/model.onnx", "tokenizer.json"])
def test_tampered_bytes_are_refused_and_leave_nothing(hub: Hub, here: Here, path: str) -> None:
    page = hub.page(FIRST, path)
    page.body = page.body[:-1] + b"!"
    with pytest.raises(DownloadError, match="is not the file that is wanted"):
        here.fetch(hub)

    assert not any(checksum(path, FILES[path]) in file for file in here.files())
    assert find_snapshot(HubId(ID), here.models) is None


def test_an_answer_about_another_revision_is_refused(hub: Hub, here: Here) -> None:
    listing = hub.publish(ID, SECOND, FILES)
    hub.tell(ID, FIRST, listing)

    with pytest.raises(ModelError, match=f"asked for at {FIRST}, the hub answered with {SECOND}"):
        here.fetch(hub, f"{ID}@{FIRST}")


def test_a_model_or_revision_that_is_not_there(hub: Hub, here: Here) -> None:
    with pytest.raises(DownloadError, match=r"\(404\)"):
        here.fetch(hub, "org/other")
    with pytest.raises(DownloadError, match=r"\(404\)"):
        here.fetch(hub, f"{ID}@v9")


@pytest.mark.parametrize(
    "listing",
    [
        [],
        {"sha": FIRST},
        {"sha": "main", "siblings": []},
        {"sha": FIRST, "siblings": [{"size": 5}]},
        {"sha": FIRST, "siblings": 5},
    ],
)
def test_a_listing_that_is_none_is_refused(hub: Hub, here: Here, listing: object) -> None:
    hub.tell(ID, "main", listing)

    with pytest.raises(ModelError, match="makes no sense"):
        here.fetch(hub)


def test_a_file_without_a_checksum_is_not_fetched(hub: Hub, here: Here) -> None:
    listing = hub.publish(ID, FIRST, FILES)
    for sibling in listing["siblings"]:
        sibling.pop("lfs", None)
        sibling.pop("blobId")
    hub.tell(ID, "main", listing)
    with pytest.raises(ModelError, match="announces no checksum"):
        here.fetch(hub)

    assert hub.fetched() == []


@pytest.mark.parametrize("path", ["../../evil.onnx", "/etc/evil.onnx", "a\\b.onnx", ".git/x.onnx"])
def test_a_name_that_leads_elsewhere_is_never_written(hub: Hub, here: Here, path: str) -> None:
    few = {name: FILES[name] for name in ("tokenizer.json", "config.json")}
    hub.publish(ID, SECOND, few | {path: WEIGHTS})
    with pytest.raises(ModelError, match="announces no checksum"):
        here.fetch(hub)

    assert not list(here.models.parent.rglob("evil.onnx"))


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"pytorch_model.bin": b"x", "model.pkl": b"x"}, r"only pickled .*plait never does"),
        ({"README.md": b"x"}, "has no weights"),
        ({"a.onnx": b"x", "b.onnx": b"y"}, r"several models: a\.onnx, b\.onnx"),
    ],
)
def test_a_model_plait_cannot_run_is_refused(
    hub: Hub, here: Here, files: dict[str, bytes], words: str
) -> None:
    hub.publish(ID, SECOND, {"tokenizer.json": b"{}"} | files)
    with pytest.raises(ModelError, match=words):
        here.fetch(hub)

    assert hub.fetched() == []


def test_a_model_without_a_tokeniser_is_refused(hub: Hub, here: Here) -> None:
    hub.publish(ID, SECOND, {"model.onnx": WEIGHTS})

    with pytest.raises(ModelError, match=r"has no tokenizer\.json"):
        here.fetch(hub)


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ("pytorch_model.bin", "never unpickles"),
        ("handler.py", "plait reads only"),
        ("onnx/absent.onnx", "has no file onnx/absent.onnx"),
    ],
)
def test_other_files_are_not_fetched_even_if_asked_for(
    hub: Hub, here: Here, weights: str, words: str
) -> None:
    with pytest.raises(ModelError, match=words):
        here.fetch(hub, weights=weights)

    assert hub.fetched() == []


# ---------------------------------------------------------------- what is remembered


def test_a_model_that_has_changed_is_refused_until_it_is_accepted(hub: Hub, here: Here) -> None:
    here.fetch(hub)
    hub.publish(ID, SECOND, FILES | {"onnx/model.onnx": WEIGHTS[::-1]})
    with pytest.raises(ModelError, match=r"onnx/model\.onnx changed between") as caught:
        here.fetch(hub)
    assert "--accept" in caught.value.hint
    assert f"{ID}@{FIRST}" in caught.value.hint
    assert here.fetch(hub, accept=True).revision == SECOND

    locked = read_lock(here.lock)[f"{ID}@main"]
    assert locked.revision == SECOND
    assert locked.files["onnx/model.onnx"] == f"sha256:{sha256(WEIGHTS[::-1])}"
    assert locked.files["config.json"] == f"git:{git_id(FILES['config.json'])}"
    assert not here.fetch(hub).is_new


def test_a_new_commit_with_the_same_files_is_no_change(hub: Hub, here: Here) -> None:
    here.fetch(hub)
    hub.publish(ID, SECOND, FILES | {"README.md": b"# new words"})

    assert here.fetch(hub).revision == SECOND


def test_a_lock_that_cannot_be_read_is_an_error_in_words(hub: Hub, here: Here) -> None:
    here.lock.parent.mkdir()
    here.lock.write_text("[a]\nrevision = 5")

    with pytest.raises(ModelError, match="cannot read"):
        here.fetch(hub)


# ---------------------------------------------------------------- the catalogue


def known(**changes: object) -> dict[str, KnownModel]:
    pinned = {path: sha256(FILES[path]) for path in ("config.json", "tokenizer.json")}
    model = KnownModel(
        id=ID,
        title="tiny",
        licence="MIT",
        revision=FIRST,
        weights="onnx/model.onnx",
        dimension=64,
        size_bytes=len(WEIGHTS),
        files=pinned | {"onnx/model.onnx": sha256(WEIGHTS)},
    )
    return {ID: replace(model, **changes)}  # type: ignore[arg-type]  # whatever a test spoils


def test_a_known_model_is_fetched_at_its_commit_whatever_main_is_now(hub: Hub, here: Here) -> None:
    hub.publish(ID, SECOND, FILES | {"onnx/model.onnx": b"other"})
    done = here.fetch(hub, catalogue=known())

    assert done.revision == FIRST
    assert (done.folder / "onnx" / "model.onnx").read_bytes() == WEIGHTS
    assert not any(asked.path.startswith("/api/") for asked in hub.server.asked)
    assert not here.lock.exists()
    assert find_snapshot(HubId(ID), here.models) == done.folder


def test_a_known_model_with_other_bytes_is_refused(hub: Hub, here: Here) -> None:
    listing = hub.publish(ID, FIRST, FILES | {"onnx/model.onnx": WEIGHTS[::-1]})

    assert listing["sha"] == FIRST
    with pytest.raises(DownloadError, match=f"expected {sha256(WEIGHTS)}"):
        here.fetch(hub, catalogue=known())


def test_another_revision_of_a_known_model_goes_the_way_of_the_unknown(
    hub: Hub, here: Here
) -> None:
    hub.publish(ID, SECOND, FILES)

    assert here.fetch(hub, f"{ID}@{SECOND}", catalogue=known()).revision == SECOND
    assert f"{ID}@{SECOND}" in read_lock(here.lock)


def test_every_known_model_is_pinned_in_full() -> None:
    for model in CATALOGUE.values():
        assert HubId.parse(f"{model.id}@{model.revision}").revision == model.revision
        assert len(model.revision) == 40
        assert {model.weights, "tokenizer.json", "config.json"} <= set(model.files)
        assert all(len(digest) == 64 for digest in model.files.values())
        assert model.licence in ("MIT", "Apache-2.0")


# ---------------------------------------------------------------- offline, damage, names


def test_offline_nothing_is_asked_for(hub: Hub, here: Here) -> None:
    for catalogue in ({}, known()):
        with pytest.raises(DownloadError, match="told to stay offline") as caught:
            here.fetch(hub, is_offline=True, catalogue=catalogue)
        assert "HF_HUB_OFFLINE" in caught.value.hint
    assert hub.server.asked == []
    here.fetch(hub)
    hub.server.asked.clear()

    assert not here.fetch(hub, is_offline=True).is_new
    assert hub.server.asked == []


def test_a_snapshot_is_proved_by_the_names_of_its_files_or_by_what_is_pinned(
    hub: Hub, here: Here
) -> None:
    folder = here.fetch(hub).folder
    check_snapshot(folder, {})
    with pytest.raises(ModelError, match=r"config\.json is not the file that was fetched"):
        check_snapshot(folder, {"config.json": "0" * 64})
    weights = folder / "onnx" / "model.onnx"
    weights.write_bytes(WEIGHTS[:-1] + b"!")

    with pytest.raises(ModelError, match=r"model\.onnx is not the file that was fetched"):
        check_snapshot(folder, {})


@pytest.mark.parametrize(
    "name",
    [
        "",
        "tiny",
        "org/",
        "/tiny",
        "../tiny",
        "a/b/c",
        "org/tiny@",
        "org/tiny@../x",
        "a--b/c",
        "a/b c",
    ],
)
def test_what_cannot_be_a_model_of_the_hub(name: str) -> None:
    with pytest.raises(ModelError, match="is not the name of a model"):
        HubId.parse(name)


@pytest.mark.parametrize(
    ("variables", "folder"),
    [
        ({"HF_HUB_CACHE": "/a", "HF_HOME": "/b"}, "/a"),
        ({"HF_HOME": "/b", "XDG_CACHE_HOME": "/c"}, "/b/hub"),
        ({"XDG_CACHE_HOME": "/c"}, "/c/huggingface/hub"),
        ({}, "~/.cache/huggingface/hub"),
    ],
)
def test_where_models_are_kept(variables: dict[str, str], folder: str) -> None:
    assert hub_folder(variables) == Path(folder).expanduser()


def test_which_server_is_asked_and_when_none_is() -> None:
    assert hub_address({}) == "https://huggingface.co"
    assert hub_address({"HF_ENDPOINT": "https://mirror.example/"}) == "https://mirror.example"
    assert not is_offline({"PLAIT_OFFLINE": "0", "HF_HUB_OFFLINE": ""})
    assert is_offline({"HF_HUB_OFFLINE": "1"})
    assert is_offline({"PLAIT_OFFLINE": "yes"})
