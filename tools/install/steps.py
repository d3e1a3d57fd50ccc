"""Steps of an installation without network: build, download, install, run, measure."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

Command = list[str | Path]
ROOT = Path(__file__).resolve().parents[2]
LOCK = ROOT / "requirements" / "core.txt"
CUT_OFF = ("unshare", "--net")
CUT_OFF_AS_USER = ("unshare", "--user", "--map-root-user", "--net")
BUILT_WITH = ("_distutils_hack", "distutils-precedence", "pip", "pkg_resources", "setuptools")


class StepFailed(Exception):
    """A command did not do what it should; the message holds what it said."""


def run(command: Sequence[str | Path], env: Mapping[str, str] | None = None) -> str:
    """Run a command; what it printed.

    Raises:
        StepFailed: It did not exit with 0.
    """
    done = subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        check=False,
        env=None if env is None else dict(env),
    )
    if done.returncode:
        said = (done.stderr or done.stdout).strip()[-1000:]
        raise StepFailed(f"exit {done.returncode} from {Path(command[0]).name}: {said}")
    return done.stdout


def cutting_off() -> tuple[str, ...]:
    """How to start a command without network here; empty if that is not permitted."""
    for way in (CUT_OFF, CUT_OFF_AS_USER):
        if shutil.which(way[0]) is None:
            continue
        try:
            run([*way, "true"])
        except StepFailed:
            continue
        return way
    return ()


def has_network(cut_off: Sequence[str], python: Path) -> bool:
    """Whether a command started this way still has an interface besides loopback."""
    found = run([*cut_off, python, "-c", "import socket; print(len(socket.if_nameindex()))"])
    return int(found) > 1


def build_wheel(into: Path) -> Path:
    """Build the wheel of this tree with what the development lock holds."""
    run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", into, ROOT])
    (wheel,) = into.glob("plait-*.whl")
    return wheel


def make_environment(folder: Path) -> Path:
    """Make a fresh environment with pip and nothing else; its interpreter."""
    run([sys.executable, "-m", "venv", folder])
    return folder / "bin" / "python"


def download_locked(python: Path, into: Path) -> None:
    """Download every wheel of the core lock, hashes checked."""
    command: Command = [python, "-m", "pip", "download", "--quiet", "--require-hashes", "--no-deps"]
    run([*command, "--only-binary", ":all:", "--dest", into, "--requirement", LOCK])


def download(python: Path, into: Path, package: str) -> None:
    """Download one further wheel and what it needs."""
    command: Command = [python, "-m", "pip", "download", "--quiet", "--only-binary", ":all:"]
    run([*command, "--dest", into, package])


def install_offline(cut_off: Sequence[str], python: Path, wheels: Path, package: str) -> None:
    """Install from a folder of wheels, uncompiled, with no index and no network."""
    command: Command = [
        *cut_off,
        python,
        "-m",
        "pip",
        "--isolated",
        "install",
        "--quiet",
        "--no-compile",
    ]
    run([*command, "--no-index", "--find-links", wheels, package], plain_environment())


def plain_environment(**further: str) -> dict[str, str]:
    """The environment of a new user: no settings of pip, Python or plait."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PIP_", "PLAIT_", "PYTHON", "UV_", "VIRTUAL_ENV"))
    }
    return {**kept, **further}


def site_packages(python: Path) -> Path:
    """Where an environment keeps its packages."""
    found = run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"])
    return Path(found.strip())


def compile_all(python: Path) -> None:
    """Compile every module, as most installations are."""
    run([python, "-m", "compileall", "-q", "-j", "1", site_packages(python)])


def disk_bytes(python: Path) -> dict[str, int]:
    """What an environment's packages take on disk, less what every environment has: each
    entry of its folder, largest first, in whole blocks as ``du`` counts."""
    found = {
        top.name: sum(
            path.lstat().st_blocks * 512
            for path in (top, *(top.rglob("*") if top.is_dir() else ()))
        )
        for top in site_packages(python).iterdir()
        if not top.name.startswith(BUILT_WITH)
    }
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def cpu_s(command: Sequence[str | Path], env: Mapping[str, str]) -> float:
    """CPU time of one run of a command, its children included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(command, env)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
