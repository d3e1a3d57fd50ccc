"""Fetch real code to measure plait on: ``python tools/corpora/fetch.py languages``.

Nothing it brings is committed or run. Progress goes to standard error.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from platformdirs import user_cache_path

if __name__ == "__main__":  # run as a script, only this folder is on the path
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools.corpora import catalog, mixed, registries
from tools.corpora.catalog import CorpusError, Package
from tools.corpora.unpack import unpack

FETCHED = "fetched.json"


def default_root() -> Path:
    """Where corpora live unless told otherwise."""
    return Path(os.environ.get("PLAIT_CORPORA") or user_cache_path("plait-corpora"))


def say(line: str) -> None:
    """Tell the user how it goes."""
    print(line, file=sys.stderr, flush=True)


def bring(packages: Sequence[Package], into: Path) -> dict[Package, Path]:
    """The folder of each package, fetched if it is not there yet.

    Raises:
        CorpusError: One cannot be had.
    """
    into.mkdir(parents=True, exist_ok=True)
    if not all(is_present(package, read_fetched(into), into) for package in packages):
        with tempfile.TemporaryDirectory(dir=into.parent, prefix=".fetch-") as staging:
            for error in fetch_packages(packages, into, Path(staging)):
                raise error
    present = read_fetched(into)
    return {
        package: into / present[f"{package.registry} {package.name}"]["folder"]
        for package in packages
    }


def fetch_packages(packages: Sequence[Package], into: Path, staging: Path) -> list[CorpusError]:
    """Unpack every package that is not there yet; what went wrong."""
    present = read_fetched(into)
    missing = [package for package in packages if not is_present(package, present, into)]
    if not missing:
        say(f"everything is there: {into}")
        return []
    say(f"fetching {len(missing)} packages")
    fetched, failed = registries.fetch(missing, staging)
    errors = list(failed.values())
    for package, got in fetched.items():
        if got.warning:
            say(f"warning: {package.name}: {got.warning}")
        folder = f"{package.language}/{package.slug}-{got.version}"
        unpacked = staging / "unpacked" / folder
        try:
            count, size_bytes = unpack(
                got.archive, unpacked, package.wrapped, package.under, package.without
            )
        except CorpusError as error:
            errors.append(error)
            continue
        shutil.rmtree(into / folder, ignore_errors=True)
        (into / folder).parent.mkdir(parents=True, exist_ok=True)
        unpacked.rename(into / folder)
        present[f"{package.registry} {package.name}"] = {
            "folder": folder,
            "version": got.version,
            "sha256": got.sha256,
            "catalog_sha256": package.sha256,
        }
        (into / FETCHED).write_text(json.dumps(present, indent=1, sort_keys=True) + "\n")
        say(f"{folder}: {count:,} files, {size_bytes / 1e6:.1f} MB")
    return errors


def read_fetched(into: Path) -> dict[str, dict[str, str]]:
    """What a folder has, by registry and name."""
    record = into / FETCHED
    if not record.exists():
        return {}
    present: dict[str, dict[str, str]] = json.loads(record.read_text())
    return present


def is_present(package: Package, present: dict[str, dict[str, str]], into: Path) -> bool:
    """Whether a package was unpacked for the digest the catalog has now."""
    entry = present.get(f"{package.registry} {package.name}")
    if entry is None or entry["catalog_sha256"] != package.sha256:
        return False
    return (into / entry["folder"]).is_dir()


def fetch_mixed(into: Path, staging: Path, megabytes: int) -> list[CorpusError]:
    """Build the mixed corpus anew, or leave a folder alone that has it."""
    packages = catalog.load(catalog.MIXED_PACKAGES)
    if mixed.is_built(packages, into, megabytes):
        say(f"everything is there: {into}")
        return []
    if into.exists() and any(into.iterdir()) and not (into / mixed.REPORT).exists():
        raise CorpusError(f"{into} has files that are not a corpus; name an empty folder")
    unpacked = staging / "unpacked"
    unpacked.mkdir()
    errors = mixed.build(packages, unpacked, staging, megabytes, say)
    shutil.rmtree(into, ignore_errors=True)
    unpacked.rename(into)
    return errors


def print_list(root: Path) -> None:
    """One line per package of the languages, one per language of the mixture."""
    for name, entry in sorted(read_fetched(root / "languages").items()):
        print(f"languages/{entry['folder']}\t{name}\t{entry['version']}")
    report = root / "mixed" / mixed.REPORT
    if report.exists():
        for language, sums in json.loads(report.read_text())["languages"].items():
            print(f"mixed\t{language}\t{sums['files']} files\t{sums['bytes'] / 1e6:.1f} MB")


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description="Fetch real code to measure plait on.")
    commands = parser.add_subparsers(dest="command", required=True)
    languages = commands.add_parser("languages", help="a package or more for each language")
    mixture = commands.add_parser("mixed", help="one big corpus of many languages")
    mixture.add_argument("--megabytes", type=int, default=520, help="how much source text")
    for command in (languages, mixture):
        command.add_argument("--into", type=Path, help="default: below $PLAIT_CORPORA")
    commands.add_parser("list", help="print what is there")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Exit 0 if all is there, 1 if some package is missing."""
    asked = arguments(argv)
    if asked.command == "list":
        print_list(default_root())
        return 0
    into: Path = (asked.into or default_root() / asked.command).resolve()
    into.parent.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    # Beside the target, so that moving what is unpacked is a rename and never half done.
    with tempfile.TemporaryDirectory(dir=into.parent, prefix=".fetch-") as staging:
        try:
            if asked.command == "languages":
                packages = catalog.load(catalog.LANGUAGE_PACKAGES)
                errors = fetch_packages(packages, into, Path(staging))
            else:
                errors = fetch_mixed(into, Path(staging), asked.megabytes)
        except CorpusError as error:
            errors = [error]
    for problem in errors:
        say(f"error: {problem}")
    say(f"{time.monotonic() - started:.0f} s")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
