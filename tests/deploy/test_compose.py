"""What users start: the files parse, hold no secret, and keep security on."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped] # PyYAML ships no types

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
NODES = ("opensearch-1", "opensearch-2", "opensearch-3")
ONE_SHOTS = ("certificates", "users")


def parsed(name: str) -> Any:
    return yaml.safe_load((DEPLOY / name).read_text("utf-8"))


@pytest.fixture(scope="module")
def compose() -> Any:
    return parsed("compose.yaml")


@pytest.fixture(scope="module")
def values() -> Any:
    return parsed("helm-values.yaml")


def test_compose_runs_three_nodes_after_what_prepares_them(compose: Any) -> None:
    services = compose["services"]

    assert set(services) == {*NODES, *ONE_SHOTS}
    for name in NODES:
        needed = services[name]["depends_on"]
        assert {each: needed[each]["condition"] for each in needed} == dict.fromkeys(
            ONE_SHOTS, "service_completed_successfully"
        )
        settings = services[name]["environment"]
        assert settings["node.name"] == name
        assert settings["discovery.seed_hosts"].split(",") == list(NODES)
        assert settings["cluster.initial_cluster_manager_nodes"].split(",") == list(NODES)


@pytest.mark.parametrize("node", NODES)
def test_a_node_is_limited_watched_and_kept(compose: Any, node: str) -> None:
    service = compose["services"][node]

    assert service["mem_limit"]
    assert service["ulimits"]["nofile"]["hard"] >= 65_535
    assert service["ulimits"]["memlock"] == {"soft": -1, "hard": -1}
    assert "_cluster/health" in service["healthcheck"]["test"][-1]
    assert service["healthcheck"]["retries"] > 1
    assert f"data-{node[-1]}:/usr/share/opensearch/data" in service["volumes"]


def test_every_volume_is_declared_and_every_file_is_there(compose: Any) -> None:
    mounted = {
        volume.partition(":")[0]
        for service in compose["services"].values()
        for volume in service["volumes"]
    }

    assert {name for name in mounted if not name.startswith("./")} == set(compose["volumes"])
    for name in mounted:
        made_by_users = name == "./certificates"
        assert not name.startswith("./") or made_by_users or (DEPLOY / name).is_file()


def test_ports_are_open_to_this_machine_only_unless_somebody_says_otherwise(compose: Any) -> None:
    ports = [port for name in NODES for port in compose["services"][name]["ports"]]

    assert len(set(ports)) == 3
    assert all(port.startswith("${OPENSEARCH_BIND:-127.0.0.1}:") for port in ports)
    assert not any("ports" in compose["services"][name] for name in ONE_SHOTS)


def test_every_node_encrypts_both_ways_and_asks_who_is_calling(compose: Any) -> None:
    for name in NODES:
        settings = compose["services"][name]["environment"]

        assert "plugins.security.disabled" not in settings
        assert "DISABLE_SECURITY_PLUGIN" not in settings
        assert settings["DISABLE_INSTALL_DEMO_CONFIG"] == "true"
        assert settings["plugins.security.ssl.http.enabled"] == "true"
        assert secures(settings)
        # In the environment a comma would make two names of one.
        assert "," not in settings["plugins.security.nodes_dn"]
        assert "," not in settings["plugins.security.authcz.admin_dn"]


def test_helm_runs_three_nodes_on_three_machines_with_disks(values: Any) -> None:
    assert values["replicas"] == 3
    assert values["masterService"] == f"{values['clusterName']}-{values['nodeGroup']}"
    assert {"master", "data"} <= set(values["roles"])
    assert values["antiAffinity"] == "hard"
    assert values["maxUnavailable"] == 1
    assert values["persistence"]["enabled"] is True
    assert values["resources"]["limits"]["memory"] == values["resources"]["requests"]["memory"]


def test_helm_takes_certificates_and_users_from_secrets(values: Any) -> None:
    settings = yaml.safe_load(values["config"]["opensearch.yml"])
    (mount,) = values["secretMounts"]

    assert mount["secretName"] == "plait-opensearch-certificates"
    assert mount["path"].endswith("config/certificates")
    assert values["securityConfig"]["internalUsersSecret"] == "plait-opensearch-users"
    assert settings["plugins.security.ssl.http.enabled"] is True
    assert secures(settings)
    assert "plugins.security.disabled" not in settings
    assert {"name": "DISABLE_INSTALL_DEMO_CONFIG", "value": "true"} in values["extraEnvs"]


def secures(settings: dict[str, Any]) -> bool:
    """Whether both layers have a certificate, a key and an authority."""
    return all(
        settings[f"plugins.security.ssl.{layer}.{part}_filepath"] == f"certificates/{file}.pem"
        for layer in ("transport", "http")
        for part, file in (("pemcert", "node"), ("pemkey", "node-key"), ("pemtrustedcas", "ca"))
    )


def test_one_image_runs_everything_and_it_is_named_by_its_version(
    compose: Any, values: Any
) -> None:
    images = {service["image"] for service in compose["services"].values()}
    (default,) = (re.fullmatch(r"\$\{OPENSEARCH_IMAGE:-(\S+)\}", image)[1] for image in images)  # type: ignore[index] # a mismatch fails the test

    assert re.fullmatch(r"opensearchproject/opensearch:\d+\.\d+\.\d+", default)
    assert default == f"{values['image']['repository']}:{values['image']['tag']}"


def committed() -> list[str]:
    """The files of the folder; the one that holds a user's own password is not in git."""
    return sorted(path.name for path in DEPLOY.iterdir() if path.is_file() and path.name != ".env")


@pytest.mark.parametrize("file", committed())
def test_no_file_holds_a_password_or_a_hash(file: str) -> None:
    text = (DEPLOY / file).read_text("utf-8")

    for value in re.findall(r"(?i)password\w*[ \t]*[:=][ \t]*(\S*)", text):
        assert re.match(r"$|\?|\$\{OPENSEARCH_PASSWORD:\?", value), value
    assert not re.search(r"\$2[aby]\$\d\d\$", text)


def test_compose_does_not_start_without_a_password(compose: Any) -> None:
    asked = compose["services"]["users"]["environment"]["OPENSEARCH_PASSWORD"]
    example = (DEPLOY / "example.env").read_text("utf-8")

    assert asked.startswith("${OPENSEARCH_PASSWORD:?")  # empty or absent is refused, in words
    assert re.search(r"^OPENSEARCH_PASSWORD=$", example, re.MULTILINE)
    assert ".env" in (DEPLOY / ".gitignore").read_text("utf-8").split()
