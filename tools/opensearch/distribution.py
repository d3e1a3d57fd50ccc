"""Distribution: OpenSearch with k-NN, put together from Maven packages and kept.

Where there is no container to run and no archive to download, a registry of Java packages
still has every part: the server without its modules, two modules that k-NN and the analysers
need (Painless scripts and the common analysers), the k-NN plug-in, and the security plug-in.
A distribution is built in a folder beside its place and renamed into it, so whatever has the
name is whole; the name carries a fingerprint of the recorded checksums and of the recipe.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from platformdirs import site_cache_path, user_cache_path

from tools.opensearch import maven
from tools.opensearch.errors import ClusterError
from tools.opensearch.locks import alone
from tools.opensearch.packages import (
    CHECKSUMS,
    KNN,
    SECURITY,
    SERVER,
    Locked,
    Package,
    read_checksums,
    sha256_of,
    write_checksums,
)

RELEASES = ("3.4.0", "2.19.1")
# The plug-in for 3.4.0 extends a module, rule-framework, that no registry of packages has.
SECURABLE = ("2.19.1",)
RECIPE = 1  # raised when the same packages are put together in another way
NAME = "plait-opensearch"
COMPLETE = ".complete"

# A module, and the one it extends, whose jars it must not carry a second time.
MODULES = {"lang-painless": "", "analysis-common": "lang-painless"}
PAINLESS_MAY = ("createClassLoader", "getClassLoader", "accessDeclaredMembers")


def cache_folder() -> Path:
    """Where distributions are kept: ``PLAIT_OPENSEARCH``, or the cache of user or system.

    Nodes do not run as root, and no other user may look into root's home: root keeps them
    in the cache of the system.
    """
    if named := os.environ.get("PLAIT_OPENSEARCH"):
        return Path(named).absolute()
    return site_cache_path(NAME) if os.geteuid() == 0 else user_cache_path(NAME)


def install(release: str, *, security: bool = False, checksums: Path = CHECKSUMS) -> Path:
    """The home of a release of OpenSearch, put together first where that was not done yet."""
    if security and release not in SECURABLE:
        raise ClusterError(
            f"OpenSearch {release} cannot be put together with the security plug-in",
            hint=f"releases that can: {', '.join(SECURABLE)}",
        )
    wanted = [
        each
        for each in read_checksums(checksums)
        if each.release == release and (security or each.place != SECURITY)
    ]
    if not wanted:
        raise ClusterError(
            f"no checksums are recorded for OpenSearch {release}",
            hint=f"known releases: {', '.join(RELEASES)}",
        )
    cache = cache_folder()
    home = cache / f"opensearch-{release}{'-security' * security}-{_fingerprint(wanted)}"
    if (home / COMPLETE).exists():
        return home
    with alone(cache / "install.lock"):
        if not (home / COMPLETE).exists():
            stage = Path(tempfile.mkdtemp(prefix="stage-", dir=cache))
            try:
                _build(wanted, stage)
                shutil.rmtree(home, ignore_errors=True)
                (stage / "home").rename(home)
            finally:
                shutil.rmtree(stage)
    return home


def lock(releases: Sequence[str] = RELEASES) -> None:
    """Resolve every package anew and record what it is."""
    write_checksums(each for release in releases for each in _resolve(release))


def _fingerprint(wanted: Sequence[Locked]) -> str:
    text = "\n".join([f"recipe {RECIPE}", *sorted(each.line for each in wanted)])
    return hashlib.sha256(text.encode()).hexdigest()[:8]


# ---------------------------------------------------------------- building


def _build(wanted: Sequence[Locked], stage: Path) -> None:
    """Make ``stage/home`` from packages that are all the recorded ones."""
    packages, home = stage / "packages", stage / "home"
    maven.fetch([each.package for each in wanted], packages)
    for each in wanted:
        each.check(packages / each.package.file_name)
    server = next(each.package for each in wanted if each.place == SERVER)
    _unpack(packages / server.file_name, stage)
    (stage / f"opensearch-{server.version}").rename(home)
    for each in wanted:
        if each.place == SERVER:
            continue
        folder, file = home / each.place, packages / each.package.file_name
        folder.mkdir(parents=True, exist_ok=True)
        if each.package.kind == "zip":
            _unpack(file, folder)
        else:
            shutil.copy(file, folder)
    for module, extended in MODULES.items():
        _describe(home / "modules" / module, module, extended, server.version)
    (home / COMPLETE).touch()
    _open_to_all(home)


def _unpack(archive: Path, folder: Path) -> None:
    """Unzip, keeping which files can be executed."""
    with zipfile.ZipFile(archive) as opened:
        for member in opened.infolist():
            path = Path(opened.extract(member, folder))
            if (member.external_attr >> 16) & 0o100:
                path.chmod(0o755)


def _describe(folder: Path, module: str, extended: str, release: str) -> None:
    """Write what a module's own archive would say of it."""
    with zipfile.ZipFile(folder / f"{module}-{release}.jar") as jar:
        classes = [name for name in jar.namelist() if name.endswith("Plugin.class")]
    properties = {
        "name": module,
        "description": module,
        "classname": min(classes).removesuffix(".class").replace("/", "."),
        "extended.plugins": extended,
        "version": release,
        "opensearch.version": release,
        "java.version": "11",
        "custom.foldername": "",
        "has.native.controller": "false",
    }
    text = "".join(f"{name}={value}\n" for name, value in properties.items())
    (folder / "plugin-descriptor.properties").write_text(text, "utf-8")
    if module == "lang-painless":
        rights = "".join(
            f'  permission java.lang.RuntimePermission "{right}";\n' for right in PAINLESS_MAY
        )
        (folder / "plugin-security.policy").write_text(f"grant {{\n{rights}}};\n", "utf-8")


def _open_to_all(home: Path) -> None:
    """Let the user nodes run as read everything, whatever the umask."""
    for path in (home, *home.rglob("*")):
        path.chmod(path.stat().st_mode | (0o555 if path.is_dir() else 0o444))


# ---------------------------------------------------------------- recording


def _resolve(release: str) -> list[Locked]:
    """Every package of a release with its digest, as the registry has them now."""
    server = Package("org.opensearch.distribution.integ-test-zip", "opensearch", release, "zip")
    placed = [(SERVER, server)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        maven.fetch([server], folder)
        with zipfile.ZipFile(folder / server.file_name) as archive:
            carried = {Path(path).name for path in archive.namelist() if "/lib/" in path}
        jars: dict[str, set[str]] = {"": set()}
        for module, extended in MODULES.items():
            needed = maven.runtime_of(Package("org.opensearch.plugin", module, release, "jar"))
            own = [each for each in needed if each.file_name not in carried | jars[extended]]
            jars[module] = {each.file_name for each in own}
            placed += [(f"modules/{module}", each) for each in own]
        for place in (KNN, SECURITY) if release in SECURABLE else (KNN,):
            plugin = place.removeprefix("plugins/")
            placed.append((place, Package("org.opensearch.plugin", plugin, f"{release}.0", "zip")))
        maven.fetch([package for _, package in placed[1:]], folder)
        return [
            Locked(release, place, package, sha256_of(folder / package.file_name))
            for place, package in placed
        ]
