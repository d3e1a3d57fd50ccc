"""The ONNX model: pooling by hand over a transformer without layers, and files refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy
import pytest

from plait.errors import ModelError
from plait.models.onnx import OnnxModel, find_onnx
from plait.models.onnx_config import NAME_WEIGHT, OnnxConfig, read_onnx_config
from plait.models.units import unit_vectors, words_of
from plait.types import Passage, Vectors
from tests.models.tiny_onnx import TABLE, VOCABULARY, save_onnx

pytest.importorskip("onnxruntime", reason="the extra onnx is not installed")
pytest.importorskip("tokenizers", reason="the extra onnx is not installed")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return save_onnx(tmp_path / "tiny")


def rows(vectors: Vectors) -> Any:
    return numpy.frombuffer(vectors.data, dtype="<f4").reshape(-1, vectors.dimension)


def unit(vector: Any) -> Any:
    return vector / numpy.linalg.norm(vector)


def mean(*words: str) -> Any:
    return unit(TABLE[[VOCABULARY[word] for word in words]].mean(axis=0))


def test_a_question_is_the_mean_of_its_tokens(folder: Path) -> None:
    # The tokeniser's file asks for 2 tokens at most and for padding to 9: neither is obeyed.
    (made,) = rows(OnnxModel(folder).questions(["get user http get"]))

    assert made == pytest.approx(mean("get", "user", "http", "get"), abs=1e-6)


def test_a_name_stands_above_its_text_and_counts_once_more_by_itself(folder: Path) -> None:
    (made,) = rows(OnnxModel(folder).passages([Passage("getUser", "http server")]))
    both = mean("get", "user", "http", "server") + NAME_WEIGHT * mean("get", "user")

    assert made == pytest.approx(unit(both), abs=1e-6)


def test_without_a_name_there_is_only_the_text(folder: Path) -> None:
    named, bare = rows(
        OnnxModel(folder).passages([Passage("user", "http"), Passage("", "http server")])
    )

    assert bare == pytest.approx(mean("http", "server"), abs=1e-6)
    assert named != pytest.approx(mean("http"), abs=1e-3)


def test_a_vector_does_not_depend_on_its_neighbours_or_on_threads(folder: Path) -> None:
    texts = ["get", "user http", "server " * 50, "by id", ""]
    alone = [rows(OnnxModel(folder).questions([text]))[0] for text in texts]
    together = rows(OnnxModel(folder, threads=3).questions(texts))

    assert numpy.array_equal(together, numpy.array(alone))


def test_what_is_beyond_the_longest_text_is_not_read(folder: Path) -> None:
    (folder / "config.json").write_text('{"max_tokens": 2}')
    (made,) = rows(OnnxModel(folder).questions(["get user http"]))

    assert made == pytest.approx(mean("get", "user"), abs=1e-6)


def test_prefixes_and_pooling_come_from_the_files_of_the_folder(folder: Path) -> None:
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(
        '{"word_embedding_dimension": 64, "pooling_mode_cls_token": true,'
        ' "pooling_mode_mean_tokens": false}'
    )
    (folder / "config_sentence_transformers.json").write_text(
        '{"prompts": {"query": "query ", "document": "passage "}}'
    )
    model = OnnxModel(folder)
    (asked,), (said,) = (
        rows(model.questions(["get"])),
        rows(model.passages([Passage("", "get")])),
    )

    assert asked == pytest.approx(mean("query"), abs=1e-6)
    assert said == pytest.approx(mean("passage"), abs=1e-6)


def test_a_width_the_store_cannot_keep_is_filled_with_zeros(tmp_path: Path) -> None:
    model = OnnxModel(save_onnx(tmp_path / "narrow", TABLE[:, :40].copy()))
    (made,) = rows(model.questions(["get"]))

    assert model.dimension == 64
    assert made[:40] == pytest.approx(unit(TABLE[1, :40]), abs=1e-6)
    assert not made[40:].any()
    assert model.questions([]).dimension == 64


def test_the_digest_is_of_all_a_vector_depends_on(tmp_path: Path) -> None:
    first = OnnxModel(save_onnx(tmp_path / "a"))
    same = OnnxModel(save_onnx(tmp_path / "b"), "another name", threads=2)
    prefixed = OnnxModel(save_onnx(tmp_path / "c"), known=OnnxConfig(query_prefix="query "))
    retrained = OnnxModel(save_onnx(tmp_path / "d", TABLE * 1.5))
    recut = save_onnx(tmp_path / "e")
    (recut / "tokenizer.json").write_text((recut / "tokenizer.json").read_text() + " ")

    assert first.digest == same.digest
    digests = {model.digest for model in (first, prefixed, retrained, OnnxModel(recut))}
    assert len(digests) == 4


def test_a_number_that_is_none_is_refused(tmp_path: Path) -> None:
    broken = TABLE.copy()
    broken[1, 3] = numpy.nan
    model = OnnxModel(save_onnx(tmp_path / "tiny", broken))

    with pytest.raises(ModelError, match="a number that is none"):
        model.questions(["get"])


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_damaged_files_are_refused_in_words(folder: Path, name: str) -> None:
    (folder / name).write_bytes(b"\x07 something else")

    with pytest.raises(ModelError, match="cannot read the"):
        OnnxModel(folder)


def test_a_folder_without_a_tokeniser_is_refused(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()

    with pytest.raises(ModelError, match=r"has no tokenizer\.json"):
        OnnxModel(folder)


def test_weights_of_another_name_are_found_if_they_are_the_only_ones(tmp_path: Path) -> None:
    folder = save_onnx(tmp_path / "tiny", file="onnx/model_O4.onnx")

    assert find_onnx(folder).name == "model_O4.onnx"
    save_onnx(folder, file="onnx/model_int8.onnx")
    with pytest.raises(ModelError, match="several models"):
        find_onnx(folder)
    save_onnx(folder, file="onnx/model.onnx")
    assert find_onnx(folder).name == "model.onnx"


# ---------------------------------------------------------------- configuration, names, vectors


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"1_Pooling/config.json": {"pooling_mode_max_tokens": True}}, "no pooling 'max'"),
        (
            {
                "1_Pooling/config.json": {
                    "pooling_mode_cls_token": True,
                    "pooling_mode_mean_tokens": True,
                }
            },
            "2 ways at once",
        ),
        ({"config.json": {"max_tokens": "many"}}, "max_tokens cannot be 'many'"),
        ({"config.json": {"max_tokens": 0}}, "out of range"),
        ({"config.json": []}, "holds no table"),
        ({"config_sentence_transformers.json": {"prompts": "query: "}}, "cannot read"),
    ],
)
def test_a_configuration_that_asks_for_the_impossible(
    tmp_path: Path, files: dict[str, object], words: str
) -> None:
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(json.dumps(content))

    with pytest.raises(ModelError, match=words):
        read_onnx_config(tmp_path)


def test_the_folder_knows_better_than_the_catalogue_and_our_keys_best(tmp_path: Path) -> None:
    known = OnnxConfig(pooling="cls", query_prefix="a ", document_prefix="b ")
    assert read_onnx_config(tmp_path, known) == known
    (tmp_path / "config_sentence_transformers.json").write_text('{"prompts": {"query": "c "}}')
    (tmp_path / "sentence_bert_config.json").write_text('{"max_seq_length": 128}')
    assert read_onnx_config(tmp_path, known) == OnnxConfig("cls", "c ", "b ", 128)
    (tmp_path / "config.json").write_text('{"query_prefix": "d ", "model_type": "bert"}')

    assert read_onnx_config(tmp_path, known) == OnnxConfig("cls", "d ", "b ", 128)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("getUserById", "get User By Id"),
        ("Http.HTTPServer", "Http HTTP Server"),
        ("MAX_SIZE", "MAX SIZE"),
        ("__init__", "init"),
        ("größe_ändern", "größe ändern"),
        ("operator+", "operator"),
        ("", ""),
    ],
)
def test_a_name_becomes_its_words(name: str, words: str) -> None:
    assert words_of(name) == words


def test_a_row_of_zeros_stays_one() -> None:
    made = unit_vectors(numpy.array([[0.0, 0.0], [3.0, 4.0]]), "a model")

    assert rows(made)[:, :2].tolist() == [[0.0, 0.0], pytest.approx([0.6, 0.8])]


# ---------------------------------------------------------------- real weights


def test_a_real_transformer_puts_what_belongs_together_together(shared: Path) -> None:
    model = OnnxModel(shared / "models" / "minilm-l6-v2-int8")
    code = [
        Passage("retry", "for attempt in range(times):\n    time.sleep(2 ** attempt)"),
        Passage("parse_args", "parser = argparse.ArgumentParser()\nreturn parser.parse_args()"),
        Passage("mean", "return sum(values) / len(values)"),
    ]
    asked = ["try again with exponential backoff", "command line options", "average of numbers"]
    nearest = (rows(model.questions(asked)) @ rows(model.passages(code)).T).argmax(axis=1)

    assert nearest.tolist() == [0, 1, 2]
    assert model.dimension == 384
