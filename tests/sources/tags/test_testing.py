"""Tests are known by the habits of each language; code about testing is code."""

from __future__ import annotations

import pytest

from plait.sources.tags import tags_of

TESTS = """
    python      tests/helper.py  pkg/tests/data.py  src/test_a.py  a_test.py  conftest.py
    python      test/support.py
    python      testing/test_mark.py  benchmarks/run.py  Lib/test/test_os.py
    javascript  test/a.js  web/__tests__/a.js  src/a.test.js  src/a.spec.jsx  cypress/login.js
    javascript  a-test.js
    typescript  src/a.spec.ts  src/a.test.tsx  src/__mocks__/fs.ts  e2e/a.ts  src/a.test-d.ts
    typescript  a.bench.ts
    java        src/test/java/org/a/Helper.java  src/FooTest.java  src/FooIT.java
    java        app/src/androidTest/A.java
    java        src/integrationTest/java/A.java  benchmarks/src/jmh/A.java
    go          pkg/a_test.go  pkg/testdata/a.go  test/e2e/a.go
    ruby        spec/a_spec.rb  spec/spec_helper.rb  test/a.rb  test/test_a.rb
    ruby        gems/a/test/a_test.rb
    ruby        features/steps/a.rb
    php         tests/ATest.php  Component/Form/Tests/FormTest.php  tests/bootstrap.php
    rust        tests/io.rs  tokio/tests/io.rs  benches/copy.rs  src/a/tests.rs  src/a/tests/b.rs
    rust        src/test/ui/a/b.rs
    c           test/a.c  tests/a.c  t/helper/a.c  test_a.c  src/a_test.c  unit-tests/a.h
    c           src/a-test.c
    cpp         absl/a_test.cc  absl/a_benchmark.cc  tests/auto/tst_a.cpp  base/a_unittest.cc
    csharp      Src/Json.Tests/A.cs  Dapper.Tests.Performance/A.cs  Src/UserTests.cs
    csharp      class/corlib/Test/A.cs
    csharp      src/App.UnitTests/A.cs  benchmarks/App.Benchmarks/A.cs
    kotlin      src/commonTest/kotlin/A.kt  core/jvmTest/A.kt  common/test/ATest.kt
    kotlin      exposed-tests/src/A.kt
    scala       core/src/test/scala/A.scala  src/UserSuite.scala  UserSpec.scala
    swift       Tests/ATests/A.swift  Tests/A.swift  AppTests/B.swift  UserTests.swift
    bash        test/a.bats  a.bats  t/t0001-init.sh  test_a.sh  tests/run.sh
    lua         spec/a_spec.lua  test/a.lua  tests/a.lua  spec/helper.lua
    haskell     test/A.hs  tests/Unit/A.hs  app/UserSpec.hs  testsuite/tests/a.hs  bench/A.hs
    elixir      test/a_test.exs  test/support/conn.ex  lib/elixir/test/elixir/kernel_test.exs
    elixir      test/test_helper.exs
    zig         test/a.zig  lib/std/json/test.zig  src/a_test.zig  tests/a.zig
    other       src/test/resources/a.xml  test/a.txt  t/a.t
"""

