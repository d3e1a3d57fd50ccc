"""Managers: how each package manager is asked to download and do nothing else.

Each function takes packages of its ecosystem and a folder, and says which files came for
which package, with the version that came, and what the manager said if some did not.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from training.lists import Package

Got = list[tuple[Package, list[str]]]
Manager = Callable[[Sequence[Package], Path], tuple[Got, str]]

TIMEOUT_S = 1800
APT_SOURCES = (Path("/etc/apt/sources.list.d"), Path("/etc/apt/sources.list"))
_apt_lock = threading.Lock()


def run(command: Sequence[str], folder: Path) -> tuple[str, str]:
    """What a command writes to standard output and error; a failure is only text here."""
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
            env={**os.environ, "LC_ALL": "C", "DEBIAN_FRONTEND": "noninteractive"},
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return "", str(error)
    return done.stdout, done.stderr or f"exit code {done.returncode}"


# ---------------------------------------------------------------- Debian


def debian(packages: Sequence[Package], folder: Path) -> tuple[Got, str]:
    """Binary packages, which for interpreted languages and Go and Rust hold the source."""
    wanted = [package.entry for package in packages]
    _, why = run(["apt-get", "-qq", "-o", "APT::Sandbox::User=root", "download", *wanted], folder)
    got: Got = []
    for package in packages:
        version = package.version.replace(":", "%3a") or "*"
        for file in sorted(folder.glob(f"{package.name}_{version}_*.deb")):
            came = file.name.split("_")[1].replace("%3a", ":")
            got.append((package._replace(version=came), [file.name]))
            break
    return got, why


def debian_source(packages: Sequence[Package], folder: Path) -> tuple[Got, str]:
    """Source packages: the original archives and the one that holds ``debian/copyright``."""
    with _apt_lock:
        options = source_options(folder.parent.parent / "apt")
    wanted = [package.entry for package in packages]
    command = ["apt-get", "-qq", *options, "source", "--download-only", "--only-source", *wanted]
    _, why = run(command, folder)
    got: Got = []
    for package in packages:
        version = package.version.partition(":")[2] or package.version or "*"
        for description in sorted(folder.glob(f"{package.name}_{version}.dsc")):
            text = description.read_text("utf-8", "replace")
            came = re.search(r"^Version: *(\S+)", text, re.MULTILINE)
            sums = text.partition("Checksums-Sha256:")[2]
            files = re.findall(r"^ [0-9a-f]{64} \d+ (\S+)$", sums, re.MULTILINE)
            files = [name for name in files if not name.endswith((".asc", ".sig"))]
            if came and files and all((folder / name).exists() for name in files):
                got.append((package._replace(version=came[1]), files))
                break
    return got, why


def source_options(home: Path) -> list[str]:
    """Options for a private apt that knows source packages, made of the system's own sources."""
    lists = home / "lists"
    options = [
        *("-o", "APT::Sandbox::User=root"),
        *("-o", f"Dir::Etc::sourcelist={home.resolve()}/sources.list"),
        *("-o", f"Dir::Etc::sourceparts={home.resolve()}/parts"),
        *("-o", f"Dir::State::lists={lists.resolve()}"),
        *("-o", f"Dir::Cache={home.resolve()}/cache"),
    ]
    if (home / "ready").exists():
        return options
    for made in (lists / "partial", home / "parts", home / "cache" / "archives" / "partial"):
        made.mkdir(parents=True, exist_ok=True)
    parts, plain = APT_SOURCES
    for file in sorted(parts.glob("*.sources")):
        text = re.sub(r"(?m)^Types:.*$", "Types: deb-src", file.read_text("utf-8"))
        (home / "parts" / file.name).write_text(text, "utf-8")
    text = plain.read_text("utf-8") if plain.exists() else ""
    (home / "sources.list").write_text(re.sub(r"(?m)^deb ", "deb-src ", text), "utf-8")
    run(["apt-get", "-qq", *options, "update"], home)
    (home / "ready").touch()
    return options


# ---------------------------------------------------------------- PyPI and npm


def pypi(packages: Sequence[Package], folder: Path) -> tuple[Got, str]:
    """Wheels: an sdist would have to be built."""
    wanted = [f"{p.name}=={p.version}" if p.version else p.name for p in packages]
    command = ["pip", "download", "-q", "--no-deps", "--only-binary=:all:"]
    _, why = run([*command, "-d", ".", *wanted], folder)
    got: Got = []
    for package in packages:
        stem = re.sub(r"[-_.]+", "_", package.name).lower()
        for file in sorted(folder.glob("*.whl")):
            name, version = file.name.split("-")[:2]
            is_it = re.sub(r"[-_.]+", "_", name).lower() == stem
            if is_it and package.version in ("", version):
                got.append((package._replace(version=version), [file.name]))
                break
    return got, why


def npm(packages: Sequence[Package], folder: Path) -> tuple[Got, str]:
    """Tarballs as published."""
    wanted = [f"{p.name}@{p.version}" if p.version else p.name for p in packages]
    said, why = run(["npm", "pack", "--silent", "--json", "--ignore-scripts", *wanted], folder)
    try:
        packed = json.loads(said)
    except ValueError:
        return [], why
    by_name = {package.name: package for package in packages}
    got: Got = []
    for each in packed if isinstance(packed, list) else ():
        package = by_name.get(each.get("name", ""))
        file = each.get("filename", "").replace("@", "").replace("/", "-")
        if package and (folder / file).exists():
            got.append((package._replace(version=each["version"]), [file]))
    return got, why


