"""Re-exports: which files only pass on what other files define?

One pattern per language matches the statements such a file may consist of; one statement of
another kind, and it is code. So reading ends there, mostly within the first lines.
"""

from __future__ import annotations

import re
from typing import Final

from plait.sources.tags.place import Place

MOST_BYTES = 1 << 16  # a longer file is not looked at
Pattern = re.Pattern[bytes]

C_COMMENT: Final = rb"//[^\n]*+ | /\*(?s:.*?)\*/"
HASH_COMMENT: Final = rb"\#[^\n]*+"
NAMES: Final = rb"(?:[^()\#]|\#[^\n]*+)*+"  # within parentheses, comments and all


def only(*statements: bytes) -> Pattern:
    """A pattern of texts that consist of these statements and white space."""
    parts = rb" | ".join(statements)
    return re.compile(rb"(?xm)(?: [\s;]++ | " + parts + rb" )*+\Z")


PYTHON = only(
    HASH_COMMENT,
    rb'[rR]?"""(?s:.*?)"""',
    rb"[rR]?'''(?s:.*?)'''",
    rb'"[^"\n]*+"$',
    rb"from[ ]+[.\w]++[ ]+import[ ]*+ (?: \(" + NAMES + rb"\) | (?:[^\n(\\\#]|\\\n)++ )",
    rb"import[ ](?:[^\n(\\\#]|\\\n)++",
    rb"__(?:all|version|author|path|license|copyright|email|title|doc)\w*__[ ]*"
    rb"(?::[^=\n]++)?\+?=[ ]*+"
    rb"(?: \[[^\]]*+\] | \(" + NAMES + rb"\) | [^\n\[(]++ )"
    rb"(?:[ ]*\+[ ]*(?:\[[^\]]*+\]|[\w.]++))*+",
    rb"if[ ](?:\w+\.)?TYPE_CHECKING:",
    rb"try:|except[^\n:]*+:|else:|pass\b|del[ ][\w, ]++",
)
SCRIPT = only(
    C_COMMENT,
    rb"""["']use[ ]strict["']""",
    rb"""(?:export|import)[ ](?:type[ ])?[\w*$, ]*+(?:\{[^{}]*+\})?[ ]*(?:from[ ]*)?"""
    rb"""["'][^"'\n]++["']"""
    rb"""(?:[ ](?:with|assert)[ ]\{[^}]*\})?""",
    rb"export[ ](?:type[ ])?(?:\{[^{}]*+\}|default[ ][\w.$]++|as[ ]namespace[ ]\w++|=[ ]*[\w.$]++)",
    rb"""(?:(?:var|let|const)[ ][\w${}, \n]++ | (?:module\.)?exports(?:\.[\w$]++)?)[ ]*=[ ]*"""
    rb"""(?:module\.exports[ ]*=[ ]*)?require\(["'][^"'\n]++["']\)(?:\.[\w$]++)*+""",
    rb"""(?:module\.)?exports[ ]*=[ ]*\{(?:[\s,]++|//[^\n]*+|\.\.\.|require\(["'][^"'\n]++["']\)"""
    rb"""(?:\.[\w$]++)*+|["'\w$-]++(?:[ ]*:[ ]*)?)*+\}""",
    rb"(?:module\.)?exports(?:\.[\w$]++)?[ ]*=[ ]*[\w.$]++[ ]*$",
)
RUST = only(
    C_COMMENT,
    rb"\#!?\[[^\n\]]*+(?:\[[^\]]*+\][^\n\]]*+)*+\]",
    rb"(?:pub(?:\([^)]*\))?[ ])?(?:mod|extern[ ]crate)[ ][\w ]++;",
    rb"(?:pub(?:\([^)]*\))?[ ])?use[ ][^;]*+;",
)
HEADER = only(
    C_COMMENT,
    rb"\#[ \t]*ifndef[ ]+(?P<guard>\w++)\s*\#[ \t]*define[ ]+(?P=guard)\b[^\n]*+",
    rb"\#[ \t]*(?:include|import|if|ifdef|ifndef|elif|else|endif|pragma)\b(?:[^\n\\]|\\\r?\n|\\)*+",
    rb'extern[ ]"C"[ ]*\{|\}',
)
RUBY = only(
    HASH_COMMENT,
    rb"(?:require|require_relative|load|autoload|autoload_at|autoload_under|eager_autoload)\b[^\n]*+",
    rb"extend[ ][\w:]*Autoload\b|(?:module|class)[ ][\w:]++$|end\b",
)
PHP = only(
    rb"<\?php",
    C_COMMENT,
    HASH_COMMENT,
    rb"(?:namespace|use)[ ][^;{]*+;|declare\([^)]*\)",
    rb"(?:require|include)(?:_once)?\b[^;]*+;|class_alias\([^;]*+;|return[ ]require\b[^;]*+;",
)
LUA_REQUIRE: Final = rb"""require[ ]*\(?[ ]*["'][^"'\n]++["'][ ]*\)?(?:\.\w++)*+"""
LUA = only(
    rb"--\[\[(?s:.*?)\]\]",
    rb"--[^\n]*+",
    rb"(?:local[ ]+)?[\w.]++[ ]*=[ ]*(?:" + LUA_REQUIRE + rb"|\{\})",
    rb"return[ ]*\{(?:[\s,;]++|--[^\n]*+|(?:[\w.]++|\[[^\]\n]*\])[ ]*=[ ]*(?:"
    + LUA_REQUIRE
    + rb"|\w++))*+\}",
    rb"return[ ](?:" + LUA_REQUIRE + rb"|\w++)",
)
HASKELL = only(
    rb"\{-(?s:.*?)-\}",
    rb"--[^\n]*+",
    rb"module[ ][\w.]++\s*(?:\((?:[^()]|\([^()]*\))*+\)\s*)?where\b",
    rb"import[ ][^\n]*+(?:\n[ \t]++[^\n]*+)*+",
)
SWIFT = only(C_COMMENT, rb"@_exported[ ]import[ ][^\n]++|\#(?:if|else|elseif|endif)[^\n]*+")
ZIG = only(
    rb"//[^\n]*+",
    rb"""(?:pub[ ])?(?:const[ ][\w@"]++[ ]*=|usingnamespace)[ ]*@import\("[^"]++"\)(?:\.\w++)*+;""",
    rb"pub[ ]const[ ]\w++[ ]*=[ ]*\w++(?:\.\w++)++;",
    rb"""(?:test|comptime)[ ]*(?:"[^"]*")?[ ]*\{[^{}]*\}""",
)
CSHARP = only(
    C_COMMENT,
    rb"using[ ][^;(]++;|\#[^\n]++",
    rb"\[assembly:[ ]?(?:[\w.]+\.)?TypeForwardedTo(?:Attribute)?[ ]?\(.*\)\]",
)
SHELL = only(HASH_COMMENT, rb"""(?:source|\.)[ ][^\n;|&]++""")

