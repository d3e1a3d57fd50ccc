"""Extract: one package's archives into candidate pairs, and the account of what was left out.

The licence is judged first, by the package and then file by file. Files are taken in an order
made of their digests, so that a package cut short is cut at random; what comes out is sorted.
A package that is done is a file in the working folder and is not done again.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from plait.errors import WorkerLost
from plait.sources.languages import language_of
from plait.symbols.workers import Message, Worker, WorkerPool
from training import metadata
from training.archives import members
from training.candidates import MOST, ParsedFile, pairs, unique
from training.copyrights import Copyright
from training.fetch import Archives, Fetched
from training.files import CODE, PROSE, TEST, is_worthwhile, role_of
from training.functions import MODULE, Function
from training.heads import head_verdict
from training.kept import Extracted, is_done, keep
from training.licences import Verdict
from training.names import Matcher
from training.prose import Question, question_of_test, questions

MAX_FILES = 4_000
MAX_TEST_FILES = 25
MAX_SECONDS = 180.0  # of wall time for one file: this runs beside other work, at low priority
LICENCE_FILES = re.compile(
    r"^[^/]+\.dist-info/METADATA$|^package/package\.json$|(?:^|/)debian/copyright$"
    r"|^usr/share/doc/[^/]+/copyright$"
)


class _Judge:
    """Judges the files of one package."""

    def __init__(self, fetched: Fetched, found: dict[str, bytes], poms: list[str]) -> None:
        self._ecosystem = fetched.package.ecosystem
        self._copyright: Copyright | None = None
        self.package = Verdict(False, "", "no licence named")
        if self._ecosystem.startswith("debian"):
            texts = [raw for path, raw in found.items() if path.endswith("/copyright")]
            if texts:
                self._copyright = Copyright.parse(texts[0].decode("utf-8", "replace"))
                self.package = Verdict(True, "")
        elif self._ecosystem == "maven":
            self.package = metadata.maven(poms)
        else:
            reader = {"pypi": metadata.wheel, "npm": metadata.npm}[self._ecosystem]
            for raw in found.values():
                self.package = reader(raw.decode("utf-8", "replace"))

    def file(self, path: str, content: bytes) -> Verdict:
        """Judge one file: by the package, then by its own head."""
        verdict = self.package
        if self._copyright is not None:
            is_installed = self._ecosystem == "debian"
            verdict = self._copyright.verdict(path, is_installed=is_installed)
        if not verdict.is_permissive:
            return verdict
        head = head_verdict(content[:8_000].decode("utf-8", "replace"))
        if not head.is_permissive:
            return head
        return verdict._replace(is_choice=verdict.is_choice or head.is_choice)


def read_archives(paths: Iterable[Path]) -> Iterator[tuple[str, bytes]]:
    """The files of a package that may be of use, by their path in the package."""

    def wanted(path: str) -> bool:
        return bool(LICENCE_FILES.search(path) or role_of(path))

    for archive in paths:
        name = archive.name
        is_source = bool(re.search(r"\.orig(?:-[\w.-]+)?\.tar\.|_[^_]+\.tar\.", name)) and (
            ".debian.tar" not in name
        )
        component = re.search(r"\.orig-([\w.-]+)\.tar\.", name)
        for path, content in members(archive, wanted):
            inner = path.partition("/")[2] if is_source and archive.suffix != ".tgz" else path
            yield (f"{component[1]}/{inner}" if component else inner or path), content


def extract(
    pool: WorkerPool, fetched: Fetched, paths: list[Path], matcher: Matcher, wanted: frozenset[str]
) -> Extracted:
    """Everything one package has to give, with its account."""
    done = Extracted()
    poms = [path.read_text("utf-8", "replace") for path in paths if path.suffix == ".pom"]
    archives = [path for path in paths if path.suffix not in (".pom", ".dsc", ".asc")]
    found: dict[str, bytes] = {}
    licence_files: dict[str, bytes] = {}
    for path, content in read_archives(archives):
        if LICENCE_FILES.search(path):
            licence_files[path] = content
        if role_of(path):
            found[path] = content
    judge = _Judge(fetched, licence_files, poms)
    if not judge.package.is_permissive:
        done.left_out[f"package: {judge.package.reason}"] = max(len(found), 1)
        return done
    by_role: defaultdict[str, list[ParsedFile]] = defaultdict(list)
    for path, content in sorted(found.items(), key=lambda item: _order(item[0])):
        if _is_usable(path, content, judge, matcher, wanted, done):
            by_role[role_of(path)].append(ParsedFile(path, language_of(path, content), content))
    code = list(_parsed(pool, by_role[CODE], done))
    asked = list(_asked(pool, by_role, unique(code), done))
    done.files = sum(1 for file in code if file.functions)
    done.pairs = pairs(fetched.package, code, asked, done.left_out)
    return done


def _order(path: str) -> str:
    return hashlib.sha256(path.encode("utf-8", "replace")).hexdigest()


def _is_usable(
    path: str,
    content: bytes,
    judge: _Judge,
    matcher: Matcher,
    wanted: frozenset[str],
    done: Extracted,
) -> bool:
    role, language = role_of(path), language_of(path, content)
    if matcher.path(path):
        done.left_out["file: held out by its path"] += 1
        return False
    if role == CODE and wanted and language not in wanted:
        return False
    if role == CODE and not is_worthwhile(language, content):
        done.left_out["file: no doc comments, generated or minified"] += 1
        return False
    verdict = judge.file(path, content)
    if not verdict.is_permissive:
        done.left_out[f"file: {verdict.reason}"] += 1
        return False
    if role == CODE:
        done.licences[verdict.licence] += 1
        done.choices += verdict.is_choice
    return True


def _parsed(
    pool: WorkerPool, files: list[ParsedFile], done: Extracted, role: str = CODE
) -> Iterator[ParsedFile]:
    """Files with their functions, until there are as many documented ones as one may give."""

    def ask(worker: Worker, file: ParsedFile) -> ParsedFile:
        message = Message({"language": file.language, "test": role == TEST}, _utf8(file.content))
        try:
            rows = worker.ask(message).value
            file.functions = [Function.of(row) for row in rows]
        except (WorkerLost, TypeError):
            done.left_out["file: the parser was lost"] += 1
        return file

    most = MAX_FILES if role == CODE else MAX_TEST_FILES
    documented: Counter[str] = Counter()
    for file in pool.map(ask, files[:most]):
        yield file
        documented[file.language] += sum(1 for f in file.functions if f.query and f.code)
        if role == CODE and documented.total() >= MOST["doc"]:
            done.left_out["file: the package has given its share"] += len(files)
            return


def _utf8(content: bytes) -> bytes:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("latin-1").encode("utf-8")
    return content


def _asked(
    pool: WorkerPool,
    by_role: dict[str, list[ParsedFile]],
    known: Mapping[str, object],
    done: Extracted,
) -> Iterator[Question]:
    if not known:
        return
    for file in by_role.get(PROSE, ()):
        yield from questions(file.path, file.content, known)
    for file in _parsed(pool, by_role.get(TEST, []), done, TEST):
        for function in file.functions:
            question = question_of_test(function.name, function.calls, known)
            if question:
                yield question


def extract_all(
    work: Path, packages: Iterable[Fetched], matcher: Matcher, wanted: frozenset[str]
) -> Iterator[Fetched]:
    """Extract every package that is not done yet, naming each when it is."""
    archives = Archives(work)
    with WorkerPool(MODULE, 1, max_seconds=MAX_SECONDS) as pool:
        for fetched in packages:
            if not is_done(work, fetched, wanted):
                paths = archives.paths(fetched)
                keep(work, fetched, extract(pool, fetched, paths, matcher, wanted), wanted)
            yield fetched
