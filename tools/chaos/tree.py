"""A tree of small files in several languages, and random edits of it, from a seed."""

from __future__ import annotations

import random
from pathlib import Path

WORDS = """account batch buffer cache client cursor decode digest encode event fetch filter
    handler header index journal layer ledger merge message node offset packet parse query queue
    reader record retry schema segment session signal socket stream table token update vector
    window writer""".split()

TEMPLATES = {
    "py": 'class {T}:\n    """{d}"""\n\n    def {a}_{b}(self, {c}):\n'
    "        return {c}.{b}({n})\n\n\n"
    "def {b}_{c}({a}):\n    # {d}\n    return {T}().{a}_{b}({a})\n",
    "go": "package {a}\n\n// {d}\ntype {T} struct {{\n\t{b} int\n}}\n\n"
    "func (x *{T}) {U}({c} int) int {{\n\treturn x.{b} + {c} + {n}\n}}\n",
    "rs": "/// {d}\npub struct {T} {{ {a}: u32 }}\n\nimpl {T} {{\n"
    "    pub fn {b}(&self) -> u32 {{ self.{a} + {n} }}\n}}\n",
    "ts": "// {d}\nexport class {T} {{\n  {b}({c}: number): number {{ return {c} + {n}; }}\n}}\n",
    "java": "/** {d} */\npublic class {T} {{\n  int {b}(int {c}) {{ return {c} + {n}; }}\n}}\n",
    "c": "/* {d} */\nint {a}_{b}(int {c}) {{\n  return {c} * {n};\n}}\n",
    "md": "# {T}\n\n{d}\n\n## {U}\n\nThe {a} holds a {b} and a {c}.\n",
    "sh": "# {d}\n{a}_{b}() {{\n  echo {c} {n}\n}}\n",
}


LARGE = 520  # definitions: more than are encoded in one go


def text(rng: random.Random, suffix: str) -> str:
    """The text of a small file."""
    parts = []
    for _ in range(rng.randint(1, 3)):
        a, b, c = rng.sample(WORDS, 3)
        names = {"a": a, "b": b, "c": c, "T": f"{a.title()}{b.title()}", "U": c.title()}
        about = " ".join(rng.choices(WORDS, k=8)) + rng.choice(["", " naïve", " 文"])
        parts.append(TEMPLATES[suffix].format(d=about, n=rng.randint(0, 999), **names))
    return "\n".join(parts)


def write_large(root: Path, rng: random.Random, functions: int = LARGE) -> None:
    """Write a file, the first by name, that takes more than one portion to embed."""
    root.mkdir(parents=True, exist_ok=True)
    parts = [
        f"def {rng.choice(WORDS)}_{n}():\n    return {rng.random()}\n" for n in range(functions)
    ]
    (root / "a.py").write_text("\n\n".join(parts), encoding="utf-8")


def grow(root: Path, files: int, seed: int) -> None:
    """Write a new tree."""
    rng = random.Random(seed)
    for number in range(files):
        _write(root, _name(rng, number), rng)


def edit(root: Path, rng: random.Random) -> None:
    """Change, add, remove and rename a few files."""
    files = sorted(path for path in root.rglob("*") if path.is_file())
    for path in rng.sample(files, min(len(files), rng.randint(1, 12))):
        path.write_text(text(rng, path.suffix[1:]), encoding="utf-8")
    for _ in range(rng.randint(0, 3)):
        _write(root, _name(rng, rng.randrange(1_000_000)), rng)
    for path in rng.sample(files, min(len(files) // 4, rng.randint(0, 3))):
        path.unlink()
    path = rng.choice(files)
    if path.exists():
        path.rename(path.with_name(f"moved{rng.randrange(1_000_000)}{path.suffix}"))


def _name(rng: random.Random, number: int) -> str:
    folder = "/".join(rng.choices(WORDS[:8], k=rng.randint(0, 2)))
    return f"{folder}/{rng.choice(WORDS)}{number}.{rng.choice(list(TEMPLATES))}".lstrip("/")


def _write(root: Path, name: str, rng: random.Random) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text(rng, path.suffix[1:]), encoding="utf-8")
