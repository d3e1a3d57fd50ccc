"""The catalogue: models of the Hugging Face hub that plait knows, byte for byte.

A revision is a commit, and every file has its SHA-256: what is fetched is what was looked at.
Any other model of the hub can be fetched too; what it is then is remembered at the first time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from plait.models.onnx_config import OnnxConfig


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model, where its files are and what they must be."""

    id: str
    title: str
    licence: str
    revision: str
    weights: str  # which of the hub's files are fetched as weights
    dimension: int
    size_bytes: int  # of the weights
    files: Mapping[str, str]  # path to SHA-256
    kind: str = "onnx"
    config: OnnxConfig = field(default_factory=OnnxConfig)


BERT_TOKENS = "9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3"
BERT_MARKS = "b6d346be366a7d1d48332dbc9fdf3bf8960b5d879522b7799ddba59e76237ee3"

CATALOGUE: Mapping[str, KnownModel] = {
    known.id: known
    for known in (
        KnownModel(
            id="Xenova/all-MiniLM-L6-v2",
            title="MiniLM, 6 layers, 8-bit; the smallest transformer worth its time",
            licence="Apache-2.0",
            revision="751bff37182d3f1213fa05d7196b954e230abad9",
            weights="onnx/model_quantized.onnx",
            dimension=384,
            size_bytes=22_972_370,
            files={
                "config.json": "7135149f7cffa1a573466c6e4d8423ed73b62fd2332c575bf738a0d033f70df7",
                "onnx/model_quantized.onnx": (
                    "afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1"
                ),
                "special_tokens_map.json": BERT_MARKS,
                "tokenizer.json": (
                    "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0"
                ),
                "tokenizer_config.json": BERT_TOKENS,
            },
        ),
        KnownModel(
            id="sentence-transformers/all-MiniLM-L6-v2",
            title="MiniLM, 6 layers, 32-bit floats",
            licence="Apache-2.0",
            revision="1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
            weights="onnx/model.onnx",
            dimension=384,
            size_bytes=90_405_214,
            files={
                "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
                "onnx/model.onnx": (
                    "6fd5d72fe4589f189f8ebc006442dbb529bb7ce38f8082112682524616046452"
                ),
                "special_tokens_map.json": (
                    "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3"
                ),
                "tokenizer.json": (
                    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
                ),
                "tokenizer_config.json": (
                    "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b"
                ),
            },
        ),
        KnownModel(
            id="Xenova/bge-small-en-v1.5",
            title="BGE small, 12 layers, 8-bit; questions in words",
            licence="MIT",
            revision="ea104dacec62c0de699686887e3f920caeb4f3e3",
            weights="onnx/model_quantized.onnx",
            dimension=384,
            size_bytes=34_014_426,
            files={
                "config.json": "fa73f90bf92c8cace1fbcb709626306f2bdbc9ea3e5b5f94b440df9b6aa56350",
                "onnx/model_quantized.onnx": (
                    "6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4"
                ),
                "special_tokens_map.json": BERT_MARKS,
                "tokenizer.json": (
                    "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66"
                ),
                "tokenizer_config.json": BERT_TOKENS,
            },
            config=OnnxConfig(
                pooling="cls",
                query_prefix="Represent this sentence for searching relevant passages: ",
            ),
        ),
    )
}
