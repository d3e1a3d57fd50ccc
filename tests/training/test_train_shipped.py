"""The model in the package: nothing of a benchmark was trained on, and its files are its own."""

from __future__ import annotations

import gzip
import hashlib
import json
from typing import Any

import pytest

from plait.models.bundle import BUNDLED
from plait.models.static import StaticModel
from plait.types import Passage
from training.names import HeldOut

MOST_BYTES = 32_000_000


@pytest.fixture(name="manifest", scope="module")
def fixture_manifest() -> list[dict[str, Any]]:
    with gzip.open(BUNDLED / "MANIFEST.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@pytest.mark.slow
def test_no_package_of_the_manifest_is_held_out(manifest: list[dict[str, Any]]) -> None:
    matcher = HeldOut.read().matcher()

    held = [row["name"] for row in manifest if matcher.package(row["ecosystem"], row["name"])]

    assert len(manifest) > 1_000
    assert held == []


def test_every_package_of_the_manifest_tells_its_licence_and_its_archives(
    manifest: list[dict[str, Any]],
) -> None:
    for row in manifest:
        assert row["version"], row["name"]
        assert row["licences"], row["name"]
        assert row["archives"], row["name"]
        assert all(len(archive["sha256"]) == 64 for archive in row["archives"]), row["name"]


def test_the_files_are_those_of_the_digests_and_the_card_names_the_weights() -> None:
    digests = json.loads((BUNDLED / "digests.json").read_text(encoding="utf-8"))

    found = {
        name: hashlib.sha256((BUNDLED / name).read_bytes()).hexdigest() for name in sorted(digests)
    }

    assert found == digests
    assert {"model.safetensors", "tokenizer.json", "config.json"} <= set(digests)
    assert digests["model.safetensors"] in (BUNDLED / "README.md").read_text(encoding="utf-8")


def test_the_model_is_small_and_its_vectors_fit_the_store() -> None:
    assert sum(file.stat().st_size for file in BUNDLED.iterdir()) <= MOST_BYTES
    assert StaticModel(BUNDLED).dimension % 64 == 0


def test_a_question_in_words_finds_code_that_has_others() -> None:
    model = StaticModel(BUNDLED)
    passages = [
        Passage("retry", "def retry(f, n):\n    for i in range(n): time.sleep(2 ** i); f()"),
        Passage("rmtree", "def rmtree(path):\n    for p in os.listdir(path): os.unlink(p)"),
        Passage("mean", "def mean(xs):\n    return sum(xs) / len(xs)"),
    ]
    asked = ["how to delete a folder in python", "average of numbers"]

    import numpy

    made = [model.questions(asked), model.passages(passages)]
    questions, functions = (
        numpy.frombuffer(each.data, dtype="<f4").reshape(-1, each.dimension) for each in made
    )

    assert (questions @ functions.T).argmax(1).tolist() == [1, 2]
