"""Patterns: words by which a commit gives itself away as no case.

Each line is one way of saying it, tried anywhere in a subject unless it says ``^``; case is
ignored. They were written down from the histories of some sixty repositories, and err
towards leaving out: a history has more cases than anyone needs.
"""

from __future__ import annotations

import re

VERSION = r"v?\d+\.\d+(?:\.\d+)*[\w.+-]*"
PLATFORM = (
    r"(?:python|py|ruby|php|node(?:\.?js)?|java|jdk|scala|go|elixir|otp|erlang|ghc|swift|xcode|"
    r"zig|n?vim|neovim|\.net|c\+\+|msvc|gcc|clang|ie|rust|kotlin|lua|windows|macos|ubuntu)"
)
RAISE = r"(?:bump|upgrad|updat|downgrad)(?:e|es|ed|ing|s)?"
MEND = r"(?:fix|fixes|fixed|correct|improve)"
WRITE = (
    r"(?:add|fix|improve|update|write|extend|port|move|refactor|clean|enable|disable|expand|"
    r"remove|use|make|simplify|split|rewrite|speed|clarify|correct|reword|tweak|mention)\w*"
)
PROSE = (
    r"(?:docs|documentation|docstrings?|java-?docs?|kdocs?|scala-?docs?|comments?|readme|"
    r"tutorials?|manual|man\ ?pages?)"
)
SPARE = r"(?:unused|unneeded|redundant|unnecessary|superfluous)"
SERVICES = (
    r"(?:travis|appveyor|circle-?ci|github\ actions?|codecov|coveralls|jenkins|dockerfile|"
    r"makefile|cmake|bazel|sbt|maven|gradle|nix|npm\ scripts?)"
)
CHECKERS = r"""autopep8 biome black blacken brakeman checkstyle clang-?format clang-?tidy clippy
    codespell coverity cppcheck credo dialyzer detekt error-?prone eslint findbugs flake8 go\sfmt
    go\svet gofmt gofumpt golangci golint hlint isort ktfmt ktlint lgtm luacheck mypy oxlint
    pep-?8 php-?cs php-?cs-?fixer phpstan pmd prettier psalm pylint pyright pyupgrade rubocop ruff
    rustfmt scalafix scalafmt shellcheck sonarcloud sonarlint sonarqube spotbugs spotless
    standardrb staticcheck styleci stylecop stylua swiftformat swiftlint tslint zig\sfmt"""

