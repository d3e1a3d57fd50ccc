"""Output: every control and bidirectional character, wherever a stranger may put one, in every
format and verb. None may come out raw, and none may forge a line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from tools.attack.bench import Bench, Case

WORD = "giraffe"
CODES = (
    *(code for code in range(1, 32) if code not in (9, 10)),
    *range(0x7F, 0xA0),
    *(0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)),
    *(0x2028, 0x2029),
)
FORMATS = ("text", "json", "jsonl", "md", "vimgrep", "sarif", "llm")
SEARCHES: tuple[tuple[str, ...], ...] = (
    *((WORD, "{tree}", "-n", "200", "--per-file", "0", "--format", name) for name in FORMATS),
    (WORD, "{tree}", "--explain", "--format", "text", "-n", "50"),
    (WORD, "{tree}", "-l"),
    (WORD, "{tree}", "-c"),
    (f"/{WORD}.*/", "{tree}"),
    ("-F", WORD, "{tree}"),
    ("symbols", WORD, "{tree}"),
    ("def", WORD, "{tree}"),
    ("similar", "--duplicates", "{tree}"),
    ("clusters", "{tree}", "--all"),
    ("index", "-v", "--rebuild", "{tree}"),
    ("index", "--dry-run", "{tree}"),
    ("status", "{tree}"),
    ("doctor", "{tree}"),
    ("clear", "{tree}"),
)
FORGED = "forged.py:1: forged"


def cases() -> Iterator[Case]:
    """One tree for each place."""
    for place in ("comment", "heading", "string", "name", "folder"):
        things = tuple(f"{place} U+{code:04X}" for code in CODES)
        yield Case(f"in a {place}", things, _act)
    for code in (0x07, 0x0A, 0x0D, 0x1B, 0x7F, 0x9B, 0x85, 0x202E, 0x2066, 0x2028):
        thing = f"repository U+{code:04X}"
        yield Case(thing, (thing,), _repository)
        thing = f"query U+{code:04X}"
        yield Case(thing, (thing,), _query)


def _act(bench: Bench, things: Sequence[str]) -> None:
    for number, thing in enumerate(things):
        place, _, code = thing.partition(" U+")
        _plant(bench.tree, place, chr(int(code, 16)), number)
    _ask(bench, bench.tree, things)


def _plant(tree: Path, place: str, char: str, number: int) -> None:
    name, folder = f"plain{number}", tree
    text = f"def {WORD}_{number}():\n    return {number}\n"
    suffix = "py"
    if place == "comment":
        text = f"# {WORD} {char}{char}\n{text}    # {WORD} {char}{FORGED}\n"
    elif place == "string":
        text = f'{WORD}_{number} = "{WORD} {char}"\n'
    elif place == "heading":
        suffix, text = "md", f"# {WORD} {char} {number}\n\n{WORD} text\n\n## {char}{FORGED}\n"
    elif place == "name":
        name = f"{name}{char}x"
    else:
        folder = tree / f"f{number}{char}x"
        folder.mkdir()
    (folder / f"{name}.{suffix}").write_text(text, encoding="utf-8", newline="")


def _ask(bench: Bench, tree: Path, things: Sequence[str], **options: object) -> None:
    by_code = {thing.rpartition("U+")[2]: thing for thing in things}

    def blamed(words: str) -> str:
        found = re.search(r"U\+([0-9A-F]{4})", words)
        return by_code.get(found[1], "") if found else ""

    for arguments in SEARCHES:
        told = [part.format(tree=tree) for part in arguments]
        ran = bench.run(*told, blame=blamed, **options)  # type: ignore[arg-type]
        for line in ran.said.split("\n"):
            if line.startswith(FORGED):
                bench.breaks("", f"a line is forged: {line!r}", " ".join(arguments))


def _repository(bench: Bench, things: Sequence[str]) -> None:
    """A repository whose own name is hostile."""
    char = chr(int(things[0].rpartition("U+")[2], 16))
    tree = bench.tree / f"repo{char}{FORGED}"
    tree.mkdir()
    (tree / "a.py").write_text(f"def {WORD}():\n    return 1\n")
    _ask(bench, tree, things, thing=things[0])


def _query(bench: Bench, things: Sequence[str]) -> None:
    """What was typed comes back in errors and notes."""
    char = chr(int(things[0].rpartition("U+")[2], 16))
    bench.plant_good()
    for arguments in (
        (f"nothing{char}x", str(bench.tree)),
        (f"/({char}/", str(bench.tree)),
        ("x", f"{bench.tree}/none{char}x"),
        ("x", str(bench.tree), "--lang", f"l{char}x"),
        ("x", str(bench.tree), "--format", f"f{char}x"),
        ("x", str(bench.tree), f"--o{char}x"),
        ("symbols", f"none{char}x.py", str(bench.tree)),
        ("explain", "x", f"none{char}x.py:1", str(bench.tree)),
        ("similar", f"none{char}x.py:1", str(bench.tree)),
        ("eval", "run", f"none{char}x"),
        ("model", "fetch", f"none{char}x"),
    ):
        bench.run(*arguments, thing=things[0])
