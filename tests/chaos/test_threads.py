"""Sixteen threads over one reader and a committing writer: every answer is that of one alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cluster.running import Running
from tools.chaos.threads import Trial, cluster_trial, embedded_trial

pytestmark = pytest.mark.slow


def held(trial: Trial) -> None:
    assert trial.faults == []
    assert trial.compared > 0
    assert trial.row(0)["generations"] > 1


def test_answers_from_a_folder_are_those_of_one_reader_alone(tmp_path: Path) -> None:
    held(embedded_trial(tmp_path).run(5))


@pytest.mark.cluster
def test_answers_from_a_cluster_are_those_of_one_reader_alone(one_node: Running) -> None:
    held(cluster_trial(one_node.addresses).run(5))


@pytest.mark.nightly
@pytest.mark.cluster
def test_they_are_for_five_minutes(tmp_path: Path, one_node: Running) -> None:
    held(embedded_trial(tmp_path).run(300))
    held(cluster_trial(one_node.addresses).run(300))
