"""Filling: templates become messages as people paste them, with made-up values."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from benchmarks.messages.calls import Saying
from benchmarks.messages.templates import Hole

SYLLABLES = "ba ke li mo nu pra quo rin sto tel ulm vex wan zor dri fel gam hob".split()
CLOCK = "2026-03-0{day} 1{hour}:2{minute}:07"


def word(rng: random.Random) -> str:
    """A word that no code has."""
    return "".join(rng.choice(SYLLABLES) for _ in range(rng.randint(2, 3)))


def value(rng: random.Random, kind: str) -> str:
    """A made-up value."""
    if kind == "number":
        return str(rng.choice((rng.randint(0, 20), rng.randint(100, 99_999))))
    if kind == "hex":
        return f"{rng.getrandbits(32):x}"
    if kind == "quoted":
        return f"'{word(rng)}'"
    name, other = word(rng), word(rng)
    return rng.choice(
        (
            name,
            name,
            f"{name}_{other}",
            f"{name}{other.title()}",
            str(rng.randint(1, 9_999)),
            f"/srv/{name}/{other}.dat",
            f"'{name}'",
            f'"{name} {other}"',
            f"{name}.{other}.local:80{rng.randint(10, 99)}",
            f"[{name}, {other}]",
            f"{rng.getrandbits(128):032x}",
        )
    )


def filled(saying: Saying, rng: random.Random) -> str:
    """What the program would have said."""
    pieces = saying.template.pieces
    text = ""
    for at, piece in enumerate(pieces):
        if isinstance(piece, Hole):
            after = pieces[at + 1] if at + 1 < len(pieces) else ""
            is_quoted = text[-1:] in tuple("'\"`") and str(after)[:1] == text[-1:]
            text += word(rng) if is_quoted else value(rng, piece.kind)
        else:
            text += piece
    return " ".join(text.split())


def _python(text: str, kind: str, rng: random.Random) -> str:
    path, name = f"/home/me/{word(rng)}.py", word(rng)
    return (
        f'Traceback (most recent call last):\n  File "{path}", line {rng.randint(2, 90)}, '
        f"in <module>\n    {name}()\n{kind or 'RuntimeError'}: {text}"
    )


def _java(text: str, kind: str, rng: random.Random) -> str:
    name = word(rng)
    return (
        f'Exception in thread "main" java.lang.{kind or "RuntimeException"}: {text}\n'
        f"\tat org.{name}.Main.run(Main{name.title()}.java:{rng.randint(2, 90)})"
    )


def _go(text: str, kind: str, rng: random.Random) -> str:  # noqa: ARG001 - Go has no classes
    return f"panic: {text}\n\ngoroutine {rng.randint(1, 90)} [running]:"


def _rust(text: str, kind: str, rng: random.Random) -> str:  # noqa: ARG001 - nor does a panic
    return f"thread 'main' panicked at src/{word(rng)}.rs:{rng.randint(2, 90)}:5:\n{text}"


def _script(text: str, kind: str, rng: random.Random) -> str:
    name = word(rng)
    return f"{kind or 'Error'}: {text}\n    at {name} (/srv/{name}/app.js:{rng.randint(2, 90)}:7)"


def _ruby(text: str, kind: str, rng: random.Random) -> str:
    line = rng.randint(2, 90)
    return f"{word(rng)}.rb:{line}:in `{word(rng)}': {text} ({kind or 'RuntimeError'})"


def _c(text: str, kind: str, rng: random.Random) -> str:  # noqa: ARG001 - C has no classes
    return rng.choice(
        (f"error: {text}", f"fatal: {text}", f"{word(rng)}[{rng.randint(9, 999)}]: {text}")
    )


TRACES: dict[str, Callable[[str, str, random.Random], str]] = {
    "python": _python,
    "java": _java,
    "go": _go,
    "rust": _rust,
    "javascript": _script,
    "typescript": _script,
    "ruby": _ruby,
    "c": _c,
}
FORMS = ("trace", "trace", "log", "headline", "bare", "told")


def dressed(saying: Saying, language: str, rng: random.Random) -> tuple[str, str]:
    """A message as it is pasted, and the form it has."""
    text, kind = filled(saying, rng), saying.kind
    form = rng.choice(("log", "log", "json", "bare")) if saying.is_log else rng.choice(FORMS)
    clock = CLOCK.format(day=rng.randint(1, 9), hour=rng.randint(0, 9), minute=rng.randint(0, 9))
    if form == "trace":
        return TRACES[language](text, kind, rng), form
    if form == "log":
        level = rng.choice(("ERROR", "WARN", "WARNING"))
        logger = f"{word(rng)}.{word(rng)}"
        ways = (
            f"{clock},123 {level} [{word(rng)}] {logger} - {text}",
            f"{clock} {level} {logger}: {text}",
            f"[{clock}] {level}: {text}",
            f"{level}: {text}",
        )
        return rng.choice(ways), form
    if form == "json":
        said = text.replace("\\", "\\\\").replace('"', '\\"')
        return f'{{"level":"error","ts":"{clock}","msg":"{said}","id":{rng.randint(1, 99)}}}', form
    if form == "headline":
        return f"{kind or 'Error'}: {text}", form
    if form == "told" and kind:
        return f"I get {kind}: {text}", form
    return re.sub(r"\s+", " ", text), "bare"
