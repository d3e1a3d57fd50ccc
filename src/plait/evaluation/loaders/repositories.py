"""Repositories a dataset speaks of but does not hold: found among clones by owner and name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from plait.errors import EvaluationError, SourceError
from plait.evaluation.loaders.names import is_usable
from plait.sources.git import run_git
from plait.sources.revision import RevisionSource, resolve
from plait.types import Listed, Skipped, Source, SourceFile

PAGE = "documentation"  # a tag
NOT_SOURCE = frozenset({"test", PAGE, "generated"})  # tags
EXAMPLES = frozenset({"example", "examples", "sample", "samples", "benchmark", "benchmarks"})


def find_clone(repos: Path | None, slug: str) -> Path | None:
    """The clone of ``owner/name``, bare or not: ``DIR/owner+name/repo`` or ``DIR/name``.

    Raises:
        EvaluationError: No folder of clones was named.
    """
    if repos is None:
        raise EvaluationError(
            "this dataset speaks of repositories that lie elsewhere",
            hint="--repos DIR names the folder that holds one clone of each",
        )
    owner, _, name = slug.removesuffix(".git").rpartition("/")
    owner = owner.rpartition("/")[2]
    if not (is_usable(name) and (not owner or is_usable(owner))):
        return None  # it would lead out of the folder of clones
    for place in (
        f"{owner}+{name}/repo",
        f"{owner}+{name}",
        *([f"{owner}/{name}"] * bool(owner)),
        name,
    ):
        folder = repos / place
        if (folder / ".git").exists() or (folder / "HEAD").is_file():
            return folder
    return None


def revision_or_newest(repo: Path, revision: str, under: str = "") -> tuple[str, bool]:
    """The commit asked for, or what stands in for it; and whether it is the one asked for.

    What stands in is the newest commit of the clone's own branch or, if that lacks the
    folder ``under``, of the newest branch that has it.
    """
    try:
        return resolve(repo, revision), True
    except SourceError:
        pass
    newest = resolve(repo, "HEAD")
    by_date = ("for-each-ref", "--sort=-committerdate", "--format=%(objectname)")
    others = run_git(repo, *by_date, "refs/heads", "refs/remotes").out.decode().split()
    for candidate in (newest, *others):
        if run_git(repo, "cat-file", "-e", f"{candidate}:{under}").code == 0:
            return candidate, False
    return newest, False


class CodeOnly:
    """A source less its tests, documentation and examples, in some languages only."""

    def __init__(self, inner: RevisionSource, languages: frozenset[str] = frozenset()) -> None:
        self._inner = inner
        self._languages = languages

    @property
    def name(self) -> str:
        return self._inner.name

    def listing(self) -> Iterator[Listed | Skipped]:
        """What lies in no folder of examples."""
        for item in self._inner.listing():
            if EXAMPLES.isdisjoint(item.path.lower().split("/")[:-1]):
                yield item

    def read(self, path: str) -> SourceFile | Skipped:
        """Read a file if it is source."""
        file = self._inner.read(path)
        if isinstance(file, Skipped):
            return file
        if self._languages and file.language not in self._languages:
            return Skipped(path, "language", f"{file.language or 'unknown'} is not asked for")
        if not NOT_SOURCE.isdisjoint(file.tags):
            return Skipped(path, "not-source", ", ".join(file.tags))
        return file

    def close(self) -> None:
        """End the git process behind it."""
        self._inner.close()


class WithoutPages:
    """A source less its documentation; tests and examples stay."""

    def __init__(self, inner: Source) -> None:
        self._inner = inner

    @property
    def name(self) -> str:
        return self._inner.name

    def listing(self) -> Iterator[Listed | Skipped]:
        """Everything; what is documentation is seen when it is read."""
        return self._inner.listing()

    def read(self, path: str) -> SourceFile | Skipped:
        """Read a file if it is no documentation."""
        file = self._inner.read(path)
        if isinstance(file, SourceFile) and PAGE in file.tags:
            return Skipped(path, "not-source", ", ".join(file.tags))
        return file

    def close(self) -> None:
        """Close what is behind it, if that can be closed."""
        close = getattr(self._inner, "close", None)
        if close is not None:
            close()


def source_at(
    repo: Path,
    revision: str,
    slug: str,
    *,
    under: str = "",
    code_only: bool = False,
    languages: frozenset[str] = frozenset(),
) -> Source:
    """The files of a repository at a commit."""
    source = RevisionSource(repo, revision, name=slug, under=under)
    return CodeOnly(source, languages) if code_only else source
