"""Downloading archives with each ecosystem's own client.

The clients know the user's mirrors, proxies and certificates, so no address stands here.
Every one of them is asked for files only: nothing that a package brings is run. That is
why PyPI means wheels: to resolve a source distribution pip would run its build backend. Where
source distributions are wanted, with their tests and documentation, ``sdists.py`` has pip find
them and downloads them with pip's own session.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from tools.corpora.catalog import CorpusError, Package

CLIENT_TIMEOUT_S = 900
SDISTS = Path(__file__).with_name("sdists.py")

MAVEN_PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1"
APT_HELPER = "/usr/lib/apt/apt-helper"
DEBIAN_KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")

Fetcher = Callable[[Sequence[Package], Path], Mapping[str, Path]]  # name to archive


def run(command: Sequence[str], folder: Path, env: Mapping[str, str] | None = None) -> str:
    """Run a client in a folder; its standard output."""
    if shutil.which(command[0]) is None:
        raise CorpusError(f"{command[0]} is not installed")
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, **(env or {})},
            capture_output=True,
            text=True,
            check=False,
            timeout=CLIENT_TIMEOUT_S,
        )
    except subprocess.TimeoutExpired as error:
        raise CorpusError(f"{command[0]} took more than {CLIENT_TIMEOUT_S} s") from error
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()[-3:]
        asked = " ".join(part for part in command if not part.startswith("-"))
        raise CorpusError(f"{asked[:100]} failed: {' / '.join(said)[-300:]}")
    return done.stdout


def only_match(folder: Path, pattern: str) -> Path:
    """The one file of a folder whose name matches a regular expression whole."""
    found = [path for path in folder.iterdir() if re.fullmatch(pattern, path.name, re.IGNORECASE)]
    if len(found) != 1:
        raise CorpusError(f"expected one file like {pattern}, got {len(found)}")
    return found[0]


def from_pypi(packages: Sequence[Package], folder: Path) -> dict[str, Path]:
    """Wheels for one fixed platform, so that everyone gets the same."""
    target = ["--python-version=3.13", "--platform=manylinux_2_12_x86_64", "--platform=any"]
    plain = ["--no-deps", "--no-cache-dir", "--only-binary=:all:", f"--dest={folder}", "--quiet"]
    wanted = [f"{package.name}=={package.version}" for package in packages]
    run(["pip", "download", *plain, *target, *wanted], folder)
    return {
        package.name: only_match(
            folder,
            re.sub(r"[-_.]+", "[-_.]+", package.name) + f"-{re.escape(package.version)}-.*[.]whl",
        )
        for package in packages
    }


def from_pypi_sdists(packages: Sequence[Package], folder: Path) -> dict[str, Path]:
    """Source distributions; the user's pip says where they are."""
    said = run(["pip", "--version"], folder)
    pip = re.search(r" from (.+) \(python", said)
    if pip is None:
        raise CorpusError(f"pip does not say where it lies: {said.strip()[:100]}")
    wanted = [f"{package.name}=={package.version}" for package in packages]
    beside = str(Path(pip[1]).parent)
    got = run([sys.executable, str(SDISTS), beside, str(folder), *wanted], folder)
    names = got.split()
    return {package.name: folder / name for package, name in zip(packages, names, strict=True)}


def from_npm(packages: Sequence[Package], folder: Path) -> dict[str, Path]:
    """Tarballs; without the flag npm would run a package's prepare script."""
    wanted = [f"{package.name}@{package.version}" for package in packages]
    run(["npm", "pack", "--ignore-scripts", "--silent", *wanted], folder)
    return {package.name: folder / f"{package.slug}-{package.version}.tgz" for package in packages}


def from_maven(packages: Sequence[Package], folder: Path) -> dict[str, Path]:
    """Source jars, all in one run of one pinned plugin."""
    items = "".join(
        f"<artifactItem><groupId>{escape(group)}</groupId><artifactId>{escape(artifact)}"
        f"</artifactId><version>{escape(package.version)}</version>"
        "<classifier>sources</classifier></artifactItem>"
        for package in packages
        for group, artifact in [package.name.split(":")]
    )
    plugin, version = MAVEN_PLUGIN.rsplit(":", 1)
    group, artifact = plugin.split(":")
    (folder / "pom.xml").write_text(
        "<project><modelVersion>4.0.0</modelVersion><groupId>none</groupId>"
        "<artifactId>none</artifactId><version>0</version><packaging>pom</packaging>"
        f"<build><plugins><plugin><groupId>{group}</groupId><artifactId>{artifact}</artifactId>"
        f"<version>{version}</version><configuration><outputDirectory>{escape(str(folder))}"
        f"</outputDirectory><artifactItems>{items}</artifactItems></configuration>"
        "</plugin></plugins></build></project>",
        encoding="utf-8",
    )
    run(["mvn", "--batch-mode", "--quiet", f"{MAVEN_PLUGIN}:copy"], folder)
    return {
        package.name: folder / f"{package.name.split(':')[1]}-{package.version}-sources.jar"
        for package in packages
    }


