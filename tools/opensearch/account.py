"""Account: the user nodes run as, since OpenSearch refuses to run as root.

Where we are not root, nodes run as ourselves. Where we are, a system user is made once.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from pathlib import Path

from tools.opensearch.errors import ClusterError, PartMissing

USER = "plait-opensearch"


def prepare() -> None:
    """Have the user, where it takes another one than ourselves."""
    if os.geteuid() != 0:
        return
    if shutil.which("setpriv") is None:
        raise PartMissing("setpriv is not installed", hint="install util-linux, then try again")
    try:
        pwd.getpwnam(USER)
    except KeyError:
        command = ["useradd", "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", USER]
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=60)
        except (OSError, subprocess.CalledProcessError) as error:
            raise PartMissing(
                f"cannot make the user {USER} to run OpenSearch as: {error}"
            ) from None


def as_user(command: list[str]) -> list[str]:
    """A command that runs another one as the user; its process becomes the other's."""
    if os.geteuid() != 0:
        return command
    return ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--", *command]


def hand_over(folder: Path) -> None:
    """Give a folder and all in it to the user."""
    if os.geteuid() == 0:
        for path in (folder, *folder.rglob("*")):
            shutil.chown(path, USER, USER)


def check_can_enter(folder: Path) -> None:
    """Say so, in words, if the user cannot look into a folder."""
    run = subprocess.run(
        as_user(["ls", str(folder)]), capture_output=True, check=False, timeout=60, cwd="/"
    )
    if run.returncode:
        raise ClusterError(
            f"the user {USER} that runs OpenSearch cannot look into {folder}",
            hint="choose a folder that every user may enter, not one inside a home",
        )
