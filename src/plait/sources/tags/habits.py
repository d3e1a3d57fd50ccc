"""Habits: where each language keeps its tests, and where its product.

The same folder means different things: ``test/`` in a Ruby library's ``lib/`` is what it offers
to those who write tests, ``Test/`` in Haskell is part of a module's name, ``spec/`` in Java a
specification. So a habit says which folders hold tests anywhere, which only outside the product,
and which file names are tests'.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

Words = frozenset[str]
NOTHING: Final[Words] = frozenset()
NO_NAME: Final = re.compile(r"(?!)")

# Nobody calls anything else so, in any language.
EVERYWHERE = frozenset(
    "tests -test- __tests__ __test__ __mocks__ __snapshots__ __fixtures__ __benchmarks__ testdata "
    "test-data test_data testfixtures test-fixtures test_fixtures test-resources test_resources "
    "testresources androidtest unittests unit_tests unit-tests integrationtests integration-tests "
    "integration_tests functional_tests functional-tests e2e cypress testsuite smoke_tests "
    "smoke-tests".split()
)
BENCHMARKS = frozenset("bench benches benchmark benchmarks benchsuite".split())
PLAIN = BENCHMARKS | frozenset(
    "test unittest fixtures integration-test integration_test integrationtest".split()
)
# At the top of a tree these hold its tests; below, mostly code for those who write tests.
AT_THE_TOP = frozenset("test testing t spec specs".split())
# ``Foo.Tests``, ``FooTests``, ``foo-tests``, ``jvmTest``, ``App.Tests.Unit``: projects and sets.
TEST_PROJECT = re.compile(
    r"[a-z0-9](?:Tests|TestSuite|Benchmarks?)$|\.Tests(?:\.|$)|-tests$|\.(?:\w+)?(?:Test|Benchmarks?)$"
    r"|^[a-z]\w*Test$|^[a-z]\w*-benchmarks?$"
)
# ``src/test``, ``src/test-jdk17``, ``src/jmh``, ``lib/mix/test/fixtures``
SOURCE_SET = re.compile(
    r"(?:^|/)src/(?:test|test-\w+|jmh)/|(?:^|/)(?:test|spec)/(?:support/|(?:.*/)?fixtures/)"
)


@dataclass(frozen=True, slots=True)
class Habit:
    """How one language's projects are laid out."""

    outside: Words = PLAIN  # folders that hold tests unless they lie in the product
    product: Words = NOTHING  # folders that hold what is delivered
    top: Words = AT_THE_TOP  # folders that hold tests at the top of a tree
    name: re.Pattern[str] = NO_NAME  # of files that are tests, wherever they are
    outer_name: re.Pattern[str] = NO_NAME  # of files that are tests outside the product
    asked: re.Pattern[str] = NO_NAME  # of files that are tests if they say so at their top
    asked_folders: Words = NOTHING  # the same of folders within the product
    path: re.Pattern[str] = SOURCE_SET  # of files that are tests, even within the product
    is_cased: bool = False  # ``Test`` is not ``test``


JVM_PRODUCT = frozenset(
    "main commonmain jvmmain jsmain nativemain com org io net java javax jakarta kotlin kotlinx "
    "scala dev me edu de akka cats play zio".split()
)
SPEC = PLAIN | {"spec", "specs"}
JVM_NAME = re.compile(r"[a-z0-9](?:Test|Tests|IT|Spec|Specs|Suite|Benchmark|Benchmarks)\.\w+$")

