"""The mixed corpus: half a gigabyte of code in many languages, the same for everyone.

Packages are taken in turns, one of each language per turn, so that a smaller corpus has
the same mixture as a large one. Of each only what a code search would index is kept:
readable text of a known language, every content once.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path

from tools.corpora.catalog import LANGUAGE_OF, CorpusError, Package
from tools.corpora.registries import Fetched, fetch
from tools.corpora.unpack import read_archive

LARGEST_FILE_BYTES = 1_000_000
LONGEST_MEAN_LINE = 250  # longer ones are minified, or data in the clothes of code
MOST_OF_ONE_LANGUAGE = 0.30
PACKAGES_PER_WAVE = 48

REPORT = "corpus.json"

Say = Callable[[str], None]


class Mixture:
    """Files written so far, and what they add up to."""

    def __init__(self, into: Path, wanted_bytes: int) -> None:
        self.into = into
        self.wanted_bytes = wanted_bytes
        self.bytes_of: Counter[str] = Counter()  # by language
        self.files_of: Counter[str] = Counter()
        self.packages: list[dict[str, str | int]] = []
        self._seen: set[bytes] = set()

    @property
    def total_bytes(self) -> int:
        return self.bytes_of.total()

    @property
    def is_full(self) -> bool:
        return self.total_bytes >= self.wanted_bytes

    def add(self, fetched: Fetched) -> tuple[int, int]:
        """Write what is worth keeping of a package; how many files, and their bytes."""
        package = fetched.package
        folder = self.into / f"{package.slug}-{fetched.version}"
        limit = package.megabytes * 1_000_000 or self.wanted_bytes
        count = size_bytes = 0
        for path, content in read_archive(
            fetched.archive, package.wrapped, package.under, LARGEST_FILE_BYTES
        ):
            if self.is_full or size_bytes >= limit:
                break
            language = LANGUAGE_OF.get(path.suffix.lower())
            if language is None or not self._is_wanted(language, path.name, content):
                continue
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            self.bytes_of[language] += len(content)
            self.files_of[language] += 1
            count += 1
            size_bytes += len(content)
        self.packages.append(
            {
                "registry": package.registry,
                "name": package.name,
                "version": fetched.version,
                "sha256": fetched.sha256,
                "licence": package.licence,
                "files": count,
                "bytes": size_bytes,
            }
        )
        return count, size_bytes

    def _is_wanted(self, language: str, name: str, content: bytes) -> bool:
        if self.bytes_of[language] >= MOST_OF_ONE_LANGUAGE * self.wanted_bytes:
            return False
        if not is_readable(name, content):
            return False
        digest = hashlib.sha256(content).digest()
        if digest in self._seen:
            return False
        self._seen.add(digest)
        return True

    def report(self) -> dict[str, object]:
        """What ``corpus.json`` says."""
        return {
            "megabytes": self.wanted_bytes // 1_000_000,
            "files": self.files_of.total(),
            "bytes": self.total_bytes,
            "languages": {
                language: {"files": self.files_of[language], "bytes": size_bytes}
                for language, size_bytes in sorted(self.bytes_of.items())
            },
            "packages": self.packages,
        }


def is_readable(name: str, content: bytes) -> bool:
    """Whether a file is text that somebody could have written."""
    if not content.strip() or b"\0" in content or ".min." in name:
        return False
    if len(content) / (content.count(b"\n") + 1) > LONGEST_MEAN_LINE:
        return False
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def in_turns(packages: Sequence[Package]) -> list[Package]:
    """The first package of each language, then the second of each, and so on."""
    queues: dict[str, list[Package]] = {}
    for package in packages:
        queues.setdefault(package.language, []).append(package)
    return [package for turn in zip_longest(*queues.values()) for package in turn if package]


def waves(packages: Sequence[Package]) -> Iterator[Sequence[Package]]:
    """Packages in order, as many at a time as are worth fetching before looking again."""
    for first in range(0, len(packages), PACKAGES_PER_WAVE):
        yield packages[first : first + PACKAGES_PER_WAVE]


def digest_of(packages: Sequence[Package]) -> str:
    """Changes when any entry of the catalog does."""
    return hashlib.sha256(repr(tuple(packages)).encode()).hexdigest()


def is_built(packages: Sequence[Package], into: Path, megabytes: int) -> bool:
    """Whether a folder has this corpus, whole."""
    path = into / REPORT
    if not path.exists():
        return False
    report = json.loads(path.read_text(encoding="utf-8"))
    return bool(
        report["made_of"] == digest_of(packages)
        and report["megabytes"] == megabytes
        and report["bytes"] >= megabytes * 1_000_000
    )


def build(
    packages: Sequence[Package], into: Path, staging: Path, megabytes: int, say: Say
) -> list[CorpusError]:
    """Fill a folder with the mixed corpus and its report; what could not be fetched."""
    mixture = Mixture(into, megabytes * 1_000_000)
    errors: list[CorpusError] = []
    for wave in waves(in_turns(packages)):
        if mixture.is_full:
            break
        say(f"fetching {len(wave)} packages")
        fetched, failed = fetch(wave, staging)
        errors.extend(failed.values())
        for package in wave:
            if package not in fetched or mixture.is_full:
                continue
            got = fetched[package]
            if got.warning:
                say(f"warning: {package.name}: {got.warning}")
            try:
                count, size_bytes = mixture.add(got)
            except CorpusError as error:
                errors.append(error)
                continue
            megabytes_now = mixture.total_bytes // 1_000_000
            say(
                f"{package.language:<10} {package.name} {got.version}: {count:,} files, "
                f"{size_bytes / 1e6:.1f} MB; {megabytes_now} of {megabytes} MB"
            )
    if not mixture.is_full:
        had = mixture.total_bytes // 1_000_000
        errors.append(CorpusError(f"the packages give only {had} of {megabytes} MB"))
    report = mixture.report() | {"made_of": digest_of(packages)}
    (into / REPORT).write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return errors
