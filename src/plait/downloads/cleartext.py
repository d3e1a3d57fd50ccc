"""Cleartext: a secret goes over a network in the open only if its user said so by itself.

To choose a server without encryption is one decision, to show it a password another: the second
is a variable of the environment, which no file of a project and no address can set.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from plait.downloads.loopback import is_this_machine

ALLOWED = "1"


def who_would_read(hosts: Iterable[str], variable: str, environ: Mapping[str, str]) -> str:
    """The first host that a secret must not be sent to unencrypted; "" if there is none.

    Args:
        hosts: Where it would go.
        variable: The one that allows it, if it is ``1``.
        environ: The environment.
    """
    if environ.get(variable) == ALLOWED:
        return ""
    return next((host for host in hosts if not is_this_machine(host)), "")


def refused(secret: str, host: str) -> str:
    """What is refused, in words."""
    return f"the {secret} would go to {host} in the open, where anybody on the way can read it"


def way_out(instead: str, variable: str) -> str:
    """What to do about it: encrypt, or say that this is meant."""
    return f"{instead}, or set {variable}={ALLOWED} if that network is yours alone"
