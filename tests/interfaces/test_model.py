"""``plait model``: the real command against a hub and an endpoint on loopback."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from plait.errors import SettingError
from plait.interfaces.cli.models.user_file import write_setting
from tests.downloads.server import serving
from tests.interfaces.command import Command, Done
from tests.models.endpoint import answering
from tests.models.hub_server import Hub
from tests.models.test_static import TABLE, save

ID = "org/static"
FIRST, SECOND = "1" * 40, "2" * 40


class Here:
    """The command, its settings file, a folder for models and a hub to fetch from."""

    def __init__(self, plait: Command, hub: Hub, models: Path) -> None:
        self.plait = plait
        self.hub = hub
        self.models = models
        self.config = plait.cache / "plait" / "config.toml"

    def __call__(self, *arguments: str, **extra: str) -> Done:
        env = {
            "HF_HOME": str(self.models),
            "HF_ENDPOINT": self.hub.server.address,
            "no_proxy": "*",
            "OMP_NUM_THREADS": "1",
        }
        return self.plait("model", *arguments, env=env | extra)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, bytes]:
    """A static model, as a hub would have it."""
    folder = save(tmp_path / "published", TABLE)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def here(plait: Command, tmp_path: Path, files: dict[str, bytes]) -> Iterator[Here]:
    with serving() as server:
        hub = Hub(server)
        hub.publish(ID, FIRST, files)
        yield Here(plait, hub, tmp_path / "hf")


def test_a_model_is_fetched_set_listed_and_measured(here: Here) -> None:
    done = here("fetch", ID)
    assert done.code == 0, done.err
    assert done.out.splitlines()[0].startswith(f"{ID} at {FIRST[:12]}: fetched; 2 files, ")
    assert f"plait model set {ID}" in done.out
    assert "already here" in here("fetch", ID).out
    chosen = here("set", ID)
    assert chosen.code == 0, chosen.err
    assert chosen.out.splitlines()[0] == f"model: {ID}, 3 dimensions"
    assert tomllib.loads(here.config.read_text()) == {"model": ID}
    listed = here("list", "--json").json
    (used,) = [model for model in listed["models"] if model["in_use"]]
    assert (listed["schema"], listed["in_use"]) == ("plait.models/1", ID)
    assert (used["model"], used["state"], used["kind"]) == (ID, "fetched", "static")
    assert f"* {ID} " in here("list").out
    measured = here("bench", "--path", str(Path(__file__).parent), "--json").json

    assert measured["model"] == ID
    assert measured["dimension"] == 3
    assert measured["query_cpu_ms"] > 0
    assert measured["functions"] > 10


def test_the_list_knows_models_before_any_is_fetched(here: Here) -> None:
    listed = here("list", "--format", "json").json
    known = {model["model"]: model for model in listed["models"]}

    assert listed["in_use"] == "default"
    assert known["default"]["in_use"]
    assert known["Xenova/all-MiniLM-L6-v2"]["state"] == "known"
    assert known["Xenova/all-MiniLM-L6-v2"]["licence"] == "Apache-2.0"
    assert not here.hub.server.asked


def test_a_model_that_changed_is_refused_until_accepted(
    here: Here, files: dict[str, bytes]
) -> None:
    here("fetch", ID)
    here.hub.publish(ID, SECOND, files | {"tokenizer.json": files["tokenizer.json"] + b" "})
    refused = here("fetch", ID)

    assert refused.code == 2
    assert "tokenizer.json changed between" in refused.err
    assert "--accept" in refused.err
    assert here("fetch", ID, "--accept").code == 0
    assert (here.plait.cache / "plait" / "models.lock.toml").is_file()


def test_a_tampered_file_is_refused_when_the_model_is_set(here: Here) -> None:
    here("fetch", ID)
    (weights,) = (here.models / "hub").glob("models--*/snapshots/*/model.safetensors")
    weights.write_bytes(weights.read_bytes()[:-1] + b"!")
    refused = here("set", ID)

    assert refused.code == 2
    assert "its checksum is wrong" in refused.err
    assert not here.config.exists()


@pytest.mark.parametrize("variable", ["PLAIT_OFFLINE", "HF_HUB_OFFLINE"])
def test_offline_nothing_is_fetched(here: Here, variable: str) -> None:
    refused = here("fetch", ID, **{variable: "1"})

    assert refused.code == 2
    assert "told to stay offline" in refused.err
    assert here.hub.server.asked == []


def test_what_cannot_be_opened_is_not_set(here: Here, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for spec, words in (
        ("org/absent", "plait model fetch org/absent"),
        (str(tmp_path / "empty"), "holds no model"),
        ("http://127.0.0.1:1/v1", "needs the name of a model"),
    ):
        refused = here("set", spec)
        assert refused.code == 2
        assert words in refused.err
    assert not here.config.exists()


def test_the_other_settings_of_the_user_stay_and_default_goes_back(
    here: Here, tmp_path: Path
) -> None:
    here.config.parent.mkdir(parents=True)
    before = "# mine\nlimit = 5 # not too many\nexclude = [\n  'a',\n]\n"
    here.config.write_text(before)
    save(here.plait.folder / "mine", TABLE)
    done = here("set", "./mine", PLAIT_MODEL="/elsewhere")
    assert done.code == 0, done.err
    assert "PLAIT_MODEL is set and wins" in done.err
    said = tomllib.loads(here.config.read_text())
    assert said == {"limit": 5, "exclude": ["a"], "model": str(here.plait.folder / "mine")}
    assert here("set", "default").code == 0

    assert here.config.read_text() == before


def test_an_endpoint_is_set_without_its_key(here: Here) -> None:
    with answering() as endpoint:
        done = here("set", f"{endpoint.url}#tiny", PLAIT_MODEL_KEY="sk-verysecret")

    assert done.code == 0, done.err
    assert "tiny at 127.0.0.1, 128 dimensions" in done.out
    assert endpoint.keys[0] == "Bearer sk-verysecret"
    assert "verysecret" not in here.config.read_text() + done.out + done.err


def test_code_without_functions_cannot_be_measured_on(here: Here, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    refused = here("bench", str(tmp_path / "published"), "--path", str(tmp_path / "empty"))

    assert refused.code == 2
    assert "there are no functions" in refused.err


# ---------------------------------------------------------------- the user's file


def test_a_file_that_writes_the_setting_in_another_way_is_not_spoilt(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    for text in ('model = """\na\n"""\n', "model = 'a'\n[table]\nmodel = 'b'\n"):
        path.write_text(text)
        with pytest.raises(SettingError, match="cannot change"):
            write_setting(path, "model", "new")
        assert path.read_text() == text


def test_a_file_that_is_no_toml_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("model : a")

    with pytest.raises(SettingError, match="cannot change"):
        write_setting(path, "model", "new")
    assert path.read_text() == "model : a"


def test_a_path_with_strange_letters_is_written_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "config.toml"
    value = 'C:\\models\\"größe"'
    write_setting(path, "model", value)

    assert tomllib.loads(path.read_text("utf-8")) == {"model": value}
