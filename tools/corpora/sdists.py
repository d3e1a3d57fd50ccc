"""Download source distributions without building them: a script that borrows the user's pip.

``pip download`` would ask a package's build backend for its metadata, and so run what it brings.
Here pip only says which file it would take, from the user's own index, and its session gets it.
Each file's name is printed, one for each package asked for, in order.

    python sdists.py FOLDER_OF_PIP INTO NAME==VERSION...
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

PIECE = 1 << 20


def download(into: Path, wanted: list[str]) -> None:
    """Put each source distribution into a folder and print its name."""
    command: Any = import_module("pip._internal.commands").create_command("download")
    specifiers: Any = import_module("pip._vendor.packaging.specifiers")
    options, _ = command.parse_args(["--no-binary=:all:", "--quiet"])
    with command.main_context():
        session = command.get_default_session(options)
        find = "_build_package_finder"  # pip has no public way to ask
        finder = getattr(command, find)(options, session)
        for name, version in (one.split("==") for one in wanted):
            exactly = specifiers.SpecifierSet(f"=={version}")
            best = finder.find_best_candidate(name, exactly).best_candidate
            if best is None:
                raise SystemExit(f"there is no source distribution of {name} {version}")
            reply = session.get(best.link.url_without_fragment, stream=True)
            reply.raise_for_status()
            with (into / best.link.filename).open("wb") as file:
                for piece in reply.iter_content(PIECE):
                    file.write(piece)
            print(best.link.filename)


if __name__ == "__main__":
    sys.path.append(sys.argv[1])
    download(Path(sys.argv[2]), sys.argv[3:])
