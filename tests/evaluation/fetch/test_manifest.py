"""The manifest: every entry can be trusted to mean the same bytes for ever."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

from plait.errors import EvaluationError
from plait.evaluation.fetch.convert import CONVERTERS
from plait.evaluation.fetch.manifest import RemoteFile, load_manifest

KNOWN = load_manifest()
FILES = [file for entry in KNOWN.values() for file in entry.files]
PINNED = re.compile(
    r"https://(raw\.githubusercontent\.com|media\.githubusercontent\.com/media)"
    r"/[\w.-]+/[\w.-]+/[0-9a-f]{40}/[\w./-]+"
)
GOOD = """
[tiny]
title = "tiny"
licence = "MIT"
citation = "nobody"
home = "https://github.com/o/n"
converter = "copy"
files = [{ url = "https://host/o/n/c/p", sha256 = "SHA", bytes = 3, path = "p" }]
""".replace("SHA", "0" * 64)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.wanted.url.rpartition("/")[2])
def test_every_file_is_pinned_by_commit_checksum_and_size(file: RemoteFile) -> None:
    assert PINNED.fullmatch(file.wanted.url)
    assert re.fullmatch("[0-9a-f]{64}", file.wanted.sha256)
    assert file.wanted.size_bytes


@pytest.mark.parametrize("name", KNOWN)
def test_every_entry_says_what_it_is_and_whose(name: str) -> None:
    entry = KNOWN[name]

    assert entry.title
    assert entry.licence
    assert entry.citation
    assert not entry.home or entry.home.startswith("https://github.com/")
    assert entry.notes, "what a reader of figures has to know"
    assert not entry.files or entry.converter in CONVERTERS
    assert len({file.path for file in entry.files}) == len(entry.files)


def test_every_converter_serves_a_dataset() -> None:
    assert {entry.converter for entry in KNOWN.values() if entry.files} == set(CONVERTERS)


def test_agent63_is_what_the_shared_copy_holds(shared: Path) -> None:
    folder = shared / "data" / "agent63"
    entry = KNOWN["agent63"]

    assert len(entry.files) == 64
    for file in entry.files:
        content = (folder / file.path).read_bytes()
        assert len(content) == file.wanted.size_bytes
        assert hashlib.sha256(content).hexdigest() == file.wanted.sha256


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ('path = "p"', 'path = "../p"', "does not stay"),
        ('path = "p"', 'path = "/p"', "does not stay"),
        ("0" * 64, "123", "no SHA-256"),
        ("https://host", "file://host", "not an HTTP"),
        ('licence = "MIT"\n', "", "licence"),
        ('converter = "copy"\n', "", "need a converter"),
        ('title = "tiny"', 'title = "tiny"\ncolour = "red"', "unknown key colour"),
        ("[tiny]", '["../tiny"]', "cannot be the name"),
        ("bytes = 3", "size = 3", "size"),
    ],
)
def test_an_entry_that_cannot_be_used_is_named(
    tmp_path: Path, before: str, after: str, words: str
) -> None:
    path = tmp_path / "manifest.toml"
    path.write_text(GOOD)
    assert load_manifest(path)["tiny"].size_bytes == 3
    path.write_text(GOOD.replace(before, after))

    with pytest.raises(EvaluationError, match=words):
        load_manifest(path)


def test_a_mirror_takes_the_place_of_the_host_only(tmp_path: Path) -> None:
    path = tmp_path / "manifest.toml"
    path.write_text(GOOD)
    (file,) = load_manifest(path)["tiny"].files

    assert file.at("http://127.0.0.1:1/below/").url == "http://127.0.0.1:1/below/o/n/c/p"
    assert file.at("http://127.0.0.1:1").sha256 == file.wanted.sha256
    assert file.at("") == file.wanted
