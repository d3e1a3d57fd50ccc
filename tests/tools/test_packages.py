"""The packages OpenSearch is put together from: recorded, checked, refused in words."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tools.opensearch.distribution import RELEASES, SECURABLE, install
from tools.opensearch.errors import ClusterError, PartMissing, WrongPackage
from tools.opensearch.packages import Locked, Package, read_checksums, write_checksums

ROOT = Path(__file__).resolve().parents[2]
JAR = Package("org.ow2.asm", "asm", "9.7", "jar")
EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_every_release_has_a_server_both_modules_and_its_plug_ins() -> None:
    for release in RELEASES:
        places = {each.place for each in read_checksums() if each.release == release}

        assert places == {
            ".",
            "modules/lang-painless",
            "modules/analysis-common",
            "plugins/opensearch-knn",
            *(["plugins/opensearch-security"] if release in SECURABLE else []),
        }


def test_a_release_that_cannot_be_secured_says_so() -> None:
    with pytest.raises(ClusterError, match=r"3.4.0 cannot be put together with the security"):
        install("3.4.0", security=True)


def test_what_is_recorded_is_read_back(tmp_path: Path) -> None:
    locked = (Locked("3.4.0", ".", JAR, EMPTY), Locked("2.19.1", "modules/x", JAR, EMPTY))
    write_checksums(locked, tmp_path / "checksums.txt")

    assert read_checksums(tmp_path / "checksums.txt") == locked


@pytest.mark.parametrize(
    "line", ["3.4.0 . a:b:1:jar", f"3.4.0 . a:b:1 {EMPTY}", "3.4.0 . a:b:1:jar 12"]
)
def test_a_line_that_is_no_record_is_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / "checksums.txt").write_text(f"# heading\n{line}\n", "utf-8")

    with pytest.raises(ClusterError, match=r"checksums.txt:2|is not of the form"):
        read_checksums(tmp_path / "checksums.txt")


def test_a_file_that_differs_is_refused_in_words(tmp_path: Path) -> None:
    locked = Locked("3.4.0", ".", JAR, EMPTY)
    file = tmp_path / JAR.file_name
    file.write_bytes(b"")
    locked.check(file)
    file.write_bytes(b"something else")

    with pytest.raises(WrongPackage, match=rf"org.ow2.asm:asm:9.7:jar has .* recorded is {EMPTY}"):
        locked.check(file)


def test_a_release_nobody_recorded_is_refused() -> None:
    with pytest.raises(ClusterError, match=r"no checksums are recorded for OpenSearch 1.0"):
        install("1.0")


@pytest.mark.slow
def test_a_wrong_package_installs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAIT_OPENSEARCH", str(tmp_path / "cache"))
    write_checksums([Locked("3.4.0", ".", JAR, EMPTY)], tmp_path / "checksums.txt")
    try:
        with pytest.raises(WrongPackage):
            install("3.4.0", checksums=tmp_path / "checksums.txt")
    except PartMissing as error:
        pytest.skip(str(error))

    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["install.lock"]


@pytest.mark.slow
def test_two_processes_install_one_distribution(tmp_path: Path) -> None:
    both = [
        subprocess.Popen(
            [sys.executable, "-m", "tools.opensearch", "install"],
            cwd=ROOT,
            env={**os.environ, "PLAIT_OPENSEARCH": str(tmp_path)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    told = [each.communicate(timeout=600) for each in both]
    if any("Maven" in errors for _, errors in told):
        pytest.skip(told[0][1])

    assert [each.returncode for each in both] == [0, 0]
    assert told[0][0] == told[1][0]
    home = Path(told[0][0].strip())
    assert re.fullmatch(r"opensearch-3\.4\.0-[0-9a-f]{8}", home.name)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["install.lock", home.name]
    assert (home / "plugins" / "opensearch-knn" / "plugin-descriptor.properties").is_file()
    assert not (home / "plugins" / "opensearch-security").exists()
    assert os.access(home / "bin" / "opensearch", os.X_OK)
