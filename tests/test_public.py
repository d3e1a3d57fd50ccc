"""The public surface of the package: what ``import plait`` offers, and that it works."""

from __future__ import annotations

from pathlib import Path

import pytest

import plait


def test_the_surface_is_what_it_is_said_to_be() -> None:
    assert set(plait.__all__) == {"__version__", "open"}
    assert plait.__version__.count(".") == 2
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        plait.nothing  # noqa: B018 - that is the point


def test_open_and_search_in_three_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAIT_CACHE_DIR", str(tmp_path / "cache"))
    code = tmp_path / "code"
    code.mkdir()
    (code / "net.py").write_text("def retry_with_backoff(call):\n    return call()\n", "utf-8")

    answer = plait.open(code).search("retry with backoff", limit=5)

    assert answer.results[0].chunk.path == "net.py"
    assert answer.results[0].reason.value == answer.results[0].score > 0


def test_a_question_is_packed_into_tokens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAIT_CACHE_DIR", str(tmp_path / "cache"))
    code = tmp_path / "code"
    code.mkdir()
    (code / "net.py").write_text("def retry_with_backoff(call):\n    return call()\n", "utf-8")

    packed = plait.open(code).pack("retry with backoff", tokens=100)

    assert [file.path for file in packed.files] == ["net.py"]
    assert packed.files[0].spans[0].text == "def retry_with_backoff(call):\n    return call()"
    assert packed.tokens <= 100
