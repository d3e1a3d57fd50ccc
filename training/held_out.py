"""Held out: the repositories and packages of every benchmark, as a list of names.

``python -m training.held_out DATA`` reads the folder of benchmark data and rewrites
``held_out.toml``. Only names go into it: they are what a package list is checked against.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path

from training.names import HELD_OUT, HeldOut

HEAD = """# Repositories and packages of the benchmarks: nothing named like them is trained on.
# Written by `python -m training.held_out DATA`; do not edit.
"""
# What our own examples and figures are made over.
OURS = ("requests", "urllib3", "tenacity", "django")
# Parts and bindings that a benchmark's repository publishes under names of their own.
PARTS = tuple(
    """actioncable actionmailbox actionmailer actionpack actiontext actionview activejob
    activemodel activerecord activestorage activesupport railties illuminate guzzlehttp libcurl
    absl libfmt fmt hiredis redisson jodd rxjava guice google-inject libuv1 libuv
    bs4 dateutil yaml sklearn pil nlohmann-json3 botocore boto messagepack telescope-nvim
    lazy-nvim mini-nvim containers-image badger etcd lxd hugo tchannel""".split()
)
ADDRESS = re.compile(r"[/:]([\w.-]+)/([\w.-]+?)(?:\.git)?/?$")


def lines(file: Path) -> Iterator[str]:
    """The lines of a text file, packed or not."""
    if file.suffix == ".gz":
        with gzip.open(file, "rt", encoding="utf-8") as packed:
            yield from packed
    else:
        with file.open("rt", encoding="utf-8") as stream:
            yield from stream


def repositories(data: Path) -> set[str]:
    """Every ``owner/name`` that a benchmark's corpus, instances or repository list names."""
    found: set[str] = set()
    for file in data.glob("csn*/corpus*.jsonl*"):
        for line in lines(file):
            found.add(json.loads(line)["metadata"].get("repo") or "")
    for file in data.glob("*/instances.jsonl"):
        for line in lines(file):
            instance = json.loads(line)
            named = instance.get("repo") or instance["id"].rpartition("-")[0].replace("__", "/")
            found.add(named)
    for file in data.glob("*/repos.json"):
        for repository in json.loads(file.read_text("utf-8")):
            address = ADDRESS.search(repository["url"])
            found.add("/".join(address.groups()) if address else "")
    for file in data.glob("gitloc/*/info.json"):
        address = ADDRESS.search(str(json.loads(file.read_text("utf-8")).get("repo", "")))
        found.add("/".join(address.groups()) if address else "")
    return {name for name in found if name.count("/") == 1}


def packages(data: Path) -> set[str]:
    """Every package that a benchmark pins, and the short names of its repositories."""
    found = {*OURS, *PARTS}
    for file in data.glob("pypi-docstring/pins*.txt"):
        found.update(re.split(r"[=<>~! ]", line)[0].strip().lower() for line in lines(file))
    found.update(folder.parent.name.lower() for folder in data.glob("gitloc/*/mined.jsonl"))
    for file in data.glob("*/repos.json"):
        found.update(each["name"].lower() for each in json.loads(file.read_text("utf-8")))
    return {name for name in found if name and not name.startswith("#")}


def written(held: HeldOut) -> str:
    """The list as TOML."""
    blocks = [HEAD]
    for title, names in (("repositories", held.repositories), ("names", held.names)):
        rows = "".join(f"  {json.dumps(name)},\n" for name in names)
        blocks.append(f"{title} = [\n{rows}]\n")
    return "\n".join(blocks)


def built(data: Path) -> HeldOut:
    """The names that the benchmark data asks to hold out."""
    return HeldOut(tuple(sorted(repositories(data), key=str.lower)), tuple(sorted(packages(data))))


def main() -> None:
    """Rewrite the list from the folder of benchmark data."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder of benchmark data")
    HELD_OUT.write_text(written(built(parser.parse_args().data)), "utf-8")


if __name__ == "__main__":
    main()