MERGE = r"""
    ^(?:auto-?)?merged?\b(?=.*(?:branch|pull\ request|\bpr\b|\#\d|remote|\btag\b|\binto\b|\bfrom\b))
    ^merged?\b.*(?:/|\bmaster\b|\bmain\b)
"""
REVERT = r"""
    ^(?:revert|reverts|reverted|reverting|reapply|reapplies|re-apply|unrevert|back\ ?out|undo)\b
"""
RELEASE = rf"""
    ^\W*(?:\w+\ +)?{VERSION}\W*(?:release[ds]?)?\W*$
    ^(?:\S+:\s*)?releas(?:e|ed|es|ing)\b(?!\ (?:the|a|an|memory|locks?|resources?|of|references?)\b)
    \bbump(?:ed|ing|s)?\b.*\bversions?\b
    \bversion\ bump
    \bbump(?:ed|ing|s)?\ (?:to\ )?{VERSION}
    \bversion\b(?:\ number)?\ (?:to|=)\ ?{VERSION}
    ^(?:update|set|change|increment)\ version\b
    ^(?:prepar|prep\b|start|begin|cut|draft|finali[sz]|tag|ship|publish|finish)\w*\b.*\brelease
    ^(?:prepar|start|begin|cut|draft|finali[sz]|tag|ship|publish|finish)\w*\b.*{VERSION}
    ^(?:prepar|start|begin)\w*\b.*\bdevelopment\b
    \bchange[ -]?logs?\b
    \brelease\ (?:notes?|candidate|script|process)\b
    \bmaven-release-plugin\b
    -SNAPSHOT\b
    \bnext\ dev(?:elopment)?\b
    \bback\ to\ dev
    ^post-?release
    ^\w+\(release\)
"""
DEPENDENCY = rf"""
    \b{RAISE}\b.*\bfrom\ v?\d\S*\ to\b
    \b{RAISE}\b.*\bto\ (?:version\ )?v?\d+(?:\.\d+)*\b
    \b(?:{RAISE}|pin|unpin)\b.*\b(?:dependenc|deps?\b|requirements\b)
    \b(?:{RAISE}|pin|unpin)\b.*\b(?:lock-?files?|submodules?)\b
    \b{RAISE}\b.*\bto\ (?:the\ )?latest\b
    ^bump(?:ed|ing|s)?\b
    ^\w+\((?:\w+-)?deps(?:-\w+)?\)
    \bauto-?update\b
    ^(?:\w+\ )?(?:deps|dependenc\w+)\b
    ^(?:upgrade|update)\ \S+\ (?:to\ )?{VERSION}
    ^(?:use|require|allow|switch\ to|depend\ on)\ (?:the\ )?(?:latest|newest|dev|(?:un)?released)\b
    ^(?:use|require|allow|depend\ on)\ [\w/-]+\ (?:[<>=^~]+\ ?)?{VERSION}
"""
FORMATTING = rf"""
    \b(?:typos?|mis-?spell\w*|mistypes?|spellings?|grammar\ (?:fix|mistake|error)\w*)\b
    ^{MEND}\b(?:\s\S+){{0,2}}\s(?:grammar|wording|capitali[sz]ation)\W*$
    ^{MEND}\b(?:\s\S+){{0,2}}\s(?:whitespaces?|indentation|formatting)\W*$
    \bre-?format(?:ted|ting|s)?\b
    \bre-?indent(?:ed|ing|s)?\b
    \bformat(?:ting)?\ (?:code|files?|source|everything|fix\w*|only|changes?)\b
    ^(?:\w+:?\ )?(?:code\ )?format(?:ting|ted)?\W*$
    \b(?:{"|".join(CHECKERS.split())})\b
    \b(?:fix|fixes|fixed|resolve|silence|address|appease|suppress)\w*\b.*\b(?:lint\w*|warnings?)\b
    ^(?:lint|linting|delint)\b
    \blint(?:er|ing)?\ (?:fix|error|warning|issue|rule|config)\w*\b
    \bcosmetics?\b
    \b(?:code|coding)[ -]?(?:style|standards?|conventions?)\b
    ^style\b
    \bstyle\ (?:fix|change|cleanup)\w*
    \bnit(?:s|picks?|picking)?\b
    \bcopyright\b
    \blicen[cs]e\ (?:header|notice|comment|year)s?
    \bsort(?:ed)?\ imports?\b
    \b{SPARE}\ (?:\w+\ )?(?:imports?|includes?|using)\b
    \b{SPARE}\ (?:variables?|whitespaces?|parenthes[ei]s|semicolons?|casts?)\b
    \b(?:organi[sz]e|optimi[sz]e|clean\ ?up|tidy|reorder)\ (?:\w+\ )?(?:imports?|includes?)\b
    \btrailing\ (?:white[ -]?)?spaces?\W*$
    \bwhite[ -]?space\ (?:clean|fix|change|only|tweak|error)\w*
    \bNFC\b
"""
FIXUP = r"""
    ^(?:fixup|squash|amend|wip|tmp|temp)\b
    \bwip\b\W*$
    \b(?:code|pr|peer)[ -]?review\b
    \breview(?:er)?\ (?:comment|feedback|suggestion|remark|change|fix)\w*
    \b(?:address|apply|incorporate)\w*\b.*\b(?:comments?|feedback|suggestions?|review)\b
    \bper\ review\b
    ^(?:attempt|try|trying)\b.*\b(?:fix|ci|build|test)\w*\b
    ^(?:another|one\ more|more|further|even\ more)\b
    ^(?:oops|whoops|doh|argh|ugh|damn|self-review|follow[ -]?up)\b
    ^sync(?:ed|ing)?\b
    ^(?:initial|first)\ (?:commit|import|version|draft|implementation|check-?in)\b
    ^(?:make|get)\b.*\b(?:tests?|ci|build|it|things?)\b.*\b(?:pass|passing|compile|green|happy)\b
    \b(?:fix|fixes|fixed|unbreak|repair)\ (?:the\ )?(?:\w+\ )?(?:builds?|ci|compilation|compile)\b
    \b(?:compile|compiler|compilation|build)\ (?:errors?|failures?|issues?|problems?|warnings?)\b
"""
TESTS_OR_DOCS = rf"""
    ^(?:\w+\ ){{0,4}}(?:unit|integration|regression|failing|flaky)\ tests?\b(?![.\w-])
    ^{WRITE}\ (?:\S+\ ){{0,3}}(?:tests|specs)\b(?![.\w-])
    ^{WRITE}\ (?:\S+\ ){{0,3}}test\ (?:case|suite|coverage|helper|util|fixture|data)\w*
    ^{WRITE}\ (?:an?\ |the\ )?(?:test|spec|benchmark)s?\b(?![.\w-])
    ^tests?\b
    ^document(?:ed|ing|s)?\b
    ^(?:docs?|readme|javadoc|kdoc|docstring)\b
    ^\[(?:docs?|readme|tests?)\]
    ^{WRITE}\ (?:\S+\ ){{0,4}}{PROSE}\b
    ^(?:typo|wording|rephrase|reword|clarify|clarification)\b
"""
HOUSEKEEPING = rf"""
    \b(?:drop|remove|end|cease)\w*\b.*\b{PLATFORM}\ ?[<=]*\ ?v?\d
    \b(?:support|compat\w*|compatible)\b.*\b{PLATFORM}\ ?[<>=]*\ ?v?\d+(?:\.\d+)*\W*$
    \bend[ -]of[ -]life\b
    \bmoderni[sz]\w*\b
    \bf-?strings?\b
    \b(?:type|typing)[ -]?(?:hints?|annotations?|ignores?)\b
    ^(?:remov|avoid|replac|stop)\w*\ (?:the\ |all\ )?(?:uses?|usages?|using)\b
    \b(?:uses?|usages?|calls?|references?)\ (?:of|to)\ (?:\S+\ ){{0,3}}deprecated\b
    \bdeprecat(?:ed|ion)\ (?:warnings?|apis?|calls?|usages?|functions?|methods?|std|features?)\b
    \b(?:port(?:ed|ing)?|migrat(?:e|ed|ing|ion))\b.*\bto\ {PLATFORM}\b
    ^(?:update|adapt|adjust|changes?|fix\w*)\b.*\b(?:for|to)\ (?:the\ )?(?:latest|newer|upstream)\b
    ^move[ds]?\b.*\b(?:files|folders?|director(?:y|ies))\b
    \b(?:dead|unreachable|commented[ -]out|debug(?:ging)?)\ (?:code|prints?|statements?)\b
    \bvendor(?:ed|ing)?\b
    ^(?:publish|deploy|configure)\b
    \b{SERVICES}\b
"""


