"""Loopback: which hosts are this machine, so that what goes there stays here."""

from __future__ import annotations

import ipaddress
import socket


def is_this_machine(host: str) -> bool:
    """Whether a host can be nobody but this machine: ``localhost``, or an address of it in any
    spelling a connection would take (``127.1``, ``::ffff:127.0.0.1``)."""
    host = host.strip("[]").rstrip(".").lower()
    return host == "localhost" or _is_own_address(host)


def is_loopback(host: str) -> bool:
    """The same, and names below ``localhost``, which are meant to be this machine (RFC 6761) but
    which a resolver may know otherwise: no reason to ask a proxy, none to send a secret."""
    return is_this_machine(host) or host.rstrip(".").lower().endswith(".localhost")


def _is_own_address(host: str) -> bool:
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        try:
            address = ipaddress.ip_address(socket.inet_aton(host))
        except (OSError, ValueError):  # a name
            return False
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    address = mapped or address
    return address.is_loopback or address.is_unspecified
