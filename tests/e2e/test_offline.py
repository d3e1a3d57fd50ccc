"""A new user without network: a folder of wheels, a fresh environment, every kind of search."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tools.install import steps

CORPUS = Path(__file__).parents[1] / "fixtures" / "corpus"
WEIGHTS = steps.ROOT / "src" / "plait" / "models" / "bundled"
MEANING = "try once more after a pause that grows with each failure"  # words the answer lacks
CONNECTION = re.compile(r"\b(connect|sendto|sendmsg)\(.*AF_INET")


@dataclass(frozen=True)
class Installation:
    """An installed plait and a tree to search, without network."""

    cut_off: tuple[str, ...]
    python: Path
    home: Path

    @property
    def tree(self) -> Path:
        return self.home / "teahouse"

    @property
    def plait(self) -> Path:
        return self.python.with_name("plait")

    @property
    def env(self) -> dict[str, str]:
        cache = str(self.home / "cache")
        return steps.plain_environment(PLAIT_CACHE_DIR=cache, HOME=str(self.home))

    def answer(self, *arguments: str | Path) -> dict[str, Any]:
        """What a search prints, as JSON."""
        command: steps.Command = [*self.cut_off, self.plait, *arguments, "--json"]
        answer: dict[str, Any] = json.loads(steps.run(command, self.env))
        return answer


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """Built, downloaded with network, installed without."""
    cut_off = steps.cutting_off()
    if not cut_off:
        pytest.skip("the network cannot be cut off here: unshare is missing or not permitted")
    home = tmp_path_factory.mktemp("offline")
    wheels = home / "wheels"
    steps.build_wheel(wheels)
    python = steps.make_environment(home / "environment")
    try:
        steps.download_locked(python, wheels)
    except steps.StepFailed as failed:
        pytest.skip(f"the locked wheels cannot be downloaded: {failed}")
    assert not steps.has_network(cut_off, python)
    steps.install_offline(cut_off, python, wheels, "plait")
    shutil.copytree(CORPUS, home / "teahouse")
    yield Installation(cut_off, python, home)
    shutil.rmtree(home)


@pytest.fixture
def with_weights(installation: Installation) -> Installation:
    """One that has the model plait brings."""
    if not WEIGHTS.is_dir():
        pytest.skip("this source tree brings no weights")
    return installation


def first(answer: dict[str, Any]) -> tuple[str, str]:
    result = answer["results"][0]
    return result["path"], result["symbol"]


@pytest.mark.slow
def test_an_installation_without_network_answers_its_first_question(
    installation: Installation,
) -> None:
    answer = installation.answer("retry with exponential backoff", installation.tree)

    assert first(answer) == ("api/orders/payments.py", "with_backoff")


@pytest.mark.slow
def test_meaning_is_searched_without_network(with_weights: Installation) -> None:
    here = with_weights
    dense = here.answer(MEANING, here.tree, "--mode", "dense")
    hybrid = here.answer(MEANING, here.tree, "--mode", "hybrid", "--limit", "5")

    assert first(dense) == ("api/orders/payments.py", "with_backoff")
    assert dense["lanes"] == ["dense"]
    assert "with_backoff" in [result["symbol"] for result in hybrid["results"]]
    assert hybrid["lanes"] == ["lexical", "dense", "message"]
    assert hybrid["absent"] == []
    assert hybrid["notes"] == []


@pytest.mark.slow
def test_no_connection_is_attempted(installation: Installation, tmp_path: Path) -> None:
    """Not even one that fails: a search must not wait for a name to be looked up in vain."""
    trace = tmp_path / "trace"
    traced = ["strace", "-f", "-qq", "-e", "trace=network", "-o", str(trace)]
    if shutil.which("strace") is None or subprocess.run([*traced, "true"], check=False).returncode:
        pytest.skip("calls cannot be traced here: strace is missing or not permitted")
    mode = "hybrid" if WEIGHTS.is_dir() else "lexical"
    here = installation
    env = {**here.env, "PLAIT_CACHE_DIR": str(tmp_path / "cache")}  # indexed anew, vectors too
    command: steps.Command = [*here.cut_off, *traced, here.plait, MEANING, here.tree]
    steps.run([*command, "--mode", mode], env)

    assert trace.read_text().strip() == "" or not CONNECTION.search(trace.read_text())
    probe = "import socket; socket.socket().connect_ex(('127.0.0.1', 9))"
    steps.run([*here.cut_off, *traced, here.python, "-c", probe], env)
    assert CONNECTION.search(trace.read_text())  # or tracing shows nothing


@pytest.mark.slow
@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json"])
def test_tampered_weights_are_refused_in_words(with_weights: Installation, name: str) -> None:
    here = with_weights
    path = steps.site_packages(here.python) / "plait" / "models" / "bundled" / name
    sound = path.read_bytes()
    tampered = bytearray(sound)
    tampered[len(sound) // 2] ^= 1
    path.write_bytes(tampered)
    try:
        command: steps.Command = [*here.cut_off, here.plait, MEANING, here.tree]
        with pytest.raises(steps.StepFailed) as failed:
            steps.run([*command, "--mode", "dense"], here.env)
        words = here.answer("retry with exponential backoff", here.tree, "--mode", "lexical")
    finally:
        path.write_bytes(sound)

    assert "exit 2" in str(failed.value)
    assert f"{name} in" in str(failed.value)
    assert "its checksum is wrong" in str(failed.value)
    assert "Traceback" not in str(failed.value)
    assert first(words) == ("api/orders/payments.py", "with_backoff")  # words need no model
