"""The classes of attacks, in the order of the threat model."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain

from tools.attack import (
    corruption,
    datasets,
    degraded,
    files,
    git_config,
    indexes,
    models,
    modules,
    names,
    offline,
    output,
    private,
    secrets,
    two_trees,
)
from tools.attack.bench import Case

CLASSES: dict[str, Callable[[], Iterable[Case]]] = {
    "working directory": modules.cases,
    "git": git_config.cases,
    "caches": private.cases,
    "secrets": secrets.cases,
    "project files": files.cases,
    "names": names.cases,
    "corruption": corruption.cases,
    "output": output.cases,
    "degraded": degraded.cases,
    "two trees": two_trees.cases,
    "loading": lambda: chain(models.cases(), indexes.cases(), datasets.cases()),
    "no network": offline.cases,
}