def _compiled(lines: str) -> re.Pattern[str]:
    """One pattern out of one per line."""
    ways = [line.strip() for line in lines.strip().splitlines()]
    return re.compile("|".join(f"(?:{way})" for way in ways), re.IGNORECASE | re.VERBOSE)


# Reason to pattern, in the order they are asked.
BY_SUBJECT = {
    "release": _compiled(RELEASE),
    "dependency update": _compiled(DEPENDENCY),
    "formatting": _compiled(FORMATTING),
    "fixup": _compiled(FIXUP),
    "tests or docs": _compiled(TESTS_OR_DOCS),
    "housekeeping": _compiled(HOUSEKEEPING),
}
MERGED = _compiled(MERGE)
REVERTS = _compiled(REVERT)
BOT = re.compile(
    r"(?i)\[bot\]|(?:^|[\s_.+-])bot(?:$|[\s@_.-])|dependabot|renovate|github[- ]?actions?\b|"
    r"pre-?commit-?ci|greenkeeper|snyk-|all-?contributors|imgbot|semantic-release|"
    r"scala[- ]steward|mergify|pyup-|whitesource|depfu|crowdin|weblate|transifex|\bjenkins\b|"
    r"^travis(?: ci)?$|^teamcity|buildkite|codecov|lgtm-com|deepsource|restyled"
)
# What a conventional commit calls itself, where that is reason enough.
BY_KIND = {
    **dict.fromkeys(("docs", "doc", "test", "tests"), "tests or docs"),
    **dict.fromkeys(("style", "fmt", "lint"), "formatting"),
    **dict.fromkeys(("build", "ci"), "build files"),
    "release": "release",
    "deps": "dependency update",
    "wip": "fixup",
    "revert": "revert",
}
