"""Without network: thirty languages are indexed and found, and nobody is called, even in vain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tools.attack.bench import Bench, Case

SAMPLES = {
    "a.py": "def {word}():\n    return 1\n",
    "a.js": "function {word}() {{ return 1; }}\n",
    "a.ts": "export function {word}(): number {{ return 1; }}\n",
    "a.tsx": "export const {word} = () => <b>1</b>;\n",
    "A.java": "class A {{ int {word}() {{ return 1; }} }}\n",
    "a.go": "package a\n\nfunc {word}() int {{ return 1 }}\n",
    "a.c": "int {word}(void) {{ return 1; }}\n",
    "a.cpp": "int {word}() {{ return 1; }}\n",
    "A.cs": "class A {{ int {word}() {{ return 1; }} }}\n",
    "a.rb": "def {word}\n  1\nend\n",
    "a.php": "<?php function {word}() {{ return 1; }}\n",
    "a.rs": "fn {word}() -> i32 {{ 1 }}\n",
    "a.swift": "func {word}() -> Int {{ return 1 }}\n",
    "a.kt": "fun {word}(): Int = 1\n",
    "a.scala": "object A {{ def {word}: Int = 1 }}\n",
    "a.sh": "{word}() {{ echo 1; }}\n",
    "a.lua": "function {word}() return 1 end\n",
    "A.hs": "module A where\n\n{word} :: Int\n{word} = 1\n",
    "a.ex": "defmodule A do\n  def {word}, do: 1\nend\n",
    "a.zig": "fn {word}() u32 {{ return 1; }}\n",
    "a.md": "# {word}\n\ntext\n",
    "a.json": '{{"{word}": 1}}\n',
    "a.yaml": "{word}: 1\n",
    "a.toml": "{word} = 1\n",
    "a.html": "<p>{word}</p>\n",
    "a.css": ".{word} {{ color: red }}\n",
    "a.sql": "CREATE TABLE {word} (id int);\n",
    "a.pl": "sub {word} {{ return 1; }}\n",
    "a.r": "{word} <- function() 1\n",
    "a.jl": "function {word}()\n  1\nend\n",
    "a.dart": "int {word}() => 1;\n",
    "a.ml": "let {word} () = 1\n",
    "a.clj": "(defn {word} [] 1)\n",
    "a.erl": "-module(a).\n{word}() -> 1.\n",
    "Makefile": "{word}:\n\techo 1\n",
    "Dockerfile": "FROM scratch\nLABEL {word}=1\n",
}


def cases() -> Iterator[Case]:
    """All in one tree, as the console script."""
    yield Case("every language", tuple(SAMPLES), _act)


def _act(bench: Bench, things: Sequence[str]) -> None:
    words = {name: f"walrus{number}x" for number, name in enumerate(SAMPLES)}
    for name in things:
        folder = bench.tree / words[name]
        folder.mkdir()
        (folder / name).write_text(SAMPLES[name].format(word=words[name]))
    bench.run("index", bench.tree, real=True)
    bench.run("an animal of the sea", bench.tree, "--mode", "hybrid", real=True)
    for name in things:
        ran = bench.run(words[name], bench.tree, "--json", thing=name)
        if name not in ran.out:
            bench.breaks(name, f"it is not found: {ran.said[-200:]!r}")
