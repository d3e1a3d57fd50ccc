"""Licences: under which terms does a package come, and can we take them?

What a package says of itself is read from its metadata: a licence expression, else its
classifiers, else one short line. Terms are compared by name; a name nobody has read is a fault.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.metadata import distributions
from pathlib import Path

from packaging.utils import canonicalize_name

from tools.audit.locks import Pin

# Permissive, and the weak copyleft of files that we neither change nor ship.
ACCEPTED = frozenset(
    {
        "0BSD",
        "Apache-2.0",
        "BSD",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "CC0-1.0",
        "ISC",
        "MIT",
        "MPL-2.0",
        "PSF-2.0",
        "Zlib",
    }
)
# The same under the names that classifiers and older metadata use.
SPELLINGS = {
    "3-clause bsd license": "BSD-3-Clause",
    "apache 2.0": "Apache-2.0",
    "apache software license": "Apache-2.0",
    "bsd 2-clause license": "BSD-2-Clause",
    "bsd license": "BSD",
    "isc license": "ISC",
    "isc license (iscl)": "ISC",
    "mit license": "MIT",
    "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0",
    "python software foundation license": "PSF-2.0",
}
# Of packages that this platform does not install.
ELSEWHERE = {"colorama": "BSD-3-Clause", "httpx2-jsfetch": "BSD-3-Clause"}
LONGEST_NAME = 60  # a longer "name" is the whole text of a licence


def licences(pins: Iterable[Pin], environments: Iterable[Path]) -> dict[Pin, str]:
    """The terms of each pin as its installed metadata has them; "" where it does not say.

    Args:
        pins: What to look for.
        environments: Virtual environments in which the locks are installed.
    """
    folders = [str(site) for each in environments for site in each.glob("lib/*/site-packages")]
    said = {
        canonicalize_name(found.metadata["Name"]): _terms(
            found.metadata.get_all("License-Expression") or [],
            found.metadata.get_all("Classifier") or [],
            found.metadata.get_all("License") or [],
        )
        for found in distributions(path=folders)
    }
    return {
        pin: said.get(canonicalize_name(pin.name)) or ELSEWHERE.get(pin.name, "") for pin in pins
    }


def _terms(expressions: list[str], classifiers: list[str], lines: list[str]) -> str:
    if expressions:
        return expressions[0]
    classified = {
        SPELLINGS.get(name.lower(), name)
        for line in classifiers
        if line.startswith("License ::") and (name := line.rpartition(" :: ")[2]) != "OSI Approved"
    }
    if classified:
        return " AND ".join(sorted(classified))
    line = lines[0].strip() if lines else ""
    return SPELLINGS.get(line.lower(), line) if len(line) <= LONGEST_NAME else ""


def is_accepted(terms: str) -> bool:
    """Whether every part of some terms is accepted; of a choice (OR) one is enough."""
    if not terms:
        return False
    return all(
        any(choice.strip(" ()") in ACCEPTED for choice in part.split(" OR "))
        for part in re.split(r" AND |, ", terms)
    )
