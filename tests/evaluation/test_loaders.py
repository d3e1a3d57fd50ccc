"""Every layout of a dataset, and what is said when something is missing."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from plait.errors import EvaluationError
from plait.evaluation.dataset import Level
from plait.evaluation.load import load_dataset
from plait.evaluation.loaders.agent63 import halves
from plait.types import Listed, SourceFile
from tests.evaluation.datasets import SHOP, agent, beir, json_lines, judge
from tests.sources.repositories import git, repository, tree


def test_a_beir_folder_is_documents_questions_and_grades(tmp_path: Path) -> None:
    dataset = load_dataset(beir(tmp_path / "tiny"))
    (part,) = dataset.parts
    document = part.source.read("d1")

    assert (dataset.name, dataset.level, dataset.average) == ("tiny", Level.DOCUMENT, "question")
    assert [item.path for item in part.source.listing()] == ["d1", "d2", "d3", "d4"]
    assert isinstance(document, SourceFile)
    assert (document.title, document.language) == ("open_socket", "python")
    assert [question.id for question in part.questions] == ["q1", "q2", "q3", "q4"]
    assert part.judgements["q1"] == {"d1": 2, "d4": 1}


def test_compressed_files_and_other_judgements_and_corpora(tmp_path: Path) -> None:
    folder = beir(tmp_path / "tiny")
    plain = folder / "queries.jsonl"
    (folder / "queries.jsonl.gz").write_bytes(gzip.compress(plain.read_bytes()))
    plain.unlink()
    json_lines(folder / "corpus_bare.jsonl", [{"_id": "d2", "text": "def parse_date(): ..."}])
    dataset = load_dataset(folder, qrels="dev", corpus="corpus_bare")
    (part,) = dataset.parts

    assert dataset.name == "tiny/dev/corpus_bare"
    assert [question.id for question in part.questions] == ["q2"]
    assert [item.path for item in part.source.listing()] == ["d2"]


def test_a_folder_with_a_corpus_is_beir_whatever_else_lies_in_it(tmp_path: Path) -> None:
    folder = beir(tmp_path / "tiny")
    (folder / "info.json").write_text("{}")

    assert load_dataset(folder).level is Level.DOCUMENT


def test_the_digest_tells_datasets_apart(tmp_path: Path) -> None:
    folder = beir(tmp_path / "tiny")
    before = load_dataset(folder).digest
    judge(folder / "qrels" / "test.tsv", {"q1": {"d1": 1}})

    assert load_dataset(folder).digest != before
    assert load_dataset(beir(tmp_path / "again" / "tiny")).digest == before


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda f: (f / "corpus.jsonl").write_text('{"_id": 1}\n'), "a document without 'text'"),
        (
            lambda f: (f / "corpus.jsonl").write_text('{"_id": "d", "text": "t"}\n[1]\n'),
            "line 2: not an object",
        ),
        (lambda f: (f / "queries.jsonl").write_text("nonsense\n"), "queries.jsonl, line 1"),
        (lambda f: (f / "qrels" / "test.tsv").write_text("q1 d1 1\n"), "test.tsv, line 1"),
        (lambda f: (f / "qrels" / "test.tsv").write_text("q1\td1\t0\n"), "no query of"),
        (lambda f: (f / "qrels" / "test.tsv").write_bytes(b"\xff\xfe"), "cannot read .*test.tsv"),
        (lambda f: (f / "queries.jsonl").write_text('{"_id": "q1"}\n'), "query without 'text'"),
        (lambda f: (f / "queries.jsonl").write_text('{"a":' * 100_000), "nested too deeply"),
        (lambda f: (f / "corpus.jsonl").write_text(" " * ((64 << 20) + 1)), "longer than 64 MB"),
        (lambda f: (f / "queries.jsonl").write_text("\n" * 1_000_001), "empty lines"),
    ],
)
def test_a_damaged_file_is_named_with_its_line(tmp_path: Path, damage: object, said: str) -> None:
    folder = beir(tmp_path / "tiny")
    assert callable(damage)
    damage(folder)

    with pytest.raises(EvaluationError, match=said):
        list(load_dataset(folder).parts[0].source.listing())


def test_what_a_line_holds_is_not_shown(tmp_path: Path) -> None:
    folder = beir(tmp_path / "tiny")
    (folder / "qrels" / "test.tsv").write_text("password = hunter2\n")

    with pytest.raises(EvaluationError) as caught:
        load_dataset(folder)

    assert "hunter2" not in str(caught.value)


def test_metadata_that_is_none_says_nothing(tmp_path: Path) -> None:
    folder = beir(tmp_path / "tiny")
    (folder / "corpus.jsonl").write_text('{"_id": "d1", "text": "t", "metadata": []}\n')

    assert load_dataset(folder).parts[0].language == ""


@pytest.mark.parametrize("content", ["[]", "[" * 100_000, '{"name": 1, "repository": 2}'])
def test_a_mined_folder_that_does_not_say_what_it_is_of_is_told(
    tmp_path: Path, content: str
) -> None:
    (tmp_path / "mined.json").write_text(content)

    with pytest.raises(EvaluationError, match=r"mined\.json"):
        load_dataset(tmp_path)


def test_judgements_that_are_not_there_are_told_with_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="no judgements 'final'") as error:
        load_dataset(beir(tmp_path / "tiny"), qrels="final")

    assert error.value.hint == "there are dev, test"


def test_a_folder_without_any_layout_is_no_dataset(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="is no dataset"):
        load_dataset(tmp_path)


def test_agent_annotations_become_targets_in_two_halves(tmp_path: Path) -> None:
    dataset = load_dataset(agent(tmp_path / "agent", tmp_path), repos=tmp_path)
    alpha, beta = dataset.parts
    listed = [item.path for item in alpha.source.listing() if isinstance(item, Listed)]

    assert (dataset.level, dataset.average) == (Level.TARGET, "language")
    assert (alpha.split, beta.split) == ("tuning", "held_out")
    assert alpha.judgements["alpha-000"] == {"shop/cart.py:5-6": 1, "shop/mail.py": 1}
    assert [question.category for question in alpha.questions] == ["semantic", "symbol"]
    assert listed == ["shop/cart.py", "shop/mail.py"]  # its root alone
    assert len(list(beta.source.listing())) == 3


def test_what_is_missing_or_stands_in_is_named(tmp_path: Path) -> None:
    folder = agent(tmp_path / "agent", tmp_path)
    repos = json.loads((folder / "repos.json").read_text())
    repos[0]["revision"] = "0" * 40
    repos[1]["url"] = "https://example.org/owner/gone.git"
    (folder / "repos.json").write_text(json.dumps(repos))
    dataset = load_dataset(folder, repos=tmp_path)

    assert [part.name for part in dataset.parts] == ["alpha"]
    assert "stands in for the pinned 0000000000" in dataset.notes[0]
    assert dataset.notes[1].startswith("beta is left out: there is no clone of")


def test_a_stand_in_comes_from_the_branch_that_has_the_folder(tmp_path: Path) -> None:
    folder = agent(tmp_path / "agent", tmp_path)
    clone = tmp_path / "owner+alpha" / "repo"
    git(clone, "branch", "three")
    git(clone, "rm", "-q", "-r", "shop")
    git(clone, "commit", "-q", "-m", "moved away")
    repos = json.loads((folder / "repos.json").read_text())
    repos[0]["revision"] = "0" * 40
    (folder / "repos.json").write_text(json.dumps(repos))

    assert [part.name for part in load_dataset(folder, repos=tmp_path).parts] == ["alpha", "beta"]


def test_halves_alternate_by_name_within_a_language() -> None:
    names = [("go", "gin"), ("go", "chi"), ("go", "cobra"), ("c", "curl")]

    assert halves(names) == {
        "chi": "tuning",
        "cobra": "held_out",
        "gin": "tuning",
        "curl": "tuning",
    }


def test_clones_are_needed_and_asked_for(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError) as error:
        load_dataset(agent(tmp_path / "agent", tmp_path))

    assert "--repos DIR" in error.value.hint


def test_mined_cases_of_many_repositories(tmp_path: Path) -> None:
    repo = repository(tmp_path / "clones" / "shop", SHOP)
    for name in ("one", "two"):
        folder = tmp_path / "mined" / name
        tree(folder, {"info.json": json.dumps(
            {"name": name, "repo": "owner/shop", "tag_commit": "HEAD", "languages": ["python"]}
        )})  # fmt: skip
        query = {"_id": f"{name}-1", "text": "count", "metadata": {"mentions_target": True}}
        json_lines(folder / "queries.jsonl", [query])
        judge(folder / "qrels" / "test.tsv", {f"{name}-1": {"shop/cart.py::Cart.total_price": 1}})
        judge(folder / "qrels" / "test_files.tsv", {f"{name}-1": {"shop/cart.py": 1}})
    symbols = load_dataset(tmp_path / "mined", repos=repo.parent)
    files = load_dataset(tmp_path / "mined", qrels="test_files", repos=repo.parent)
    kept = [
        item.path
        for item in symbols.parts[0].source.listing()
        if isinstance(symbols.parts[0].source.read(item.path), SourceFile)
    ]

    assert (symbols.level, files.level) == (Level.SYMBOL, Level.FILE)
    assert [part.name for part in symbols.parts] == ["one", "two"]
    assert symbols.parts[0].questions[0].category == "names its target"
    assert kept == ["shop/cart.py", "shop/mail.py"]  # tests are no source


def test_instances_of_one_repository_are_asked_in_the_order_of_their_commits(
    tmp_path: Path,
) -> None:
    repo = repository(tmp_path / "owner+shop" / "repo", SHOP)
    commits = [git(repo, "rev-parse", "HEAD").strip()]
    (repo / "shop" / "more.py").write_text("more = True\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "-m", "more", "--date", "2030-01-01T00:00:00")
    commits.append(git(repo, "rev-parse", "HEAD").strip())
    folder = tmp_path / "bench"
    rows = [
        {"id": f"i{n}", "query": "price", "source": "owner/shop", "commit": commit}
        for n, commit in enumerate([commits[1], commits[0], "0" * 40])
    ]
    json_lines(folder / "instances.jsonl", rows)
    judge(folder / "qrels" / "test_files.tsv", {f"i{n}": {"shop/cart.py": 1} for n in range(3)})
    dataset = load_dataset(folder, repos=tmp_path)

    assert {part.store for part in dataset.parts} == {"owner+shop"}
    assert [part.questions[0].id for part in dataset.parts][:2] in (["i1", "i0"], ["i0", "i1"])
    assert [len(list(part.source.listing())) for part in dataset.parts] in ([3, 4], [4, 3])
    assert dataset.notes == (f"1 instances are left out: {repo} lacks their commits",)
