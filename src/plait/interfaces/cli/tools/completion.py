"""``plait completion``: the script that makes a shell complete plait's arguments."""

from __future__ import annotations

from typing import Annotated

import typer

from plait.interfaces.cli.arguments import parameters as params

SHELLS = ("bash", "zsh", "fish", "powershell")


def completion(
    shell: Annotated[
        str,
        typer.Argument(
            metavar="SHELL",
            help=f"One of {', '.join(SHELLS)}.",
            autocompletion=lambda incomplete: [s for s in SHELLS if s.startswith(incomplete)],
        ),
    ],
) -> None:
    """Print the completion script of SHELL. For bash: eval "$(plait completion bash)"."""
    from typer.completion import get_completion_script  # type: ignore[attr-defined]  # re-exported

    from plait.interfaces.cli.help import COMPLETE
    from plait.interfaces.cli.output import emit_text

    params.chosen("SHELL", shell, SHELLS)
    emit_text(get_completion_script(prog_name="plait", complete_var=COMPLETE, shell=shell))
