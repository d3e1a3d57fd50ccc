"""Which Java runs which OpenSearch."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.opensearch import java
from tools.opensearch.errors import PartMissing


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of Javas 11, 17, 21 and 25, and one that is broken."""
    monkeypatch.delenv("OPENSEARCH_JAVA_HOME", raising=False)
    monkeypatch.setattr(java, "INSTALLED", tmp_path)
    for version in ("11.0.2", "17.0.15", "21.0.1", "25"):
        home(tmp_path / f"jdk-{version}", version)
    (tmp_path / "broken").mkdir()
    return tmp_path


def home(folder: Path, version: str) -> Path:
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "java").touch(mode=0o755)
    (folder / "release").write_text(f'IMPLEMENTOR="x"\nJAVA_VERSION="{version}"\n', "utf-8")
    return folder


@pytest.mark.parametrize(("release", "expected"), [("3.4.0", "jdk-25"), ("2.19.1", "jdk-21.0.1")])
def test_the_newest_that_fits_is_taken(installed: Path, release: str, expected: str) -> None:
    assert java.java_home(release) == installed / expected


def test_the_one_named_is_taken_where_it_fits(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENSEARCH_JAVA_HOME", str(installed / "jdk-17.0.15"))

    assert java.java_home("2.19.1") == installed / "jdk-17.0.15"
    assert java.java_home("3.4.0") == installed / "jdk-25"


def test_what_is_missing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENSEARCH_JAVA_HOME", raising=False)
    monkeypatch.setattr(java, "INSTALLED", tmp_path)
    home(tmp_path / "jdk-25", "25.0.3")

    with pytest.raises(PartMissing, match=r"OpenSearch 2.19.1 needs Java 11 to 21, and none"):
        java.java_home("2.19.1")
