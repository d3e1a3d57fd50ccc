"""Java: a runtime of a major version the wanted release runs on."""

from __future__ import annotations

import os
import re
from pathlib import Path

from tools.opensearch.errors import PartMissing

INSTALLED = Path("/usr/lib/jvm")  # where Linux distributions put them
MAJORS = {"2": range(11, 22), "3": range(21, 100)}  # of OpenSearch: of Java


def java_home(release: str) -> Path:
    """The home of a Java that runs a release of OpenSearch; the newest if there are several.

    ``OPENSEARCH_JAVA_HOME`` goes first where it fits.
    """
    majors = MAJORS[release.partition(".")[0]]
    named = os.environ.get("OPENSEARCH_JAVA_HOME")
    if named and major_of(Path(named)) in majors:
        return Path(named)
    folders = sorted(INSTALLED.iterdir()) if INSTALLED.is_dir() else []
    fitting = [each for each in folders if major_of(each) in majors]
    if not fitting:
        most = f" to {majors[-1]}" if majors[-1] < 99 else " or later"
        raise PartMissing(
            f"OpenSearch {release} needs Java {majors[0]}{most}, and none is installed",
            hint="install one, or set OPENSEARCH_JAVA_HOME to the folder that has bin/java",
        )
    return max(fitting, key=major_of)


def major_of(home: Path) -> int:
    """The major version of a Java by its own ``release`` file; 0 if it is none."""
    if not os.access(home / "bin" / "java", os.X_OK):
        return 0
    try:
        text = (home / "release").read_text("utf-8", errors="replace")
    except OSError:
        return 0
    found = re.search(r'^JAVA_VERSION="(\d+)', text, re.MULTILINE)
    return int(found[1]) if found else 0
