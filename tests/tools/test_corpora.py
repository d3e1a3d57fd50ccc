"""The corpora: catalogs that are complete, and archives that cannot do harm."""

from __future__ import annotations

import hashlib
import io
import re
import stat
import tarfile
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tools.corpora.catalog import (
    LANGUAGE_OF,
    LANGUAGE_PACKAGES,
    LANGUAGES,
    MIXED_PACKAGES,
    CorpusError,
    Package,
    load,
)
from tools.corpora.mixed import Mixture, in_turns, is_readable
from tools.corpora.registries import Fetched, check
from tools.corpora.unpack import unpack
from tools.record import ROOT

Archiver = Callable[[Path, dict[str, bytes], dict[str, str]], Path]


def tar(folder: Path, files: dict[str, bytes], links: dict[str, str]) -> Path:
    """A tar with symbolic links first, so that a file may try to pass through one."""
    archive = folder / "made.tar.gz"
    with tarfile.open(archive, "w:gz") as made:
        for name, target in links.items():
            link = tarfile.TarInfo(name)
            link.type, link.linkname = tarfile.SYMTYPE, target
            made.addfile(link)
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            made.addfile(member, io.BytesIO(content))
    return archive


def zipped(folder: Path, files: dict[str, bytes], links: dict[str, str]) -> Path:
    """The same as a zip."""
    archive = folder / "made.zip"
    with zipfile.ZipFile(archive, "w") as made:
        for name, target in links.items():
            link = zipfile.ZipInfo(name)
            link.external_attr = (stat.S_IFLNK | 0o777) << 16
            made.writestr(link, target)
        for name, content in files.items():
            made.writestr(zipfile.ZipInfo(name), content)
    return archive


def tree(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}


each_format = pytest.mark.parametrize("make", [tar, zipped])


@each_format
def test_files_come_out_without_their_wrapping_folder(make: Archiver, tmp_path: Path) -> None:
    archive = make(tmp_path, {"p-1/a.py": b"a", "p-1/sub/b.py": b"bb", "p-1/no/c.py": b"c"}, {})

    assert unpack(archive, tmp_path / "out", wrapped=1, under="sub") == (1, 2)
    assert tree(tmp_path / "out") == {"sub/b.py"}


@each_format
@pytest.mark.parametrize(
    "name", ["../out.py", "a/../../out.py", "/out.py", "..\\out.py", "C:/out.py"]
)
def test_a_path_that_leads_out_condemns_the_archive(
    make: Archiver, name: str, tmp_path: Path
) -> None:
    archive = make(tmp_path, {name: b"x"}, {})

    with pytest.raises(CorpusError, match="leads out"):
        unpack(archive, tmp_path / "deep" / "out")
    assert tree(tmp_path) == {archive.name}