# By suffix: what a file may consist of, and what at least one statement of it must do.
PASSES_ON: dict[str, tuple[Pattern, Pattern]] = {
    suffix: (pattern, re.compile(needed, re.MULTILINE))
    for suffixes, pattern, needed in (
        ("py", PYTHON, rb"^[ \t]*(?:from|import) "),
        (
            "js mjs cjs jsx ts mts cts tsx",
            SCRIPT,
            rb"\A(?=(?s:.*)\bexports?\b)(?s:.*)\b(?:from[ ]*|require\()[\"']",
        ),
        ("rs", RUST, rb"^[ \t]*(?:pub(?:\([^)]*\))? )?(?:use|mod) "),
        ("h hh hpp hxx", HEADER, rb"^[ \t]*#[ \t]*(?:include|import)\b"),
        ("rb", RUBY, rb"^[ \t]*(?:require|require_relative|autoload)\b"),
        ("php", PHP, rb"\b(?:require|include)(?:_once)?\b|\bclass_alias\("),
        ("lua", LUA, rb"^return\b"),
        ("hs", HASKELL, rb"[(,]\s*module "),
        ("swift", SWIFT, rb"^@_exported "),
        ("zig", ZIG, rb"^pub "),
        ("cs", CSHARP, rb"TypeForwardedTo"),
        ("sh bash", SHELL, rb"^(?:source|\.) "),
    )
    for suffix in suffixes.split()
}


def is_reexport(place: Place, content: bytes) -> bool:
    """Whether a file only passes on what other files define."""
    patterns = PASSES_ON.get(place.suffix)
    if patterns is None or len(content) > MOST_BYTES:
        return False
    allowed, needed = patterns
    return allowed.match(content) is not None and needed.search(content) is not None
