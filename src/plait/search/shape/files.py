"""Names of files: endings that only files have, and names that everybody knows."""

from __future__ import annotations

from collections.abc import Mapping

SUFFIXES = frozenset(
    """adoc asm bash bat bazel c cc cfg cjs clj cljs cmake conf cpp cs csproj css csv cts cu cxx
    dart diff ejs el elm erb erl ex exs f90 fs fsx gemspec go gradle graphql groovy h haml hbs hcl
    hh hpp hrl hs htm html hxx idl in ini ipynb java jl js json json5 jsonc jsx kt kts less lhs lock
    lua m4 markdown md mdx mjs mk ml mli mm mod mts mustache nim nix patch php pl pm po pot proto
    ps1 py pyi pyx r rake rb rego rkt rs rst sass sbt scala scm scss sh sln sol sql styl sum svelte
    svg swift tcl tex tf toml ts tsv tsx txt v vb vert vhd vim vue wat xaml xml yaml yml zig
    zsh""".split()
)
# What has a method of that name: ``res.json`` is a call, ``package.json`` a file.
RECEIVERS: Mapping[str, frozenset[str]] = {
    "json": frozenset(
        {"express", "r", "req", "request", "res", "resp", "response", "self", "this"}
    ),
    "html": frozenset({"el", "element", "response"}),
    "lock": frozenset({"mutex", "self", "this", "threading"}),
    "sum": frozenset({"np", "numpy", "torch", "df", "array", "series"}),
    "in": frozenset({"sys"}),
    "v": frozenset({"self"}),
    "r": frozenset({"self"}),
}
FILE_NAMES = frozenset(
    """.bashrc .clang-format .dockerignore .editorconfig .env .env.example .eslintrc .flake8
    .gitattributes .gitignore .gitmodules .npmrc .prettierrc .pylintrc .zshrc build.bazel
    codeowners dockerfile gemfile jenkinsfile justfile makefile procfile rakefile vagrantfile
    workspace""".split()
)
