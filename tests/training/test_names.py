"""Names held out: forks and repackagings are caught, and no package list names one."""

from __future__ import annotations

from pathlib import Path

import pytest

from training.fetch import Archives, pin
from training.held_out import built
from training.lists import FOLDER, Package, PackageList, read_lists
from training.names import HeldOut, Matcher

HELD = HeldOut(
    (
        "apache/commons-lang",
        "gin-gonic/gin",
        "prometheus/client_java",
        "fogleman/pg",
        "rails/rails",
    ),
    ("click", "serde", "rack"),
)


@pytest.fixture(name="matcher")
def fixture_matcher() -> Matcher:
    return HELD.matcher()


@pytest.mark.parametrize(
    ("ecosystem", "name"),
    [
        ("debian", "libcommons-lang3-java"),
        ("debian", "libcommons-lang-java"),
        ("debian-source", "commons-lang3"),
        ("maven", "org.apache.commons:commons-lang3"),
        ("npm", "commonslang"),
        ("debian", "golang-github-gin-gonic-gin-dev"),
        ("debian", "librust-serde-json-dev"),
        ("debian", "ruby-rack-test"),
        ("pypi", "click-plugins"),
        ("maven", "io.prometheus.client_java:prometheus-client"),
        ("npm", "pg"),
    ],
)
def test_a_package_of_a_benchmark_is_caught_under_every_name(
    matcher: Matcher, ecosystem: str, name: str
) -> None:
    assert matcher.package(ecosystem, name)


@pytest.mark.parametrize(
    ("ecosystem", "name"),
    [
        ("npm", "clickhouse"),
        ("npm", "lodash"),
        ("pypi", "google-client"),
        ("npm", "pg-promise"),
        ("debian", "golang-golang-x-net-dev"),
        ("maven", "com.google.guava:guava"),
    ],
)
def test_a_package_that_only_sounds_alike_is_not(
    matcher: Matcher, ecosystem: str, name: str
) -> None:
    assert not matcher.package(ecosystem, name)


def test_a_path_is_held_out_by_owner_and_name_together(matcher: Matcher) -> None:
    assert matcher.path("usr/share/gocode/src/github.com/Gin-Gonic/gin/context.go")
    assert not matcher.path("usr/share/gocode/src/github.com/other/gin/context.go")


EVERY_LIST = [*read_lists(), *read_lists(folder=FOLDER / "unpinned")]


@pytest.mark.parametrize("listed", EVERY_LIST, ids=lambda listed: listed.file.stem)
def test_no_package_list_names_what_is_held_out(listed: PackageList) -> None:
    matcher = HeldOut.read().matcher()

    caught = {p.name: matcher.package(p.ecosystem, p.name) for p in listed.packages}
    assert not {name: origin for name, origin in caught.items() if origin}


@pytest.mark.parametrize("listed", read_lists(), ids=lambda listed: listed.file.stem)
def test_every_package_is_pinned_and_no_list_names_an_address(listed: PackageList) -> None:
    assert [package.name for package in listed.packages if not package.version] == []
    assert "://" not in listed.file.read_text("utf-8")


def test_a_list_is_read_as_it_was_written(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    packages = (Package("npm", "@a/b", "1.0"), Package("npm", "c", "2.0"))
    listed = PackageList(file, "about", "npm", ("typescript",), packages)
    file.write_text(listed.text(), "utf-8")

    assert PackageList.read(file) == listed
    assert read_lists(["typescript"], tmp_path) == [listed]
    assert read_lists(["go"], tmp_path) == []


def test_what_was_fetched_moves_from_the_unpinned_list_to_the_pinned_one(tmp_path: Path) -> None:
    archives = Archives(tmp_path)
    archives.folder("npm").mkdir(parents=True)
    (archives.folder("npm") / "b.tgz").write_bytes(b"b")
    archives.add(Package("npm", "b", "2.0"), ["b.tgz"])
    (tmp_path / "unpinned").mkdir()
    old = PackageList(tmp_path / "x.toml", "x", "npm", ("go",), (Package("npm", "a", "1.0"),))
    old.file.write_text(old.text(), "utf-8")
    waiting = (Package("npm", "b"), Package("npm", "c"))
    new = old._replace(file=tmp_path / "unpinned" / "x.toml", packages=waiting)
    new.file.write_text(new.text(), "utf-8")

    assert pin("x", archives, tmp_path) == 1
    assert [p.entry for p in PackageList.read(old.file).packages] == ["a=1.0", "b=2.0"]
    assert [p.entry for p in PackageList.read(new.file).packages] == ["c"]


def test_the_held_out_names_are_those_of_the_benchmark_data(shared: Path) -> None:
    assert HeldOut.read() == built(shared / "data")
