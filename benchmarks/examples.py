"""Six questions, three rankings of each, side by side: ``docs/examples.md``.

    python -m benchmarks.examples [--model DIR] [--corpus DIR] [--indexes DIR]

The code asked about is Django, requests, urllib3 and tenacity, pinned below, as one tree. The
page shows where results lie and what they are called, and quotes nothing of them. What is said
about a question was written by hand after looking; ``best`` is what it rests on, and the run
fails if that is no longer so.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import plait
from benchmarks.examples_page import LOOKED_AT, Asked, Example, page
from plait.answering.index import Index
from plait.search.plan import MODES
from plait.settings import Settings
from plait.types import Answer
from tools.corpora import registries
from tools.corpora.catalog import Package
from tools.corpora.fetch import default_root
from tools.corpora.unpack import unpack
from tools.record import ROOT

PAGE = ROOT / "docs" / "examples.md"
BEGIN, END = "<!-- generated: begin -->", "<!-- generated: end -->"
PRESENT = ".fetched.json"


def _wheel(name: str, version: str, sha256: str, licence: str) -> Package:
    return Package("python", "pypi", name, version, sha256, licence, under=name)


PACKAGES = (
    _wheel(
        "django",
        "5.2.8",
        "37e687f7bd73ddf043e2b6b97cfe02fcbb11f2dbb3adccc6a2b18c6daa054d7f",
        "BSD-3-Clause",
    ),
    _wheel(
        "requests",
        "2.34.2",
        "2a0d60c172f83ac6ab31e4554906c0f3b3588d37b5cb939b1c061f4907e278e0",
        "Apache-2.0",
    ),
    _wheel(
        "tenacity",
        "9.2.1",
        "9e56f17539296baab7beabb08b92f6ee3d7be92d8be72d763360677c2ad6580e",
        "Apache-2.0",
    ),
    _wheel(
        "urllib3",
        "2.8.0",
        "0cf3cae568d36aa9576b28dfb35f11328f1cb974ca7647d9475ebb86c75ac6e3",
        "MIT",
    ),
)


EXAMPLES = (
    Example(
        "function that retries with exponential backoff",
        ("wait_exponential", "wait_exponential_jitter", "Retry.get_backoff_time"),
        ("dense", "hybrid"),
        "**Meaning wins, and fusion keeps it.** By words, a method that sleeps between attempts "
        "and tells of backoff in its docstring comes first; by meaning, what computes the growing "
        "wait. The sum begins with what both lists have near their top.",
    ),
    Example(
        "sort list of dictionaries by key",
        ("dictsort",),
        ("dense", "hybrid"),
        "**Meaning wins, but not the first place.** Every list begins with a list's own `sort`, "
        "which has the question's words and no dictionaries. The filter `dictsort` has other "
        "words for a dictionary and its key, so words see less of it than meaning does.",
    ),
    Example(
        "fields.E304",
        ("RelatedField._check_clashes",),
        ("lexical", "hybrid"),
        "**Words win.** To a model an error code copied from a terminal means nothing, so it goes "
        "by *fields*; as a word the code is rarer than all others and leads to the method that "
        "reports it. The method earns nothing from meaning and stays first in hybrid all the same.",
    ),
    Example(
        "make password unreadable before storing",
        ("make_password", "AbstractBaseUser.set_password"),
        ("dense", "hybrid"),
        "**Meaning wins.** Code that hashes a password says neither *unreadable* nor *storing*; "
        "words follow those two to other places.",
    ),
    Example(
        "log the user out",
        ("logout", "alogout", "LogoutView", "AdminSite.logout", "logout_then_login"),
        ("hybrid",),
        "**Fusion wins.** To *log* is also what programs do in files, and each lane alone begins "
        "with that. Its wrong results are not the other's; logging out is high in both.",
    ),
    Example(
        "kind:class path:tenacity give up after some time",
        ("stop_after_delay",),
        ("lexical", "dense", "hybrid"),
        "**A filter holds in every lane**, before anything is ranked: only classes below "
        "`tenacity` are looked at. Words run out of files that share one with the question; "
        "meaning can put the others in order, and hybrid keeps what words were sure of.",
    ),
)


def main() -> int:
    """Ask and write the page; 1 if a sentence on it no longer holds."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--model", default="", help="default: the one plait brings")
    parser.add_argument("--corpus", type=Path, help="where the tree is, or is to be")
    parser.add_argument("--indexes", type=Path, help="keep the index here")
    options = parser.parse_args()
    tree = fetched(options.corpus or default_root() / "examples")
    with tempfile.TemporaryDirectory() as folder:
        cache = str(options.indexes or folder)
        settings = replace(Settings(), cache_dir=cache, model=options.model)
        indexes = {mode: plait.open(tree, replace(settings, mode=mode)) for mode in MODES}
        whole = indexes["hybrid"]
        whole.refresh()
        whole.embed()
        asked = [Asked(example, answers(example, indexes)) for example in EXAMPLES]
        about = described(whole)
    write_page(page(asked, about))
    wrong = [one for one in asked if set(one.best()) != set(one.example.best)]
    for one in wrong:
        places = ", ".join(f"{mode} {place or 'none'}" for mode, place in one.places().items())
        print(f"error: {one.example.text!r}: the page claims otherwise: {places}", file=sys.stderr)
    return 1 if wrong else 0


def fetched(tree: Path) -> Path:
    """The packages below one folder, downloaded if they are not there in these versions."""
    wanted = {package.name: package.version for package in PACKAGES}
    present = tree / PRESENT
    if present.exists() and json.loads(present.read_text(encoding="utf-8")) == wanted:
        return tree
    tree.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=tree.parent, prefix=".fetch-") as staging:
        got, failed = registries.fetch(PACKAGES, Path(staging))
        for error in failed.values():
            raise error
        whole = Path(staging) / "tree"
        whole.mkdir()
        for package, archive in got.items():
            unpacked = Path(staging) / "unpacked" / package.slug
            unpack(archive.archive, unpacked, package.wrapped, package.under)
            (unpacked / package.under).rename(whole / package.under)
        (whole / PRESENT).write_text(json.dumps(wanted) + "\n", encoding="utf-8")
        shutil.rmtree(tree, ignore_errors=True)
        whole.rename(tree)
    return tree


def answers(example: Example, indexes: Mapping[str, Index]) -> dict[str, Answer]:
    """What each mode answers."""
    return {
        mode: index.search(example.text, limit=LOOKED_AT, fresh=False)
        for mode, index in indexes.items()
    }


def described(index: Index) -> str:
    """What was searched, and with what."""
    named = ", ".join(f"{package.name} {package.version}" for package in PACKAGES)
    counts = index.snapshot().statistics()
    model = index.reader.dense.encoder.name if index.reader.dense else "no model"
    return f"{named}: {counts.files:,} files, {counts.chunks:,} chunks, vectors by {model}."


def write_page(text: str) -> None:
    """Put it between its marks."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    PAGE.write_text(f"{before}{BEGIN}\n\n{text}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
