"""The page is safe to open: it loads nothing and lets no text become markup."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from pathlib import Path

import pytest

from plait.evaluation.report import write_report
from plait.evaluation.report.page import as_page
from plait.evaluation.runs import Run, Shown
from tests.evaluation.report.reading import Element, read
from tests.evaluation.report.synthetic import large_run, outcome, run_of

HOSTILE = "</script></style><script>alert(1)</script><img src=x onerror=alert(2)> \"' & \x00\ud800"
SEEN = HOSTILE.replace("\x00", "\u2400").replace("\ud800", "\ufffd")


@pytest.fixture(scope="module")
def run() -> Run:
    return large_run(
        Path("runs/first"),
        24,
        overlap={"before": {}, "after": {"1": 0.5}},
        economy={"losses": [{}]},
        notes=["n"],
    )


@pytest.fixture(scope="module")
def page(run: Run) -> Element:
    return read(as_page([run]))


def hostile_run() -> Run:
    answered = outcome(
        HOSTILE,
        HOSTILE,
        text=HOSTILE,
        part=HOSTILE,
        language=HOSTILE,
        category=HOSTILE,
        split=HOSTILE,
        relevant={HOSTILE: 1},
        ranking=(HOSTILE,),
        shown=(Shown(HOSTILE, HOSTILE, 1.0, (HOSTILE,)),),
    )
    economy = {"losses": [{"question": HOSTILE, "text": HOSTILE}]}
    texts = dict.fromkeys(("commit", "machine", "command", "started"), HOSTILE)
    dicts = {"settings": {HOSTILE: [HOSTILE]}, "versions": {HOSTILE: HOSTILE}}
    run = run_of(Path(HOSTILE), [answered], notes=[HOSTILE], economy=economy, **texts, **dicts)
    dataset = {**run.config["dataset"], "name": HOSTILE, "qrels": HOSTILE}
    parts = [{"name": HOSTILE, "language": HOSTILE}]
    return replace(run, config={**run.config, "dataset": dataset, "parts": parts})


def test_the_page_refers_to_nothing_outside_itself(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    write_report([run], path)
    text = path.read_text("utf-8")
    page = read(text)
    names = {each.name for each in page.all()}
    attributes = {name for each in page.all() for name in each.attributes}

    text = re.sub(r"'sha256-\S+'", "", text)  # a digest may hold any letters, also //
    assert not re.search(r"https?:|//|url\(|@import|src=|href=", text)
    assert names.isdisjoint({"link", "img", "iframe", "object", "embed", "base", "form", "a"})
    assert not {name for name in attributes if name.startswith("on") or name == "style"}


def test_the_policy_allows_the_style_and_the_script_and_nothing_else(page: Element) -> None:
    meta = page.one("meta", http_equiv="Content-Security-Policy")
    policy = dict(
        rule.strip().split(" ", 1) for rule in (meta.attributes["content"] or "").split(";")
    )

    assert policy["default-src"] == "'none'"
    for name in ("style", "script"):
        digest = hashlib.sha256(page.one(name).text.encode()).digest()
        assert policy[f"{name}-src"] == f"'sha256-{base64.b64encode(digest).decode()}'"
    assert set(policy) == {"default-src", "style-src", "script-src", "base-uri", "form-action"}


def test_hostile_text_stays_text(page: Element) -> None:
    found = read(as_page([hostile_run()]))
    ours = {each.name for each in page.all()}

    assert found.one("script").text == page.one("script").text
    assert found.one("style").text == page.one("style").text
    assert {each.name for each in found.all()} <= ours
    assert found.one("span", class_="query").text == SEEN
    assert (
        next(found.one("section", id="summary").all("span", class_="mode")).attributes["title"]
        == SEEN
    )
    for id_ in ("runs", "part", "category", "split", "corpora", "notes", "drill-down"):
        assert SEEN in found.one("section", id=id_).text
    assert SEEN in found.one("section", id="economy-0").text


def test_text_cannot_turn_its_own_direction() -> None:
    page = as_page([run_of(Path("one"), [outcome(text="user\u202egnp.exe")])])

    assert "user\ufffdgnp.exe" in page
