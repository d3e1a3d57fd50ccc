"""Inputs that no one would write: random bytes, random tokens, and damaged real code.

Each input is made from its number alone, so that any one of them can be made again. What
comes out is UTF-8, as whatever a source reads: a parser never sees anything else.
"""

from __future__ import annotations

import importlib
import random
import re
from collections.abc import Sequence
from pathlib import Path

from tree_sitter import Language

from plait.symbols.grammars import GRAMMARS
from tools.corpora.catalog import EXTENSIONS
from tools.fuzz.seeds import SEEDS

MAX_SMALL = 2_000
LARGE = 100_000
LARGE_IN = 400  # one input of so many is large
MAX_REAL_FILES = 60
MAX_REAL_BYTES = 60_000
KINDS = ("bytes", "text", "tokens", "flip", "delete", "repeat", "splice", "nest", "cut", "strange")
PIECE = re.compile(rb"\w+|\s+|[^\w\s]")
OPENERS = (b"(", b"[", b"{", b"<", b'"', b"'", b"`", b"${", b"$(", b"/*", b"<<E\n", b"if ", b"a.")
STRANGE = ("\ufeff", "\u2028", "\x00", "\x0c", "\x85", "\U0001f600", "e\u0301", "\r", "\ufffd")
PLANES = ((0x80, 0x2FF), (0x300, 0xD7FF), (0xE000, 0xFFFF), (0x10000, 0x3FFFF), (0x40000, 0x10FFFF))


class Inputs:
    """The inputs of one language.

    Args:
        language: A key of ``GRAMMARS``.
        seed: Another seed, other inputs.
        corpora: Folder of real files, one folder per language; what is missing there is
            made up for by small seeds of our own.
        large: The size of the few large ones.
    """

    def __init__(
        self, language: str, seed: int, corpora: Path | None = None, large: int = LARGE
    ) -> None:
        self.language = language
        self._seed = seed
        self._large = large
        self.seeds = [SEEDS[language].encode(), *_real_files(language, corpora)]
        self._tokens = sorted({*_grammar_tokens(language), *PIECE.findall(self.seeds[0])})

    def make(self, number: int) -> tuple[str, bytes]:
        """The kind and the bytes of one input."""
        rng = random.Random(f"{self._seed}:{self.language}:{number}")
        kind = rng.choice(KINDS)
        size = self._large if rng.randrange(LARGE_IN) == 0 else int(MAX_SMALL * rng.random() ** 2)
        raw = self._raw(kind, size, rng)
        if self.language == "php" and rng.random() < 0.7:
            raw = b"<?php " + raw  # all else is text to its grammar
        return kind, _as_text(raw, rng)

    def _raw(self, kind: str, size: int, rng: random.Random) -> bytes:
        if kind == "bytes":
            return rng.randbytes(size)
        if kind == "text":
            return _random_text(size, rng)
        if kind == "tokens":
            return _random_tokens(self._tokens, size, rng)
        if kind == "nest":
            return _nested(size, rng, self._tokens)
        return _mutated(kind, self._window(size, rng), rng, self)

    def _window(self, size: int, rng: random.Random) -> bytes:
        """Whole lines of a real file, about as many bytes as asked for."""
        content = rng.choice(self.seeds)
        if len(content) <= size:
            return content
        at = rng.randrange(len(content) - size + 1)
        return content[content.rfind(b"\n", 0, at + 1) + 1 : at + size]

    def piece(self, rng: random.Random) -> bytes:
        """A few lines of another file of the language."""
        return self._window(rng.randrange(1, 300), rng)


def _as_text(raw: bytes, rng: random.Random) -> bytes:
    try:
        raw.decode()
    except UnicodeDecodeError:
        if rng.random() < 0.5:
            return raw.decode("latin-1").encode()
        return raw.decode("utf-8", "replace").encode()
    return raw


def _random_text(size: int, rng: random.Random) -> bytes:
    letters = " \n\t\"'`()[]{}<>$#@\\/*+-=:;,.!?|&^%~_abcXYZ019"
    text = "".join(rng.choices(letters, k=size))
    for letter in "abc" if rng.random() < 0.5 else "":
        text = text.replace(letter, _strange(rng))
    return text.encode()


def _strange(rng: random.Random) -> str:
    """A character from far away. Scanners look letters up in tables that end before it."""
    return rng.choice(STRANGE) if rng.random() < 0.3 else chr(rng.randint(*rng.choice(PLANES)))


def _random_tokens(tokens: Sequence[bytes], size: int, rng: random.Random) -> bytes:
    vocabulary = rng.sample(tokens, min(len(tokens), rng.randrange(2, 40)))
    row = rng.choices(vocabulary, k=max(1, size // 5))
    return rng.choice((b" ", b" ", b"", b"\n", b"\n  ")).join(row)[: 2 * size + 20]


def _nested(size: int, rng: random.Random, tokens: Sequence[bytes]) -> bytes:
    opener = rng.choice((*OPENERS, *rng.choices(tokens, k=3))) or b"("
    depth = max(1, size // len(opener))
    inner = rng.choice((b"", b"x", b"\n", b"1 + 1"))
    closer = rng.choice((b"", b")", b"]", b"}", b">", b" end", b'"'))
    return opener * depth + inner + closer * rng.randrange(depth + 1)


def _mutated(kind: str, content: bytes, rng: random.Random, inputs: Inputs) -> bytes:
    changed = bytearray(content)
    for _ in range(rng.randrange(1, 8)):
        at = rng.randrange(len(changed) + 1)
        until = min(len(changed), at + rng.randrange(1, 40))
        if kind == "flip" and at < len(changed):
            changed[at] = rng.choice((changed[at] ^ (1 << rng.randrange(8)), rng.randrange(256)))
        elif kind == "delete":
            del changed[at:until]
        elif kind == "repeat":
            changed[at:at] = changed[at:until] * rng.randrange(1, 20)
        elif kind == "splice":
            changed[at:at] = inputs.piece(rng)
        elif kind == "strange":
            changed[at:at] = _strange(rng).encode()
        elif kind == "cut":
            changed = changed[: max(at, 1)]
    return bytes(changed)


def _grammar_tokens(language: str) -> list[bytes]:
    """The keywords and marks a grammar knows."""
    module, function, _ = GRAMMARS[language]
    native = Language(getattr(importlib.import_module(module), function)())
    kinds = (
        native.node_kind_for_id(at)
        for at in range(native.node_kind_count)
        if native.node_kind_is_visible(at) and not native.node_kind_is_named(at)
    )
    return [kind.encode() for kind in kinds if kind]


def _real_files(language: str, corpora: Path | None) -> list[bytes]:
    if corpora is None:
        return []
    family = "typescript" if language == "tsx" else language
    endings = (".tsx",) if language == "tsx" else EXTENSIONS.get(language, ())
    found = [
        path
        for path in sorted((corpora / "languages" / family).rglob("*"))
        if path.suffix in endings and path.is_file() and path.stat().st_size <= MAX_REAL_BYTES
    ]
    chosen = random.Random(language).sample(found, min(len(found), MAX_REAL_FILES))
    return [content for path in chosen if (content := path.read_bytes()).strip()]
