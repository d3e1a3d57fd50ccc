"""The patterns every engine is asked: substrings and regexes of all shapes."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import NamedTuple

import re2

from plait.types import Pattern

FILE = Path(__file__).with_name("questions.toml")
KINDS = ("substring", "regex")
IGNORES_CASE = "ignore-case"
SPECIAL = re.compile(r"[\\.+*?()|\[\]{}^$]")
BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")


class Question(NamedTuple):
    """One pattern, and which shape it is an example of."""

    kind: str  # "substring" or "regex"
    shape: str
    text: str  # as a user types it
    other: str = ""  # the same, if ``rg --no-unicode`` must be told otherwise

    @property
    def ignore_case(self) -> bool:
        return self.shape == IGNORES_CASE

    @property
    def is_text(self) -> bool:
        return self.kind == "substring"

    @property
    def for_ripgrep(self) -> str:
        """As ``rg --no-unicode`` takes it: what is beyond ASCII by its bytes."""
        text = SPECIAL.sub(r"\\\g<0>", self.text) if self.is_text else self.text
        return self.other or BEYOND_ASCII.sub(_by_bytes, text)

    @property
    def name(self) -> str:
        """What a table calls it: unique among the questions."""
        return f"{self.kind} {self.shape} {self.text}"

    @property
    def pattern(self) -> Pattern:
        """As plait is asked."""
        return Pattern(re2.escape(self.text) if self.is_text else self.text, self.ignore_case)


def _by_bytes(characters: re.Match[str]) -> str:
    return "".join(f"\\x{byte:02X}" for byte in characters[0].encode())


def read_questions(file: Path = FILE) -> list[Question]:
    """All questions, in the order they are written down."""
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    return [
        Question(kind, shape, text, table["ripgrep"].get(text, ""))
        for kind in KINDS
        for shape, texts in table[kind].items()
        for text in texts
    ]
