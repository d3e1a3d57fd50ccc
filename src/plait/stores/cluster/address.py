"""Address: where a cluster is, which collection is meant, and who is asking.

    opensearch://search-1:9200,search-2:9200/team?replicas=1

Hosts in a row are nodes of one cluster; a port left out is 9200. The path names the
collection. Traffic is encrypted, unless every host is this machine or ``tls=off`` is said; a
password or key then goes over the network in the open, which has to be allowed by itself.
Secrets never stand in an address: they come from the environment, so that they end up in no
shell history, process list or log.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self
from urllib.parse import parse_qsl, unquote, urlsplit

from plait.downloads.cleartext import refused, way_out, who_would_read
from plait.downloads.loopback import is_this_machine
from plait.errors import SettingError

SCHEME = "opensearch"
PORT = 9200
COLLECTION = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")
CLEARTEXT = "PLAIT_STORE_ALLOW_CLEARTEXT"
OPTIONS = ("tls", "ca", "shards", "replicas", "timeout")
EXAMPLE = "opensearch://host:9200/collection"


@dataclass(frozen=True, slots=True)
class Address:
    """A collection on a cluster.

    Args:
        hosts: Names and ports of nodes.
        collection: What is indexed together and searched together.
        tls: Whether traffic is encrypted.
        ca: A file with the certificates of the authority that signed the nodes'; "" for the
            system's.
        user: Who asks, by password; "" for nobody.
        shards: How many shards a collection is made with.
        replicas: How many copies of each there are beside the first.
        timeout_s: How long one request may take.
    """

    hosts: tuple[tuple[str, int], ...]
    collection: str
    tls: bool = False
    ca: str = ""
    user: str = ""
    password: str = ""
    api_key: str = ""
    shards: int = 1
    replicas: int = 0
    timeout_s: float = 30.0

    def __str__(self) -> str:
        """Without secrets, as it can be shown."""
        hosts = ",".join(f"{host}:{port}" for host, port in self.hosts)
        return f"{SCHEME}://{hosts}/{self.collection}"

    def __repr__(self) -> str:
        return f"Address({str(self)!r})"

    @classmethod
    def parse(cls, text: str, environ: Mapping[str, str]) -> Self:
        """Read an address; user, password and API key come from ``PLAIT_STORE_*``.

        Raises:
            SettingError: It is not one, or says what cannot be.
        """
        split = urlsplit(text)
        collection = unquote(split.path.strip("/"))
        if split.scheme != SCHEME or not split.netloc:
            raise SettingError(f"not the address of a store: {text!r}", hint=f"write {EXAMPLE}")
        if "@" in split.netloc:
            raise SettingError(
                "the address of a store holds a user or password",
                hint="set PLAIT_STORE_USER and PLAIT_STORE_PASSWORD instead",
            )
        if not COLLECTION.fullmatch(collection):
            raise SettingError(
                f"not the name of a collection: {collection!r} "
                "(lower-case letters, digits, '-' and '_', at most 63)",
                hint=f"write {EXAMPLE}",
            )
        hosts = tuple(_host(part, text) for part in split.netloc.split(","))
        made = cls(
            hosts,
            collection,
            tls=not all(is_this_machine(host) for host, _ in hosts),
            user=environ.get("PLAIT_STORE_USER", ""),
            password=environ.get("PLAIT_STORE_PASSWORD", ""),
            api_key=environ.get("PLAIT_STORE_API_KEY", ""),
            ca=environ.get("PLAIT_STORE_CA", ""),
        )
        made = made._with_options(dict(parse_qsl(split.query, keep_blank_values=True)))
        secret = "key" if made.api_key else "password" if made.password else ""
        reader = who_would_read((host for host, _ in hosts), CLEARTEXT, environ)
        if secret and reader and not made.tls:
            raise SettingError(
                refused(secret, reader), hint=way_out("leave tls=off out", CLEARTEXT)
            )
        return made

    def _with_options(self, options: Mapping[str, str]) -> Self:
        unknown = sorted(set(options) - set(OPTIONS))
        if unknown:
            raise SettingError(
                f"no such option of a store: {unknown[0]!r}", hint=f"options: {', '.join(OPTIONS)}"
            )
        tls = options.get("tls", "on" if self.tls else "off")
        if tls not in ("on", "off"):
            raise SettingError(f"tls is on or off, got {tls!r}")
        return replace(
            self,
            tls=tls == "on",
            ca=options.get("ca", self.ca),
            shards=_number(options, "shards", self.shards, 1, 1024),
            replicas=_number(options, "replicas", self.replicas, 0, 10),
            timeout_s=_number(options, "timeout", int(self.timeout_s), 1, 3600),
        )


def _host(part: str, text: str) -> tuple[str, int]:
    try:
        split = urlsplit(f"//{part}")
        host, port = split.hostname, split.port
    except ValueError:
        host, port = None, None
    if not host:
        raise SettingError(f"not a host and port: {part!r} in {text!r}", hint=f"write {EXAMPLE}")
    return host, port or PORT


def _number(options: Mapping[str, str], name: str, usual: int, least: int, most: int) -> int:
    said = options.get(name, str(usual))
    if not said.isdecimal() or not least <= int(said) <= most:
        raise SettingError(f"{name} of a store is {least} to {most}, got {said!r}")
    return int(said)