CODE = """
    python      src/a.py  contest.py  django/test/client.py  src/flask/testing.py
    python      starlette/testclient.py
    python      numpy/testing/decorators.py  src/_pytest/fixtures.py  src/_pytest/unittest.py
    python      spec/schema.py
    javascript  lib/tester.js  src/latest.js  lib/testing/harness.js  lib/runner.js
    typescript  packages/core/testing/src/bed.ts  packages/vitest/src/node/core.ts
    typescript  packages/runner/src/suite.ts
    java        src/latest.java  src/main/java/org/springframework/test/context/TestContext.java
    java        org/springframework/test/util/Reflection.java  javax/crypto/spec/KeySpec.java
    java        org/junit/Test.java
    go          net/http/httptest/server.go  testing/fstest/mapfs.go  pkg/testing/fake.go
    go          spec/openapi.go
    ruby        lib/rack/test/cookie_jar.rb  lib/active_support/test_case.rb  lib/minitest/spec.rb
    ruby        lib/a/test_help.rb
    php         src/Illuminate/Testing/A.php  src/Framework/TestCase.php
    php         src/Bundle/Test/KernelTestCase.php
    rust        src/test_util/mod.rs  library/test/src/lib.rs  tokio-test/src/io.rs
    rust        actix-web/src/test/mod.rs
    c           src/testament.c  include/test_tool.h
    cpp         include/gtest/gtest-typed-test.h  src/testlib/qtestcase.cpp  src/gtest.cc
    csharp      Src/NUnit/TestContext.cs  Src/Latest.cs  Src/Contest.cs
    kotlin      kotlinx-coroutines-test/common/src/A.kt
    kotlin      ktor-server-test-host/jvm/src/io/ktor/server/testing/A.kt
    scala       core/src/main/scala/org/scalatest/FunSuite.scala
    swift       Sources/XCTVapor/A.swift  Sources/Testing/Test.swift  Source/Request.swift
    bash        lib/bats-core/test_functions.bash  libexec/bats-core/bats-exec-test
    bash        completions/test
    lua         lua/busted/runner.lua  lib/awful/spawn.lua
    haskell     src/Test/Hspec/Core/Spec.hs  Test/QuickCheck.hs  src/Test/Tasty/Run.hs
    haskell     src/Data/TypeSpec.hs
    elixir      lib/phoenix/test/conn_test.ex  lib/ex_unit/lib/ex_unit/case.ex  lib/plug/test.ex
    zig         lib/std/testing.zig  lib/compiler/test_runner.zig  src/main.zig
"""


def listed(table: str) -> list[tuple[str, str]]:
    rows = (line.split() for line in table.strip().splitlines())
    return [(language, path) for language, *paths in rows for path in paths]


@pytest.mark.parametrize(("language", "path"), listed(TESTS))
def test_a_test_is_known_by_the_habits_of_its_language(language: str, path: str) -> None:
    assert "test" in tags_of(path, b"x\n")


@pytest.mark.parametrize(("language", "path"), listed(CODE))
def test_code_about_testing_is_code(language: str, path: str) -> None:
    assert "test" not in tags_of(path, b"x\n")


@pytest.mark.parametrize(
    ("path", "content", "is_test"),
    [
        ("app/tests.py", b"from django.test import TestCase\n", True),
        ("src/jinja2/tests.py", b"def test_odd(value):\n    return value % 2 == 1\n", False),
        ("src/test.rs", b"use super::*;\n#[test]\nfn adds() {}\n", True),
        ("src/test.rs", b"//! Tools for those who test services.\npub fn call() {}\n", False),
        ("test.js", b"var tape = require('tape')\n", True),
        ("lib/test.js", b"module.exports = Test\n", False),
        ("src/test.ts", b"x\n" * 4096 + b"describe('a', f)\n", False),
    ],
)
def test_a_name_that_leaves_it_open_is_settled_by_the_first_bytes(
    path: str, content: bytes, is_test: bool
) -> None:
    assert ("test" in tags_of(path, content)) is is_test


@pytest.mark.parametrize(
    ("path", "is_fixture"),
    [
        ("tests/fixtures/user.json", True),
        ("spec/fixtures/a.rb", True),
        ("pkg/testdata/a.go", True),
        ("src/__snapshots__/a.html", True),
        ("src/test/resources/a.xml", True),
        ("tests/golden/page.txt", True),
        ("tests/out.approved.txt", True),
        ("src/snapshots/take.py", False),
        ("src/main/resources/a.xml", False),
        ("src/_pytest/fixtures.py", False),
        ("tests/test_fixtures.py", False),
    ],
)
def test_what_tests_read_is_a_fixture(path: str, is_fixture: bool) -> None:
    tags = tags_of(path, b"x\n")

    assert ("fixture" in tags) is is_fixture
    assert "test" in tags or not is_fixture