@each_format
def test_links_are_neither_made_nor_followed(make: Archiver, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    links = {"p/link": str(outside), "p/file.py": "/etc/passwd"}
    archive = make(tmp_path, {"p/link/a.py": b"a"}, links)
    unpack(archive, tmp_path / "out")

    assert tree(tmp_path / "out") == {"p/link/a.py"}
    assert tree(outside) == set()
    assert not any(path.is_symlink() for path in tmp_path.rglob("*"))


def test_hard_links_are_not_made(tmp_path: Path) -> None:
    archive = tmp_path / "made.tar"
    with tarfile.open(archive, "w") as made:
        made.addfile(tarfile.TarInfo("a.py"), io.BytesIO())
        link = tarfile.TarInfo("b.py")
        link.type, link.linkname = tarfile.LNKTYPE, "/etc/passwd"
        made.addfile(link)
    unpack(archive, tmp_path / "out")

    assert tree(tmp_path / "out") == {"a.py"}


def test_a_file_that_is_no_archive_is_an_error_that_names_it(tmp_path: Path) -> None:
    broken = tmp_path / "broken.tar.gz"
    broken.write_bytes(b"not an archive")

    with pytest.raises(CorpusError, match=r"broken\.tar\.gz cannot be read"):
        unpack(broken, tmp_path / "out")


def test_every_language_has_a_package_with_a_golden_file_of_that_language() -> None:
    golden = {p.language: p.golden for p in load(LANGUAGE_PACKAGES) if p.golden}

    assert set(golden) == set(LANGUAGES)
    assert len(LANGUAGES) == 19
    for language, path in golden.items():
        assert LANGUAGE_OF[Path(path).suffix] == language


CATALOGS = [LANGUAGE_PACKAGES, MIXED_PACKAGES, *ROOT.glob("benchmarks/*/packages.toml")]


@pytest.mark.parametrize("catalog", CATALOGS, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_every_package_is_pinned_and_says_its_licence(catalog: Path) -> None:
    for package in load(catalog):
        assert re.fullmatch("[0-9a-f]{64}", package.sha256), package.name
        assert package.version, package.name
        assert package.licence, package.name


def test_no_catalog_or_script_names_a_host() -> None:
    for path in (*LANGUAGE_PACKAGES.parent.glob("*.*"), *CATALOGS):
        assert "://" not in path.read_text(encoding="utf-8"), path.name


def package(registry: str = "npm", content: bytes = b"x", version: str = "1.0") -> Package:
    digest = hashlib.sha256(content).hexdigest()
    return Package("javascript", registry, "made", version, digest, "MIT")


def test_an_archive_with_another_digest_is_refused(tmp_path: Path) -> None:
    archive = tmp_path / "made-1.0.tgz"
    archive.write_bytes(b"tampered")

    with pytest.raises(CorpusError, match="the catalog says"):
        check(package(), archive)


@pytest.mark.parametrize(
    ("registry", "file_name"),
    [("debian-source", "made_1.1.orig.tar.xz"), ("debian", "made_1%3a1.0-2_all.deb")],
)
def test_a_newer_version_of_debian_is_a_warning(
    registry: str, file_name: str, tmp_path: Path
) -> None:
    archive = tmp_path / file_name
    archive.write_bytes(b"newer")

    assert "the mirror only" in check(package(registry), archive).warning


def test_the_same_version_of_debian_with_another_digest_is_refused(tmp_path: Path) -> None:
    archive = tmp_path / "made_1.0.orig.tar.xz"
    archive.write_bytes(b"tampered")

    with pytest.raises(CorpusError, match="the catalog says"):
        check(package("debian-source"), archive)


def test_an_entry_without_digest_is_refused_and_told_what_to_record(tmp_path: Path) -> None:
    archive = tmp_path / "made-1.0.tgz"
    archive.write_bytes(b"x")

    with pytest.raises(CorpusError, match=f'record sha256 = "{package().sha256}"'):
        check(replace(package(), sha256=""), archive)


def test_languages_take_turns() -> None:
    made = [
        replace(package(), language=language, name=f"{language}{number}")
        for language, count in [("c", 3), ("go", 1), ("lua", 2)]
        for number in range(count)
    ]

    assert [p.name for p in in_turns(made)] == ["c0", "go0", "lua0", "c1", "lua1", "c2"]


@pytest.mark.parametrize(
    ("name", "content", "readable"),
    [
        pytest.param("a.js", b"let a\n", True, id="code"),
        pytest.param("a.min.js", b"let a\n", False, id="minified-by-name"),
        pytest.param("a.js", b"x" * 300, False, id="minified-by-line-length"),
        pytest.param("a.js", b"a\0b\n", False, id="binary"),
        pytest.param("a.js", b"\xff\xfe\n", False, id="not-utf-8"),
        pytest.param("a.js", b" \n", False, id="blank"),
    ],
)
def test_only_readable_text_is_kept(name: str, content: bytes, readable: bool) -> None:
    assert is_readable(name, content) is readable


def test_the_mixture_keeps_code_once_and_counts_it(tmp_path: Path) -> None:
    files = {"p/a.js": b"one\n", "p/b.js": b"one\n", "p/c.go": b"two\n", "p/README": b"text\n"}
    got = Fetched(package(), tar(tmp_path, files, {}), "1.0", "0" * 64)
    mixture = Mixture(tmp_path / "mixed", wanted_bytes=1000)

    assert mixture.add(got) == (2, 8)
    assert tree(tmp_path / "mixed") == {"made-1.0/a.js", "made-1.0/c.go"}
    assert mixture.report()["languages"] == {
        "go": {"files": 1, "bytes": 4},
        "javascript": {"files": 1, "bytes": 4},
    }


def test_the_mixture_stops_when_it_has_enough_of_a_language_and_in_all(tmp_path: Path) -> None:
    files = {f"p/{number}.js": b"%d\n" % number for number in range(9)}
    files |= {f"p/{number}.go": b"-%d\n" % number for number in range(9)}
    got = Fetched(package(), tar(tmp_path, files, {}), "1.0", "0" * 64)
    mixture = Mixture(tmp_path / "mixed", wanted_bytes=20)
    mixture.add(got)

    # 30% of 20 bytes is 6: three files of two bytes, two of three.
    assert mixture.files_of == {"javascript": 3, "go": 2}
