"""Clones: the repositories a dataset speaks of, each at its pinned revision and no more.

``DIR/owner+name/repo`` is a bare repository that holds one commit. A repository that cannot
be had does not keep the others from being cloned; all that failed are named at the end.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from plait.errors import EvaluationError
from plait.sources.git import fetch_git, run_git

HOST = "https://github.com"
ADDRESS = re.compile(r"https://github\.com/([\w-][\w.-]*)/([\w-][\w.-]*?)(?:\.git)?")
REPOS = "repos.json"
SHOWN = 5  # failures told in full


class Pinned(NamedTuple):
    """A repository at a commit."""

    owner: str
    name: str
    revision: str


def clone_pinned(
    dataset: Path,
    clones: Path,
    *,
    base_url: str = "",
    on_clone: Callable[[Pinned, str], None] | None = None,
) -> tuple[int, int]:
    """Clone what a dataset's ``repos.json`` names; how many were made, and were there already.

    Args:
        dataset: A dataset that was checked when it was installed.
        clones: The folder to put the clones in.
        base_url: Where repositories lie as ``owner/name.git`` in place of GitHub.
        on_clone: Told about each repository, and what is wrong with it if anything is.

    Raises:
        EvaluationError: The dataset names no repositories, or some cannot be cloned.
    """
    made = present = 0
    failures = []
    for repo in _pinned(dataset):
        folder = clones / f"{repo.owner}+{repo.name}" / "repo"
        if _holds(folder, repo.revision):
            present += 1
            continue
        problem = _clone(repo, folder, base_url or HOST)
        if on_clone is not None:
            on_clone(repo, problem)
        if problem:
            failures.append(f"{repo.owner}/{repo.name}: {problem}")
        else:
            made += 1
    if failures:
        told = "; ".join(failures[:SHOWN]) + ("; ..." if len(failures) > SHOWN else "")
        raise EvaluationError(
            f"{len(failures)} of {made + present + len(failures)} repositories could not be "
            f"cloned: {told}",
            hint="the same command tries only those again",
        )
    return made, present


def _clone(repo: Pinned, folder: Path, base_url: str) -> str:
    """Make one clone; what went wrong, "" if nothing did."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return f"cannot make {folder}: {error}"
    url = f"{base_url.rstrip('/')}/{repo.owner}/{repo.name}.git"
    kept = f"{repo.revision}:refs/plait/{repo.revision}"  # a name keeps it from being collected
    for command in (
        ("init", "--bare", "--quiet"),
        ("fetch", "--quiet", "--depth", "1", "--no-tags", "--", url, kept),
    ):
        reply = fetch_git(folder, url.partition(":")[0], *command)
        if reply.code:
            return reply.complaint or f"git {command[0]} failed"
    return ""


def _holds(folder: Path, revision: str) -> bool:
    if not folder.is_dir():
        return False
    return run_git(folder, "cat-file", "-e", f"{revision}^{{commit}}").code == 0


def _pinned(dataset: Path) -> Iterator[Pinned]:
    path = dataset / REPOS
    if not path.is_file():
        raise EvaluationError(
            f"{dataset.name} has no list of repositories to clone", hint="agent63 has one"
        )
    for item in json.loads(path.read_text(encoding="utf-8")):
        address = ADDRESS.fullmatch(item["url"])
        if address is None:
            raise EvaluationError(f"{path}: {item['url']!r} is no repository on GitHub")
        yield Pinned(address[1], address[2], item["revision"])
