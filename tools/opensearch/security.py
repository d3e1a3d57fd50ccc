"""Security: certificates, users and passwords for a cluster that asks who is calling.

One authority signs a certificate for the nodes and one for the administrator. There are two
users, each with a random password: one may do everything, one may only read.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.opensearch.errors import ClusterError, PartMissing
from tools.opensearch.java import java_home

ADMIN, READER = "admin", "reader"
ORGANISATION = "plait-test"
DAYS = "30"
HASHER = "org.opensearch.security.tools.Hasher"
NEW_KEY = ("openssl", "req", "-newkey", "rsa:2048", "-nodes")


@dataclass(frozen=True, slots=True)
class Security:
    """What it takes to call a secured cluster, and what its nodes are given."""

    folder: Path
    passwords: dict[str, str]

    @property
    def ca_file(self) -> Path:
        return self.folder / "ca.pem"

    @property
    def passwords_file(self) -> Path:
        return self.folder / "passwords.json"

    @property
    def config(self) -> Path:
        """Files that belong into the settings of every node."""
        return self.folder / "config"

    @property
    def settings(self) -> dict[str, object]:
        own = "plugins.security"
        told: dict[str, object] = {
            f"{own}.ssl.http.enabled": True,
            f"{own}.ssl.transport.enforce_hostname_verification": False,
            f"{own}.nodes_dn": [f"CN=node,O={ORGANISATION}"],
            f"{own}.authcz.admin_dn": [f"CN=admin,O={ORGANISATION}"],
            f"{own}.allow_default_init_securityindex": True,
        }
        for layer in ("transport", "http"):
            told[f"{own}.ssl.{layer}.pemcert_filepath"] = "node.pem"
            told[f"{own}.ssl.{layer}.pemkey_filepath"] = "node-key.pem"
            told[f"{own}.ssl.{layer}.pemtrustedcas_filepath"] = "ca.pem"
        return told


def secure(folder: Path, home: Path, release: str, hosts: Sequence[str]) -> Security:
    """Make the certificates and users of a cluster, or find those made there before."""
    known = Security(folder, {}).passwords_file
    if known.exists():
        return Security(folder, json.loads(known.read_text("utf-8")))
    folder.mkdir(mode=0o700, parents=True)
    made = Security(folder, {name: secrets.token_urlsafe(18) for name in (ADMIN, READER)})
    certificates(folder, hosts)
    rules = made.config / "opensearch-security"
    shutil.copytree(home / "plugins" / "opensearch-security" / "config", rules)
    users: dict[str, object] = {"_meta": {"type": "internalusers", "config_version": 2}}
    for name, role in ((ADMIN, "admin"), (READER, "readall")):
        hashed = _hashed(made.passwords[name], home, release)
        users[name] = {"hash": hashed, "reserved": False, "backend_roles": [role]}
    (rules / "internal_users.yml").write_text(json.dumps(users), "utf-8")  # JSON is YAML
    for name in ("ca.pem", "node.pem", "node-key.pem"):
        shutil.copy(folder / name, made.config)
    known.write_text(json.dumps(made.passwords), "utf-8")
    return made


def certificates(folder: Path, hosts: Sequence[str]) -> None:
    """Make an authority, ``ca.pem``, and what it signs: ``node.pem`` and ``admin.pem``."""
    names = ",".join(["DNS:localhost", *(f"IP:{host}" for host in sorted(set(hosts)))])
    (folder / "names").write_text(
        f"subjectAltName={names}\nextendedKeyUsage=serverAuth,clientAuth\n"
        "authorityKeyIdentifier=keyid\nsubjectKeyIdentifier=hash\n",
        "utf-8",
    )
    may = ["-addext", "keyUsage=critical,keyCertSign,cRLSign"]
    files = ["-keyout", "ca-key.pem", "-out", "ca.pem"]
    _run(folder, *NEW_KEY, "-x509", "-days", DAYS, "-subj", "/CN=plait-test-ca", *may, *files)
    for who in ("node", "admin"):
        subject = f"/O={ORGANISATION}/CN={who}"
        _run(folder, *NEW_KEY, "-subj", subject, "-keyout", f"{who}-key.pem", "-out", "request")
        signer = ["-CA", "ca.pem", "-CAkey", "ca-key.pem", "-CAcreateserial"]
        files = ["-in", "request", "-extfile", "names", "-out", f"{who}.pem"]
        _run(folder, "openssl", "x509", "-req", "-days", DAYS, *signer, *files)


def _hashed(password: str, home: Path, release: str) -> str:
    """A password as the security plug-in keeps it, made by its own tool."""
    java = java_home(release) / "bin" / "java"
    jars = f"{home}/plugins/opensearch-security/*:{home}/lib/*"
    variable = "PLAIT_PASSWORD"
    told = _run(
        home, str(java), "-XX:TieredStopAtLevel=1", "-cp", jars, HASHER, "-env", variable,
        environment={variable: password},
    )  # fmt: skip
    return told.strip().splitlines()[-1]


def _run(folder: Path, *command: str, environment: dict[str, str] | None = None) -> str:
    try:
        run = subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, **(environment or {})},
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
            timeout=120,
        )
    except FileNotFoundError:
        raise PartMissing(f"{command[0]} is not installed") from None
    if run.returncode:
        raise ClusterError(f"{command[0]} failed: {run.stderr.strip()[-500:]}")
    return run.stdout
