"""The pages of docs/ name files and modules that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("docs/**/*.md"), *ROOT.glob("*.md")])
FILE = re.compile(r"`((?:src|tests|benchmarks|deploy|tools|docs|\.ci)/[\w./-]*\.\w+)`")
MODULE = re.compile(r"python -m ((?:benchmarks|tools)(?:\.\w+)+)")
LINK = re.compile(r"\]\((?!\w+:|#)([^)#\s]+)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_whatever_a_page_names_is_there(page: Path) -> None:
    text = page.read_text("utf-8")
    files = [ROOT / name for name in FILE.findall(text)]
    links = [page.parent / name for name in LINK.findall(text)]
    modules = [ROOT / name.replace(".", "/") for name in MODULE.findall(text)]

    missing = [str(path) for path in (*files, *links) if not path.exists()]
    missing += [
        str(path) for path in modules if not path.exists() and not path.with_suffix(".py").exists()
    ]
    assert not missing
