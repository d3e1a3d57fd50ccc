"""The packages whose documentation is mined, and the cases that were read."""

from __future__ import annotations

import tomllib

from benchmarks.mining_docs.mined import PACKAGES, digest_of, sample
from benchmarks.newcomer.cases import PACKAGES as NEWCOMERS
from benchmarks.quality.packages import cases
from plait.evaluation.mining import DocCase, DocOptions, MinedDocs
from tools.corpora import catalog


def mined(name: str, count: int, text: str = "how") -> MinedDocs:
    made = [
        DocCase(f"{name}-{n}", text, name, "a.md", n, "go", ("a.go",), ("a.go::F",), False, "")
        for n in range(count)
    ]
    return MinedDocs(name, "", "", DocOptions(), count, made, {})


def test_no_package_is_one_that_questions_are_tuned_or_written_on() -> None:
    own = {package.name for package in catalog.load(PACKAGES)}
    others = {package.name for package in catalog.load(NEWCOMERS)}

    assert own.isdisjoint(others | {table["name"] for table in cases()})


def test_at_least_sixty_packages_of_five_languages_are_pinned() -> None:
    packages = catalog.load(PACKAGES)

    assert len(packages) >= 60
    assert {"python", "go", "rust", "java", "javascript"} <= {one.language for one in packages}


def test_fifty_cases_were_read() -> None:
    read = tomllib.loads(PACKAGES.with_name("read.toml").read_text("utf-8"))

    assert list(map(len, read.values())) == [35, 11, 4]
    assert len({case for cases in read.values() for case in cases}) == 50


def test_a_sample_takes_turns_over_the_packages() -> None:
    taken = sample([mined("a", 50), mined("b", 2), mined("c", 9)], 8, seed=1)

    assert sorted(case.package for case in taken) == ["a", "a", "a", "b", "b", "c", "c", "c"]


def test_a_question_that_changed_changes_the_digest() -> None:
    assert digest_of(mined("a", 2)) == digest_of(mined("a", 2))
    assert digest_of(mined("a", 2)) != digest_of(mined("a", 2, "why"))
