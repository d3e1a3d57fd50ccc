"""The scripts compose runs make what a real node starts with, and what its users need."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped] # PyYAML ships no types

from tools.opensearch import account
from tools.opensearch.asking import Caller
from tools.opensearch.distribution import install
from tools.opensearch.errors import PartMissing
from tools.opensearch.java import java_home
from tools.opensearch.network import on_loopback
from tools.opensearch.node import Node, Plan
from tools.opensearch.nodes import QUICK
from tools.opensearch.processes import end

pytestmark = pytest.mark.slow
DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
RELEASE = "2.19.1"  # the one whose security plug-in can be had as a package
PASSWORD = "correct horse battery staple"
START_S = 180


@pytest.fixture(scope="module")
def certificates(folder: Path) -> Path:
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    made, taken = folder / "made", folder / "config" / "certificates"
    taken.mkdir(parents=True)
    refused = run("bash", "hand-over.sh", MADE=str(made), CERTIFICATES=str(taken), check=False)
    assert (refused.returncode, list(taken.iterdir())) == (1, [])
    run("sh", "certificates.sh", CERTIFICATES=str(made))
    run("bash", "hand-over.sh", MADE=str(made), CERTIFICATES=str(taken))
    return taken


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A folder the user nodes run as may enter, as pytest's own are not."""
    made = Path(tempfile.mkdtemp(prefix="plait-deploy-"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made)


@pytest.fixture(scope="module")
def home() -> Path:
    try:
        java_home(RELEASE)
        account.prepare()
        return install(RELEASE, security=True)
    except PartMissing as error:
        if os.environ.get("PLAIT_REQUIRE_CLUSTER") == "1":
            pytest.fail(f"PLAIT_REQUIRE_CLUSTER=1, but {error}")
        pytest.skip(f"no cluster: {error}")


@pytest.fixture(scope="module")
def node(folder: Path, home: Path, certificates: Path) -> Iterator[Node]:
    """A node with the settings, certificates and users of compose."""
    users = folder / "config" / "opensearch-security"
    users.mkdir()
    java = str(java_home(RELEASE))
    told = {"USERS": str(users), "OPENSEARCH_HOME": str(home), "OPENSEARCH_PASSWORD": PASSWORD}
    for _ in range(2):  # the second finds everything there
        run("bash", "users.sh", check=True, **told, OPENSEARCH_JAVA_HOME=java)
        told["OPENSEARCH_PASSWORD"] = "another"
    settings = {
        name: value
        for name, value in service("opensearch-1")["environment"].items()
        if name.startswith("plugins.")
    }
    settings["discovery.type"] = "single-node"
    plan = Plan(RELEASE, home, "512m", QUICK, settings, folder / "config")
    made = Node("opensearch-1", folder / "node", on_loopback(1)[0], plan)
    made.prepare()
    made.start()
    try:
        yield made
    finally:
        if made.process:
            end([made.process])
        made.forget()


def service(name: str) -> Any:
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"][name]


def run(
    shell: str, script: str, *, check: bool = True, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [shell, str(DEPLOY / script)],
        check=check,
        capture_output=True,
        env={**os.environ, "OWNER": f"{os.getuid()}:{os.getgid()}", **environment},
        timeout=120,
    )


def test_the_certificates_are_trusted_and_made_once(folder: Path, certificates: Path) -> None:
    made = folder / "made"
    first = (made / "node.pem").read_bytes()
    run("sh", "certificates.sh", CERTIFICATES=str(made))
    (made / "node.pem").rename(made / "kept.pem")
    run("bash", "hand-over.sh", MADE=str(made), CERTIFICATES=str(certificates))

    assert (certificates / "node.pem").read_bytes() == first == (made / "kept.pem").read_bytes()
    assert not (certificates / "ca-key.pem").exists()
    for who in ("node", "admin"):
        subprocess.run(
            ["openssl", "verify", "-x509_strict", "-CAfile", "ca.pem", f"{who}.pem"],
            check=True,
            capture_output=True,
            cwd=certificates,
            timeout=60,
        )
        key = certificates / f"{who}-key.pem"
        assert b"BEGIN PRIVATE KEY" in key.read_bytes()  # PKCS 8, as OpenSearch wants it
        assert key.stat().st_mode & 0o077 == 0


@pytest.mark.nightly
def test_a_node_made_so_is_healthy_and_knows_the_password(node: Node, certificates: Path) -> None:
    address = f"https://127.0.0.1:{node.place.http}"
    ca = certificates / "ca.pem"
    known = Caller("admin", PASSWORD, ca)
    limit = time.monotonic() + START_S
    while known.ask(address, "/_cluster/health")[0] != 200 and time.monotonic() < limit:
        node.check_running()
        time.sleep(1)

    assert known.ask(address, "/_cluster/health")[0] == 200
    assert Caller("admin", "another", ca).ask(address, "/")[0] == 401
    assert Caller(ca_file=ca).ask(address, "/")[0] == 401
    if shutil.which("curl"):
        check = [
            word.replace("config/certificates", str(certificates)).replace(
                "https://localhost:9200", address
            )
            for word in service("opensearch-1")["healthcheck"]["test"][1:]
        ]
        subprocess.run(check, check=True, capture_output=True, timeout=60)
