"""The JSON shape of what an index holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plait.interfaces.typed import TypedDict
from plait.types import Statistics

STATUS_SCHEMA = "plait.status/1"


class StatusOut(TypedDict):
    """What an index holds."""

    schema: str
    root: str
    repo: str
    index: str
    generation: int
    files: int
    chunks: int
    symbols: int
    source_bytes: int
    index_bytes: int
    languages: dict[str, int]
    model: str | None
    vectors: int
    stale: int
    secret_files: int
    masked_secrets: int
    masked_files: int
    repos: list[str]
    as_text: dict[str, int]  # files that are not parsed, by reason
    built_otherwise: str  # than the settings say, in words; "" if not


def status_out(
    statistics: Statistics,
    *,
    root: str,
    repo: str,
    index: str,
    generation: int,
    stale: int,
    repos: Sequence[str],
    model: str | None,
    vectors: int,
    as_text: Mapping[str, int],
    secret_files: int,
    masked: tuple[int, int],
    built_otherwise: str = "",
) -> StatusOut:
    """The state of an index.

    Args:
        secret_files: How many were left out because they are secrets.
        masked: How many secrets were masked in the others, and in how many files.
        built_otherwise: How the index was built, if not as the settings say.
    """
    return {
        "schema": STATUS_SCHEMA,
        "root": root,
        "repo": repo,
        "index": index,
        "generation": generation,
        "files": statistics.files,
        "chunks": statistics.chunks,
        "symbols": statistics.symbols,
        "source_bytes": statistics.source_bytes,
        "index_bytes": statistics.index_bytes,
        "languages": dict(statistics.languages),
        "model": model,
        "vectors": vectors,
        "stale": stale,
        "secret_files": secret_files,
        "masked_secrets": masked[0],
        "masked_files": masked[1],
        "repos": list(repos),
        "as_text": dict(as_text),
        "built_otherwise": built_otherwise,
    }