def from_go(packages: Sequence[Package], folder: Path) -> dict[str, Path]:
    """Module zips, in a module cache of our own that can be deleted again."""
    env = {"GOMODCACHE": str(folder / "cache"), "GOFLAGS": "-modcacherw", "GOTOOLCHAIN": "local"}
    wanted = [f"{package.name}@{package.version}" for package in packages]
    said = run(["go", "mod", "download", "-json", *wanted], folder, env)
    decoder, zips = json.JSONDecoder(), {}
    while said := said.lstrip():
        module, end = decoder.raw_decode(said)
        zips[module["Path"]] = Path(module["Zip"])
        said = said[end:]
    return zips


def from_crates(packages: Sequence[Package], folder: Path) -> dict[str, Path]:
    """Crates, as dependencies of an empty project: cargo fetches but builds nothing."""
    home = folder / "home"
    home.mkdir(exist_ok=True)
    own = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo")) / "config.toml"
    if own.exists():
        shutil.copy(own, home)
    (folder / "src").mkdir(exist_ok=True)
    (folder / "src" / "lib.rs").touch()
    (folder / "Cargo.lock").unlink(missing_ok=True)
    wanted = "".join(
        f'd{number} = {{ package = "{package.name}", version = "={package.version}", '
        "default-features = false }\n"
        for number, package in enumerate(packages)
    )
    (folder / "Cargo.toml").write_text(
        '[package]\nname = "none"\nversion = "0.0.0"\nedition = "2021"\n'
        f"[workspace]\n[dependencies]\n{wanted}",
        encoding="utf-8",
    )
    run(["cargo", "fetch", "--quiet"], folder, {"CARGO_HOME": str(home)})
    (cache,) = (home / "registry" / "cache").iterdir()
    return {package.name: cache / f"{package.name}-{package.version}.crate" for package in packages}


def from_debian_source(packages: Sequence[Package], folder: Path) -> dict[str, Path]:
    """Upstream's tarballs as Debian keeps them, without Debian's patches."""
    options = _own_apt(folder)
    return {package.name: _source_tarball(package.name, options, folder) for package in packages}


def _source_tarball(name: str, options: Sequence[str], folder: Path) -> Path:
    asked = ["source", "--print-uris", "--download-only", "--only-source", name]
    tarball = re.compile(rf"'(\S+)' ({re.escape(name)}_([^-]*|\S*[.]orig)[.]tar[.]\w+) \d+ (\S+)")
    # From another folder: what is here already, apt would leave out.
    found = tarball.search(run(["apt-get", *options, *asked], folder / "lists"))
    if found is None:
        raise CorpusError(f"{name} has no upstream tarball")
    address, file_name, _, digest = found.groups()
    if not (folder / file_name).exists():
        run([APT_HELPER, *options, "download-file", address, file_name, digest], folder)
    return folder / file_name


def from_debian(packages: Sequence[Package], folder: Path) -> dict[str, Path]:
    """Binary packages, downloaded and not installed."""
    options = _own_apt(folder)
    names = [package.name for package in packages]
    run(["apt-get", *options, "download", *names], folder)
    return {name: only_match(folder, re.escape(name) + "_.*[.]deb") for name in names}


def _own_apt(folder: Path) -> list[str]:
    """Options that give apt-get lists of its own, sources included.

    The user's lists rarely have sources and take root to update. The mirrors are the
    user's, asked for at run time.
    """
    options = [
        f"-oDir::State::lists={folder}/lists",
        f"-oDir::Cache={folder}/cache",
        f"-oDir::Etc::sourcelist={folder}/mirrors.list",
        "-oDir::Etc::sourceparts=-",
        "-oAPT::Sandbox::User=",
        "-oAcquire::Languages=none",
        "-oAcquire::IndexTargets::deb::DEP-11::DefaultEnabled=false",
    ]
    if (folder / "mirrors.list").exists():
        return options
    form = "$(ORIGIN) $(REPO_URI) $(RELEASE) $(COMPONENT)"
    targets = run(["apt-get", "indextargets", "--format", form, "Created-By: Packages"], folder)
    # The release proper changes only with point releases; its additions come and go.
    mirrors = sorted(
        {
            line.removeprefix("Debian ")
            for line in targets.splitlines()
            if line.startswith("Debian ") and "-" not in line.split()[2]
        }
    )
    if not mirrors:
        raise CorpusError("apt knows no Debian mirror; run apt-get update on a Debian system")
    signed = f"[signed-by={DEBIAN_KEYRING}] " if DEBIAN_KEYRING.exists() else ""
    for part in ("lists/partial", "cache/archives/partial"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    (folder / "mirrors.list").write_text(
        "".join(f"{kind} {signed}{line}\n" for line in mirrors for kind in ("deb", "deb-src")),
        encoding="utf-8",
    )
    run(["apt-get", *options, "update"], folder)
    return options


def debian_version(archive: Path) -> str:
    """``redis_7.0.15.orig.tar.gz`` is 7.0.15; a .deb keeps its revision."""
    version = archive.name.split("_", 1)[1]
    if archive.suffix == ".deb":
        return version.rsplit("_", 1)[0].replace("%3a", ":")
    return re.sub(r"([.]orig)?[.]tar[.]\w+$", "", version)


FETCHERS: Mapping[str, Fetcher] = {
    "pypi": from_pypi,
    "pypi-sdist": from_pypi_sdists,
    "npm": from_npm,
    "maven-sources": from_maven,
    "go": from_go,
    "crate": from_crates,
    "debian-source": from_debian_source,
    "debian": from_debian,
}
