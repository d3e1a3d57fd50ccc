"""The audit: no pin without a hash, an audit, accepted terms; no known vulnerability in silence."""

from __future__ import annotations

import json
import re
import shutil
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tools.audit import advisories, services
from tools.audit.__main__ import main
from tools.audit.ledger import Entry, Ledger
from tools.audit.licences import is_accepted
from tools.audit.locks import REQUIREMENTS, Pin, pins, unhashed

ROOT = REQUIREMENTS.parent
HASH = "--hash=sha256:" + "0" * 64
RECORD = """
id: PYSEC-2026-1
affected:
- package: {name: Some_Package, ecosystem: PyPI}
  ranges:
  - type: ECOSYSTEM
    events: [{introduced: "0"}, {fixed: "1.10"}, {introduced: "2.0"}, {fixed: "2.0.1"}]
"""


def test_every_lock_of_the_project_is_hashed_audited_and_accepted() -> None:
    assert unhashed() == []
    assert main(["check"]) == 0


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("numpy>=2 " + HASH, id="a range"),
        pytest.param("numpy==2.0", id="no hash"),
        pytest.param("numpy", id="no version"),
    ],
)
def test_a_requirement_that_is_not_pinned_is_a_fault(tmp_path: Path, line: str) -> None:
    (tmp_path / "core.txt").write_text(f"# a lock\nrich==1.0 \\\n    {HASH}\n{line}\n")

    assert unhashed(tmp_path) == [f"core.txt: {line.split(maxsplit=1)[0]}"]


def test_a_pin_that_was_never_audited_is_a_fault() -> None:
    ledger = Ledger("2026-11-16", "", {}, {"rich==1.0": Entry("MIT")})

    assert list(ledger.faults([Pin("rich", "1.0")])) == []
    assert len(list(ledger.faults([Pin("rich", "1.1")]))) == 1


def test_a_vulnerability_is_a_fault_until_it_is_accepted_with_a_reason() -> None:
    packages = {"rich==1.0": Entry("MIT", ["PYSEC-1"])}
    pin = Pin("rich", "1.0")

    assert len(list(Ledger("2026-11-16", "", {}, packages).faults([pin]))) == 1
    accepted = {"PYSEC-1": "the function is never called"}
    assert list(Ledger("2026-11-16", "", accepted, packages).faults([pin])) == []


@pytest.mark.parametrize(
    ("terms", "is_taken"),
    [
        ("MIT", True),
        ("BSD-3-Clause AND 0BSD AND MIT", True),
        ("Apache-2.0 OR BSD-2-Clause", True),
        ("GPL-3.0-only OR MIT", True),
        ("MIT AND GPL-3.0-only", False),
        ("AGPL-3.0-only", False),
        ("", False),
    ],
)
def test_terms_are_accepted_part_by_part(terms: str, is_taken: bool) -> None:
    assert is_accepted(terms) is is_taken


@pytest.mark.parametrize(
    ("version", "is_affected"),
    [("0.1", True), ("1.9", True), ("1.10", False), ("1.11", False), ("2.0", True), ("2.1", False)],
)
def test_ranges_of_an_advisory_are_compared_as_versions(
    tmp_path: Path, version: str, is_affected: bool
) -> None:
    folder = tmp_path / "vulns" / "some-package"
    folder.mkdir(parents=True)
    (folder / "PYSEC-2026-1.yaml").write_text(RECORD)
    pin = Pin("some-package", version)

    assert advisories.known(tmp_path, [pin])[pin] == ["PYSEC-2026-1"] * is_affected


@pytest.fixture
def osv() -> Iterator[str]:
    """A vulnerability service that knows of one fault, in numpy."""

    class Service(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            fault = {
                "id": "PYSEC-2026-2",
                "details": "made up",
                "affected": [{"package": asked["package"], "ranges": []}],
            }
            body = json.dumps({"vulns": [fault]} if asked["package"]["name"] == "numpy" else {})
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1/query"
    server.shutdown()
    server.server_close()


def test_a_refresh_takes_what_the_service_knows_into_the_ledger(tmp_path: Path, osv: str) -> None:
    program = ROOT / ".venv" / "audit" / "bin" / "pip-audit"
    if not program.exists():
        pytest.skip("pip-audit is not installed: make audit-refresh does it")
    requirements, ledger = tmp_path / "locks", tmp_path / "audited.json"
    requirements.mkdir()
    shutil.copy(REQUIREMENTS / "core.txt", requirements)
    options = ["--option=--vulnerability-service=osv", f"--option=--osv-url={osv}"]
    told = [f"--requirements={requirements}", f"--ledger={ledger}", "refresh"]

    code = main([*told, f"--pip-audit={program}", *options])

    written = Ledger.read(ledger)
    faulty = {pin for pin, entry in written.packages.items() if entry.advisories}
    assert code == 1
    assert faulty == {str(pin) for pin in pins(requirements) if pin.name == "numpy"}


def test_a_service_that_does_not_answer_is_an_error_in_words(tmp_path: Path) -> None:
    with pytest.raises(services.ServiceError, match="could not be run"):
        services.known(tmp_path / "no-program", [Pin("rich", "1.0")])


def test_what_ci_runs_installs_nothing_without_a_hash() -> None:
    files = [ROOT / "Makefile", *(ROOT / ".ci" / name for name in ("run", "setup", "smoke", "uv"))]
    lines = [
        line.strip()
        for file in files
        for line in file.read_text("utf-8").replace("\\\n", " ").splitlines()
    ]
    installs = [
        line
        for line in lines
        if re.search(r"\bpip install\b|^install ", line) and "install() {" not in line
    ]
    own = ("--editable .", "plait-*.whl")  # ourselves, without dependencies

    assert len(installs) > 4
    for line in installs:
        assert "--require-hashes" in line or ("--no-deps" in line and line.endswith(own)), line
