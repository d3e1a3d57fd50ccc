"""What a folder says about its transformer: pooling, prefixes, how much it reads.

Sentence-transformers models say it in several files; a ``config.json`` may say the same in
keys of ours, which win:

    {"pooling": "mean", "query_prefix": "", "document_prefix": "", "max_tokens": 256,
     "name_weight": 0.2}
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from plait.errors import ModelError

MAX_TOKENS = 256  # what follows changes little and costs as much
NAME_WEIGHT = 0.2  # docs/models.md, "The name": what names give and what paraphrase loses
POOLINGS = ("mean", "cls")
QUERY_PROMPTS, DOCUMENT_PROMPTS = ("query", "s2p_query"), ("document", "passage")


@dataclass(frozen=True, slots=True)
class OnnxConfig:
    """How texts become tokens and tokens one vector."""

    pooling: str = "mean"
    query_prefix: str = ""
    document_prefix: str = ""
    max_tokens: int = MAX_TOKENS
    name_weight: float = NAME_WEIGHT

    def __post_init__(self) -> None:
        if self.pooling not in POOLINGS:
            raise ModelError(
                f"there is no pooling {self.pooling!r}", hint=f"known: {', '.join(POOLINGS)}"
            )
        if not 1 <= self.max_tokens <= 8192 or not 0 <= self.name_weight <= 100:
            raise ModelError(
                f"max_tokens {self.max_tokens} or name_weight {self.name_weight:g} is out of range"
            )


def read_onnx_config(folder: Path, known: OnnxConfig | None = None) -> OnnxConfig:
    """How the model in a folder is to be run.

    Args:
        folder: Where its files lie.
        known: What is known of it from elsewhere; the folder's own files win.

    Raises:
        ModelError: A file cannot be read, or asks for what plait does not do.
    """
    config = known or OnnxConfig()
    try:
        pooling = _json(folder / "1_Pooling" / "config.json")
        if pooling:
            config = replace(config, pooling=_pooling(folder, pooling))
        prompts = _json(folder / "config_sentence_transformers.json").get("prompts") or {}
        config = replace(
            config,
            query_prefix=_first(prompts, QUERY_PROMPTS) or config.query_prefix,
            document_prefix=_first(prompts, DOCUMENT_PROMPTS) or config.document_prefix,
        )
        longest = _json(folder / "sentence_bert_config.json").get("max_seq_length")
        if isinstance(longest, int) and longest > 0:
            config = replace(config, max_tokens=min(config.max_tokens, longest))
        own = _json(folder / "config.json")
        for key, kind in (
            ("pooling", str),
            ("query_prefix", str),
            ("document_prefix", str),
            ("max_tokens", int),
            ("name_weight", (int, float)),
        ):
            if key in own:
                if not isinstance(own[key], kind) or isinstance(own[key], bool):
                    raise ValueError(f"{key} cannot be {own[key]!r}")
                config = replace(config, **{key: own[key]})
    except (OSError, ValueError, AttributeError, TypeError, RecursionError) as error:
        raise ModelError(f"cannot read the configuration in {folder}: {error}") from error
    return config


def _pooling(folder: Path, told: Mapping[str, Any]) -> str:
    """The one pooling a folder asks for."""
    asked = sorted(
        key.removeprefix("pooling_mode_").removesuffix("_tokens").removesuffix("_token")
        for key, value in told.items()
        if key.startswith("pooling_mode_") and value is True
    )
    if len(asked) != 1:
        raise ModelError(f"{folder} pools in {len(asked)} ways at once ({', '.join(asked)})")
    return asked[0]


def _first(prompts: Mapping[str, Any], names: tuple[str, ...]) -> str:
    return next((str(prompts[name]) for name in names if prompts.get(name)), "")


def _json(path: Path) -> Mapping[str, Any]:
    if not path.is_file():
        return {}
    read = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(read, dict):
        raise ValueError(f"{path.name} holds no table")
    return read
