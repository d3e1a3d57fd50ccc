"""A new user without network: a folder of wheels, a fresh environment, one question."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from benchmarks.install import steps

CORPUS = Path(__file__).parents[1] / "fixtures" / "corpus"


@pytest.mark.slow
def test_an_installation_without_network_answers_its_first_question(tmp_path: Path) -> None:
    cut_off = steps.cutting_off()
    if not cut_off:
        pytest.skip("the network cannot be cut off here: unshare is missing or not permitted")
    wheels = tmp_path / "wheels"
    steps.build_wheel(wheels)
    python = steps.make_environment(tmp_path / "environment")
    try:
        steps.download_locked(python, wheels)
    except steps.StepFailed as failed:
        pytest.skip(f"the locked wheels cannot be downloaded: {failed}")
    shutil.copytree(CORPUS, tmp_path / "teahouse")
    env = steps.plain_environment(PLAIT_CACHE_DIR=str(tmp_path / "cache"), HOME=str(tmp_path))

    assert not steps.has_network(cut_off, python)
    steps.install_offline(cut_off, python, wheels, "plait")
    plait = python.with_name("plait")
    command: steps.Command = [*cut_off, plait, "retry with exponential backoff"]
    answer = json.loads(steps.run([*command, tmp_path / "teahouse", "--json"], env))

    first = answer["results"][0]
    assert (first["path"], first["symbol"]) == ("api/orders/payments.py", "with_backoff")
