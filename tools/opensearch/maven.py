"""Maven: files from the registry its own settings name.

Maven knows mirrors, proxies and credentials of the machine it runs on, so nothing here names
a host. It is driven by generated project files, one run for many packages.

What Maven itself runs, its plugin, is taken only with the registry's checksum. The packages
need none (some zips have none there): each is proved by its SHA-256 in ``checksums.txt``.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from tools.opensearch.errors import PartMissing
from tools.opensearch.packages import Package

TIMEOUT_S = 900
STRICT = "--strict-checksums"
PLUGIN_VERSION = "3.6.1"
PLUGIN = f"org.apache.maven.plugins:maven-dependency-plugin:{PLUGIN_VERSION}"
PROJECT = (
    "<project><modelVersion>4.0.0</modelVersion>"
    "<groupId>local</groupId><artifactId>wanted</artifactId><version>1</version>{}</project>"
)
COPY = (
    "<build><plugins><plugin><groupId>org.apache.maven.plugins</groupId>"
    f"<artifactId>maven-dependency-plugin</artifactId><version>{PLUGIN_VERSION}</version>"
    "<configuration>"
    "<outputDirectory>{folder}</outputDirectory><artifactItems>{items}</artifactItems>"
    "</configuration></plugin></plugins></build>"
)
LISTED = re.compile(r"^\s+([\w.-]+):([\w.-]+):(jar):([\w.-]+):(?:compile|runtime)\b", re.MULTILINE)


def fetch(packages: Sequence[Package], folder: Path) -> None:
    """Put the files of packages into a folder, each under its own name."""
    _run(PROJECT.format(""), f"{PLUGIN}:help", about="its own plugin", options=[STRICT])
    items = "".join(f"<artifactItem>{_named(each)}</artifactItem>" for each in packages)
    project = PROJECT.format(COPY.format(folder=escape(str(folder)), items=items))
    _run(project, f"{PLUGIN}:copy", about=f"{len(packages)} packages of OpenSearch")


def runtime_of(package: Package) -> list[Package]:
    """A jar and every jar it needs when it runs, as Maven resolves it."""
    wanted = f"<dependencies><dependency>{_named(package)}</dependency></dependencies>"
    with tempfile.TemporaryDirectory() as folder:
        listing = Path(folder) / "list.txt"
        goal = [f"{PLUGIN}:list", "-DincludeScope=runtime", f"-DoutputFile={listing}"]
        _run(PROJECT.format(wanted), *goal, about=package.coordinates)
        text = listing.read_text("utf-8")
    return sorted(
        Package(group, artifact, version, kind)
        for group, artifact, kind, version in LISTED.findall(text)
    )


def _named(package: Package) -> str:
    return (
        f"<groupId>{escape(package.group)}</groupId>"
        f"<artifactId>{escape(package.artifact)}</artifactId>"
        f"<version>{escape(package.version)}</version><type>{escape(package.kind)}</type>"
    )


def _run(project: str, *goal: str, about: str, options: Sequence[str] = ()) -> None:
    """Run Maven on a project made for the occasion."""
    maven = shutil.which("mvn")
    if maven is None:
        raise PartMissing("Maven (mvn) is not installed", hint="install maven, then try again")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pom.xml"
        file.write_text(project, "utf-8")
        try:
            run = subprocess.run(
                [maven, "-q", "-B", *options, "-f", str(file), *goal],
                capture_output=True,
                text=True,
                check=False,
                stdin=subprocess.DEVNULL,
                timeout=TIMEOUT_S,
            )
        except subprocess.TimeoutExpired:
            raise PartMissing(f"Maven did not fetch {about} within {TIMEOUT_S} s") from None
    if run.returncode:
        last = [line for line in run.stdout.splitlines() if "ERROR" in line][:1]
        raise PartMissing(f"Maven cannot fetch {about}: {' '.join(last) or run.stderr.strip()}")
