"""Mine: a tree in, cases out of its documentation, everything else counted by why it is none."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from plait.evaluation.mining.definitions import MODULE, DefinitionCache
from plait.evaluation.mining.docs.cases import DocCase, DocOptions, MinedDocs
from plait.evaluation.mining.docs.marks import Name, shown
from plait.evaluation.mining.docs.material import Material, read_material
from plait.evaluation.mining.docs.resolve import Meant, Resolver, parts_of
from plait.evaluation.mining.docs.sections import Section, of_pages, question
from plait.evaluation.mining.mine import MAX_SECONDS, Progress
from plait.evaluation.mining.query import mentions, telling_words
from plait.evaluation.mining.truth import stems
from plait.sources.directory import DirectorySource
from plait.sources.place import place_of
from plait.sources.revision import RevisionSource
from plait.symbols.workers import WorkerPool
from plait.types import Source

MIN_WORDS = 4  # that tell something, or nobody could answer
MAX_LETTERS = 400
SECTIONS_AT_ONCE = 200  # between two words about progress


def mine_docs(
    tree: Path,
    *,
    revision: str = "HEAD",
    name: str = "",
    options: DocOptions | None = None,
    workers: int = 0,
    watch: Callable[[Progress], None] = lambda _: None,
) -> MinedDocs:
    """Make cases of the sections of a tree's documentation.

    Args:
        tree: A repository, bare or not, or any folder.
        revision: Of a repository: what will be searched. A folder is taken as it is.
        name: What the package is called; by default its folder's name.
        workers: Parse processes; 0 for one per core.
        watch: Called now and then.

    Raises:
        SourceError: There is no such folder, or no such commit.
    """
    name = name or tree.resolve().name.removesuffix(".git")
    source, at = _source(tree, revision, name)
    count = workers or os.cpu_count() or 1
    with WorkerPool(MODULE, count, max_seconds=MAX_SECONDS) as pool:
        material = read_material(source, DefinitionCache(pool))
    miner = _Miner(name, material, options or DocOptions())
    found = [*of_pages(material.pages), *of_pages(material.comments)]
    for number, section in enumerate(found):
        miner.look_at(section)
        if number % SECTIONS_AT_ONCE == 0:
            watch(Progress(number, len(found), len(miner.cases)))
    return miner.mined(str(tree), at, len(found))


def _source(tree: Path, revision: str, name: str) -> tuple[Source, str]:
    inside, bare, _ = place_of(tree.resolve())
    if bare or (inside and inside.top == tree.resolve()):
        source = RevisionSource(tree, revision, name=name)
        return source, source.revision
    return DirectorySource(tree, name=name), ""


class _Miner:
    """Takes sections one by one."""

    def __init__(self, name: str, material: Material, options: DocOptions) -> None:
        self._name = name
        self._material = material
        self._options = options
        self._resolver = Resolver(material.definitions, name)
        self._asked: set[str] = set()
        self.left_out: Counter[str] = Counter()
        self.cases: list[DocCase] = []

    def look_at(self, section: Section) -> None:
        """Make a case of a section, or count why it is none."""
        found = self._case(section)
        if isinstance(found, str):
            self.left_out[found] += 1
        else:
            self._asked.add(found.text)
            self.cases.append(found)

    def mined(self, repository: str, revision: str, sections: int) -> MinedDocs:
        """What has come of it."""
        kept = sorted(self.cases, key=lambda case: case.id.rpartition("-")[2])
        if len(kept) > self._options.limit:
            self.left_out["more than the limit"] += len(kept) - self._options.limit
        kept = kept[: self._options.limit]
        ordered = dict(sorted(self.left_out.items(), key=lambda pair: (-pair[1], pair[0])))
        return MinedDocs(
            self._name, repository, revision, self._options, sections, tuple(kept), ordered
        )

    def _case(self, section: Section) -> DocCase | str:
        meant = section.meant
        if not meant:
            return "names nothing"
        found = [what for name in meant if (what := self._resolver.meant(name.name))]
        if 2 * len(found) < len(meant):
            return "names what is not here, or not one thing"
        targets = [what for what in found if section.path not in what.files]
        if not targets:
            return "names its own file"
        if len({what.symbols for what in targets}) > self._options.max_symbols:
            return "names too much"
        text = question(section, _Cut(targets))
        if text in self._asked:
            return "asked before"
        if len(telling_words(text)) < MIN_WORDS:
            return "says too little"
        if len(text) > MAX_LETTERS:
            return "says too much"
        return self._made(section, targets, text)

    def _made(self, section: Section, targets: Sequence[Meant], text: str) -> DocCase:
        symbols = tuple(dict.fromkeys(symbol for what in targets for symbol in what.symbols))
        files = tuple(dict.fromkeys(path for what in targets for path in what.files))
        languages = Counter(sorted(self._material.languages[path] for path in files))
        place = f"{section.path}:{section.line} {shown(section.heading)}"
        digest = hashlib.sha1(place.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()
        names = [what.name for what in targets]
        return DocCase(
            id=f"{'-'.join(self._name.replace('/', '+').split())}-{digest[:12]}",
            text=text,
            package=self._name,
            path=section.path,
            line=section.line,
            language=languages.most_common(1)[0][0],
            files=files,
            symbols=symbols,
            mentions_target=mentions(text, [*names, *stems(files)]),
            without=section.path if section.path in self._material.languages else "",
        )


class _Cut:
    """Whether a name of code in the prose is that of a target, and so no part of the question."""

    def __init__(self, targets: Sequence[Meant]) -> None:
        self._names = {what.name for what in targets}

    def __call__(self, name: Name) -> bool:
        return bool(self._names.intersection([*parts_of(name.name), *parts_of(name.shown)]))