# ---------------------------------------------------------------- Maven

PARENT = """<project><modelVersion>4.0.0</modelVersion>
<groupId>t</groupId><artifactId>all</artifactId>
<version>1</version><packaging>pom</packaging><modules>{modules}</modules></project>
"""
MODULE = """<project><modelVersion>4.0.0</modelVersion>
<groupId>t</groupId><artifactId>m{at}</artifactId>
<version>1</version><packaging>pom</packaging><build><plugins><plugin>
<groupId>org.apache.maven.plugins</groupId><artifactId>maven-dependency-plugin</artifactId>
<executions><execution><id>copy</id><phase>validate</phase><goals><goal>copy</goal></goals>
<configuration><outputDirectory>{folder}</outputDirectory><artifactItems>{items}</artifactItems>
</configuration></execution></executions></plugin></plugins></build></project>
"""
ITEM = (
    "<artifactItem><groupId>{group}</groupId><artifactId>{artifact}</artifactId>"
    "<version>{version}</version>{kind}</artifactItem>"
)
KINDS = {"-sources.jar": "<classifier>sources</classifier>", ".pom": "<type>pom</type>"}
MAX_PARENTS = 4

Wanted = tuple[str, str, str, tuple[str, ...]]  # group, artifact, version, kinds


def maven(packages: Sequence[Package], folder: Path) -> tuple[Got, str]:
    """Source archives and the project files, parents included, that name the licence."""
    why = ""
    wanted: list[Wanted] = []
    for package in packages:
        group, _, artifact = package.name.partition(":")
        wanted.append((group, artifact, package.version or "RELEASE", tuple(KINDS)))
    came: dict[tuple[str, str], Path] = {}
    for _ in range(MAX_PARENTS):
        files, said = copied(wanted, folder)
        why = why or said
        came.update(files)
        wanted = []
        for (_, kind), file in list(came.items()):
            above = parent_of(file) if kind == ".pom" else None
            if above and (":".join(above[:2]), ".pom") not in came:
                wanted.append((*above, (".pom",)))
        wanted = sorted(set(wanted))
        if not wanted:
            break
    got: Got = []
    for package in packages:
        jar, pom = came.get((package.name, "-sources.jar")), came.get((package.name, ".pom"))
        if jar is None or pom is None:
            continue
        artifact = package.name.partition(":")[2]
        version = jar.name.removeprefix(f"{artifact}-").removesuffix("-sources.jar")
        chain = [pom]
        while (above := parent_of(chain[-1])) is not None and len(chain) <= MAX_PARENTS:
            next_up = came.get((":".join(above[:2]), ".pom"))
            if next_up is None:
                break
            chain.append(next_up)
        got.append((package._replace(version=version), [jar.name, *(p.name for p in chain)]))
    return got, why


def copied(wanted: Sequence[Wanted], folder: Path) -> tuple[dict[tuple[str, str], Path], str]:
    """Have one run of Maven copy artifacts, each in a module of its own so that each may fail."""
    found: dict[tuple[str, str], Path] = {}
    with tempfile.TemporaryDirectory() as home:
        modules = []
        for at, (group, artifact, version, kinds) in enumerate(wanted):
            out = Path(home) / f"out{at}"
            items = "".join(
                ITEM.format(
                    group=escape(group),
                    artifact=escape(artifact),
                    version=escape(version),
                    kind=KINDS[kind],
                )
                for kind in kinds
            )
            module = Path(home) / f"m{at}"
            module.mkdir()
            text = MODULE.format(at=at, folder=out, items=items)
            (module / "pom.xml").write_text(text, "utf-8")
            modules.append(f"<module>m{at}</module>")
        (Path(home) / "pom.xml").write_text(PARENT.format(modules="".join(modules)), "utf-8")
        said, _ = run(["mvn", "-q", "-B", "--fail-never", "validate"], Path(home))
        for at, (group, artifact, _, kinds) in enumerate(wanted):
            for kind in kinds:
                for file in sorted((Path(home) / f"out{at}").glob(f"*{kind}")):
                    found[f"{group}:{artifact}", kind] = Path(shutil.move(file, folder / file.name))
    return found, said


def parent_of(pom: Path) -> tuple[str, str, str] | None:
    """The coordinates of a project's parent."""
    text = pom.read_text("utf-8", "replace")
    block = re.search(r"<parent>(.*?)</parent>", text, re.DOTALL)
    if not block:
        return None
    parts = [
        re.search(rf"<{tag}>\s*([^<$]+?)\s*</{tag}>", block[1])
        for tag in ("groupId", "artifactId", "version")
    ]
    if not all(parts):
        return None
    group, artifact, version = (part[1] for part in parts if part)
    return group, artifact, version


MANAGERS: dict[str, Manager] = {
    "debian": debian,
    "debian-source": debian_source,
    "maven": maven,
    "npm": npm,
    "pypi": pypi,
}
