"""The page on languages: figures of ``benchmarks.languages`` as ``docs/languages.md``."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from plait.sources import LANGUAGES
from plait.symbols.grammars import GRAMMARS
from plait.symbols.sections import RULES

REQUIRED_SHARE = 0.99
SUMS = (
    "files", "size_bytes", "with_symbols", "defining", "defining_with_symbols", "symbols",
    "chunks", "with_errors", "lost", "cpu_s", "lines", "named_lines",
)  # fmt: skip
TITLES = {
    "cpp": "C++", "csharp": "C#", "php": "PHP", "javascript": "JavaScript",
    "typescript": "TypeScript",
}  # fmt: skip
SPELLED = {"html": "HTML", "css": "CSS", "scss": "SCSS", "sql": "SQL", "yaml": "YAML",
           "toml": "TOML", "ini": "INI", "json": "JSON", "markdown": "Markdown"}  # fmt: skip
HEAD = """\
# Languages

<!-- Written by `python -m benchmarks.languages`; do not edit by hand. -->

plait reads a file by the best means its language has: a grammar gives symbols, a rule gives
sections, anything else is cut into windows of lines. No file is left out for its language.

## Languages with symbols

Measured on one real package or more each, fetched by
`python tools/corpora/fetch.py languages` (`tools/corpora/packages.toml` pins them).
A file *defines* something if a crude regular expression that knows nothing of the grammar
says so (`benchmarks/languages.toml`); at least 99 % of those files have to yield a symbol.
*Lines* is the share of the lines that expression matches that hold the name of a symbol of
their file: lower, because it also matches examples in comments and strings. *Errors* are
files in whose tree the grammar found something it does not know; their sound parts yield
symbols all the same. CPU time is that of the whole path from reading to committing, workers
included; starting a worker weighs on the small packages.
"""
SECTIONS = """\
## What a chunk says about other code

Beside its symbols plait keeps, for every chunk, what its code says about other code, as written
and with its line ([decision 18](decisions/0018-references.md)). Nothing is resolved yet.

- **Every language with symbols**: each call, base and use with what stands before the name
  (`self.client`, `a.b()`), and the modules that are imported; in Rust and PHP with names and
  aliases, in C#, Haskell and Kotlin with aliases.
- **Python, Go, TypeScript, JavaScript and Java, besides**: imports with name and alias in every
  form (relative, star, static, type-only, re-exports, `require`); the types of parameters,
  results, fields and variables; what is assigned to a name or attribute (`self.x = Client()`),
  looped over or opened by `with`, as a path without arguments.

## Languages with sections

A regular expression finds where a named part begins (`src/plait/symbols/sections.py`):
{named}.

## Languages as windows of lines

Everything else that is text, among them those plait knows by name and tags ({named}). Any
`lang:` filter works on them, they are just not cut at definitions.
"""
ADDING = """\
## How to add a language

1. Name its files: extensions, file names and interpreters in
   `src/plait/sources/language_table.py`.
2. Add the grammar's package to `pyproject.toml`, pinned to a minor version, run `make lock`,
   and add one line to `GRAMMARS` in `src/plait/symbols/grammars.py`.
3. Write `src/plait/symbols/queries/<language>.scm`. The captures are listed at the top of
   `src/plait/symbols/outline.py`; the nearest existing language is the best start. What only
   matters for blanking comments goes into `<language>-blanks.scm` beside it.
4. Write `tests/symbols/test_<language>.py` with `tests/symbols/notation.py`.
5. Name a real package in `tools/corpora/packages.toml` with the file whose symbols
   become a golden, add a regular expression to `benchmarks/languages.toml`, and run
   `make goldens` and `python -m benchmarks.languages`. Read the golden against the source.

A language without a grammar gets sections by one line in `RULES`.
"""


def page(
    found: Mapping[str, Sequence[Mapping[str, Any]]], weak: Mapping[str, Sequence[str]]
) -> str:
    """The whole page; ``found`` holds the packages of each language."""
    parts = [HEAD, _symbols_table(found), _trouble_table(found)]
    parts.append(_below(found))
    parts.append("## What is known to be weak\n\n" + "\n".join(_weak(weak)) + "\n")
    sections = ", ".join(SPELLED.get(language, language) for language in sorted(RULES))
    windows = ", ".join(sorted(LANGUAGES - set(GRAMMARS) - set(RULES) - {"", "text"}))
    first, second = SECTIONS.split("\n\n## Languages as windows", 1)
    parts.append(_wrapped(first.format(named=sections)))
    parts.append(_wrapped(("## Languages as windows" + second).format(named=windows)))
    parts.append(ADDING)
    return "\n".join(part for part in parts if part)


def _title(language: str) -> str:
    return TITLES.get(language, language.capitalize())


def _sums(packages: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {name: sum(package[name] for package in packages) for name in SUMS}


def _share(part: float, whole: float, places: int = 1) -> str:
    return f"{100 * part / whole:.{places}f} %" if whole else "-"


def _symbols_table(found: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    rows = [
        (
            "| Language | Packages | Files | MB | With symbols"
            " | Define something | Of those with symbols | Lines |"
        ),
        "|---|---|--:|--:|--:|--:|--:|--:|",
    ]
    for language, packages in found.items():
        sums = _sums(packages)
        named = "<br>".join(f"{p['package']} {p['version']}" for p in packages)
        rows.append(
            f"| {_title(language)} | {named} | {sums['files']:,} | {sums['size_bytes'] / 1e6:.1f}"
            f" | {sums['with_symbols']:,} | {sums['defining']:,}"
            f" | {_share(sums['defining_with_symbols'], sums['defining'], 2)}"
            f" | {_share(sums['named_lines'], sums['lines'])} |"
        )
    return "\n".join(rows) + "\n"


def _trouble_table(found: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    rows = [
        "| Language | Symbols | Chunks | Errors | Share of files | Workers lost | CPU ms per MB |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for language, packages in found.items():
        sums = _sums(packages)
        rows.append(
            f"| {_title(language)} | {sums['symbols']:,} | {sums['chunks']:,}"
            f" | {sums['with_errors']:,} | {_share(sums['with_errors'], sums['files'])}"
            f" | {sums['lost']} | {1000 * sums['cpu_s'] / (sums['size_bytes'] / 1e6):,.0f} |"
        )
    return "\n".join(rows) + "\n"


def _below(found: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    below = [
        _title(language)
        for language, packages in found.items()
        if (sums := _sums(packages))["defining_with_symbols"] < REQUIRED_SHARE * sums["defining"]
    ]
    if not below:
        return "Every language is above 99 %.\n"
    return f"Below 99 %: {', '.join(below)}.\n"


def _weak(weak: Mapping[str, Sequence[str]]) -> list[str]:
    return [
        f"- **{_title(language)}**: {' '.join(known)}" for language, known in weak.items() if known
    ]


def _wrapped(text: str, width: int = 95) -> str:
    """Paragraphs filled to a width; headings are left alone."""
    blocks = text.strip("\n").split("\n\n")
    return (
        "\n\n".join(
            block if block.startswith("#") else textwrap.fill(" ".join(block.split()), width)
            for block in blocks
        )
        + "\n"
    )
