"""Mine: a repository in, cases out, everything else counted by why it is none.

The cheap questions come first: what a commit says, then which files it touched. Only what
is left has its diffs read and its files parsed.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from plait.evaluation.mining.cases import Case, Mined, Options
from plait.evaluation.mining.corpus import BUILD, SOURCE, Corpus
from plait.evaluation.mining.definitions import MODULE, DefinitionCache
from plait.evaluation.mining.dig import Candidate, Digger
from plait.evaluation.mining.filters import Messages
from plait.evaluation.mining.history import Commit, Touched, read_commits, read_touched
from plait.evaluation.mining.query import body_of, mentions, query_of, removes_what_is_gone
from plait.evaluation.mining.truth import Truth, last_name, stems
from plait.sources.blobs import Blobs
from plait.symbols.workers import WorkerPool

MAX_SECONDS = 120.0  # for one file: a busy machine must not cost a case


@dataclass(slots=True)
class Progress:
    """How far mining has come; one object, updated in place."""

    commits: int = 0
    of_commits: int = 0
    cases: int = 0


def mine(
    repo: Path,
    *,
    revision: str = "HEAD",
    name: str = "",
    options: Options | None = None,
    workers: int = 0,
    watch: Callable[[Progress], None] = lambda _: None,
) -> Mined:
    """Make cases of the commits behind a revision.

    Args:
        repo: A repository, bare or not; nothing in it is checked out or written.
        revision: What will be searched; only what stands there is an answer.
        name: What the repository is called; by default its folder's name.
        workers: Parse processes; 0 for one per core.
        watch: Called after every commit.

    Raises:
        SourceError: There is no such repository or commit, or git cannot read it.
    """
    options = options or Options()
    name = name or repo.resolve().name.removesuffix(".git")
    left_out: Counter[str] = Counter()
    with Corpus(repo, revision, name) as corpus, Blobs(repo) as blobs:
        commits = read_commits(repo, corpus.revision, options.limit)
        messages = Messages(commits)
        progress = Progress(of_commits=len(commits))
        fit: list[Commit] = []
        for commit in commits:
            reason = messages.reason(commit)
            if reason:
                left_out[reason] += 1
            else:
                fit.append(commit)
        progress.commits = len(commits) - len(fit)
        watch(progress)
        touched = read_touched(repo, [commit.id for commit in fit])
        candidates: dict[str, Candidate] = {}
        for commit in fit:
            found = candidate(commit, touched.get(commit.id, []), corpus, options)
            if isinstance(found, str):
                left_out[found] += 1
            else:
                candidates[commit.id] = found
        progress.commits = len(commits) - len(candidates)
        watch(progress)
        cases: list[Case] = []
        count = workers or os.cpu_count() or 1
        with WorkerPool(MODULE, count, max_seconds=MAX_SECONDS) as pool:
            digger = Digger(corpus, blobs, DefinitionCache(pool), options)
            for id_, truth in digger.truths(repo, candidates):
                commit = candidates[id_].commit
                reason = truth.reason or _second_thoughts(commit, truth, corpus)
                if reason:
                    left_out[reason] += 1
                else:
                    cases.append(case(name, commit, truth, corpus, options))
                progress.commits += 1
                progress.cases = len(cases)
                watch(progress)
    ordered = dict(sorted(left_out.items(), key=lambda pair: (-pair[1], pair[0])))
    return Mined(name, str(repo), corpus.revision, options, len(commits), tuple(cases), ordered)


def candidate(
    commit: Commit, touched: Sequence[Touched], corpus: Corpus, options: Options
) -> Candidate | str:
    """What a commit touched that may be an answer, or why there is nothing."""
    if len(touched) > options.max_files:
        return "too many files"
    roles = [corpus.role(file.path) for file in touched]
    source = [file for file, role in zip(touched, roles, strict=True) if role == SOURCE]
    if len(source) > options.max_source_files:
        return "too many source files"
    if not source:
        if BUILD in roles:
            return "build files"
        is_prose = bool(roles) and {"test", "documentation"}.issuperset(roles)
        return "tests or docs" if is_prose else "no source file"
    left = [file for file in source if file.after]  # by the commit itself
    standing = tuple(file for file in left if corpus.file(file.path))
    return Candidate(commit, standing) if 2 * len(standing) > len(left) else "nothing left"


def _second_thoughts(commit: Commit, truth: Truth, corpus: Corpus) -> str:
    """Why a commit is no case although its code stands; "" if it is one."""
    query = query_of(commit.subject)
    files = [corpus.file(path) for path in truth.files]
    contents = [file.content for file in files if file is not None]
    names_the_gone = mentions(query, truth.gone) and not mentions(
        query, map(last_name, truth.symbols)
    )
    is_gone = names_the_gone or removes_what_is_gone(query, contents)
    return "names what is gone" if is_gone else ""


def case(name: str, commit: Commit, truth: Truth, corpus: Corpus, options: Options) -> Case:
    """A commit and its right answers as a case."""
    query = query_of(commit.subject)
    files = [corpus.file(path) for path in truth.files]
    languages = Counter(sorted(file.language for file in files if file is not None))
    body = body_of(commit.body) if options.body else ""
    text = f"{query}\n{body}" if body else query
    return Case(
        id=f"{'-'.join(name.split())}-{commit.id[:12]}",
        text=text,
        commit=commit.id,
        date=commit.date,
        subject=commit.subject,
        language=languages.most_common(1)[0][0],
        files=truth.files,
        symbols=truth.symbols,
        mentions_target=mentions(text, [*map(last_name, truth.symbols), *stems(truth.files)]),
    )
