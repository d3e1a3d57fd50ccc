"""The command line: from arguments to a verb, and from any failure to an exit status.

A bare query is a search: the first argument is a verb only if it is exactly one.
"""

from __future__ import annotations

import difflib
import gc
import os
import sys
import traceback
from collections.abc import Sequence

from plait.downloads.telling import listen
from plait.errors import PlaitError, SettingError, SourceError
from plait.interfaces.cli.ending import end
from plait.interfaces.cli.help import COMPLETE, HELP, LATER, VERBS
from plait.interfaces.escaping import visible_lines

FOUND, NONE, FAILED, STALE, INTERRUPTED = 0, 1, 2, 3, 130
# Values made between two collections: a build makes millions and hardly a cycle, and would look
# through them again and again.
GC_THRESHOLD = 1_000_000
REPORT = "please report it with what PLAIT_DEBUG=1 prints for the same command"


def run() -> None:
    """The entry point of ``plait``: a process that is a command's alone."""
    gc.set_threshold(GC_THRESHOLD)
    sys.exit(main(sys.argv[1:]))


def main(arguments: Sequence[str]) -> int:
    """Run one command; its exit status."""
    _prepare_streams()
    listen(lambda words: _say("note: ", words))
    try:
        code = _dispatch(list(arguments))
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read has read enough
        _silence_stdout()
        return FOUND
    except KeyboardInterrupt as stop:
        _say("", str(stop) or "stopped")
        return INTERRUPTED
    except PlaitError as error:
        return _fail(str(error), error.hint)
    except Exception as error:  # noqa: BLE001 - the last stop: anything else is a bug
        if os.environ.get("PLAIT_DEBUG") == "1":
            sys.stderr.write(visible_lines(traceback.format_exc()))
        return _fail(f"plait has a bug: {type(error).__name__}: {error}", REPORT)
    finally:
        end()
    return code


def _dispatch(arguments: list[str]) -> int:
    if COMPLETE not in os.environ:
        if not arguments or arguments[0] in ("--help", "-h", "help"):
            sys.stdout.write(HELP)
            return FOUND
        if arguments[0] in ("--version", "-V"):
            from plait import __version__

            sys.stdout.write(f"plait {__version__}\n")
            return FOUND
        if arguments[0] in LATER:
            raise SettingError(
                f"`plait {arguments[0]}` is not available yet",
                hint=f"to search for the word: plait search {arguments[0]}",
            )
        if arguments[0] == "grep":
            from plait.interfaces.cli.lines.grep import grep

            return grep(arguments[1:])
        if arguments[0] not in VERBS:
            return _search(arguments)
    return _verb(arguments)


def _search(arguments: list[str]) -> int:
    """A bare query; if its path is none, its first word may have been meant as a verb."""
    try:
        return _verb(["search", *arguments])
    except SourceError as error:
        near = difflib.get_close_matches(arguments[0], VERBS, 1, cutoff=0.75)
        if near:
            error.hint = f"did you mean plait {near[0]}?"
        raise


def _verb(arguments: list[str]) -> int:
    import typer

    from plait.interfaces.cli.verbs import command

    app = command()
    if COMPLETE in os.environ:
        from typer.completion import completion_init  # type: ignore[attr-defined]  # re-exported

        completion_init()
        app(prog_name="plait", complete_var=COMPLETE)
    try:
        with app.make_context("plait", arguments) as context:
            app.invoke(context)
    except typer.Exit as end:
        return end.exit_code
    except typer.TyperException as misuse:
        verb = getattr(getattr(misuse, "ctx", None), "command_path", "plait")
        message = misuse.format_message().rstrip(".")
        return _fail(message[:1].lower() + message[1:], f"{verb} --help lists what is accepted")
    return FOUND


def _fail(message: str, hint: str) -> int:
    _say("error: ", message)
    if hint:
        _say("hint: ", hint)
    return FAILED


def _say(label: str, message: str) -> None:
    from plait.interfaces.cli.output import say

    say(f"{label}{message}")


def _prepare_streams() -> None:
    """Let names and code of any encoding through, whatever the locale says."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            encoding = None if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="surrogateescape")


def _silence_stdout() -> None:
    """Nothing more can be written; keep Python from trying when it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
