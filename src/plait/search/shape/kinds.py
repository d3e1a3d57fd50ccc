"""About: what kinds of file a question is about, beyond code.

Tests, documentation and examples use the words of the code they are about, so they are weighed
down, unless they are what is asked for. A question about what runs tests, builds documentation or
takes samples is about code: such wordings are taken out before anything else is looked for.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from plait.expressions import wanted_leaves
from plait.search.relax import free_text
from plait.search.shape.table import MESSAGE, Shape
from plait.search.shape.written import bare, is_path, without_place
from plait.types import Query, Tag

TEST, DOCUMENTATION, EXAMPLE = "test", "documentation", "example"
MAX_WORDS = 30  # whoever types more describes a problem, and names tests and pages in passing
MAX_READ = 500  # characters


class Kind(NamedTuple):
    """How one kind of file is asked for."""

    tag: str
    not_meant: re.Pattern[str]  # wordings that are about code
    meant: re.Pattern[str]  # in what is left, in lower case
    names: re.Pattern[str]  # identifiers of such files, as they are written
    paths: re.Pattern[str]  # their paths, in lower case


def _any(*wordings: str) -> re.Pattern[str]:
    """Any of these wordings, as whole words."""
    return re.compile(r"(?<!\w)(?:" + "|".join(wordings) + r")(?!\w)")


NOTHING = re.compile(r"(?!)")
FEW = r"(?:the|a|an|all|my|your|our|its|some|of|only|failed|failing|slow)"
TESTING = r"(?:unit|integration|regression|functional|acceptance|system|smoke|e2e|end-to-end)"
BUILDING = r"(?:build|built|compil|generat|render|serv|publish|host|deploy|writ|lint)\w*"

KINDS = (
    Kind(
        TEST,
        _any(
            # what runs them
            r"(?:re-?)?(?:r[ua]n|runs|running|execut\w+|discover\w*|collect\w*|skip\w*|mark\w*"
            rf"|select\w*|schedul\w+|parametri[sz]\w+|writ\w+|repeat\w*) (?:{FEW} )*"
            rf"(?:{TESTING} )?tests?(?: suite)?",
            r"tests? (?:are |is |get |gets |be )*(?:run|executed|discovered|collected|skipped|"
            r"selected|scheduled|parametri[sz]ed|marked|repeated|isolated|ordered)",
            # what helps them
            r"tests? (?:client|runner|server|suite|harness|framework|discovery|collection|database"
            r"|db|mode|environment|env|util\w*|helpers?|commands?|session|ids?|nodes?|items?"
            r"|report\w*|results?|doubles?|selection|order|loader|backend|app|application"
            r"|settings?|configuration|engine|connection|statistics?|plan|plugin)s?",
            # other things of that name
            r"(?:a/b|ab|hit|t|speed|self|ping|depth|stencil|alpha|scissor|intersection|primality"
            r"|significance|hypothesis|stress|load|smoke|equality|membership)[ -]tests?",
        ),
        _any(
            r"tests? (?:and \w+ )?(?:for|of|that|which|covering|covers?|verif\w+|exercis\w+"
            r"|around|against|für|von|zu)",
            rf"{TESTING} tests?",
            r"tests?[ -](?:cases?|fixtures?|data|coverage|files? (?:for|of|that|which))",
            r"(?:which|what|any|more|existing|where are the) tests",
            r"(?:is|are|was|were|be|being|gets?|been) (?:\S+ )*tested",
            r"(?:wird|werden|ist|sind) (?:\S+ )*getestet",
            r"\A(?:(?:where (?:is|are) |show me )?the )?specs? (?:for|of)",
            r"\A\S+(?: \S+)? tests\Z",
        ),
        re.compile(
            r"(?<![\w.])test_\w+|(?<![\w.])test[A-Z]\w+"
            r"|(?<!\w)(?!(?:is|in|no|has|run)_)\w+_tests?(?!\w)"
            r"|(?<!\w)(?!(?:Hit|Speed|Self|Ping|Depth|Stencil|Alpha|Scissor)Test)"
            r"[A-Z]\w*[a-z0-9](?:Tests?|Spec)(?!\w)"
            r"|(?<!\w)Test(?!(?:Client|Case|Runner|Server|Suite|Result|Loader|Module|Bed|Context"
            r"|Request\w*|Response|App|Adapter|Config\w*|Utils?|Kit|Database|Environment|Command"
            r"|Session|Harness|Framework|Report\w*|Plan|Helpers?|Handlers?|Engine|Event\w*)(?!\w))[A-Z]\w+"
        ),
        re.compile(
            r"(?:\A|[\\/])(?:tests?|specs?|__tests__)[\\/]"
            r"|(?:\A|[\\/])test_[^\\/]+\Z|[._-](?:test|spec)s?\.\w+\Z|\w(?:test|tests)\.(?:java|kt|cs)\Z"
        ),
    ),
    Kind(
        DOCUMENTATION,
        _any(
            rf"{BUILDING} (?:{FEW} |api |html |swagger )*(?:docs?|documentation|changelogs?)",
            rf"(?:docs?|documentation)(?: \w+)? {BUILDING}",
            r"(?:docs?|documentation|changelog|style guide|readme) (?:generat\w+|builder|build"
            r"|endpoints?|urls?|routes?|sites?|server|theme|extractor|comments?|strings?|parser"
            r"|linter|checker|extension|tools?|links?|viewer)",
            r"(?:swagger|openapi|redoc) (?:docs|documentation)",
        ),
        _any(
            r"documented",
            r"documentation",
            r"docs",
            r"readmes?",
            r"changelogs?",
            r"release notes",
            r"(?:migration|upgrade|contribut\w+|user|developer|installation|deployment|admin"
            r"|getting[ -]started|quick-?start)(?:'s)? guides?",
            r"guides? (?:to|for|on|about)",
            r"tutorials?",
            r"manual (?:pages?|sections?)",
            r"dokumentation|dokumentiert|documentación",
        ),
        NOTHING,
        re.compile(
            r"\.(?:md|mdx|markdown|rst|adoc)\Z|(?:\A|[\\/])(?:readme|changelog)\Z"
            r"|(?:\A|[\\/])docs?[\\/]\Z"
        ),
    ),
    Kind(
        EXAMPLE,
        _any(
            r"for example",
            r"example\.(?:com|org|net)",
            r"(?:training|few-?shot|negative|positive|labell?ed|input) examples?",
            r"examples? (?:values?|database|schemas?|fields?|parameters?|generator|decorator"
            r"|payloads?)",
        ),
        _any(
            r"examples? (?:of|for|that|which|with|using|where|showing|in|on|how|apps?|application"
            r"|projects?|code|scripts?|programs?|usage|plugins?)",
            r"(?:usage|code|minimal|working|simple|complete|full|basic|an|any|more) examples?",
            r"(?:samples?|demos?) (?:apps?|applications?|code|projects?|programs?|scripts?|usage)",
            r"(?:\S+ )*examples\Z",
            r"beispiele? (?:für|von|zu|mit)|ejemplos? (?:de|para|con)|exemples? (?:de|pour|avec)",
        ),
        NOTHING,
        re.compile(r"(?:\A|[\\/])(?:examples?|demos?|samples?)[\\/]"),
    ),
)


def about(text: str) -> frozenset[str]:
    """The tags of the kinds of file that a question is about; none if it is about code."""
    text = bare(text)
    words = text.split()
    if len(text) > MAX_READ or len(words) > MAX_WORDS:
        return frozenset()
    if len(words) == 1 and is_path(text):
        path = without_place(text).lower()
        return frozenset(kind.tag for kind in KINDS if kind.paths.search(path))
    plain = text.lower().rstrip("?!. ")
    return frozenset(
        kind.tag
        for kind in KINDS
        if kind.names.search(text) or kind.meant.search(kind.not_meant.sub("…", plain))
    )


def kinds_of(query: Query, shape: Shape) -> frozenset[str]:
    """The same of a whole query, in which filters speak too: ``is:test``. What a message names
    is not what it is about."""
    tags = (leaf for leaf in wanted_leaves(query.wanted) if isinstance(leaf, Tag))
    named = frozenset(tag.value for tag in tags if tag.name == "is")
    typed = frozenset() if shape is MESSAGE else about(free_text(query.wanted))
    return named & {kind.tag for kind in KINDS} | typed
