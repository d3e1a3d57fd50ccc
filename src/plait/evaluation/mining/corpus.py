"""The corpus: what stands at the revision that will be searched, and what a path is for.

A file that is not indexed can never be found, so only what the loader of mined cases
puts into the index can be an answer.
"""

from __future__ import annotations

import re
from pathlib import Path
from types import TracebackType
from typing import Self

from plait.evaluation.loaders.repositories import CodeOnly
from plait.sources.languages import language_of
from plait.sources.revision import RevisionSource
from plait.sources.tags import tags_of
from plait.symbols.grammars import GRAMMARS
from plait.types import Listed, SourceFile

SOURCE, BUILD, TEST, OTHER = "source", "build", "test", "other"
# Beyond what the tags know: exposed-tests, integration_test.
TEST_FOLDER = re.compile(r"(?i)(?:^|/)(?:[\w.-]+[_-])?tests?(?:[_-][\w.-]+)?/")
# Code by its suffix, but about how the rest is built, checked and shipped.
BUILD_NAME = re.compile(
    r"""(?ix) ^(?:(?:setup|noxfile|fabfile|conanfile|versioneer)\.py | mix\.exs | package\.swift
        | build\.zig | (?:grunt|gulp)file\.[jt]s | wscript | build\.rs)$
    | ^(?:rakefile|gemfile|fastfile|podfile|dangerfile|vagrantfile|guardfile|appraisals)(?:\.rb)?$
    | \.(?:gemspec|podspec|sbt|rockspec|rake|gradle)$ | \.gradle\.kts$
    | ^cabal\.project | ^(?:__)?(?:version|about)(?:__)?\.\w+$
    | \.(?:config|conf|setup|workspace)\.[cm]?[jt]s$ | ^\.\w+rc\.[cm]?js$
    """
)
BUILD_FOLDERS = frozenset(".github .circleci .ci .travis .gitlab .buildkite buildsrc".split())
# Only at the top: further down these are names of parts like any other.
BUILD_ROOTS = frozenset(
    """build-logic gradle scripts script tools ci hack maintenance packaging cmake docker benches
    bench playground playgrounds website site""".split()
)


class Corpus:
    """The files of a repository at one revision.

    Args:
        repo: The repository's folder, bare or not.
        revision: A commit, branch or tag.
        name: The repository's name.

    Raises:
        SourceError: There is no such commit.
    """

    def __init__(self, repo: Path, revision: str, name: str) -> None:
        self._tree = RevisionSource(repo, revision, name=name)
        self._source = CodeOnly(self._tree)
        self._files: dict[str, SourceFile | None] = {}
        self._blobs: dict[str, str] = {}

    @property
    def revision(self) -> str:
        """The full id of the commit."""
        return self._tree.revision

    @property
    def blobs(self) -> dict[str, str]:
        """Every file that may be indexed, with its blob."""
        if not self._blobs:
            listed = self._source.listing()
            self._blobs = {item.path: item.stamp for item in listed if isinstance(item, Listed)}
        return self._blobs

    def file(self, path: str) -> SourceFile | None:
        """A file as it is indexed; None if it is not, or is no code."""
        if path not in self._files:
            found = self._source.read(path) if path in self.blobs else None
            is_code = (
                isinstance(found, SourceFile)
                and found.language in GRAMMARS
                and "vendored" not in found.tags
            )
            self._files[path] = found if is_code and isinstance(found, SourceFile) else None
        return self._files[path]

    def role(self, path: str) -> str:
        """What a path is for: ``source``, ``build``, ``test``, ``other``, or its first tag.

        A file that is gone is judged by its name alone.
        """
        if _is_build(path):
            return BUILD
        if TEST_FOLDER.search(path):
            return TEST
        if self.file(path) is not None:
            return SOURCE
        if tags := tags_of(path, b""):
            return tags[0]
        is_code = path not in self.blobs and language_of(path) in GRAMMARS
        return SOURCE if is_code else OTHER

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._tree.close()


def _is_build(path: str) -> bool:
    *folders, name = path.lower().split("/")
    return (
        BUILD_NAME.search(name) is not None
        or not BUILD_FOLDERS.isdisjoint(folders)
        or (bool(folders) and folders[0] in BUILD_ROOTS)
    )
