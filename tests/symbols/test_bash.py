"""What the query file of Bash reads off a file."""

from __future__ import annotations

from plait.symbols.outline import outline
from plait.types import Relation
from tests.symbols.notation import docstring, lines, references, signature, symbols

DEPLOY = """\
    #!/bin/bash
    # Licence.

    source ./lib/log.sh
    . "$HOME/.profile"

    readonly RETRIES=3
    declare -r TARGET=/srv
    declare -a hosts=(a b)
    verbose=1

    # Copy everything.
    # Twice, to be sure.
    copy() {
      local from=$1
      log "copying $from" | tee_log
      result=$(checksum "$from")
      ./tools/pack.sh
      echo done
    }

    function clean-up { rm -r "$TMP"; }

    function check() (
      true
    )

    if [ -n "$verbose" ]; then
      say() { printf '%s' "$1"; }
    fi
    trap clean-up EXIT
    """


def test_functions_and_read_only_variables_are_symbols() -> None:
    assert symbols("bash", DEPLOY) == [
        ("RETRIES", "constant"),
        ("TARGET", "constant"),
        ("copy", "function"),
        ("clean-up", "function"),
        ("check", "function"),
        ("say", "function"),
    ]


def test_the_comment_above_belongs_to_a_function() -> None:
    found = lines("bash", DEPLOY)

    assert found["copy"] == (12, 20)
    assert found["check"] == (24, 26)
    assert docstring("bash", DEPLOY, "copy") == "# Copy everything.\n# Twice, to be sure."


def test_a_signature_ends_where_the_body_begins() -> None:
    assert signature("bash", DEPLOY, "copy") == "copy()"
    assert signature("bash", DEPLOY, "clean-up") == "function clean-up"


def test_calls_leave_out_builtins_and_paths() -> None:
    assert references("bash", DEPLOY, Relation.CALLS) == [
        "log",
        "tee_log",
        "checksum",
        "rm",
        "clean-up",
    ]


def test_imports_are_sourced_files_as_written() -> None:
    assert references("bash", DEPLOY, Relation.IMPORTS) == ["./lib/log.sh", "$HOME/.profile"]


def test_a_function_the_grammar_gives_up_on_keeps_its_name() -> None:
    text = b'first() {\n  a\n}\nsecond() {\n  b="${c%%\\]:*}"\n}\n'
    found = outline("bash", text).definitions

    assert [item.name for item in found] == ["first", "second"]
