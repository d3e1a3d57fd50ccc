"""Languages by name, extension, first line and content."""

from __future__ import annotations

import pytest

from plait.sources import LANGUAGES, canonical, language_of

PROMISED = (
    "python javascript typescript tsx java go ruby php rust c cpp csharp kotlin scala swift bash "
    "lua haskell elixir zig sql html css yaml toml json markdown dart perl r julia ocaml clojure "
    "erlang make dockerfile proto graphql vue svelte scss xml cmake groovy powershell nix "
    "terraform vim objective-c fortran assembly rst text ini"
)


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a.py", "python"),
        ("a.pyi", "python"),
        ("A.PY", "python"),
        ("a.jsx", "javascript"),
        ("a.d.ts", "typescript"),
        ("a.mts", "typescript"),
        ("a.tsx", "tsx"),
        ("a.test.tsx", "tsx"),
        ("b.gradle.kts", "kotlin"),
        ("a.sc", "scala"),
        ("a.bats", "bash"),
        ("a.lhs", "haskell"),
        ("a.exs", "elixir"),
        ("x/Makefile", "make"),
        ("Makefile.inc", "make"),
        ("Dockerfile", "dockerfile"),
        ("Dockerfile.dev", "dockerfile"),
        ("dev.dockerfile", "dockerfile"),
        ("CMakeLists.txt", "cmake"),
        ("Rakefile", "ruby"),
        ("BUILD", "bazel"),
        ("build/a.go", "go"),
        (".bashrc", "bash"),
        ("a.m", "objective-c"),
        ("a.v1.proto", "proto"),
        ("a.unheard-of", ""),
        ("noname", ""),
    ],
)
def test_a_path_names_its_language(path: str, language: str) -> None:
    assert language_of(path) == language


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("#!/bin/sh", "bash"),
        ("#!/usr/bin/env python3", "python"),
        ("#!/usr/bin/env -S python3.12 -u", "python"),
        ("#!/usr/bin/env -S LANG=C ruby", "ruby"),
        ("#! /usr/local/bin/perl -w", "perl"),
        ("#!/usr/bin/node --harmony", "javascript"),
        ("#!", ""),
        ("# python", ""),
    ],
)
def test_a_first_line_names_the_language_of_a_file_without_extension(
    line: str, language: str
) -> None:
    assert language_of("bin/tool", f"{line}\ncode\n".encode()) == language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("int add(int a, int b);\n", "c"),
        ("struct point { int x; };\n/* class of things */\n", "c"),
        ('#ifdef __cplusplus\nextern "C" {\n#endif\nint f(void);\n', "c"),
        ("namespace a {\n}\n", "cpp"),
        ("class Foo {\npublic:\n};\n", "cpp"),
        ("template <typename T> T id(T);\n", "cpp"),
        ("std::string name();\n", "cpp"),
        ("#import <Foundation/Foundation.h>\n@interface A : NSObject\n@end\n", "objective-c"),
    ],
)
def test_a_header_is_c_unless_it_clearly_is_not(text: str, language: str) -> None:
    assert language_of("a.h", text.encode()) == language


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("py", "python"),
        ("JS", "javascript"),
        ("ts", "typescript"),
        ("c++", "cpp"),
        ("C#", "csharp"),
        ("golang", "go"),
        ("rs", "rust"),
        ("sh", "bash"),
        ("shell", "bash"),
        (".rb", "ruby"),
        ("klingon", None),
        ("", None),
    ],
)
def test_a_language_answers_to_all_its_names(name: str, language: str | None) -> None:
    assert canonical(name) == language


def test_every_promised_language_is_known_by_its_own_name() -> None:
    assert {name for name in PROMISED.split() if canonical(name) != name} == set()
    assert len(LANGUAGES) >= 60