PYTHON = Habit(
    outside=frozenset({"benchmarks", "benches", "fixtures"}),
    top=(AT_THE_TOP | BENCHMARKS) - {"spec", "specs"},
    name=re.compile(r"^test_.*\.pyi?$|_(?:test|tests|unittest)\.py$|^conftest\.py$"),
    asked=re.compile(r"^tests?\.py$"),
)
RUBY = Habit(
    outside=SPEC | {"features", "bootstraptest"},
    product=frozenset({"lib", "app"}),
    name=re.compile(r"_spec\.rb$"),
    outer_name=re.compile(r"^test_.*\.rb$|_test\.rb$|^(?:test|spec)_helper\.rb$"),
    path=re.compile(r"(?:^|/)test/(?:.*/)?(?:test_\w+|\w+_test)\.rb$"),
)
JVM = Habit(product=JVM_PRODUCT, top=frozenset({"test", "testing"}), outer_name=JVM_NAME)
RUST = Habit(
    outside=BENCHMARKS | {"fixtures"},  # a crate may be called test
    product=frozenset({"src"}),
    top=frozenset({"test", "testing"}),
    name=re.compile(r"^tests\.rs$|_tests?\.rs$"),
    asked=re.compile(r"^(?:test|test_.*)\.rs$"),
    path=re.compile(r"^src/test/[^/]+/"),  # the compiler's own
)
GO = Habit(name=re.compile(r"_test\.go$"), top=frozenset({"test"}))
SWIFT = Habit(
    product=frozenset({"sources"}),
    outer_name=re.compile(r"[a-z0-9](?:Test|Tests|Spec|Specs)\.(?:swift|mm?)$"),
)
CSHARP = Habit(
    top=frozenset({"test", "testing"}),
    outer_name=re.compile(r"[a-z0-9](?:Test|Tests|Specs?|Benchmarks?)\.(?:cs|fs|vb)$"),
)
PHP = Habit(
    outside=PLAIN | {"Tests", "Fixtures", "spec"},
    product=frozenset({"src", "lib", "app"}),
    top=frozenset({"test", "t"}),
    path=NO_NAME,
    outer_name=re.compile(r"[a-z0-9]Test\.php$|[_-]test\.php$"),
    is_cased=True,
)
ELIXIR_CODE = Habit(product=frozenset({"lib"}))
ELIXIR_SCRIPT = Habit(name=re.compile(r"_(?:test|bench)\.exs$|^test_helper\.exs$"))
HASKELL = Habit(
    outside=PLAIN | {"testsuite", "fixtures"},
    product=frozenset({"src"}),
    outer_name=re.compile(r"[a-z0-9](?:Spec|Test|Tests|Bench)\.hs$"),
    is_cased=True,
)
C = Habit(
    product=frozenset({"include"}),
    top=frozenset({"test", "testing", "t"}),
    name=re.compile(r"[_-](?:test|tests|unittest|unittests|benchmark|bench)\.(?:c|cc|cpp|cxx)$"),
    outer_name=re.compile(
        r"^test[_-].*\.(?:c|cc|cpp|cxx|h)$|[_-]tests?\.(?:h|hpp)$|^tst_\w+\.cpp$|^tests?\.(?:c|cc|cpp)$"
    ),
)
SCRIPT = Habit(
    outside=SPEC,
    product=frozenset({"src"}),
    asked_folders=frozenset({"test", "spec"}),
    name=re.compile(
        r"\.(?:test|tests|spec|cy|e2e|bench|test-d)\.\w+$|[_-](?:test|spec)\.(?:jsx?|tsx?)$"
        r"|^(?:jest|vitest|cypress|playwright|karma)\.(?:config|conf|setup)\b.*"
    ),
    outer_name=re.compile(r"^test-.*\.[mc]?js$"),
    path=re.compile(r"(?:^|/)(?:test|spec)/(?:support/|(?:.*/)?fixtures/)"),
    asked=re.compile(r"^tests?\.[mc]?[jt]sx?$"),
)
SHELL = Habit(
    outside=PLAIN | {"t"},
    name=re.compile(r"\.bats$|[_-]tests?\.(?:sh|bash)$|^test[_-].*\.sh$|^tests?\.sh$"),
)
LUA = Habit(
    outside=SPEC,
    name=re.compile(r"_(?:spec|test)\.lua$|\.(?:spec|test)\.lua$|^test_.*\.lua$"),
)
ZIG = Habit(name=re.compile(r"^tests?\.zig$|_tests?\.zig$"), top=frozenset({"test"}))
OTHER = Habit(
    product=frozenset({"main", "lib", "sources"}),
    top=AT_THE_TOP - {"spec", "specs"},
    name=re.compile(
        r"\.t$|_SUITE\.erl$|[_-]test\.(?:dart|clj[cs]?|erl|cr|jl|ml|nim|d)$"
        r"|^test-.*\.(?:R|r|el)$|^test_.*\.(?:jl|m|f90|nim|ml)$"
    ),
    asked=re.compile(r"\.feature$"),
)

HABITS = {
    suffix: habit
    for suffixes, habit in (
        ("py pyi pyx", PYTHON),
        ("rb rake erb haml slim", RUBY),
        ("java kt kts scala sc groovy", JVM),
        ("rs", RUST),
        ("go", GO),
        ("swift m mm", SWIFT),
        ("cs fs vb", CSHARP),
        ("php", PHP),
        ("ex", ELIXIR_CODE),
        ("exs", ELIXIR_SCRIPT),
        ("hs lhs", HASKELL),
        ("c h cc cpp cxx hh hpp hxx inl ipp", C),
        ("js jsx mjs cjs ts tsx mts cts vue svelte coffee", SCRIPT),
        ("sh bash bats zsh", SHELL),
        ("lua", LUA),
        ("zig", ZIG),
    )
    for suffix in suffixes.split()
}
