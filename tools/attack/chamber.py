"""The place where attacks run: no network but loopback, mounts and processes of its own."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
from pathlib import Path

INSIDE = "ATTACK_INSIDE"
OWN = ("--net", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child")
AS_ROOT = ("unshare", *OWN)
AS_USER = ("unshare", "--user", "--map-root-user", *OWN)
SIOCSIFFLAGS, IFF_UP = 0x8914, 1


def way_in() -> tuple[str, ...]:
    """How to start a command in there; empty where that is not permitted."""
    if shutil.which("unshare") is None:
        return ()
    for way in (AS_ROOT, AS_USER):
        if subprocess.run([*way, "true"], capture_output=True, check=False).returncode == 0:
            return way
    return ()


def missing() -> str:
    """What this machine lacks for it, in words; "" if nothing."""
    if not sys.platform.startswith("linux"):
        return "namespaces are Linux's"
    if not way_in():
        return "unshare is missing or not permitted"
    if shutil.which("strace") is None:
        return "strace is missing"
    tried = subprocess.run(
        ["strace", "-f", "-qq", "-o", os.devnull, "true"], capture_output=True, check=False
    )
    return "" if tried.returncode == 0 else "processes cannot be traced here"


def enter(arguments: list[str], module: str = "tools.attack") -> int:
    """Run a benchmark again, inside; its exit status."""
    command = [*way_in(), sys.executable, "-m", module, *arguments]
    process = subprocess.Popen(command, env={**os.environ, INSIDE: "1"})

    def end(number: int, _frame: object) -> None:
        process.kill()  # it takes everything inside with it
        sys.exit(128 + number)

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    return process.wait()


def is_inside() -> bool:
    """Whether this is the run inside."""
    return os.environ.get(INSIDE) == "1"


def raise_loopback() -> None:
    """Bring up the one interface there is, for endpoints of our own."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP))


def mount_memory(folder: Path, size: str = "8g") -> None:
    """A file system in memory on a folder, seen by nobody else."""
    folder.mkdir(parents=True, exist_ok=True)
    options = f"size={size},mode=0700,nr_inodes=0"
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "attack", str(folder)], check=True)


def remount_read_only(folder: Path) -> None:
    """Let nothing more be written to what was mounted on a folder."""
    subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)


def unmount(folder: Path) -> None:
    """Take away what was mounted on a folder."""
    subprocess.run(["umount", "-l", str(folder)], check=True)
